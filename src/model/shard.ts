import { COLLECTORS, type Collector } from './endpoint.ts';

/**
 * The part of the phones that this process looks after, of every account alike. Shards know nothing of each other: each
 * lists all phones, and finds out by their ids alone which are its own.
 */
export type Shard = {
  /** From 0 to `total - 1`. */
  readonly index: number;
  readonly total: number;
};

/** A process that looks after all phones. */
export const WHOLE: Shard = { index: 0, total: 1 };

/** Most shards that make sense, since each of them lists all phones. */
export const MOST_SHARDS = 256;

/** Whether a phone is one of those that this shard looks after. */
export function isOwn({ index, total }: Shard, deviceId: string): boolean {
  return total === 1 || shardOf(deviceId, total) === index;
}

/** Whether this shard speaks for the accounts as a whole, such as for their balance: one has to, and only one may. */
export function isFirst({ index }: Shard): boolean {
  return index === 0;
}

/** What a shard polls. */
export function collectorsOf(shard: Shard): readonly Collector[] {
  return isFirst(shard) ? COLLECTORS : ['devices', 'tunnels'];
}

/**
 * Which of `total` shards looks after a phone: the one that gives it the highest weight (rendezvous hashing). With one
 * shard more, the phones that give the new one the highest weight move to it, and no other phone moves at all.
 *
 * The answer for an id must never change, since processes of two versions would then look after some phones twice and
 * after others not at all: it is part of the product, and a test holds samples of it.
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
