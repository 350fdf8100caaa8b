import { COLUMNS } from '../../model/times.ts';

/** Groupings besides tags, such as `tag:carrier`. */
const MONTH_GROUPINGS = ['phone', 'group', 'model'] as const;

/** All groupings, for people. */
export const GROUPINGS = 'phone, group, model, or a tag such as tag:carrier';

export type MonthGrouping = (typeof MONTH_GROUPINGS)[number] | `tag:${string}`;

/** Lists the groupings for phones with these properties. */
export function monthGroupings(properties: readonly string[] = []): readonly MonthGrouping[] {
  return [...MONTH_GROUPINGS, ...properties.map((name) => `tag:${name}` as const)];
}

/** Parses a grouping; undefined for another text. */
export function monthGrouping(text: string): MonthGrouping | undefined {
  return MONTH_GROUPINGS.find((each) => each === text) ?? (isByProperty(text) ? text : undefined);
}

/** Reports whether a text is a grouping by tag, which needs a running exporter. */
export function isByProperty(text: string): text is `tag:${string}` {
  return /^tag:\w{1,64}$/.test(text);
}

/** Returns the word for a grouping: `carrier` for `tag:carrier`. */
export function groupingWord(by: string): string {
  return by.replace(/^tag:/, '');
}

/** The columns of a month, and the unknown time. */
export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;
