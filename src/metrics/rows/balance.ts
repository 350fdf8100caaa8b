import type { Money } from '../../model/money.ts';
import { experimental, gauge, type Row, samples } from '../row.ts';

const KINDS = ['available', 'pending'] as const;

export const balanceRows: readonly Row<Money>[] = [
  gauge(
    'hoster_balance_available_cents',
    "Available balance in cents, in the account's currency, at the last successful poll.",
    ({ balance }) => balance.availableCents,
  ),
  gauge(
    'hoster_balance_pending_cents',
    "Pending balance in cents, in the account's currency, at the last successful poll.",
    ({ balance }) => balance.pendingCents,
  ),
  gauge(
    'hoster_balance_total_cents',
    "Total balance in cents, in the account's currency, at the last successful poll.",
    ({ balance }) => balance.totalCents,
  ),
  samples(
    'hoster_balance_observed_increase_cents',
    'Sum of increases of the balance between successful polls, in cents, kept in the state file. Subtract two values for a time range. It does not measure earnings: opposite movements between two polls cancel out.',
    ['kind'],
    ({ observed }) => KINDS.map((kind) => [observed[kind].increaseCents, kind]),
  ),
  samples(
    'hoster_balance_observed_decrease_cents',
    'Sum of decreases of the balance between successful polls, in cents, kept in the state file. Subtract two values for a time range. It does not measure payouts: opposite movements between two polls cancel out.',
    ['kind'],
    ({ observed }) => KINDS.map((kind) => [observed[kind].decreaseCents, kind]),
  ),
  experimental(
    gauge(
      'hoster_balance_observed_income_cents',
      'Sum of observed income in cents: increases of the available balance, and of the pending one less its decreases, since a settlement moves money between them. Kept and used like the movements.',
      ({ observed: { available, pending } }) =>
        available.increaseCents + pending.increaseCents - pending.decreaseCents,
    ),
  ),
];
