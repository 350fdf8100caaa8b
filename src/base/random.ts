/** Returns numbers in [0, 1). Equal seeds give equal numbers. */
export type Random = () => number;

/** Creates a Mulberry32 generator: 32 bits of state, fast, and good enough for a simulation. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Combines numbers into a seed (the murmur3 finaliser over each part), so that each phone and each of its changes has
 * its own random numbers, independent of all other draws.
 */
export function deriveSeed(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Returns an integer from `low` to `high`, inclusive. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Returns one of the choices, all equally likely. */
export function pick<Choice>(random: Random, choices: readonly [Choice, ...Choice[]]): Choice {
  let remaining = Math.floor(random() * choices.length);
  // Not by index: a choice may be undefined.
  for (const choice of choices) {
    if (remaining === 0) return choice;
    remaining -= 1;
  }
  return choices[0];
}

/** Returns one of the names, by weight. The weights may have any sum. */
export function pickWeighted<Name extends string>(
  random: Random,
  weights: Readonly<Record<Name, number>>,
): Name {
  let remaining = random() * Object.values<number>(weights).reduce((sum, weight) => sum + weight, 0);
  let picked: Name | undefined;
  for (const name in weights) {
    picked = name;
    remaining -= weights[name];
    if (remaining < 0) break;
  }
  if (picked === undefined) throw new RangeError('there is nothing to pick');
  return picked;
}

/** Returns `length` lower-case hexadecimal digits. */
export function hexDigits(random: Random, length: number): string {
  let digits = '';
  while (digits.length < length) digits += between(random, 0, 15).toString(16);
  return digits;
}
