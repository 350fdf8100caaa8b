import type { Device, DeviceKind, DeviceState } from '../model/device.ts';
import type { FleetDevice, PhoneColumns, Phones } from '../model/reading.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';
import { Column } from './column.ts';

/** Numbers of a phone that stand side by side, in this order; one that is not known is NaN. */
const NUMBERS = 7;

/**
 * Takes phones in, in the order of their ids, and keeps them in a fraction of the room: each of their fields in a column,
 * and their numbers without an object around each. A fleet is the largest thing that this process holds, and each of its
 * objects is one that the garbage collector has to look at, all of them again and again, while everything else waits.
 * What is asked for is made anew each time. A class: see docs/decisions/0019.
 */
export class Packer {
  readonly #ids: Column<string>;
  readonly #labels: Column<string>;
  readonly #kinds: Column<DeviceKind>;
  readonly #states: Column<DeviceState>;
  readonly #rentalIds: Column<string | undefined>;
  #numbers: Float64Array<ArrayBuffer>;
  #length = 0;

  /**
   * @param expected how many phones are likely to come: columns that grow leave several times their room behind
   * @param earlier phones whose columns are taken over where they hold just the same
   */
  constructor(expected: number, earlier?: Phones) {
    this.#ids = new Column(expected, earlier?.columns.ids);
    this.#labels = new Column(expected, earlier?.columns.labels);
    this.#kinds = new Column(expected, earlier?.columns.kinds);
    this.#states = new Column(expected, earlier?.columns.states);
    this.#rentalIds = new Column(expected, earlier?.columns.rentalIds);
    this.#numbers = new Float64Array(expected * NUMBERS);
  }

  get length(): number {
    return this.#length;
  }

  push(phone: FleetDevice): void {
    const start = this.#length * NUMBERS;
    if (start === this.#numbers.length) this.#numbers = resized(this.#numbers, 2 * start + NUMBERS);
    writeNumbers(this.#numbers, start, phone);
    const { device } = phone;
    this.#ids.push(device.id);
    this.#labels.push(device.label);
    this.#kinds.push(device.kind);
    this.#states.push(device.state);
    this.#rentalIds.push(device.rentalId);
    this.#length += 1;
  }

  /** All that were taken in; nothing more may be taken in then. */
  packed(): Phones {
    const length = this.#length * NUMBERS;
    return new PackedPhones({
      ids: this.#ids.filled(),
      labels: this.#labels.filled(),
      kinds: this.#kinds.filled(),
      states: this.#states.filled(),
      rentalIds: this.#rentalIds.filled(),
      numbers: this.#numbers.length === length ? this.#numbers : resized(this.#numbers, length),
    });
  }
}

/** The same phones, packed. */
export function* packPhones(phones: Iterable<FleetDevice>): SlicedWork<Phones> {
  const packer = new Packer(0);
  for (const phone of phones) {
    packer.push(phone);
    if (packer.length % SLICE_STEPS === 0) yield;
  }
  return packer.packed();
}

class PackedPhones implements Phones {
  readonly columns: PhoneColumns;

  constructor(columns: PhoneColumns) {
    this.columns = columns;
  }

  get length(): number {
    return this.columns.ids.length;
  }

  at(index: number): FleetDevice | undefined {
    return unpack(this.columns, index);
  }

  slice(from: number, to: number): readonly FleetDevice[] {
    const phones: FleetDevice[] = [];
    for (let index = from; index < Math.min(to, this.length); index += 1) {
      const phone = unpack(this.columns, index);
      if (phone !== undefined) phones.push(phone);
    }
    return phones;
  }

  deviceAt(index: number): Device | undefined {
    return unpackDevice(this.columns, index);
  }

  *[Symbol.iterator](): Generator<FleetDevice> {
    for (let index = 0; index < this.length; index += 1) {
      const phone = unpack(this.columns, index);
      if (phone !== undefined) yield phone;
    }
  }
}

function resized(numbers: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const other = new Float64Array(length);
  other.set(numbers.subarray(0, length));
  return other;
}

function writeNumbers(numbers: Float64Array, start: number, phone: FleetDevice): void {
  const { device, heartbeatAgeSeconds, rentalStatusSince, rentalStatusSeconds } = phone;
  numbers[start] = device.lastHeartbeatAt ?? Number.NaN;
  numbers[start + 1] = heartbeatAgeSeconds ?? Number.NaN;
  numbers[start + 2] = rentalStatusSince ?? Number.NaN;
  numbers[start + 3] = rentalStatusSeconds.sold;
  numbers[start + 4] = rentalStatusSeconds.self_rented;
  numbers[start + 5] = rentalStatusSeconds.idle;
  numbers[start + 6] = rentalStatusSeconds.other;
}

function unpackDevice(columns: PhoneColumns, index: number): Device | undefined {
  const id = columns.ids[index];
  const label = columns.labels[index];
  const kind = columns.kinds[index];
  const state = columns.states[index];
  if (id === undefined || label === undefined || kind === undefined || state === undefined) return undefined;
  const lastHeartbeatAt = known(columns.numbers[index * NUMBERS]);
  return { id, label, kind, state, lastHeartbeatAt, rentalId: columns.rentalIds[index] };
}

function unpack(columns: PhoneColumns, index: number): FleetDevice | undefined {
  const device = unpackDevice(columns, index);
  if (device === undefined) return undefined;
  const { numbers } = columns;
  const start = index * NUMBERS;
  return {
    device,
    heartbeatAgeSeconds: known(numbers[start + 1]),
    rentalStatusSince: known(numbers[start + 2]),
    rentalStatusSeconds: {
      sold: numbers[start + 3] ?? 0,
      self_rented: numbers[start + 4] ?? 0,
      idle: numbers[start + 5] ?? 0,
      other: numbers[start + 6] ?? 0,
    },
  };
}

function known(number: number | undefined): number | undefined {
  return number === undefined || Number.isNaN(number) ? undefined : number;
}
