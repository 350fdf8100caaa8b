import { describe, expect, it } from 'vitest';
import { afterFailedPoll, afterSuccessfulPoll, NEVER_READ, withAge } from '../../../src/poller/freshness.ts';
import { freshReading, NOON } from '../../builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const often = { gap: 30 * SECOND, staleAfter: 15 * MINUTE };
const hourly = { gap: HOUR, staleAfter: 15 * MINUTE };
const fresh = freshReading('data');
const failing = afterFailedPoll(fresh, 'timeout', NOON + MINUTE);

describe('a reading', () => {
  it.each([
    ['of a poll just now is fresh', fresh, 0, often, 'fresh'],
    ['is fresh for two intervals', fresh, MINUTE, often, 'fresh'],
    ['is held when a third begins without a poll', fresh, MINUTE + 1, often, 'held'],
    ['is held until it is stale', fresh, 15 * MINUTE, often, 'held'],
    ['expires when it is stale', fresh, 15 * MINUTE + 1, often, 'expired'],
    ['whose last poll failed is held at once', failing, 30 * SECOND, often, 'held'],
    ['whose last poll failed expires when it is stale', failing, 15 * MINUTE + 1, often, 'expired'],
    ['of rare polls stays fresh between them', fresh, 2 * HOUR, hourly, 'fresh'],
    ['of rare polls lives for three intervals', fresh, 3 * HOUR, hourly, 'held'],
    ['of rare polls expires after three intervals', fresh, 3 * HOUR + 1, hourly, 'expired'],
    ['of rare polls that fail expires when it is stale', failing, 15 * MINUTE + 1, hourly, 'expired'],
    ['without a successful poll is expired', NEVER_READ, HOUR, often, 'expired'],
  ])('%s', (_, reading, uptime, staleness, state) => {
    expect(withAge(reading, uptime, staleness).state).toBe(state);
  });

  it('stays the same object while its state does not change', () => {
    expect(withAge(fresh, MINUTE, often)).toBe(fresh);
  });

  it('keeps its data when it expires, for the time when the API returns', () => {
    expect(withAge(fresh, HOUR, often)).toEqual({ ...fresh, state: 'expired' });
  });

  it('of a successful poll is fresh, and one that fails later keeps the data', () => {
    const success = afterSuccessfulPoll('data', NOON, 0);
    expect(success).toEqual(fresh);
    expect(withAge(afterFailedPoll(success, 'dns', NOON + SECOND), SECOND, often)).toEqual({
      ...fresh,
      state: 'held',
      lastAttemptAt: NOON + SECOND,
      failure: 'dns',
    });
  });
});
