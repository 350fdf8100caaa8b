import type { FakeClock } from '../fake-clock.ts';

/**
 * How time passes while work is waited for: as real time does, or by leaps, each of them when nothing has happened for
 * so many rounds of the event loop.
 */
export type Passing = 'really' | { readonly patience: number };

/** How far time leaps while everyone waits for it, in milliseconds. */
const LEAP = 1_000;

const IMPATIENT: Passing = { patience: 10 };

/**
 * Waits for work that waits for a network and a clock, of which only the network is real. Whenever nothing happens any
 * more, everyone must be waiting for the clock, and it leaps. That is told by rounds of the event loop and not by the
 * time they take: a loop that is held up goes round more slowly, and nobody loses patience.
 *
 * @param activity a number that changes when something happens
 */
export async function settle<Value>(
  work: Promise<Value>,
  clock: FakeClock,
  activity: () => number,
  passing: Passing = IMPATIENT,
): Promise<Value> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  work.then(done, done);
  const pass = passing === 'really' ? passReally(clock) : leapWhenIdle(clock, activity, passing.patience);
  while (!settled) {
    await round();
    pass();
  }
  return work;
}

function leapWhenIdle(clock: FakeClock, activity: () => number, patience: number): () => void {
  let seen = activity();
  let idle = 0;
  return () => {
    const now = activity();
    idle = now === seen ? idle + 1 : 0;
    seen = now;
    if (idle < patience) return;
    clock.advance(LEAP);
    idle = 0;
  };
}

function passReally(clock: FakeClock): () => void {
  let last = performance.now();
  return () => {
    const now = performance.now();
    clock.advance(now - last);
    last = now;
  };
}

/** A little rest, in which the loop goes round as often as it has something to do, and at least once. */
const REST = 2;

function round(): Promise<void> {
  return new Promise((resolve) => setTimeout(() => setImmediate(resolve), REST));
}
