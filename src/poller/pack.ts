import type { Device } from '../model/device.ts';
import type { FleetDevice, PhoneColumns, Phones } from '../model/reading.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';
import { createColumn } from './column.ts';

/** Numbers of a phone that stand side by side, in this order; one that is not known is NaN. */
const NUMBERS = 7;

/** Takes phones in, in the order of their ids, and keeps them packed. */
export type Packer = {
  readonly push: (phone: FleetDevice) => void;
  readonly length: () => number;
  /** All that were taken in; nothing more may be taken in then. */
  readonly packed: () => Phones;
};

/**
 * Keeps phones in a fraction of the room: each of their fields in a column, and their numbers without an object around
 * each. A fleet is the largest thing that this process holds, and each of its objects is one that the garbage collector
 * has to look at, all of them again and again, while everything else waits. What is asked for is made anew each time.
 *
 * @param expected how many phones are likely to come: columns that grow leave several times their room behind
 * @param earlier phones whose columns are taken over where they hold just the same
 */
export function createPacker(expected: number, earlier?: Phones): Packer {
  const columns = {
    ids: createColumn(expected, earlier?.columns.ids),
    labels: createColumn(expected, earlier?.columns.labels),
    kinds: createColumn(expected, earlier?.columns.kinds),
    states: createColumn(expected, earlier?.columns.states),
    rentalIds: createColumn(expected, earlier?.columns.rentalIds),
  };
  let numbers = new Float64Array(expected * NUMBERS);
  let length = 0;
  return {
    length: () => length,
    push: (phone) => {
      const start = length * NUMBERS;
      if (start === numbers.length) numbers = resized(numbers, 2 * start + NUMBERS);
      writeNumbers(numbers, start, phone);
      const { device } = phone;
      columns.ids.push(device.id);
      columns.labels.push(device.label);
      columns.kinds.push(device.kind);
      columns.states.push(device.state);
      columns.rentalIds.push(device.rentalId);
      length += 1;
    },
    packed: () =>
      phonesIn({
        ids: columns.ids.filled(),
        labels: columns.labels.filled(),
        kinds: columns.kinds.filled(),
        states: columns.states.filled(),
        rentalIds: columns.rentalIds.filled(),
        numbers: numbers.length === length * NUMBERS ? numbers : resized(numbers, length * NUMBERS),
      }),
  };
}

/** The same phones, packed. */
export function* packPhones(phones: Iterable<FleetDevice>): SlicedWork<Phones> {
  const packer = createPacker(0);
  for (const phone of phones) {
    packer.push(phone);
    if (packer.length() % SLICE_STEPS === 0) yield;
  }
  return packer.packed();
}

function phonesIn(columns: PhoneColumns): Phones {
  const { length } = columns.ids;
  return {
    length,
    at: (index) => unpack(columns, index),
    slice: (from, to) => {
      const phones: FleetDevice[] = [];
      for (let index = from; index < Math.min(to, length); index += 1) {
        const phone = unpack(columns, index);
        if (phone !== undefined) phones.push(phone);
      }
      return phones;
    },
    deviceAt: (index) => unpackDevice(columns, index),
    columns,
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index += 1) {
        const phone = unpack(columns, index);
        if (phone !== undefined) yield phone;
      }
    },
  };
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
