import { type ByProperty, isByProperty } from '../../fleet/grouping.ts';
import { COLUMNS } from '../../model/times.ts';

/** Groupings other than tags. */
export const GROUPINGS = ['phone', 'group', 'model'] as const;

export type MonthGrouping = (typeof GROUPINGS)[number] | ByProperty;

/** Parses a grouping; undefined for any other text. */
export function monthGrouping(text: string): MonthGrouping | undefined {
  return GROUPINGS.find((each) => each === text) ?? (isByProperty(text) ? text : undefined);
}

export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;
