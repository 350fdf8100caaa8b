import { COLUMNS } from './times.ts';

/** By what a month is added up. */
export const MONTH_GROUPINGS = ['phone', 'group', 'model'] as const;

export type MonthGrouping = (typeof MONTH_GROUPINGS)[number];

/** The columns of a month, and what nobody saw. */
export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;
