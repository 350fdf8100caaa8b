import { describe, expect, it } from 'vitest';
import { finish } from '../../../../src/base/steps.ts';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { HISTORY, type HistoryRow, movementSince } from '../../../../src/features/history/history.ts';
import { step } from '../../../../src/judge/step.ts';
import { type Account, NEW_ACCOUNT } from '../../../../src/model/account.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/model/time.ts';
import { bareDevice, NOON, settingsWith } from '../../../builders.ts';
import { listObservation } from '../../list-observation.ts';

const SETTINGS = settingsWith({ parts: [HISTORY.bind(createTimeZone('UTC'))] });

/** Returns an account after a list of so many devices. */
function listed(account: Account, at: number, count: number): Account {
  const devices = Array.from({ length: count }, (_, index) => bareDevice({ id: `phone-${index}` }));
  return finish(step(account, listObservation(devices, at, MINUTE, undefined), SETTINGS));
}

function withBalance(account: Account, at: number, cents: number, currency?: string): Account {
  const balance = { availableCents: cents, pendingCents: undefined, totalCents: undefined };
  const observation = { kind: 'balance', elapsed: undefined, balance, apiTime: at } as const;
  return finish(step(account, observation, { ...SETTINGS, currency }));
}

/** The history after lists at some instants, each of as many devices as its number. */
function historyOf(instants: readonly number[]): readonly HistoryRow[] {
  return HISTORY.of(instants.reduce((account, at, number) => listed(account, at, number), NEW_ACCOUNT));
}

const each = (step: number, from: number, to: number): readonly number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);

/** Lists of no device, which are quick. */
const emptyLists = (instants: readonly number[]): readonly HistoryRow[] =>
  HISTORY.of(instants.reduce((account, at) => listed(account, at, 0), NEW_ACCOUNT));

describe('a history', () => {
  it('has what the first list of each ten minutes showed', () => {
    const history = historyOf(each(MINUTE, NOON + 3 * MINUTE, NOON + 25 * MINUTE));
    expect(history.map(([at, devices]) => [(at - NOON) / MINUTE, devices])).toEqual([
      [0, 0],
      [10, 7],
      [20, 17],
    ]);
  });

  it('has the balance next to the list, whichever comes first', () => {
    const expected = [[NOON, 2, 0, 0, 0, 0, 2, 0, 5, 0, 0]];
    const first = withBalance(listed(NEW_ACCOUNT, NOON, 2), NOON + MINUTE, 5);
    expect(HISTORY.of(first)).toEqual(expected);
    const second = listed(withBalance(NEW_ACCOUNT, NOON + MINUTE, 5), NOON + 2 * MINUTE, 2);
    expect(HISTORY.of(second)).toEqual(expected);
  });

  it('knows what came in and went out since an instant, as it was observed', () => {
    const balances = [
      [NOON - HOUR, 1_000],
      [NOON, 1_200],
      [NOON + HOUR, 200],
      [NOON + 2 * HOUR, 450],
    ] as const;
    const account = balances.reduce((before, [at, cents]) => withBalance(before, at, cents), NEW_ACCOUNT);
    expect(movementSince(account, NOON)).toEqual({
      increaseCents: 250,
      decreaseCents: 1_000,
      since: new Date(NOON).toISOString(),
    });
    expect(movementSince(account, NOON - 2 * HOUR)).toMatchObject({ increaseCents: 450 });
    expect(movementSince(account, NOON + 3 * HOUR)).toBeUndefined();
    expect(movementSince(NEW_ACCOUNT, NOON)).toBeUndefined();
  });

  it('starts again in another currency, and keeps its phones', () => {
    const begun = withBalance(listed(NEW_ACCOUNT, NOON, 2), NOON, 500, 'EUR');
    const euros = withBalance(begun, NOON + HOUR, 900, 'EUR');
    const hryvnias = withBalance(euros, NOON + 2 * HOUR, 40_000, 'UAH');
    expect(HISTORY.of(hryvnias).map((row) => [row[1], row[8], row[9]])).toEqual([
      [2, null, null],
      [null, null, null],
      [null, 40_000, 0],
    ]);
    const later = withBalance(hryvnias, NOON + 3 * HOUR, 41_000, 'UAH');
    expect(movementSince(later, NOON)).toMatchObject({ increaseCents: 1_000, decreaseCents: 0 });
    expect(movementSince(withBalance(euros, NOON + 2 * HOUR, 950), NOON)).toMatchObject({
      increaseCents: 450,
    });
  });

  it('has no row for times when nobody saw the account', () => {
    expect(historyOf([NOON, NOON + HOUR]).map(([at]) => (at - NOON) / MINUTE)).toEqual([0, 60]);
  });

  it('keeps ten minutes for two days, hours for 31 days, and nothing longer', () => {
    const now = NOON + 40 * DAY;
    const history = emptyLists(each(10 * MINUTE, NOON, now + MINUTE));
    const isFine = ([at]: HistoryRow) => at > now - 2 * DAY;
    expect(history.filter(isFine)).toHaveLength(288);
    expect(history.filter((row) => !isFine(row)).map(([at]) => at)).toEqual(
      each(HOUR, now - 31 * DAY + HOUR, now - 2 * DAY + HOUR),
    );
    expect(JSON.stringify(history).length).toBeLessThan(60_000);
  });

  it('has no row of the future after the clock was set back', () => {
    const history = emptyLists([NOON, NOON + 2 * HOUR, NOON + 3 * HOUR, NOON + 10 * MINUTE]);
    expect(history.map(([at]) => (at - NOON) / MINUTE)).toEqual([0, 10]);
  });
});
