import type { Device } from '../../model/device.ts';
import type { PhoneColumns } from '../../model/reading.ts';
import { parseInstant } from '../instant.ts';
import { NO_KIND } from './device-page.ts';
import { fingerprintOf, type Stretch } from './fingerprint.ts';

/**
 * Items of a page that were read before: what was read, and what its bytes were, though not the bytes themselves. In
 * columns, since an object for each phone would take twice the room.
 */
export type KnownItems = Omit<PhoneColumns, 'numbers'> & {
  /** {@link MARKS} numbers for each item. */
  readonly marks: Float64Array;
};

export const NO_ITEMS: KnownItems = {
  ids: [],
  labels: [],
  kinds: [],
  states: [],
  rentalIds: [],
  marks: new Float64Array(),
};

/** A known item that was found again. */
export type Found = {
  readonly place: number;
  /** As it was read before, with the heartbeat that it has now. */
  readonly device: Device;
  /** Where its bytes begin and end. */
  readonly from: number;
  readonly to: number;
};

/** Bytes of JSON, and the same ones to read words from. */
export type Bytes = { readonly buffer: Buffer; readonly view: DataView };

export function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Bytes {
  return {
    buffer: Buffer.from(buffer, byteOffset, byteLength),
    view: new DataView(buffer, byteOffset, byteLength),
  };
}

/** Of its bytes: how many they are, where the heartbeat begins in them, and the fingerprint of all but that. */
const MARKS = 3;

/** So many phones in a row may leave a page before those that stay are not found any more. */
const LOOK_AHEAD = 8;

/** `lastHeartbeatAt` as the API document shows it. */
const INSTANT_LENGTH = '2026-03-01T12:00:00.000Z'.length;
const NAME = Buffer.from('lastHeartbeatAt');
const KEY = Buffer.from(`"${NAME}":"`);

/** The known item whose bytes begin at `from`, save for its heartbeat; undefined where none of the next ones does. */
export function findItem(
  known: KnownItems,
  next: number,
  { buffer, view }: Bytes,
  from: number,
): Found | undefined {
  const { ids, marks } = known;
  const last = Math.min(next + LOOK_AHEAD, ids.length);
  for (let place = next; place < last; place += 1) {
    const mark = place * MARKS;
    const to = from + (marks[mark] ?? 0);
    const stretch = stretchOf(from, to, from + (marks[mark + 1] ?? 0));
    if (to > view.byteLength || fingerprintOf(view, stretch) !== marks[mark + 2]) continue;
    const device = deviceAt(known, place, buffer, stretch);
    return device && { place, device, from, to };
  }
  return undefined;
}

/** Takes items in, in the order of the page. */
export type KnownItemsBuilder = {
  readonly again: (known: KnownItems, place: number) => void;
  readonly add: (device: Device, bytes: Bytes, from: number, to: number) => void;
  readonly built: () => KnownItems;
};

export function createKnownItemsBuilder(): KnownItemsBuilder {
  const devices: Omit<Device, 'lastHeartbeatAt'>[] = [];
  const marks: number[] = [];
  return {
    again: (known, place) => {
      const device = knownAt(known, place);
      if (device === undefined) return;
      devices.push(device);
      marks.push(...known.marks.subarray(place * MARKS, (place + 1) * MARKS));
    },
    add: (device, bytes, from, to) => {
      const heartbeat = heartbeatIn(device, bytes.buffer, from, to);
      // It is nowhere kept but in the bytes.
      if (heartbeat === undefined && device.lastHeartbeatAt !== undefined) return;
      const stretch = stretchOf(from, to, heartbeat ?? to);
      devices.push(device);
      marks.push(to - from, stretch.holeFrom - from, fingerprintOf(bytes.view, stretch));
    },
    built: () => ({
      ids: devices.map(({ id }) => id),
      labels: devices.map(({ label }) => label),
      kinds: devices.map(({ kind }) => kind),
      states: devices.map(({ state }) => state),
      rentalIds: devices.map(({ rentalId }) => rentalId),
      marks: Float64Array.from(marks),
    }),
  };
}

function stretchOf(from: number, to: number, heartbeat: number): Stretch {
  return { from, to, holeFrom: heartbeat, holeTo: Math.min(heartbeat + INSTANT_LENGTH, to) };
}

/** The device with the heartbeat that is in the hole; undefined where that is no instant. */
function deviceAt(
  known: KnownItems,
  place: number,
  buffer: Buffer,
  { holeFrom, to }: Stretch,
): Device | undefined {
  const device = knownAt(known, place);
  if (device === undefined) return undefined;
  const { id, label, kind, state, rentalId } = device;
  const heartbeat = holeFrom === to ? undefined : instantAt(buffer, holeFrom);
  if (holeFrom !== to && heartbeat === undefined) return undefined;
  // Of a phone that another shard looks after it was not read, and is not now.
  const lastHeartbeatAt = kind === NO_KIND ? undefined : heartbeat;
  return { id, label, kind, state, lastHeartbeatAt, rentalId };
}

function knownAt(known: KnownItems, place: number): Omit<Device, 'lastHeartbeatAt'> | undefined {
  const id = known.ids[place];
  const label = known.labels[place];
  const kind = known.kinds[place];
  const state = known.states[place];
  if (id === undefined || label === undefined || kind === undefined || state === undefined) return undefined;
  return { id, label, kind, state, rentalId: known.rentalIds[place] };
}

/**
 * Where the heartbeat of an item begins; undefined if it is no instant, or not the one that was read, or if its name
 * stands there more than once. That of a phone which another shard looks after is not read at all.
 */
function heartbeatIn(device: Device, buffer: Buffer, from: number, to: number): number | undefined {
  const item = buffer.subarray(from, to);
  const key = item.indexOf(KEY);
  if (key < 0 || item.indexOf(NAME) !== key + 1 || item.lastIndexOf(NAME) !== key + 1) return undefined;
  const heartbeat = from + key + KEY.length;
  const instant = instantAt(buffer, heartbeat);
  if (instant === undefined) return undefined;
  return device.kind === NO_KIND || instant === device.lastHeartbeatAt ? heartbeat : undefined;
}

function instantAt(buffer: Buffer, at: number): number | undefined {
  return parseInstant(buffer.toString('latin1', at, at + INSTANT_LENGTH));
}
