import type { Device, DeviceKind, DeviceState } from '../model/device.ts';
import type { FleetDevice, Phones } from '../model/reading.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';

/** Numbers of a phone that stand side by side, in this order; one that is not known is NaN. */
const NUMBERS = 7;

/** Takes phones in, in the order of their ids, and keeps them packed. */
export type Packer = {
  readonly push: (phone: FleetDevice) => void;
  readonly length: () => number;
  /** All that were taken in; nothing more may be taken in then. */
  readonly packed: () => Phones;
};

/** What is kept of each phone, in its place in each of these. */
type Columns = {
  readonly ids: string[];
  readonly labels: string[];
  readonly kinds: DeviceKind[];
  readonly states: DeviceState[];
  readonly rentalIds: (string | undefined)[];
};

/**
 * Keeps phones in a fraction of the room: each of their fields in a column, and their numbers without an object around
 * each. A fleet is the largest thing that this process holds, and each of its objects is one that the garbage collector
 * has to look at, all of them again and again, while everything else waits. What is asked for is made anew each time.
 *
 * @param expected how many phones are likely to come: columns that grow leave several times their room behind
 */
export function createPacker(expected: number): Packer {
  const columns: Columns = {
    ids: new Array(expected),
    labels: new Array(expected),
    kinds: new Array(expected),
    states: new Array(expected),
    rentalIds: new Array(expected),
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
      columns.ids[length] = device.id;
      columns.labels[length] = device.label;
      columns.kinds[length] = device.kind;
      columns.states[length] = device.state;
      columns.rentalIds[length] = device.rentalId;
      length += 1;
    },
    packed: () => {
      for (const column of Object.values(columns)) column.length = length;
      const fitting = numbers.length === length * NUMBERS ? numbers : resized(numbers, length * NUMBERS);
      return phonesOf(length, (index) => unpack(columns, fitting, index));
    },
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

function phonesOf(length: number, at: (index: number) => FleetDevice | undefined): Phones {
  function* between(from: number, to: number): Generator<FleetDevice> {
    for (let index = from; index < to; index += 1) {
      const phone = at(index);
      if (phone !== undefined) yield phone;
    }
  }
  return {
    length,
    at,
    slice: (from, to) => [...between(from, Math.min(to, length))],
    [Symbol.iterator]: () => between(0, length),
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

function unpack(columns: Columns, numbers: Float64Array, index: number): FleetDevice | undefined {
  const id = columns.ids[index];
  const label = columns.labels[index];
  const kind = columns.kinds[index];
  const state = columns.states[index];
  if (id === undefined || label === undefined || kind === undefined || state === undefined) return undefined;
  const start = index * NUMBERS;
  const device: Device = {
    id,
    label,
    kind,
    state,
    lastHeartbeatAt: known(numbers[start]),
    rentalId: columns.rentalIds[index],
  };
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
