import type { HistoryAccount, HistoryDocument } from '../../../../src/features/history/document.ts';
import { NOON } from '../../fleet/phone.ts';

/** An account in a history with hourly intervals, the last ending at noon. Each column has one value throughout. */
export function historyAccount(hours: number, own: Partial<HistoryAccount> = {}): HistoryAccount {
  const of = (value: number) => Array.from({ length: hours }, () => value);
  return {
    account: 'main',
    currency: 'EUR',
    ends: Array.from({ length: hours }, (_, index) => NOON / 1000 - (hours - 1 - index) * 3600),
    listed: of(10),
    sold_online: of(5),
    sold_offline: of(1),
    self_rented: of(2),
    idle: of(2),
    offline: of(1),
    maintenance: of(0),
    balance_cents: of(12_345),
    increase_cents: of(0),
    decrease_cents: of(0),
    ...own,
  };
}

export function history(...accounts: readonly HistoryAccount[]): HistoryDocument {
  return { version: 1, step_seconds: 3600, accounts };
}
