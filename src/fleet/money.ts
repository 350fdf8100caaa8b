import type { FleetAccount } from './document.ts';
import type { Amount, FleetMovement, Observed } from './fields.ts';
import { listText, moneyText } from './words.ts';

/* Sums of money. Amounts in two currencies are never added, and cannot be compared. */

/** One amount per currency. Only {@link sumAmounts} adds money. */
export type Amounts = readonly Amount[];

/** Adds up amounts by currency, in the order in which the currencies first appear. */
export function sumAmounts(amounts: Iterable<Amount>): Amounts {
  const sums = new Map<string | undefined, Amount>();
  for (const amount of amounts) {
    const { currency, cents } = amount;
    const before = sums.get(currency);
    sums.set(currency, before === undefined ? amount : { ...amount, cents: before.cents + cents });
  }
  return [...sums.values()];
}

/** Returns a share of amounts, such as 1/24 of a day's. */
export function partOf(amounts: Amounts, share: number): Amounts {
  return amounts.map((amount) => ({ ...amount, cents: amount.cents * share }));
}

/** Writes amounts: `€2.50 + US$9.00`; '' for none. */
export function amountsText(amounts: Amounts): string {
  return amounts.map(({ currency, cents }) => moneyText(cents, currency)).join(' + ');
}

/** Sorts by amounts, highest first. Amounts in several currencies all rank equally. */
export function compareAmounts(one: Amounts, other: Amounts): number {
  if (new Set([...one, ...other].map(({ currency }) => currency)).size > 1) return 0;
  return (other[0]?.cents ?? 0) - (one[0]?.cents ?? 0);
}

/** Returns the configured currency of an account. */
export type CurrencyOf = (account: string) => string | undefined;

export function currencies(accounts: readonly Pick<FleetAccount, 'name' | 'currency'>[]): CurrencyOf {
  const known = new Map(accounts.map(({ name, currency }) => [name, currency]));
  return (account) => known.get(account);
}

/** A document with accounts, and with their movements if a feature observes them. */
export type ObservedAccounts = {
  readonly accounts: readonly Pick<FleetAccount, 'name' | 'currency' | 'balance'>[];
  readonly observed?: readonly Observed[];
};

/** The money of all accounts with the same currency. */
export type CurrencyBalance = {
  readonly currency: string | undefined;
  readonly availableCents: number;
  readonly pendingCents: number | undefined;
  /** Observed since local midnight, in the last 7 days, and since the start of the month; undefined if unknown. */
  readonly today: FleetMovement | undefined;
  readonly week: FleetMovement | undefined;
  readonly month: FleetMovement | undefined;
};

/** Adds up the balances in each currency, in account order. Accounts without an available balance are left out. */
export function sumBalances({ accounts, observed = [] }: ObservedAccounts): readonly CurrencyBalance[] {
  const known = accounts.filter(({ balance }) => balance?.availableCents !== undefined);
  return [...new Set(known.map(({ currency }) => currency))].map((currency) => {
    const own = known.filter((account) => account.currency === currency);
    const movements = observed.filter(({ account }) => own.some(({ name }) => name === account));
    const pending = own.flatMap(({ balance }) => balance?.pendingCents ?? []);
    return {
      currency,
      availableCents: sum(own.flatMap(({ balance }) => balance?.availableCents ?? [])),
      pendingCents: pending.length === 0 ? undefined : sum(pending),
      today: sumMovements(movements.flatMap(({ today }) => today ?? [])),
      week: sumMovements(movements.flatMap(({ week }) => week ?? [])),
      month: sumMovements(movements.flatMap(({ month }) => month ?? [])),
    };
  });
}

/** Maximum number of accounts that the balance names. */
const NAMED_ACCOUNTS = 3;

/** Names the accounts of a balance, each with its part if there are several: `main €79.01, balti €12.00`; '' for one account. */
export function balancesText({ accounts }: ObservedAccounts, currency: string | undefined): string {
  const own = accounts.filter(
    (each) => each.currency === currency && each.balance?.availableCents !== undefined,
  );
  if (accounts.length < 2) return '';
  const texts = own.map(({ name, balance }) =>
    own.length === 1 ? name : `${name} ${moneyText(balance?.availableCents ?? 0, currency)}`,
  );
  return listText(texts, NAMED_ACCOUNTS, ', ');
}

function sumMovements(movements: readonly FleetMovement[]): FleetMovement | undefined {
  if (movements.length === 0) return undefined;
  return {
    increaseCents: sum(movements.map(({ increaseCents }) => increaseCents)),
    decreaseCents: sum(movements.map(({ decreaseCents }) => decreaseCents)),
    since: movements.map(({ since }) => since ?? '').sort()[0],
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
