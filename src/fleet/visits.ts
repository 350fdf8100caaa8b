import { TUNNEL_PROBLEMS } from '../model/problem.ts';
import type { CoreDocument, FleetCause, FleetIncident, FleetPhone } from './document.ts';
import { parseTime } from './freshness.ts';
import { type Amounts, compareAmounts, currencies, sumAmounts } from './money.ts';
import type { PhoneEntry } from './phones.ts';

/** A place that needs attention: a phone, or the common cause of several, such as a rack without power. */
export type Visit = {
  readonly cause: FleetCause | undefined;
  /** The offline phones; only one if there is no cause. */
  readonly entries: readonly PhoneEntry[];
  /** Number of phones that are sold and offline, and of those that the owner rents and cannot use. */
  readonly sold: number;
  readonly selfRented: number;
  /** Daily revenue of the sold phones by the configured prices, for each currency. */
  readonly costs: Amounts;
  /** Start, in milliseconds since 1970; 0 if unknown. */
  readonly since: number;
};

/** Problems of a phone that its owner pays for and cannot use. */
const RENTED_AWAY: ReadonlySet<string | undefined> = new Set([...TUNNEL_PROBLEMS, 'self_rented_offline']);

/** Lists the places that need attention, costliest first. */
export function visitsOf(
  { accounts, causes, incidents }: Pick<CoreDocument, 'accounts' | 'causes' | 'incidents'>,
  phones: readonly PhoneEntry[],
): readonly Visit[] {
  const currencyOf = currencies(accounts);
  const together = causes.flatMap((cause) => {
    const own = phones.filter(({ phone }) => phone.cause === cause.id);
    if (own.length === 0) return [];
    const visit = visitOf(cause, own, currencyOf);
    // A phone that was already offline belongs to the cause too; the outage began later.
    const starts = openIncidentsOf(visit, incidents).flatMap(({ since }) => parseTime(since) ?? []);
    return [{ ...visit, since: starts.length === 0 ? visit.since : Math.min(...starts) }];
  });
  const known = new Set(causes.map(({ id }) => id));
  const alone = phones.filter(({ phone: { cause } }) => cause === undefined || !known.has(cause));
  return [...together, ...alone.map((entry) => visitOf(undefined, [entry], currencyOf))].sort(
    (one, other) =>
      compareAmounts(one.costs, other.costs) ||
      other.sold - one.sold ||
      other.selfRented - one.selfRented ||
      other.entries.length - one.entries.length ||
      one.since - other.since,
  );
}

/** Lists the open incidents of a phone, or of a cause: one in each account in which it has phones. */
export function openIncidentsOf(
  { cause, entries }: Visit,
  incidents: readonly FleetIncident[],
): readonly FleetIncident[] {
  const accounts = new Set(entries.map(({ phone }) => phone.account));
  const [first] = entries;
  return incidents.filter(
    ({ endedAt, account, phone, kind, value }) =>
      endedAt === undefined &&
      accounts.has(account) &&
      (cause === undefined ? phone === first?.phone.id : kind === cause.kind && value === cause.value),
  );
}

/** Lists the open incidents of a phone: its own, and the outage that it is part of. */
export function openIncidentsAt(
  { causes, incidents }: Pick<CoreDocument, 'causes' | 'incidents'>,
  phone: Pick<FleetPhone, 'account' | 'id' | 'cause'>,
): readonly FleetIncident[] {
  const cause = causes.find(({ id }) => id === phone.cause);
  return incidents.filter(
    (each) =>
      each.endedAt === undefined &&
      each.account === phone.account &&
      (each.phone === phone.id ||
        (cause !== undefined && each.kind === cause.kind && each.value === cause.value)),
  );
}

function visitOf(
  cause: FleetCause | undefined,
  entries: readonly PhoneEntry[],
  currencyOf: (account: string) => string | undefined,
): Visit {
  const sold = entries.filter(({ phone }) => phone.problem === 'sold_offline');
  const costs = sold.flatMap(({ phone: { account, priceCentsPerDay: cents } }) =>
    cents === undefined ? [] : [{ currency: currencyOf(account), cents }],
  );
  const begins = entries.flatMap(({ phone }) => parseTime(phone.problemSince) ?? []);
  return {
    cause,
    entries,
    sold: sold.length,
    selfRented: entries.filter(({ phone }) => RENTED_AWAY.has(phone.problem)).length,
    costs: sumAmounts(costs),
    since: begins.length === 0 ? 0 : Math.min(...begins),
  };
}
