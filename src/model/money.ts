/** The hoster's balance in cents of a currency that the API does not name. Safe integers; absent is undefined. */
export type Balance = {
  readonly availableCents: number | undefined;
  readonly pendingCents: number | undefined;
  readonly totalCents: number | undefined;
};

/** The balance, and the movements seen between successful polls. */
export type Money = {
  readonly balance: Balance;
  /** The last readable amounts, which the next ones are compared with. */
  readonly lastAmounts: LastAmounts;
  readonly observed: Readonly<Record<'available' | 'pending', Movement>>;
};

export type LastAmounts = Pick<Balance, 'availableCents' | 'pendingCents'>;

/** Sums of upward and downward movements in cents, kept over restarts; they are not earnings and never called so. */
export type Movement = { readonly increaseCents: number; readonly decreaseCents: number };

/** What a day of a phone brings while it is sold, as the owner says. */
export type Price = {
  /** The group and model that it is for; undefined for all. */
  readonly group: string | undefined;
  readonly model: string | undefined;
  readonly centsPerDay: number;
};

/** Returns the price of a device: the first one that names its group and model; undefined without one. */
export function priceOf(
  prices: readonly Price[],
  { group, model }: Readonly<Record<'group' | 'model', string>>,
): Price | undefined {
  return prices.find((each) => isFor(each.group, group) && isFor(each.model, model));
}

/** Returns the index of the first price that is for all devices of another: an earlier one, or the price itself. */
export function coveringIndex(prices: readonly Price[], { group, model }: Price): number {
  return prices.findIndex((each) => isFor(each.group, group) && isFor(each.model, model));
}

function isFor(wanted: string | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted === value;
}
