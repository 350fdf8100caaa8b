import { describe, expect, it } from 'vitest';
import { afterFailedPoll, afterSuccessfulPoll, NEVER_POLLED, withAge } from '../../../src/poll/freshness.ts';
import { NOON, POLLED_AT_NOON } from '../../builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const often = { dueIn: 30 * SECOND, slack: 30 * SECOND, staleAfter: 15 * MINUTE };
const hourly = { dueIn: HOUR, slack: HOUR, staleAfter: 15 * MINUTE };
/** A schedule of each half minute, from 8 to 20 o'clock, whose next poll is tomorrow morning. */
const overNight = { dueIn: 12 * HOUR, slack: 30 * SECOND, staleAfter: 15 * MINUTE };
const fresh = POLLED_AT_NOON;
const failing = afterFailedPoll(fresh, 'timeout', NOON + MINUTE);

describe('a reading', () => {
  it.each([
    ['of a poll just now is fresh', fresh, 0, often, 'fresh'],
    ['is fresh until the next poll is late by a gap', fresh, MINUTE, often, 'fresh'],
    ['is held when the next poll is later', fresh, MINUTE + 1, often, 'stale'],
    ['is held until it is stale', fresh, 15 * MINUTE, often, 'stale'],
    ['expires when it is stale', fresh, 15 * MINUTE + 1, often, 'expired'],
    ['whose last poll failed is held at once', failing, 30 * SECOND, often, 'stale'],
    ['whose last poll failed expires when it is stale', failing, 15 * MINUTE + 1, often, 'expired'],
    ['of rare polls stays fresh between them', fresh, 2 * HOUR, hourly, 'fresh'],
    ['of rare polls is held while two polls are missing', fresh, 3 * HOUR, hourly, 'stale'],
    ['of rare polls expires then', fresh, 3 * HOUR + 1, hourly, 'expired'],
    ['of rare polls that fail expires when it is stale', failing, 15 * MINUTE + 1, hourly, 'expired'],
    ['stays fresh over a night without polls', fresh, 12 * HOUR + 30 * SECOND, overNight, 'fresh'],
    ['expires when no poll begins in the morning', fresh, 12 * HOUR + MINUTE + 1, overNight, 'expired'],
    ['whose last poll failed expires in a night without polls', failing, HOUR, overNight, 'expired'],
    ['without a successful poll is expired', NEVER_POLLED, HOUR, often, 'expired'],
  ])('%s', (_, polled, uptime, staleness, state) => {
    expect(withAge(polled, uptime, staleness).state).toBe(state);
  });

  it('stays the same object while its state does not change', () => {
    expect(withAge(fresh, MINUTE, often)).toBe(fresh);
  });

  it('of a successful poll is fresh, and keeps its age when a later one fails', () => {
    const success = afterSuccessfulPoll(NOON, 0);
    expect(success).toEqual(fresh);
    expect(withAge(afterFailedPoll(success, 'dns', NOON + SECOND), SECOND, often)).toEqual({
      ...fresh,
      state: 'stale',
      lastAttemptAt: NOON + SECOND,
      failure: 'dns',
    });
  });
});
