import type { Money } from '../../model/money.ts';
import { gauge, type Row, samples } from '../row.ts';

const KINDS = ['available', 'pending'] as const;

/** Metrics of the balance of an account and its movements. */
export const balanceRows: readonly Row<Money>[] = [
  gauge(
    'hoster_balance_available_cents',
    'Available balance in cents, in the currency of the account, at the last successful poll.',
    ({ balance }) => balance.availableCents,
  ),
  gauge(
    'hoster_balance_pending_cents',
    'Pending balance in cents, in the currency of the account, at the last successful poll.',
    ({ balance }) => balance.pendingCents,
  ),
  gauge(
    'hoster_balance_total_cents',
    'Total balance in cents, in the currency of the account, at the last successful poll.',
    ({ balance }) => balance.totalCents,
  ),
  samples(
    'hoster_balance_observed_increase_cents',
    'Sum of increases of the balance between successful polls, in cents, kept in the state file. Subtract two values for a time range. It is no measure of earnings: opposite movements between two polls cancel out.',
    ['kind'],
    ({ observed }) => KINDS.map((kind) => [observed[kind].increaseCents, kind]),
  ),
  samples(
    'hoster_balance_observed_decrease_cents',
    'Sum of decreases of the balance between successful polls, in cents, kept in the state file. Subtract two values for a time range. It is no measure of payouts: opposite movements between two polls cancel out.',
    ['kind'],
    ({ observed }) => KINDS.map((kind) => [observed[kind].decreaseCents, kind]),
  ),
];
