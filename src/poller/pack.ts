import type { Device } from '../model/device.ts';
import type { FleetDevice, Phones } from '../model/reading.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';

/** What many phones have in common; of a fleet of a hundred thousand there are some hundred different ones. */
type Traits = Pick<
  Device,
  'brand' | 'model' | 'appVersion' | 'setupStatus' | 'rentalStatus' | 'marketplaceStatus' | 'rotation'
> & {
  /** Without the identifier of the rental, which no two phones share. */
  readonly selfRent: Pick<NonNullable<Device['selfRent']>, 'status'> | undefined;
};

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
 * Keeps phones in a fraction of the room: what they share is kept once, and their numbers without an object around each.
 * A fleet is the largest thing that this process holds, and each of its objects is one that the garbage collector has to
 * look at, all of them again and again, while everything else waits. What is asked for is made anew each time.
 *
 * @param expected how many phones are likely to come
 */
export function createPacker(expected: number): Packer {
  const known = new Map<string, Traits>();
  const ids: string[] = [];
  const labels: string[] = [];
  const traits: Traits[] = [];
  const rentalIds: (string | undefined)[] = [];
  let numbers = new Float64Array(expected * NUMBERS);
  return {
    length: () => ids.length,
    push: (phone) => {
      const start = ids.length * NUMBERS;
      if (start === numbers.length) numbers = resized(numbers, 2 * start + NUMBERS);
      writeNumbers(numbers, start, phone);
      ids.push(phone.device.id);
      labels.push(phone.device.label);
      rentalIds.push(phone.device.selfRent?.rentalId);
      traits.push(traitsOf(phone.device, known));
    },
    packed: () => {
      const length = ids.length * NUMBERS;
      const fitting = numbers.length === length ? numbers : resized(numbers, length);
      return phonesOf(ids.length, (index) => {
        const [id, label, shared] = [ids[index], labels[index], traits[index]];
        if (id === undefined || label === undefined || shared === undefined) return undefined;
        return unpack(id, label, shared, rentalIds[index], fitting, index * NUMBERS);
      });
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

/** Of equal traits the first ones, so that the others are not kept. */
function traitsOf(device: Device, known: Map<string, Traits>): Traits {
  const { brand, model, appVersion, setupStatus, rentalStatus, marketplaceStatus, rotation, selfRent } =
    device;
  // A line feed, and a minus alone, stand for nothing else: texts and statuses have none in them.
  const rent = selfRent === undefined ? '-' : (selfRent.status ?? '');
  const turn =
    rotation === undefined ? '-' : `${rotation.status ?? ''} ${rotation.intervalMilliseconds ?? ''}`;
  const states = `${setupStatus ?? ''}\n${rentalStatus ?? ''}\n${marketplaceStatus ?? ''}`;
  const key = `${brand}\n${model}\n${appVersion}\n${states}\n${rent}\n${turn}`;
  const same = known.get(key);
  if (same !== undefined) return same;
  const traits: Traits = {
    brand,
    model,
    appVersion,
    setupStatus,
    rentalStatus,
    marketplaceStatus,
    rotation,
    selfRent: selfRent && { status: selfRent.status },
  };
  known.set(key, traits);
  return traits;
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

function unpack(
  id: string,
  label: string,
  traits: Traits,
  rentalId: string | undefined,
  numbers: Float64Array,
  start: number,
): FleetDevice {
  return {
    device: {
      id,
      label,
      brand: traits.brand,
      model: traits.model,
      appVersion: traits.appVersion,
      setupStatus: traits.setupStatus,
      rentalStatus: traits.rentalStatus,
      marketplaceStatus: traits.marketplaceStatus,
      lastHeartbeatAt: known(numbers[start]),
      selfRent: traits.selfRent && { status: traits.selfRent.status, rentalId },
      rotation: traits.rotation,
    },
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
