import { finish } from '../../base/steps.ts';
import { incidentText, quote } from '../../fleet/chat.ts';
import { type NamedAccounts, nameIn } from '../../fleet/describe.ts';
import type { CoreDocument, FleetIncident } from '../../fleet/document.ts';
import { durationText, parseTime, type TimeText } from '../../fleet/freshness.ts';
import { amountsText, currencies, type ObservedAccounts, sumBalances } from '../../fleet/money.ts';
import type { FleetView } from '../../fleet/trust.ts';
import { listText, moneyText } from '../../fleet/words.ts';
import { DAY } from '../../model/time.ts';
import { say, sayInEnglish } from '../../text/say.ts';
import type {
  IncidentNumbers,
  IncidentStatistics,
  IncidentsDocument,
  StatisticsDocument,
} from './document.ts';
import { isCounted, numbersOf, placeOf, statisticsOf, totalOf } from './statistics.ts';

/* Summaries of incidents in words. src/fleet/describe.ts has the words for a single one. */

type Accounts = Pick<CoreDocument, 'accounts'>;

/** Sums up the incidents that count: `14 incidents, 2 outages, 1 open; median time to repair 6 min, longest 3 h 10 min`. */
export function incidentSummary(incidents: readonly FleetIncident[], { accounts }: Accounts): string {
  if (incidents.length === 0) return say('incidents-none');
  return numbersText(numbersOf(incidents.filter(isCounted), currencies(accounts)));
}

/** Maximum number of incidents in a message. */
const NAMED = 10;

/**
 * Names a period of days up to now: `Last 31 days`, or `Since 12:04 (no earlier data)`.
 *
 * @param from since when incidents have been known
 */
export function periodText(days: number, from: string, now: number, time: TimeText): string {
  const isKnown = now - Date.parse(from) >= (days - KNOWN_SLACK) * DAY;
  return isKnown ? say('incidents-last-days', { days }) : say('incidents-since', { time: time(from) });
}

/** Part of a day by which the start of a period may be late, since a request takes time. */
const KNOWN_SLACK = 0.01;

/** Writes incidents for a chat, in the given order: how many there are, then the first few. */
export function incidentsText(
  { incidents, from }: Pick<IncidentsDocument, 'incidents' | 'from'>,
  view: FleetView,
): string {
  const { fleet, now, time } = view;
  const lines = incidents.map((each) => incidentText(view, each));
  const period = periodText(31, from, now, time);
  return `${period}: ${incidentSummary(incidents, fleet)}.\n${listText(lines, NAMED)}`.trim();
}

/** Number of places, phones and open incidents that a weekly report names. */
const WORST = 3;

/**
 * Sums up a week, compared with the one before: numbers, the costliest places and phones, money, and what is still open. At
 * most 12 lines. Without earlier data, nothing is compared.
 *
 * @param document the incidents of the last two weeks
 */
export function weekText(
  { incidents, from }: Pick<IncidentsDocument, 'incidents' | 'from'>,
  view: FleetView,
): string {
  const { fleet, now, time } = view;
  const own = incidents.filter(isCounted).map((incident) => ({ incident }));
  const currencyOf = currencies(fleet.accounts);
  const isRecent = ({ openedAt, endedAt }: FleetIncident): boolean =>
    endedAt === undefined || (parseTime(openedAt) ?? 0) > now - WEEK;
  const total = finish(totalOf(own, isRecent, currencyOf));
  const isCompared = now - Date.parse(from) >= (14 - KNOWN_SLACK) * DAY;
  const compared = isCompared ? ` ${say('incidents-week-before', { count: total.before.incidents })}` : '';
  const period = periodText(7, from, now, time);
  const money = moneyLines(fleet);
  if (total.incidents === 0)
    return [`${say('incidents-week-none', { period })}${compared}`, ...money].join('\n');
  const places = finish(statisticsOf(own, ({ incident }) => [placeOf(incident)], isRecent, currencyOf));
  const phoneOf = ({ incident: { account, phone, label } }: (typeof own)[number]) =>
    phone === undefined ? [] : [{ name: label?.trim() || phone, account }];
  const phones = finish(statisticsOf(own, phoneOf, isRecent, currencyOf));
  const open = own.map(({ incident }) => incident).filter(({ endedAt }) => endedAt === undefined);
  return [
    `${period}: ${numbersText(total)}.${compared}`,
    ...costLines(total, isCompared),
    ...worstLines(worstPlaces, places, fleet),
    ...worstLines(worstPhones, phones, fleet),
    ...money,
    ...open.slice(0, WORST).map((each) => incidentText(view, each)),
    ...(open.length > WORST ? [say('incidents-more-open', { count: open.length - WORST })] : []),
  ].join('\n');
}

