import type { Device } from '../../model/device.ts';
import { parseInstant } from '../instant.ts';
import { fingerprintOf, type Stretch } from './fingerprint.ts';

/** Items of a page that were read before: what was read, and what its bytes were, though not the bytes themselves. */
export type KnownItems = {
  readonly devices: readonly Device[];
  /** {@link MARKS} numbers for each device. */
  readonly marks: Float64Array;
};

export const NO_ITEMS: KnownItems = { devices: [], marks: new Float64Array() };

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
  const { devices, marks } = known;
  const last = Math.min(next + LOOK_AHEAD, devices.length);
  for (let place = next; place < last; place += 1) {
    const mark = place * MARKS;
    const to = from + (marks[mark] ?? 0);
    const stretch = stretchOf(from, to, from + (marks[mark + 1] ?? 0));
    if (to > view.byteLength || fingerprintOf(view, stretch) !== marks[mark + 2]) continue;
    const before = devices[place];
    const device = before && (stretch.holeFrom === to ? before : beating(before, buffer, stretch.holeFrom));
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
  const devices: Device[] = [];
  const marks: number[] = [];
  return {
    again: ({ devices: before, marks: marksBefore }, place) => {
      const device = before[place];
      if (device === undefined) return;
      devices.push(device);
      marks.push(...marksBefore.subarray(place * MARKS, (place + 1) * MARKS));
    },
    add: (device, bytes, from, to) => {
      const stretch = stretchOf(from, to, heartbeatIn(device, bytes.buffer, from, to) ?? to);
      devices.push(device);
      marks.push(to - from, stretch.holeFrom - from, fingerprintOf(bytes.view, stretch));
    },
    built: () => ({ devices, marks: Float64Array.from(marks) }),
  };
}

function stretchOf(from: number, to: number, heartbeat: number): Stretch {
  return { from, to, holeFrom: heartbeat, holeTo: Math.min(heartbeat + INSTANT_LENGTH, to) };
}

/** The device with the heartbeat that begins at `at`; undefined where that is no instant. */
function beating(device: Device, buffer: Buffer, at: number): Device | undefined {
  const lastHeartbeatAt = instantAt(buffer, at);
  if (lastHeartbeatAt === undefined) return undefined;
  // Of a phone that another shard looks after it was not read, and is not now.
  if (device.lastHeartbeatAt === undefined) return device;
  const { id, label, kind, state, rentalId } = device;
  return { id, label, kind, state, lastHeartbeatAt, rentalId };
}

/**
 * Where the heartbeat of an item begins; undefined where it has to count like the rest: if it is no instant, or if its
 * name stands there more than once, so that another one might be what was read.
 */
function heartbeatIn(device: Device, buffer: Buffer, from: number, to: number): number | undefined {
  const item = buffer.subarray(from, to);
  const key = item.indexOf(KEY);
  if (key < 0 || item.indexOf(NAME) !== key + 1 || item.lastIndexOf(NAME) !== key + 1) return undefined;
  const heartbeat = from + key + KEY.length;
  const instant = instantAt(buffer, heartbeat);
  const isRead = instant !== undefined && instant === (device.lastHeartbeatAt ?? instant);
  return isRead ? heartbeat : undefined;
}

function instantAt(buffer: Buffer, at: number): number | undefined {
  return parseInstant(buffer.toString('latin1', at, at + INSTANT_LENGTH));
}
