import { describe, expect, it } from 'vitest';
import { tunnelsAfterRound, withResults } from '../../../src/judge/tunnels.ts';
import { answerAtNoon, NOON, tunnelOf } from '../../builders.ts';

const MINUTE = 60_000;
const LIFETIME = 15 * MINUTE;

const known = new Map([
  ['a', answerAtNoon(tunnelOf({ id: 'old-a' }))],
  ['b', answerAtNoon(tunnelOf({ id: 'old-b' }))],
]);

describe('the tunnels after a round', () => {
  it('are the new values, and the last one of a device that could not be polled', () => {
    const apiTime = NOON + MINUTE;
    const answers = new Map([['a', { tunnel: undefined, apiTime }]]);
    expect([...tunnelsAfterRound(known, ['a', 'b'], answers, apiTime, LIFETIME)]).toEqual([
      ['a', { tunnel: undefined, respondedAt: apiTime, stateSince: apiTime, isStale: false }],
      ['b', { ...known.get('b'), isStale: true }],
    ]);
  });

  it('keep the time since which a tunnel is up', () => {
    const answers = new Map([['a', { tunnel: tunnelOf(), apiTime: NOON + MINUTE }]]);
    expect(tunnelsAfterRound(known, ['a'], answers, NOON + MINUTE, LIFETIME).get('a')?.stateSince).toBe(NOON);
  });

  it('do not include a value that is too old', () => {
    expect(tunnelsAfterRound(known, ['a'], new Map(), NOON + LIFETIME + 1, LIFETIME).size).toBe(0);
  });

  it('do not include a device whose rental ended', () => {
    expect([...tunnelsAfterRound(known, ['b'], new Map(), NOON, LIFETIME).keys()]).toEqual(['b']);
  });
});

describe('the tunnels of devices that were just rented', () => {
  it('come on top of those that are known', () => {
    const answers = new Map([['c', { tunnel: tunnelOf(), apiTime: NOON }]]);
    expect([...withResults(known, answers).keys()]).toEqual(['a', 'b', 'c']);
  });
});
