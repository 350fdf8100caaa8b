import * as z from 'zod';
import { list, number, object, text } from '../../fleet/fields.ts';

const share = (meaning: string) => number(meaning).optional();

const monthRow = object({
  account: text('the account'),
  name: text('last label of the phone, or the group, the model or the value of the tag'),
  phones: number('number of phones in the row'),
  id: text('the phone; left out for several').optional(),
  sold_online: number('seconds in which it was sold and online'),
  sold_offline: number('seconds in which it was sold and offline'),
  self_rented: number('seconds in which you rented it'),
  idle: number('seconds in which nobody rented it'),
  other: number('seconds with another rental status'),
  maintenance: number('seconds in which it was sold, and offline in maintenance'),
  unknown: number('seconds in which it was listed and no data is known'),
  interruptions: number('number of times that a sold phone went offline'),
  soldShare: share('share of the known time in which it was sold; left out without known time'),
  availability: share('share of the sold time in which it was online; left out if it was not sold'),
  interruptionsPer1000SoldHours: share('interruptions in 1,000 sold hours; left out if it was not sold'),
  estimate: object({
    offlineCents: number('for the time in which it was sold and offline'),
    idleCents: number('for the time in which it was idle'),
  })
    .describe('estimated cost of offline and idle time by your `prices`; left out without a price')
    .optional(),
});

const monthDay = object({
  date: text('the local date'),
  sold_online_seconds: number('seconds of all phones in that day'),
  sold_offline_seconds: number('the same'),
  self_rented_seconds: number('the same'),
  idle_seconds: number('the same'),
  other_seconds: number('the same'),
  maintenance_seconds: number('the same'),
  unknown_seconds: number('the same'),
});

/** The monthly report as `GET /api/v1/month` returns it, the worst row first. */
export const MONTH_DOCUMENT = object({
  month: text('such as 2026-11'),
  by: text('the grouping: `phone`, `group`, `model`, or a tag, such as `tag:carrier`'),
  rows: list(monthRow, 'the worst one first'),
  days: list(monthDay, 'days with data, for all phones').optional(),
  months: list(z.string(), 'months to choose from: those with a finished day, in their order').optional(),
});

export type MonthDocument = z.output<typeof MONTH_DOCUMENT>;
export type MonthDocumentRow = MonthDocument['rows'][number];
export type MonthDocumentDay = z.output<typeof monthDay>;
