import type { ByProperty } from '../../fleet/grouping.ts';
import { COLUMNS } from '../../model/times.ts';

/** Groupings other than tags. */
export const GROUPINGS = ['phone', 'group', 'model'] as const;

export type MonthGrouping = (typeof GROUPINGS)[number] | ByProperty;

export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;
