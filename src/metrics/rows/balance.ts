import type { Money } from '../../model/money.ts';
import { gauge, type Row, samples } from '../row.ts';

const KINDS = ['available', 'pending'] as const;

/** Metrics of the balance of an account and its movements. */
export const balanceRows: readonly Row<Money>[] = [
  gauge(
    'hoster_balance_available_cents',
    'Available balance in cents of a currency that the API does not name, as of the last successful poll.',
    ({ balance }) => balance.availableCents,
  ),
  gauge(
    'hoster_balance_pending_cents',
    'Pending balance in cents of a currency that the API does not name, as of the last successful poll.',
    ({ balance }) => balance.pendingCents,
  ),
  gauge(
    'hoster_balance_total_cents',
    'Total balance in cents of a currency that the API does not name, as of the last successful poll.',
    ({ balance }) => balance.totalCents,
  ),
  samples(
    'gauge',
    'hoster_balance_observed_increase_cents',
    'Sum of the upward movements of the balance in cents, seen between successful polls and kept in the state file; what moved in a time range is the difference of two values. A movement is not an earning: opposite ones between two polls cancel out.',
    ['kind'],
    ({ observed }) => KINDS.map((kind) => [observed[kind].increaseCents, kind]),
  ),
  samples(
    'gauge',
    'hoster_balance_observed_decrease_cents',
    'Sum of the downward movements of the balance in cents, seen between successful polls and kept in the state file; what moved in a time range is the difference of two values. A movement is not a payout: opposite ones between two polls cancel out.',
    ['kind'],
    ({ observed }) => KINDS.map((kind) => [observed[kind].decreaseCents, kind]),
  ),
];
