import { TUNNEL_PROBLEMS } from '../model/problem.ts';
import type { CoreDocument, FleetCause, FleetIncident, FleetPhone } from './document.ts';
import { parseTime } from './freshness.ts';
import { type Amounts, type CurrencyOf, compareAmounts, currencies, sumAmounts } from './money.ts';
import { isOffline, type PhoneEntry } from './phones.ts';

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
  if (cause === undefined)
    return entries.flatMap(({ phone }) => openIncidentsAt({ causes: [], incidents }, phone));
  const accounts = new Set(entries.map(({ phone }) => phone.account));
  return incidents.filter(
    ({ endedAt, account, kind, value }) =>
      endedAt === undefined && accounts.has(account) && kind === cause.kind && value === cause.value,
  );
}

/**
 * Lists the open incidents of a phone: its own, and the outage that it is part of. A mass outage without a cause has the offline
 * phones that no other incident is about.
 */
export function openIncidentsAt(
  { causes, incidents }: Pick<CoreDocument, 'causes' | 'incidents'>,
  phone: FleetPhone,
): readonly FleetIncident[] {
  const cause = causes.find(({ id }) => id === phone.cause);
  const open = incidents.filter((each) => each.endedAt === undefined && each.account === phone.account);
  const own = open.filter(({ phone: id, kind, value }) =>
    id === undefined ? cause !== undefined && kind === cause.kind && value === cause.value : id === phone.id,
  );
  if (own.length > 0 || !isOffline(phone)) return own;
  const { problemSince = '' } = phone;
  return open
    .filter(({ problem, since = '' }) => /^many_(?:sold_)?offline$/.test(problem) && since <= problemSince)
    .sort(({ since: one = '' }, { since: other = '' }) => (one < other ? 1 : -1))
    .slice(0, 1);
}

function visitOf(
  cause: FleetCause | undefined,
  entries: readonly PhoneEntry[],
  currencyOf: CurrencyOf,
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
