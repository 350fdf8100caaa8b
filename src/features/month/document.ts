import type { z } from 'zod';
import { list, number, object, text } from '../../fleet/fields.ts';

const share = (meaning: string) => number(meaning).optional();

const monthRow = object({
  account: text('the account'),
  name: text('the phone as it was called last, the group, the model or the value of the tag'),
  phones: number('number of phones that are added up'),
  id: text('the phone; left out where several are added up').optional(),
  sold_online: number('seconds in which it was sold and reported'),
  sold_offline: number('seconds in which it was sold and offline'),
  self_rented: number('seconds in which you rented it'),
  idle: number('seconds in which nobody rented it'),
  other: number('seconds with another rental status'),
  maintenance: number('seconds in which it was sold, and offline while you worked on it'),
  unknown: number('seconds in which it was listed and nobody saw what it did'),
  interruptions: number('how often a sold phone fell offline'),
  soldShare: share('share of the known time in which it was sold; left out where nothing is known'),
  availability: share('share of the sold time in which it reported; left out where it was not sold'),
  interruptionsPer1000SoldHours: share(
    'interruptions in 1,000 hours in which it was sold; left out where it was not',
  ),
  estimate: object({
    offlineCents: number('for the time in which it was sold and offline'),
    idleCents: number('for the time in which it was idle'),
  })
    .describe('what silence and idleness cost by your `prices`; left out without a price')
    .optional(),
});

const monthDay = object({
  date: text('the local day'),
  sold_online_seconds: number('seconds of all phones in that day, as in a row of the month'),
  sold_offline_seconds: number('the same'),
  self_rented_seconds: number('the same'),
  idle_seconds: number('the same'),
  other_seconds: number('the same'),
  maintenance_seconds: number('the same'),
  unknown_seconds: number('the same'),
});

/** The month added up as `GET /api/v1/month` returns it, the worst row first. */
export const MONTH_DOCUMENT = object({
  month: text('such as 2026-11'),
  by: text('what is added up: `phone`, `group`, `model`, or a tag, such as `tag:carrier`'),
  rows: list(monthRow, 'the worst one first'),
  days: list(monthDay, 'each day of which something is known, whatever is added up').optional(),
});

export type MonthDocument = z.output<typeof MONTH_DOCUMENT>;
export type MonthDocumentRow = MonthDocument['rows'][number];
export type MonthDocumentDay = z.output<typeof monthDay>;
