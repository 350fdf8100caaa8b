import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../src/model/incident.ts';
import { type AccountSnapshot, isDataCurrent } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  fleetDevice,
  fleetOf,
  freshReading,
  healthyDevice,
  judged,
  moneyOf,
  NOON,
} from '../../builders.ts';

const MINUTE = 60_000;

/** An account with a phone that was first listed some time ago. */
function accountWith(ago: number, own: Partial<AccountSnapshot> = {}): AccountSnapshot {
  const device = fleetDevice(healthyDevice({ id: 'p1' }));
  const times = { ...device.times, firstListedAt: NOON - ago };
  return judged(
    accountOf({
      devices: freshReading(fleetOf({ ...device, times })),
      tunnels: freshReading(new Map()),
      balance: freshReading(moneyOf(100, 0)),
      ...own,
    }),
  );
}

const known = (account: AccountSnapshot): readonly string[] =>
  TOPICS.filter((topic) => isDataCurrent(account, topic));

describe('an account knows', () => {
  it('everything while all its data is fresh', () => {
    expect(known(accountWith(15 * MINUTE))).toEqual(['api', 'devices', 'tunnels', 'balance']);
  });

  it('nothing before its first polls', () => {
    expect(known(accountOf())).toEqual([]);
  });

  it('the API and the balance alone in the first 15 minutes without a state file', () => {
    expect(known(accountWith(15 * MINUTE - 1))).toEqual(['api', 'balance']);
  });

  it.each(['stale', 'expired'] as const)('nothing of phones while their data is %s', (state) => {
    const account = accountWith(15 * MINUTE);
    expect(known({ ...account, devices: { ...account.devices, state } })).toEqual(['tunnels', 'balance']);
  });

  it('nothing of tunnels and the balance while their polls fail', () => {
    const account = accountWith(15 * MINUTE);
    const tunnels = { ...account.tunnels, state: 'stale' as const };
    const balance = { ...account.balance, state: 'expired' as const };
    expect(known({ ...account, tunnels, balance })).toEqual(['api', 'devices']);
  });

  it('not for phones during the grace period after an outage', () => {
    const account = accountWith(15 * MINUTE);
    const { judgement } = account.known;
    const waiting = judgement && { ...judgement, gracePeriodEndsAt: NOON + MINUTE };
    expect(known({ ...account, known: { ...account.known, judgement: waiting } })).toEqual([
      'api',
      'tunnels',
      'balance',
    ]);
  });
});
