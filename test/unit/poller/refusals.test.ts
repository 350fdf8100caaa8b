import { describe, expect, it } from 'vitest';
import { afterPoll, isProbeDue, mayPoll, NO_REFUSALS } from '../../../src/poller/refusals.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A key that was refused to these collectors at 0. */
const refusedTo = (...collectors: readonly ('devices' | 'tunnels' | 'balance')[]) =>
  collectors.reduce((refusals, collector) => afterPoll(refusals, collector, 'unauthorized', 0), NO_REFUSALS);

describe('after a refusal', () => {
  const all = refusedTo('devices', 'tunnels', 'balance');

  it.each([
    ['nobody may poll', all, 'balance', 5 * MINUTE - 1, false],
    ['the balance is the one to try after five minutes', all, 'balance', 5 * MINUTE, true],
    ['the others wait until it is granted', all, 'devices', 24 * HOUR, false],
    [
      'a collector that alone was refused tries for itself',
      refusedTo('devices'),
      'devices',
      5 * MINUTE,
      true,
    ],
    ['a collector that was not refused goes on', refusedTo('balance'), 'devices', 0, true],
  ] as const)('%s', (_, refusals, collector, now, may) => {
    expect(mayPoll(refusals, collector, now)).toBe(may);
  });

  it('the second pause is an hour, and so is each after it', () => {
    const twice = afterPoll(all, 'balance', 'unauthorized', 5 * MINUTE);
    expect(isProbeDue(twice, 65 * MINUTE - 1)).toBe(false);
    expect(isProbeDue(twice, 65 * MINUTE)).toBe(true);
    const thrice = afterPoll(twice, 'balance', 'unauthorized', 65 * MINUTE);
    expect(isProbeDue(thrice, 125 * MINUTE)).toBe(true);
  });

  it('the balance granted ends it for all', () => {
    expect(afterPoll(all, 'balance', undefined, 5 * MINUTE)).toBe(NO_REFUSALS);
  });

  it('another collector granted ends it for that one', () => {
    const refusals = afterPoll(refusedTo('devices', 'balance'), 'devices', undefined, MINUTE);
    expect(refusals).toEqual(refusedTo('balance'));
  });

  it('a failure of another kind changes nothing', () => {
    expect(afterPoll(all, 'balance', 'timeout', 5 * MINUTE)).toBe(all);
  });
});

it('a key that was never refused needs no probe', () => {
  expect(afterPoll(NO_REFUSALS, 'balance', undefined, 0)).toBe(NO_REFUSALS);
  expect(isProbeDue(NO_REFUSALS, HOUR)).toBe(false);
});
