import * as z from 'zod';
import { list, object } from '../../fleet/fields.ts';
import { keysOf, recordOf } from '../../model/enums.ts';
import { MUTED } from '../../model/muted.ts';
import { MONTH_TIMES } from './grouping.ts';

const monthRow = object({
  account: z.string(),
  name: z.string(),
  phones: z.number(),
  id: z.string().optional(),
  ...recordOf(MONTH_TIMES, () => z.number()),
  interruptions: z.number(),
  soldShare: z.number().optional(),
  availability: z.number().optional(),
  interruptionsPer1000SoldHours: z.number().optional(),
  estimate: object({ offlineCents: z.number(), idleCents: z.number() }).optional(),
});

/** The fields of a day, each with its column. */
export const DAY_FIELDS = {
  sold_online_seconds: 'sold_online',
  sold_offline_seconds: 'sold_offline',
  self_rented_seconds: 'self_rented',
  idle_seconds: 'idle',
  other_seconds: 'other',
  [`${MUTED}_seconds` as const]: MUTED,
  unknown_seconds: 'unknown',
} as const;

const monthDay = object({ date: z.string(), ...recordOf(keysOf(DAY_FIELDS), () => z.number()) });

/** The monthly report as `GET /api/v1/month` returns it, the worst row first. */
export const MONTH_DOCUMENT = object({
  month: z.string(),
  by: z.string(),
  rows: list(monthRow),
  days: list(monthDay).optional(),
  months: list(z.string()).optional(),
});

export type MonthDocument = z.output<typeof MONTH_DOCUMENT>;
export type MonthDocumentRow = MonthDocument['rows'][number];
export type MonthDocumentDay = z.output<typeof monthDay>;
