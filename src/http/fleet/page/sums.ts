import type { FleetAccount } from '../document.ts';

/** Numbers of phones of several accounts together. */
export type Sums = {
  readonly phones: number;
  readonly online: number;
  readonly sold: number;
  readonly selfRented: number;
  readonly idle: number;
  /** Accounts whose phones are counted. */
  readonly accounts: number;
};

const NOTHING: Sums = { phones: 0, online: 0, sold: 0, selfRented: 0, idle: 0, accounts: 0 };

export function sumTotals(accounts: readonly FleetAccount[]): Sums {
  return accounts.reduce(
    (sums, { totals }) =>
      totals === undefined
        ? sums
        : {
            phones: sums.phones + totals.phones,
            online: sums.online + totals.online,
            sold: sums.sold + totals.sold,
            selfRented: sums.selfRented + totals.selfRented,
            idle: sums.idle + totals.idle,
            accounts: sums.accounts + 1,
          },
    NOTHING,
  );
}

/** The money of all accounts of one currency. */
export type Purse = {
  readonly currency: string | undefined;
  readonly availableCents: number;
  readonly pendingCents: number | undefined;
};

/** A purse for each currency, in the order of the accounts. An account that gives no available balance is left out. */
export function sumBalances(accounts: readonly FleetAccount[]): readonly Purse[] {
  const purses = new Map<string | undefined, Purse>();
  for (const { currency, balance } of accounts) {
    if (balance?.availableCents === undefined) continue;
    const before = purses.get(currency);
    const pending = [before?.pendingCents, balance.pendingCents].filter((cents) => cents !== undefined);
    purses.set(currency, {
      currency,
      availableCents: (before?.availableCents ?? 0) + balance.availableCents,
      pendingCents: pending.length === 0 ? undefined : pending.reduce((sum, cents) => sum + cents, 0),
    });
  }
  return [...purses.values()];
}
