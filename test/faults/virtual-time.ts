import type { FakeClock } from '../fake-clock.ts';

/** Passing of time: as real time does, or by a leap after so many idle turns of the event loop, of a second by default. */
export type TimeMode = 'real' | { readonly idleRounds: number; readonly leapMilliseconds?: number };

const DEFAULT: TimeMode = { idleRounds: 10 };

/**
 * Waits for work that depends on a real network and a fake clock. When nothing happens for a while, all of it waits for
 * the clock, which then leaps. Idle turns of the event loop are counted, not time, since a busy machine is slower.
 *
 * @param activity returns a number that changes when something happens
 */
export async function runInVirtualTime<Value>(
  work: Promise<Value>,
  clock: FakeClock,
  activity: () => number,
  timeMode: TimeMode = DEFAULT,
): Promise<Value> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  work.then(done, done);
  const pass = timeMode === 'real' ? advanceReally(clock) : leapWhenIdle(clock, activity, timeMode);
  while (!settled) {
    await round();
    pass();
  }
  return work;
}

function leapWhenIdle(
  clock: FakeClock,
  activity: () => number,
  { idleRounds, leapMilliseconds = 1_000 }: Exclude<TimeMode, 'real'>,
): () => void {
  let seen = activity();
  let idle = 0;
  return () => {
    const now = activity();
    idle = now === seen ? idle + 1 : 0;
    seen = now;
    if (idle < idleRounds) return;
    clock.advance(leapMilliseconds);
    idle = 0;
  };
}

function advanceReally(clock: FakeClock): () => void {
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
