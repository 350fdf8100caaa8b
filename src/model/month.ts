import { COLUMNS, type Column } from './times.ts';

/** By what a month is added up. */
export const MONTH_GROUPINGS = ['phone', 'group', 'model'] as const;

export type MonthGrouping = (typeof MONTH_GROUPINGS)[number];

/** The columns of a month, and what nobody saw. */
export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;

/** The answer of `/api/v1/month`: the month added up, the worst row first. */
export type MonthDocument = {
  /** Such as 2026-11. */
  readonly month: string;
  readonly by: MonthGrouping;
  readonly rows: readonly MonthDocumentRow[];
  /** Lines of the month file that count for nothing, because they are not as they were written; absent without any. */
  readonly unreadableLines?: number | undefined;
};

/** The month of a phone, a group or a model: seconds in each column, which add up to the time that is not unknown. */
export type MonthDocumentRow = Readonly<Record<Column | 'unknown', number>> & {
  readonly account: string;
  readonly name: string;
  readonly phones: number;
  readonly interruptions: number;
  /** Absent where several phones are added up. */
  readonly id?: string | undefined;
  /** Share of the known time in which it was sold; absent where nothing is known. */
  readonly soldShare?: number | undefined;
  /** Share of the sold time in which it reported; absent where it was not sold. */
  readonly availability?: number | undefined;
  readonly interruptionsPer1000SoldHours?: number | undefined;
  /** How many times as often it was interrupted as the others, where that is clearly more. */
  readonly timesOthers?: number | undefined;
  /** What silence and idleness cost by the owner's prices; absent where no price is for it. */
  readonly estimate?: { readonly silentCents: number; readonly idleCents: number } | undefined;
};

/** Tells whether the answer of an exporter is a month; of its rows, that they are there. */
export function isMonthDocument(body: unknown): body is MonthDocument {
  return typeof body === 'object' && body !== null && 'rows' in body && Array.isArray(body.rows);
}
