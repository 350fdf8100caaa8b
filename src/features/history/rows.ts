import { z } from 'zod';
import { HISTORY_COLUMNS, type HistoryPoint, STEP } from './history.ts';

/*
 * The history of an account in the state file: a row of differences to the point before, which are small numbers. A month of
 * 10,000 phones takes 20 kB.
 */

/** Intervals since the point before, and the difference of each column; null where the point has no value. */
type Row = readonly (number | null)[];

/** Encodes points, the oldest first. */
export function historyRows(points: readonly HistoryPoint[]): readonly Row[] {
  const before = new Map<string, number>();
  const differenceOf = (name: string, value: number | undefined): number | null => {
    if (value === undefined) return null;
    const difference = value - (before.get(name) ?? 0);
    before.set(name, value);
    return difference;
  };
  return points.map((point) => [
    differenceOf('at', point.at / STEP),
    ...HISTORY_COLUMNS.map((column) => differenceOf(column, point[column])),
  ]);
}

/** The rows of {@link historyRows}, decoded. */
export const HISTORY_ROWS = z
  .array(z.tuple([z.int()], z.number().nullable()))
  .transform((rows): readonly HistoryPoint[] => {
    let before: HistoryPoint = { at: 0 };
    return rows.map(([steps, ...differences]) => {
      const at = before.at + steps * STEP;
      const values = HISTORY_COLUMNS.flatMap((column, index) => {
        const difference = differences[index];
        return difference === null || difference === undefined
          ? []
          : [[column, (before[column] ?? 0) + difference]];
      });
      const point = { at, ...Object.fromEntries(values) };
      before = { ...before, ...point };
      return point;
    });
  });
