import { COLUMNS } from '../../model/times.ts';

/** By what a month is added up; `tag:carrier` is by a tag of the owner. */
const MONTH_GROUPINGS = ['phone', 'group', 'model'] as const;

/** The groupings, for people. */
export const GROUPINGS = 'phone, group, model, or a tag of yours such as tag:carrier';

export type MonthGrouping = (typeof MONTH_GROUPINGS)[number] | `tag:${string}`;

/** Lists by what a month can be added up where phones have properties with these names. */
export function monthGroupings(properties: readonly string[] = []): readonly MonthGrouping[] {
  return [...MONTH_GROUPINGS, ...properties.map((name) => `tag:${name}` as const)];
}

/** Returns the grouping that a text names; undefined for another text. */
export function monthGrouping(text: string): MonthGrouping | undefined {
  return MONTH_GROUPINGS.find((each) => each === text) ?? (isByProperty(text) ? text : undefined);
}

/** Reports whether a text names a property, which only a running exporter knows. */
export function isByProperty(text: string): text is `tag:${string}` {
  return /^tag:\w{1,64}$/.test(text);
}

/** Returns what is added up, as a word: `carrier` for `tag:carrier`. */
export function groupingWord(by: string): string {
  return by.replace(/^tag:/, '');
}

/** Separators of a CSV: a spreadsheet expects a semicolon where the decimal sign is a comma. */
export const CSV_SEPARATORS = { semicolon: ';', comma: ',' } as const;

export type CsvSeparator = keyof typeof CSV_SEPARATORS;

/** The columns of a month, and what nobody saw. */
export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;
