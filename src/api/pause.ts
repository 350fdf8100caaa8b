import type { Clock } from '../clock.ts';
import type { FailureReason } from '../model/failure.ts';
import type { ApiError, Refusal } from './errors.ts';

/** Until when an account sends nothing, because the API asked for that. */
export type Pause = {
  /** Why nothing may be sent now. */
  readonly refusal: () => Refusal | undefined;
  readonly succeeded: () => void;
  readonly failed: (failure: ApiError) => void;
};

/** How long a 429 without a usable Retry-After lets us wait; doubled each time that the one before was not enough. */
const DEFAULT_MILLISECONDS = 30_000;

/** The longest pause that a 429 can ask for. A larger wish is a mistake, or meant to keep us away for ever. */
const LONGEST_THROTTLED_MILLISECONDS = 15 * 60_000;

/** With a 503 the header is a guess at the end of an outage: after five minutes we look for ourselves. */
const LONGEST_DOWN_MILLISECONDS = 5 * 60_000;

/** What comes on top: at least half of this share of the pause, or of this time, and at most all of it. */
const JITTER_SHARE = 0.1;
const JITTER_MILLISECONDS = 1_000;

/**
 * Milliseconds for which a failure asks us to send nothing; undefined where it does not. Retry-After has one meaning
 * with 429 and 503 (RFC 9110, section 10.2.3). Jitter only adds, and never nothing: an answer's seconds are rounded,
 * and many clients may have been given the same ones.
 *
 * @param before how many pauses there were since the last success
 * @param random a number in [0, 1), drawn anew
 */
export function pauseFor(failure: ApiError, before: number, random: () => number): number | undefined {
  const asked = failure.retryAfterMilliseconds;
  if (failure.reason === 'throttled') {
    const wished = asked ?? DEFAULT_MILLISECONDS * 2 ** before;
    return withJitter(Math.min(wished, LONGEST_THROTTLED_MILLISECONDS), random);
  }
  if (failure.status === 503 && asked !== undefined) {
    return withJitter(Math.min(asked, LONGEST_DOWN_MILLISECONDS), random);
  }
  return undefined;
}

function withJitter(milliseconds: number, random: () => number): number {
  const most = Math.max(JITTER_MILLISECONDS, milliseconds * JITTER_SHARE);
  return milliseconds + (most * (1 + random())) / 2;
}

/** @param onPause is told until when, in milliseconds since 1970 */
export function createPause(clock: Clock, random: () => number, onPause: (until: number) => void): Pause {
  let until = Number.NEGATIVE_INFINITY;
  let reason: FailureReason = 'throttled';
  let pauses = 0;
  const remaining = () => until - clock.monotonic();
  return {
    refusal: () => {
      const milliseconds = remaining();
      if (milliseconds <= 0) return undefined;
      return {
        reason,
        got: `not sent in the pause that the API asked for (${inSeconds(milliseconds)} left)`,
      };
    },
    succeeded: () => {
      // One that was sent before the pause says nothing of it.
      if (remaining() <= 0) pauses = 0;
    },
    failed: (failure) => {
      const isNew = remaining() <= 0;
      const milliseconds = pauseFor(failure, isNew ? pauses : pauses - 1, random);
      if (milliseconds === undefined || milliseconds <= remaining()) return;
      // Several that were under way together are refused together, and are one pause.
      if (isNew) pauses += 1;
      reason = failure.reason;
      until = clock.monotonic() + milliseconds;
      onPause(clock.now() + milliseconds);
    },
  };
}

function inSeconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
