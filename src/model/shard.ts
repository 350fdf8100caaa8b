import { COLLECTORS, type Collector } from './enums.ts';

/**
 * The part of the devices of every account that this process monitors. Shards know nothing of each other: each lists
 * all devices, and tells by their ids alone which are its own.
 */
export type Shard = {
  /** From 0 to `total - 1`. */
  readonly index: number;
  readonly total: number;
};

/** The only shard: it monitors all devices. */
export const WHOLE: Shard = { index: 0, total: 1 };

/** Largest number of shards that makes sense, since each of them lists all devices. */
export const MOST_SHARDS = 256;

/** Tells whether a device belongs to this shard. */
export function isOwn({ index, total }: Shard, deviceId: string): boolean {
  return total === 1 || shardOf(deviceId, total) === index;
}

/** Tells whether this shard exports what there is once for an account, such as the balance: exactly one shard does. */
export function isFirst({ index }: Shard): boolean {
  return index === 0;
}

/** Lists the collectors of a shard. */
export function collectorsOf(shard: Shard): readonly Collector[] {
  return isFirst(shard) ? COLLECTORS : ['devices', 'tunnels'];
}

/**
 * Returns the shard of a device, 0 to `total - 1`: the one with the highest weight (rendezvous hashing). One shard more
 * moves only the devices that belong to the new shard.
 *
 * The result for an id must never change: processes of two versions would then export some devices twice and others not
 * at all. A test holds samples of it.
 */
export function shardOf(deviceId: string, total: number): number {
  const hash = mix(hashOf(deviceId));
  let shard = 0;
  let highest = -1;
  for (let candidate = 0; candidate < total; candidate += 1) {
    const weight = mix(hash ^ Math.imul(candidate + 1, GOLDEN_RATIO));
    if (weight <= highest) continue;
    shard = candidate;
    highest = weight;
  }
  return shard;
}

/** 2^32 divided by the golden ratio: its multiples lie far apart, so that neighbouring shards share no bits. */
const GOLDEN_RATIO = 0x9e3779b9;

/** FNV-1a, 32 bits, over the characters, which are ASCII in every id that is accepted. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** The finaliser of MurmurHash3: each bit of the result depends on all bits of the hash. An unsigned integer. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
