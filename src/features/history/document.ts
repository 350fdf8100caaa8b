import * as z from 'zod';
import { list, number, object, text } from '../../fleet/fields.ts';

const column = (meaning: string) => list(z.number().nullable(), meaning);

const historyAccount = object({
  account: text('the account'),
  currency: z.string().nullable().describe('the configured currency; null without one'),
  ends: list(
    z.number(),
    'end of each interval, in seconds since 1970, ascending and equally spaced. The other lists have the same length, with null for an interval without data',
  ),
  listed: column('phones in the device list'),
  sold_online: column('sold phones that are online'),
  sold_offline: column('sold phones that are offline'),
  self_rented: column('self-rented phones that are online'),
  idle: column('idle phones that are online'),
  offline: column('offline phones that are not sold'),
  maintenance: column('phones in maintenance'),
  balance_cents: column('the available balance'),
  increase_cents: column('sum of its observed increases since the exporter first saw it, in cents'),
  decrease_cents: column('the same for decreases, such as payouts'),
});

/** Counts of phones and the balance over time, as `GET /api/v1/history` returns them. */
export const HISTORY_DOCUMENT = object({
  version: z.literal(1).describe('increases with incompatible changes'),
  step_seconds: number('length of an interval: 600 for hours, 3600 for days'),
  accounts: list(historyAccount, 'in the order of the configuration'),
});

export type HistoryDocument = z.output<typeof HISTORY_DOCUMENT>;
export type HistoryAccount = HistoryDocument['accounts'][number];
