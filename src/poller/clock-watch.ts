import { type Clock, every } from '../clock.ts';
import type { Log } from '../log.ts';
import type { ClockDirection } from '../metrics/self.ts';
import { ageOf, type Moment, momentOf, stepBetween } from './moment.ts';

const LOOK_MILLISECONDS = 1_000;

/** A clock that is set again and again gets one line in this time; the counter tells the rest. */
const QUIET_MILLISECONDS = 60 * 60 * 1000;

/** Tells of each step of the wall clock, until the function returned is called. */
export function watchClocks(clock: Clock, onStep: (direction: ClockDirection) => void, log: Log): () => void {
  let before = momentOf(clock);
  let told: Moment | undefined;
  return every(clock, LOOK_MILLISECONDS, () => {
    const now = momentOf(clock);
    const step = stepBetween(before, now);
    before = now;
    if (step === 0) return;
    onStep(step > 0 ? 'forward' : 'backward');
    if (told !== undefined && ageOf(told, now) < QUIET_MILLISECONDS) return;
    told = now;
    log.warn({ seconds: Math.round(step / 1000) }, 'the clock was set, or the machine was suspended');
  });
}
