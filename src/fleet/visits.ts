import { TUNNEL_PROBLEMS } from '../model/problem.ts';
import type { FleetCause, FleetDocument, FleetIncident } from './document.ts';
import { parseTime } from './freshness.ts';
import type { PhoneEntry } from './phones.ts';

/** A place that needs attention: a phone, or the common cause of several, such as a rack without power. */
export type Visit = {
  readonly cause: FleetCause | undefined;
  /** The offline phones; one without a cause. */
  readonly entries: readonly PhoneEntry[];
  /** Number of sold and offline phones, and of those that the owner rents and cannot use. */
  readonly sold: number;
  readonly selfRented: number;
  /** Daily revenue of the sold phones by the configured prices, for each currency. */
  readonly costs: readonly Cost[];
  /** Start, in milliseconds since 1970; 0 if unknown. */
  readonly since: number;
};

/** Cents of a currency; undefined if none is configured. */
type Cost = { readonly currency: string | undefined; readonly cents: number };

/** Problems of a phone that its owner pays for and cannot use. */
const RENTED_AWAY: ReadonlySet<string | undefined> = new Set([...TUNNEL_PROBLEMS, 'self_rented_offline']);

/** Lists the places of phones that need attention, the most costly first. */
export function visitsOf(
  { accounts, causes, incidents }: Pick<FleetDocument, 'accounts' | 'causes' | 'incidents'>,
  phones: readonly PhoneEntry[],
): readonly Visit[] {
  const currencies = new Map(accounts.map(({ name, currency }) => [name, currency]));
  // Amounts of several currencies cannot be compared.
  const isOneCurrency = new Set(currencies.values()).size < 2;
  const centsOf = ({ costs: [cost] }: Visit): number => (isOneCurrency ? (cost?.cents ?? 0) : 0);
  const together = causes.flatMap((cause) => {
    const own = phones.filter(({ phone }) => phone.cause === cause.id);
    if (own.length === 0) return [];
    const visit = visitOf(cause, own, currencies);
    // A phone that was offline before belongs to the cause, too; the outage began later.
    const since = parseTime(openIncidentOf(visit, incidents)?.since);
    return [{ ...visit, since: since ?? visit.since }];
  });
  const known = new Set(causes.map(({ id }) => id));
  const alone = phones.filter(({ phone: { cause } }) => cause === undefined || !known.has(cause));
  return [...together, ...alone.map((entry) => visitOf(undefined, [entry], currencies))].sort(
    (one, other) =>
      centsOf(other) - centsOf(one) ||
      other.sold - one.sold ||
      other.selfRented - one.selfRented ||
      other.entries.length - one.entries.length ||
      one.since - other.since,
  );
}

/** Returns the open incident of a phone, or of a cause in the account of its first phone. */
export function openIncidentOf(
  { cause, entries: [first] }: Visit,
  incidents: readonly FleetIncident[],
): FleetIncident | undefined {
  return incidents.find(
    ({ endedAt, account, phone, kind, value }) =>
      endedAt === undefined &&
      account === first?.phone.account &&
      (cause === undefined ? phone === first.phone.id : kind === cause.kind && value === cause.value),
  );
}

function visitOf(
  cause: FleetCause | undefined,
  entries: readonly PhoneEntry[],
  currencies: ReadonlyMap<string, string | undefined>,
): Visit {
  const sold = entries.filter(({ phone }) => phone.problem === 'sold_offline');
  const costs = new Map<string | undefined, number>();
  for (const { phone } of sold) {
    const currency = currencies.get(phone.account);
    if (phone.priceCentsPerDay !== undefined)
      costs.set(currency, (costs.get(currency) ?? 0) + phone.priceCentsPerDay);
  }
  const begins = entries.flatMap(({ phone }) => parseTime(phone.problemSince) ?? []);
  return {
    cause,
    entries,
    sold: sold.length,
    selfRented: entries.filter(({ phone }) => RENTED_AWAY.has(phone.problem)).length,
    costs: Array.from(costs, ([currency, cents]) => ({ currency, cents })),
    since: begins.length === 0 ? 0 : Math.min(...begins),
  };
}