const WEEK = 7 * DAY;

const worstPlaces = (names: string): string => say('incidents-worst', { names });
const worstPhones = (names: string): string => say('incidents-worst-phones', { names });

/** Names the first rows that cost sold time; empty if there are none. */
function worstLines(
  textOf: (names: string) => string,
  rows: readonly IncidentStatistics[],
  fleet: Accounts,
): readonly string[] {
  const worst = rows.filter(({ soldOfflineSeconds }) => soldOfflineSeconds > 0).slice(0, WORST);
  const texts = worst.map((row) => `${quote(rowName(row, fleet))} ${durationText(row.soldOfflineSeconds)}`);
  return texts.length === 0 ? [] : [textOf(texts.join(', '))];
}

/** Names a row of numbers, with its account if there are several. */
export function rowName(
  { name, account }: Pick<IncidentStatistics, 'name' | 'account'>,
  fleet: NamedAccounts,
): string {
  const own = translatedName(name);
  return account === undefined || account === name ? own : nameIn(fleet, own, account);
}

/** Translates a row name that comes from the exporter and not from a group. */
function translatedName(name: string): string {
  if (name === sayInEnglish('incidents-total')) return say('incidents-total');
  if (name === sayInEnglish('several-groups')) return say('several-groups');
  return name === sayInEnglish('no-group') ? say('no-group') : name;
}

/** Writes numbers: `14 incidents, 2 outages, 1 open; median time to repair 6 min, longest 3 h 10 min`. */
function numbersText(numbers: IncidentNumbers): string {
  const { incidents, outages, open, repairSeconds, worstRepairSeconds, acknowledgeSeconds } = numbers;
  const counts = [
    say('incidents-count', { count: incidents }),
    outages > 0 && say('incidents-outages', { count: outages }),
    open > 0 && say('incidents-open', { count: open }),
  ];
  const times = [
    acknowledgeSeconds !== undefined &&
      say('incidents-median-acknowledge', { duration: durationText(acknowledgeSeconds) }),
    repairSeconds !== undefined && say('incidents-median-repair', { duration: durationText(repairSeconds) }),
    worstRepairSeconds !== undefined &&
      say('incidents-longest', { duration: durationText(worstRepairSeconds) }),
  ];
  const texts = [counts, times].map((parts) => parts.filter(Boolean).join(', '));
  return texts.filter(Boolean).join('; ');
}

/** Writes the sold time lost, compared with the period before if that is known; empty if none was lost. */
function costLines(
  { soldOfflineSeconds, estimates = [], before }: IncidentStatistics,
  isCompared: boolean,
): readonly string[] {
  if (soldOfflineSeconds === 0 && (!isCompared || before.soldOfflineSeconds === 0)) return [];
  const cost =
    estimates.length === 0 ? '' : ` ${say('incidents-sold-cost', { amount: amountsText(estimates) })}`;
  const then = say('incidents-before', { duration: durationText(before.soldOfflineSeconds) });
  const time = `${durationText(soldOfflineSeconds)}${cost}${isCompared ? `, ${then}` : ''}`;
  return [say('incidents-sold-time', { time })];
}

/** Reports whether the period of the same length before one is known. */
export function isBeforeKnown(from: string, knownFrom: string, now: number): boolean {
  return 2 * Date.parse(from) - now >= Date.parse(knownFrom) - KNOWN_SLACK * DAY;
}

/** Compares 31 days with the 31 before, and names the costliest places. The first row is the total. */
export function comparisonText(
  { rows: [total, ...places], from, knownFrom }: StatisticsDocument,
  fleet: Accounts,
  now: number,
): readonly string[] {
  if (total === undefined || total.incidents + total.before.incidents === 0) return [];
  const isCompared = isBeforeKnown(from, knownFrom, now);
  return [
    ...(isCompared ? [say('incidents-days-before', { numbers: numbersText(total.before) })] : []),
    ...costLines(total, isCompared),
    ...(places.length > 1 ? worstLines(worstPlaces, places, fleet) : []),
  ];
}

/** Writes the week's observed money in each currency. */
function moneyLines(fleet: ObservedAccounts): readonly string[] {
  return sumBalances(fleet).flatMap(({ currency, week }) => {
    if (week === undefined) return [];
    const up = moneyText(week.increaseCents, currency);
    const down = moneyText(week.decreaseCents, currency);
    return [say('incidents-balance', { in: up, out: down })];
  });
}
