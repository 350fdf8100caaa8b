import * as z from 'zod';
import { list, object } from '../../fleet/fields.ts';
import { recordOf } from '../../model/enums.ts';
import { MUTED } from '../../model/muted.ts';
import { MONTH_TIMES } from './grouping.ts';

/** Time for which phones were muted on a day. */
export const MUTED_SECONDS = `${MUTED}_seconds` as const;

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
  estimate: object({
    offlineCents: z.number(),
    idleCents: z.number(),
  }).optional(),
});

const monthDay = object({
  date: z.string(),
  sold_online_seconds: z.number(),
  sold_offline_seconds: z.number(),
  self_rented_seconds: z.number(),
  idle_seconds: z.number(),
  other_seconds: z.number(),
  [MUTED_SECONDS]: z.number(),
  unknown_seconds: z.number(),
});

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
