import { describe, expect, it } from 'vitest';
import { expire } from '../../../src/poller/expiry.ts';
import { failed } from '../../../src/poller/settle.ts';
import { freshReading, NOON, UNREAD } from '../../builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const often = { intervalMilliseconds: 30 * SECOND, staleAfterMilliseconds: 15 * MINUTE };
const hourly = { intervalMilliseconds: HOUR, staleAfterMilliseconds: 15 * MINUTE };
const fresh = freshReading('data');
const held = failed(fresh, 'timeout', NOON + MINUTE, 15 * MINUTE);

describe('a reading', () => {
  it.each([
    ['of a poll just now is fresh', fresh, 0, often, 'fresh'],
    ['is fresh for two intervals', fresh, MINUTE, often, 'fresh'],
    ['is held when a third begins without a poll', fresh, MINUTE + 1, often, 'held'],
    ['is held until it is stale', fresh, 15 * MINUTE, often, 'held'],
    ['expires then', fresh, 15 * MINUTE + 1, often, 'expired'],
    ['of a failing poll expires then', held, 15 * MINUTE + 1, often, 'expired'],
    ['of rare polls stays fresh between them', fresh, 2 * HOUR, hourly, 'fresh'],
    ['of rare polls lives for three intervals', fresh, 3 * HOUR, hourly, 'held'],
    ['of rare polls expires then', fresh, 3 * HOUR + 1, hourly, 'expired'],
    ['of rare polls that fail expires as asked for', held, 15 * MINUTE + 1, hourly, 'expired'],
    ['that never was stays away', UNREAD, HOUR, often, 'expired'],
  ])('%s', (_, reading, age, patience, state) => {
    expect(expire(reading, age, patience).state).toBe(state);
  });

  it('that has not changed is the same one', () => {
    expect(expire(fresh, MINUTE, often)).toBe(fresh);
  });

  it('keeps what it knows when it expires, for when the API returns', () => {
    expect(expire(fresh, HOUR, often)).toEqual({ ...fresh, state: 'expired' });
  });
});
