/** Balance in cents, in a currency that the API does not name: safe integers, undefined if missing. */
export type Balance = {
  readonly availableCents: number | undefined;
  readonly pendingCents: number | undefined;
  readonly totalCents: number | undefined;
};

/** The balance, and its movements between successful polls. */
export type Money = {
  readonly balance: Balance;
  /** As configured at the poll; undefined if not configured. */
  readonly currency?: string | undefined;
  /** The last readable amounts, to compare with the next ones. */
  readonly lastAmounts: Pick<Balance, 'availableCents' | 'pendingCents'>;
  readonly observed: Readonly<Record<'available' | 'pending', Movement>>;
};

/** Sums of upward and downward movements in cents, kept across restarts. These are not earnings. */
export type Movement = { readonly increaseCents: number; readonly decreaseCents: number };

/** Income from a sold phone per day, as configured. */
export type Price = {
  /** Group and model to which it applies; undefined for all. */
  readonly group: string | undefined;
  readonly model: string | undefined;
  readonly centsPerDay: number;
};

/** Returns the first price that applies to a device; undefined if none does. */
export function priceOf(
  prices: readonly Price[],
  { group, model }: Readonly<Record<'group' | 'model', string>>,
): Price | undefined {
  return prices.find((each) => isFor(each.group, group) && isFor(each.model, model));
}

/** Returns the index of the first price that covers another one: an earlier one, or the price itself. */
export function coveringIndex(prices: readonly Price[], { group, model }: Price): number {
  return prices.findIndex((each) => isFor(each.group, group) && isFor(each.model, model));
}

function isFor(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted === value;
}
