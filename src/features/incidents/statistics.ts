import { DEVICES_PER_YIELD, finish, lookAtEach, type Steps } from '../../base/steps.ts';
import { sharedName } from '../../fleet/describe.ts';
import type { FleetIncident } from '../../fleet/document.ts';
import { parseTime } from '../../fleet/freshness.ts';
import { type Amounts, type CurrencyOf, sumAmounts } from '../../fleet/money.ts';
import { noGroup } from '../../fleet/words.ts';
import { isRepaired } from '../../model/incident.ts';
import { DAY, SECOND } from '../../model/time.ts';
import { say } from '../../text/say.ts';
import type { IncidentNumbers, IncidentStatistics } from './document.ts';

/*
 * Numbers about the incidents of a period, next to those of the period before: by group, by phone, by tag, by month.
 */

/** An incident, and the share of its sold time that counts. */
type Counted = { readonly incident: FleetIncident; readonly share: number };

/** The subject of numbers. The same name in two accounts makes two rows; without an account, it covers all. */
export type RowName = { readonly name: string; readonly account?: string };

/** Reports whether an incident counts: one-time events and those of low severity do not. */
export function isCounted({ severity }: FleetIncident): boolean {
  return severity !== 'info';
}

export function placeOf({ group, kind, value = '', phone, phones, account }: FleetIncident): RowName {
  if (kind !== undefined) return { name: sharedName(kind, value), account };
  if (phone !== undefined) return { name: group || noGroup(), account };
  return { name: phones === undefined ? account : say('several-groups'), account };
}

/** Sums up incidents that count in full. */
export function numbersOf(incidents: readonly FleetIncident[], currencyOf: CurrencyOf): IncidentNumbers {
  const all = incidents.map((incident) => ({ incident, share: 1 }));
  return finish(sumUp(all, currencyOf));
}

/** Sums up incidents. Times are in seconds. Medians and maxima of nothing are left out. */
function* sumUp(counted: readonly Counted[], currencyOf: CurrencyOf): Steps<IncidentNumbers> {
  const repair: number[] = [];
  const acknowledge: number[] = [];
  const amounts: Amounts[number][] = [];
  let [sold, outages, open] = [0, 0, 0];
  const addSpan = (seconds: number[], from: string | undefined, to: string | undefined): void => {
    const [start, end] = [parseTime(from), parseTime(to)];
    if (start !== undefined && end !== undefined)
      seconds.push(Math.max(0, Math.round((end - start) / SECOND)));
  };
  yield* lookAtEach(counted, ({ incident, share }) => {
    const { account, problem, since, openedAt, endedAt, acknowledgedAt, estimatedCents: cents } = incident;
    if (isRepaired(incident.reason, problem)) addSpan(repair, since, endedAt);
    addSpan(acknowledge, openedAt, acknowledgedAt);
    const currency = incident.currency ?? currencyOf(account);
    if (cents !== undefined) amounts.push({ currency, cents: cents * share });
    if (problem === 'common_cause') outages += 1;
    if (endedAt === undefined) open += 1;
    sold += (incident.soldOfflineSeconds ?? 0) * share;
  });
  const estimates = sumAmounts(amounts).map((amount) => ({ ...amount, cents: Math.round(amount.cents) }));
  return {
    incidents: counted.length,
    outages,
    open,
    soldOfflineSeconds: Math.round(sold),
    ...(estimates.length > 0 && { estimates }),
    ...(estimates.length === 1 && { estimatedCents: estimates[0]?.cents }),
    ...(acknowledge.length > 0 && {
      acknowledgeSeconds: median(acknowledge),
      worstAcknowledgeSeconds: largest(acknowledge),
    }),
    ...(repair.length > 0 && { repairSeconds: median(repair), worstRepairSeconds: largest(repair) }),
  };
}

const largest = (numbers: readonly number[]): number =>
  numbers.reduce((most, each) => Math.max(most, each), 0);

/** Returns the median of numbers; 0 for none. */
function median(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/**
 * Returns a row for each name, costliest first.
 *
 * @param namesOf returns the names that an incident counts for: one for each of its phones, or a single one
 * @param isRecent the incident belongs to the period, and not to the one before
 */
export function* statisticsOf<Kept extends { readonly incident: FleetIncident }>(
  all: readonly Kept[],
  namesOf: (kept: Kept) => readonly RowName[],
  isRecent: (incident: FleetIncident) => boolean,
  currencyOf: CurrencyOf,
): Steps<readonly IncidentStatistics[]> {
  const rows = new Map<string, { readonly of: RowName; now: Counted[]; before: Counted[] }>();
  let looked = 0;
  for (const kept of all) {
    const names = namesOf(kept);
    looked += names.length;
    if (looked > DEVICES_PER_YIELD) yield;
    looked %= DEVICES_PER_YIELD;
    const counts = new Map<string, { readonly of: RowName; readonly count: number }>();
    for (const of of names) {
      const key = JSON.stringify([of.name, of.account]);
      counts.set(key, { of, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    for (const [key, { of, count }] of counts) {
      const row = rows.get(key) ?? { of, now: [], before: [] };
      rows.set(key, row);
      const counted = { incident: kept.incident, share: count / names.length };
      row[isRecent(kept.incident) ? 'now' : 'before'].push(counted);
    }
  }
  const sums: IncidentStatistics[] = [];
  for (const { of, now, before } of rows.values()) {
    if (sums.length % ROWS_PER_YIELD === 0) yield;
    sums.push({ ...of, ...(yield* sumUp(now, currencyOf)), before: yield* sumUp(before, currencyOf) });
  }
  return sums.sort(
    (one, other) =>
      other.soldOfflineSeconds - one.soldOfflineSeconds ||
      other.incidents - one.incidents ||
      other.before.incidents - one.before.incidents,
  );
}

/** Number of rows between two turns of the event loop. */
const ROWS_PER_YIELD = 200;

/** Returns the numbers of all incidents together. */
export function* totalOf(
  all: readonly { readonly incident: FleetIncident }[],
  isRecent: (incident: FleetIncident) => boolean,
  currencyOf: CurrencyOf,
): Steps<IncidentStatistics> {
  const [total] = yield* statisticsOf(all, () => [{ name: 'total' }], isRecent, currencyOf);
  return total ?? { name: 'total', ...NO_NUMBERS, before: NO_NUMBERS };
}

const NO_NUMBERS = numbersOf([], () => undefined);

/** Sorts months, newest first, each next to the month before it. */
export function besideMonthBefore(rows: readonly IncidentStatistics[]): readonly IncidentStatistics[] {
  const numbers = new Map(rows.map(({ name, before: _, ...own }) => [name, own]));
  const monthBefore = (name: string): string => {
    const [year = 0, month = 1] = name.split('-').map(Number);
    return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7);
  };
  return rows
    .map((row) => ({ ...row, before: numbers.get(monthBefore(row.name)) ?? NO_NUMBERS }))
    .sort((one, other) => (one.name < other.name ? 1 : -1));
}

const DAYS = 31;

/** Counts the incidents that opened on each of the last days, today last. */
export function countsByDay(
  all: readonly FleetIncident[],
  dateOf: (instant: number) => string,
  now: number,
): readonly { readonly date: string; readonly critical: number; readonly others: number }[] {
  const noon = Date.parse(`${dateOf(now)}T12:00:00Z`);
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(noon - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10);
    const own = all.filter(({ openedAt }) => dateOf(parseTime(openedAt) ?? 0) === date);
    const critical = own.filter(({ severity }) => severity === 'critical').length;
    return { date, critical, others: own.length - critical };
  });
}
