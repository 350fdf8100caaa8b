import { describe, expect, it } from 'vitest';
import { type HistoryPoint, historyAfter } from '../../../../src/features/history/history.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/model/time.ts';
import { NOON } from '../../../builders.ts';

/** The history after lists at some instants, each with its number as the number of devices. */
function historyOf(
  instants: readonly number[],
  before: readonly HistoryPoint[] = [],
): readonly HistoryPoint[] {
  return instants.reduce(
    (history, at, number) => historyAfter(history, at, 'listed', () => ({ listed: number })),
    before,
  );
}

const each = (step: number, from: number, to: number): readonly number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);

describe('a history', () => {
  it('has what the first list of each ten minutes showed', () => {
    const history = historyOf(each(MINUTE, NOON + 3 * MINUTE, NOON + 25 * MINUTE));
    expect(history).toEqual([
      { at: NOON, listed: 0 },
      { at: NOON + 10 * MINUTE, listed: 7 },
      { at: NOON + 20 * MINUTE, listed: 17 },
    ]);
  });

  it('has the balance beside the list, whichever comes first', () => {
    const withBalance = (history: readonly HistoryPoint[]) =>
      historyAfter(history, NOON + MINUTE, 'balance_cents', () => ({ balance_cents: 5 }));
    expect(withBalance(historyOf([NOON]))).toEqual([{ at: NOON, listed: 0, balance_cents: 5 }]);
    expect(historyOf([NOON + 2 * MINUTE], withBalance([]))).toEqual([
      { at: NOON, listed: 0, balance_cents: 5 },
    ]);
  });

  it('has no point where nobody saw the account', () => {
    const history = historyOf([NOON, NOON + HOUR]);
    expect(history.map(({ at }) => (at - NOON) / MINUTE)).toEqual([0, 60]);
  });

  it('keeps ten minutes for two days, hours for 31 days, and nothing longer', () => {
    const now = NOON + 40 * DAY;
    const history = historyOf(each(10 * MINUTE, NOON, now + MINUTE));
    const isFine = ({ at }: HistoryPoint) => at > now - 2 * DAY;
    expect(history.filter(isFine)).toHaveLength(288);
    expect(history.filter((point) => !isFine(point)).map(({ at }) => at)).toEqual(
      each(HOUR, now - 31 * DAY + HOUR, now - 2 * DAY + HOUR),
    );
  });

  it('has no point of the future after the clock was set back', () => {
    const history = historyOf([NOON, NOON + 2 * HOUR, NOON + 3 * HOUR, NOON + 10 * MINUTE]);
    expect(history.map(({ at }) => (at - NOON) / MINUTE)).toEqual([0, 10]);
  });
});
