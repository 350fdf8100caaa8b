import * as z from 'zod';
import { list, OBSERVED, object } from '../../fleet/fields.ts';
import { recordOf } from '../../model/enums.ts';
import { MUTED } from '../../model/muted.ts';

export const HISTORY_FIELDS = { document: { observed: list(OBSERVED) } };

declare module '../../fleet/document.ts' {
  interface DocumentFields extends z.output<z.ZodObject<(typeof HISTORY_FIELDS)['document']>> {}
}

/**
 * Numbers of devices, the available balance, and the sums of its observed movements. Apart from `listed`, at most one
 * column counts a device.
 */
export const HISTORY_COLUMNS = [
  'listed',
  'sold_online',
  'sold_offline',
  'self_rented',
  'idle',
  'offline',
  MUTED,
  'balance_cents',
  'increase_cents',
  'decrease_cents',
] as const;

/** Counts of phones and the balance over time, as `GET /api/v1/history` returns them. */
export const HISTORY_DOCUMENT = object({
  version: z.literal(1),
  step_seconds: z.number(),
  accounts: list(
    object({
      account: z.string(),
      currency: z.string().nullable(),
      ends: list(z.number()),
      ...recordOf(HISTORY_COLUMNS, () => list(z.number().nullable())),
    }),
  ),
});

export type HistoryDocument = z.output<typeof HISTORY_DOCUMENT>;
export type HistoryAccount = HistoryDocument['accounts'][number];
