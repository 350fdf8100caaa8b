import { describe, expect, it } from 'vitest';
import { failed, NEVER_READ, settleBalance, settleTunnels, succeeded } from '../../../src/poller/settle.ts';
import { answerAtNoon, freshReading, moneyOf, NOON, tunnelOf } from '../../builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STALE_AFTER = 15 * MINUTE;

describe('a reading', () => {
  it('of a poll that succeeded is fresh', () => {
    expect(succeeded('data', NOON)).toEqual({
      data: 'data',
      state: 'fresh',
      lastSuccessAt: NOON,
      lastAttemptAt: NOON,
      failure: undefined,
    });
  });

  it.each([
    ['is held while it is not too old', STALE_AFTER, 'held'],
    ['expires when it is', STALE_AFTER + 1, 'expired'],
  ])('that a failed poll keeps %s', (_, age, state) => {
    expect(failed(freshReading('data'), 'timeout', NOON + age, STALE_AFTER)).toEqual({
      data: 'data',
      state,
      lastSuccessAt: NOON,
      lastAttemptAt: NOON + age,
      failure: 'timeout',
    });
  });

  it('that never succeeded has nothing to hold', () => {
    expect(failed(NEVER_READ, 'dns', NOON, STALE_AFTER)).toEqual({
      ...NEVER_READ,
      lastAttemptAt: NOON,
      failure: 'dns',
    });
  });
});

describe('the tunnels', () => {
  const known = new Map([
    ['a', answerAtNoon(tunnelOf({ id: 'old-a' }))],
    ['b', answerAtNoon(tunnelOf({ id: 'old-b' }))],
  ]);

  it('take the new answers and keep the last one of a phone that could not be asked', () => {
    const answer = { tunnel: undefined, answeredAt: NOON + MINUTE };
    const settled = settleTunnels(known, ['a', 'b'], new Map([['a', answer]]), NOON + MINUTE, STALE_AFTER);
    expect([...settled]).toEqual([
      ['a', answer],
      ['b', known.get('b')],
    ]);
  });

  it('forget an answer that is too old', () => {
    expect(settleTunnels(known, ['a'], new Map(), NOON + STALE_AFTER + 1, STALE_AFTER).size).toBe(0);
  });

  it('forget an answer from the future, since the clock was set back', () => {
    expect(settleTunnels(known, ['a'], new Map(), NOON - 1, STALE_AFTER).size).toBe(0);
  });

  it('forget a phone whose rental ended', () => {
    expect([...settleTunnels(known, ['b'], new Map(), NOON, STALE_AFTER).keys()]).toEqual(['b']);
  });
});

describe('the money', () => {
  it('has not moved at the first poll', () => {
    expect(settleBalance(undefined, moneyOf(100, 5).balance)).toEqual(moneyOf(100, 5));
  });

  it('adds up what went up and what went down', () => {
    const moved = [moneyOf(150, 5), moneyOf(20, 9), moneyOf(30, 0)].reduce(
      (before, { balance }) => settleBalance(before, balance),
      moneyOf(100, 5),
    );
    expect(moved.observed).toEqual({
      available: { increaseCents: 60, decreaseCents: 130 },
      pending: { increaseCents: 4, decreaseCents: 9 },
    });
  });

  it('has not moved by what the API did not give', () => {
    const unknown = { availableCents: undefined, pendingCents: 5, totalCents: undefined };
    const settled = settleBalance(settleBalance(moneyOf(100, 5), unknown), moneyOf(200, 5).balance);
    expect(settled.observed.available).toEqual({ increaseCents: 0, decreaseCents: 0 });
  });
});
