import { type Clock, every } from '../clock.ts';

/** Time in which this process ran. */
export type AwakeTime = {
  /** In milliseconds since it was made. */
  readonly elapsed: () => number;
  readonly stop: () => void;
};

const LOOK_MILLISECONDS = 1_000;

/** No more time than this counts between two looks: what is longer was spent standing still. */
const LONGEST_GAP_MILLISECONDS = 5_000;

/**
 * A clock that stands still while the process does, as under a debugger, in a frozen container or on a machine that has
 * no time for it. Whoever asks for the time looks at the clock too, so it goes on, if slowly, even where no timer does.
 */
export function measureAwakeTime(clock: Clock): AwakeTime {
  let seenAt = clock.monotonic();
  let sum = 0;
  const elapsed = (): number => {
    const now = clock.monotonic();
    sum += Math.min(now - seenAt, LONGEST_GAP_MILLISECONDS);
    seenAt = now;
    return sum;
  };
  return { elapsed, stop: every(clock, LOOK_MILLISECONDS, elapsed) };
}
