/** "Balance" of the API document; whole cents. */
export type BalanceItem = {
  readonly availableCents: number;
  readonly pendingCents: number;
  readonly totalCents: number;
};

/** The hoster's money. What is earned is pending first, becomes available when settled, and leaves when paid out. */
export type Ledger = {
  /** Earns at the present rate up to an instant (milliseconds since 1970); an earlier one changes nothing. */
  readonly accrue: (to: number) => void;
  /** Changes the rate by so many cents per hour; whoever calls has accrued up to now. */
  readonly changeRate: (centsPerHour: number) => void;
  readonly settle: () => void;
  readonly payOut: (share: number) => void;
  readonly set: (change: Partial<Pick<BalanceItem, 'availableCents' | 'pendingCents'>>) => void;
  readonly balance: () => BalanceItem;
};

/**
 * One cent per hour for one millisecond: a whole number, so that earning in one step or in many gives the same sum to
 * the last cent. A year of 100,000 phones stays below 2^53, because settling carries whole cents away.
 */
const GRAINS_PER_CENT = 3_600_000;

/** A ledger without earnings, from an instant on. */
export function createLedger(startAt: number, availableCents: number, pendingCents: number): Ledger {
  let available = availableCents;
  let pendingGrains = pendingCents * GRAINS_PER_CENT;
  let rate = 0;
  let accruedUntil = startAt;
  const pending = () => Math.floor(pendingGrains / GRAINS_PER_CENT);
  return {
    accrue: (to) => {
      if (to <= accruedUntil) return;
      pendingGrains += rate * (to - accruedUntil);
      accruedUntil = to;
    },
    changeRate: (centsPerHour) => {
      rate += centsPerHour;
    },
    settle: () => {
      available += pending();
      pendingGrains %= GRAINS_PER_CENT;
    },
    payOut: (share) => {
      available -= Math.floor(available * share);
    },
    set: (change) => {
      available = change.availableCents ?? available;
      if (change.pendingCents !== undefined) pendingGrains = change.pendingCents * GRAINS_PER_CENT;
    },
    balance: () => ({
      availableCents: available,
      pendingCents: pending(),
      totalCents: available + pending(),
    }),
  };
}
