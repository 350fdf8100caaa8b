import { COLUMNS } from './times.ts';

/** By what a month is added up. */
export const MONTH_GROUPINGS = ['phone', 'group', 'model'] as const;

export type MonthGrouping = (typeof MONTH_GROUPINGS)[number];

/** Separators of a CSV: a spreadsheet expects a semicolon where the decimal sign is a comma. */
export const CSV_SEPARATORS = { semicolon: ';', comma: ',' } as const;

export type CsvSeparator = keyof typeof CSV_SEPARATORS;

/** The columns of a month, and what nobody saw. */
export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;
