import type { FleetDocument, FleetIncident } from '../../fleet/document.ts';
import { durationText, parseTime } from '../../fleet/freshness.ts';
import { countText, incidentTitle, listText, moneyText, numberText } from '../../fleet/words.ts';
import { DAY } from '../../model/time.ts';
import type { IncidentNumbers, IncidentStatistics } from './document.ts';
import { isCounted, numbersOf, placeOf, statisticsOf } from './statistics.ts';

/** Names the subject of an incident: a phone, what several phones share, or an account. */
export function incidentSubject({ label, phone, value, kind, allPhones, account }: FleetIncident): string {
  if (phone !== undefined) return label?.trim() || phone;
  if (kind !== undefined && value !== undefined) return value;
  return allPhones === undefined ? account : countText(allPhones, 'phone', 'phones');
}

/** Says how long an incident lasted and how it ended: `12 min, back online`, or `open for 12 min`. */
export function incidentEnd({ since, endedAt, reasonText = '' }: FleetIncident, now: number): string {
  const start = parseTime(since) ?? now;
  const duration = durationText(((parseTime(endedAt) ?? now) - start) / 1000);
  return endedAt === undefined ? `open for ${duration}` : `${duration}, ${reasonText}`;
}

/** Says how many sold phones were offline at once; '' for none. */
export function soldText({ mostSoldPhones = 0 }: FleetIncident): string {
  return mostSoldPhones === 0 ? '' : countText(mostSoldPhones, 'sold phone', 'sold phones');
}

/** Sums up the incidents that count: `14 incidents, 2 outages, 1 open; median to repair 6 min, longest 3 h 10 min`. */
export function incidentSummary(incidents: readonly FleetIncident[]): string {
  const counted = incidents.filter(isCounted).map((incident) => ({ incident, share: 1 }));
  return incidents.length === 0 ? WORDS.none : numbersText(numbersOf(counted));
}

/** Maximum number of incidents in a message. */
const NAMED = 10;

/**
 * Writes incidents for a chat, the newest first.
 *
 * @param time writes an instant for the owner
 * @param quote marks text by others
 */
export function incidentsText(
  incidents: readonly FleetIncident[],
  now: number,
  time: (instant: number | undefined) => string,
  quote: (text: string) => string,
): string {
  const lines = incidents.map((incident) => {
    const sold = soldText(incident);
    const facts = [incidentEnd(incident, now), ...(sold === '' ? [] : [sold])].join(', ');
    return `${time(parseTime(incident.since))} ${incidentTitle(incident)}, ${quote(incidentSubject(incident))}: ${facts}`;
  });
  return `${WORDS.days}: ${incidentSummary(incidents)}.\n${listText(lines, NAMED)}`.trim();
}

/** Number of places, phones and open incidents that a report of a week names. */
const WORST = 3;

/**
 * Sums up a week beside the one before: numbers, the places and phones that cost most, money, and what is still open. At most
 * 12 lines.
 *
 * @param incidents those of the last two weeks
 * @param quote marks text by others
 * @param fleet the fleet, whose observed money is added
 */
export function weekText(
  incidents: readonly FleetIncident[],
  now: number,
  quote: (text: string) => string,
  fleet?: Pick<FleetDocument, 'accounts' | 'observed'>,
): string {
  const own = incidents.filter(isCounted).map((incident) => ({ incident }));
  const isRecent = ({ openedAt, endedAt }: FleetIncident): boolean =>
    endedAt === undefined || (parseTime(openedAt) ?? 0) > now - WEEK;
  const [total] = statisticsOf(own, () => ['total'], isRecent);
  const money = fleet === undefined ? [] : moneyLines(fleet);
  if (total === undefined || total.incidents === 0)
    return [WORDS.calmWeek(total?.before.incidents ?? 0), ...money].join('\n');
  const worst = (namesOf: (incident: FleetIncident) => readonly string[]): string =>
    worstOf(
      statisticsOf(own, ({ incident }) => namesOf(incident), isRecent),
      quote,
    ).join(', ');
  const places = worst((incident) => [placeOf(incident)]);
  const phones = worst((incident) => (incident.phone === undefined ? [] : [incidentSubject(incident)]));
  const open = own.map(({ incident }) => incident).filter(({ endedAt }) => endedAt === undefined);
  return [
    WORDS.week(numbersText(total), total.before.incidents),
    ...costLines(total, fleet?.accounts[0]?.currency),
    ...(places === '' ? [] : [WORDS.worstPlaces(places)]),
    ...(phones === '' ? [] : [WORDS.worstPhones(phones)]),
    ...money,
    ...open.slice(0, WORST).map((each) => {
      return `${incidentTitle(each)}, ${quote(incidentSubject(each))}: ${incidentEnd(each, now)}`;
    }),
    ...(open.length > WORST ? [WORDS.moreOpen(open.length - WORST)] : []),
  ].join('\n');
}

/** Writes counts: `14 incidents, 2 outages, 1 open`. */
function countsText({ incidents, outages, open }: IncidentNumbers): string {
  return [
    countText(incidents, 'incident', 'incidents'),
    ...(outages === 0 ? [] : [countText(outages, 'outage', 'outages')]),
    ...(open === 0 ? [] : [`${numberText(open)} open`]),
  ].join(', ');
}

/** Names the first rows that cost sold time. */
function worstOf(rows: readonly IncidentStatistics[], quote: (text: string) => string): readonly string[] {
  return rows
    .filter(({ soldOfflineSeconds }) => soldOfflineSeconds > 0)
    .slice(0, WORST)
    .map(({ name, soldOfflineSeconds }) => `${quote(name)} ${durationText(soldOfflineSeconds)}`);
}

/** Writes numbers: `14 incidents, 2 outages, 1 open; median to repair 6 min, longest 3 h 10 min`. */
function numbersText(numbers: IncidentNumbers): string {
  const { repairSeconds, worstRepairSeconds, acknowledgeSeconds } = numbers;
  const counts = countsText(numbers);
  const times = [
    ...(acknowledgeSeconds === undefined
      ? []
      : [`median to acknowledge ${durationText(acknowledgeSeconds)}`]),
    ...(repairSeconds === undefined ? [] : [`median to repair ${durationText(repairSeconds)}`]),
    ...(worstRepairSeconds === undefined ? [] : [`longest ${durationText(worstRepairSeconds)}`]),
  ].join(', ');
  return times === '' ? counts : `${counts}; ${times}`;
}

/** Writes the sold time that was lost, beside the time before; nothing without any. */
function costLines(
  { soldOfflineSeconds, estimatedCents, before }: IncidentStatistics,
  currency: string | undefined,
): readonly string[] {
  if (soldOfflineSeconds === 0 && before.soldOfflineSeconds === 0) return [];
  const cost =
    estimatedCents === undefined ? '' : ` (about ${moneyText(estimatedCents, currency)}, estimated)`;
  return [WORDS.lost(`${durationText(soldOfflineSeconds)}${cost}`, durationText(before.soldOfflineSeconds))];
}

/** Compares 31 days with those before, and names the places that cost most. The first row is the total. */
export function comparisonText(
  [total, ...places]: readonly IncidentStatistics[],
  { accounts }: Pick<FleetDocument, 'accounts'>,
  quote: (text: string) => string,
): readonly string[] {
  if (total === undefined || total.incidents + total.before.incidents === 0) return [];
  const worst = worstOf(places, quote);
  return [
    WORDS.before(numbersText(total.before)),
    ...costLines(total, accounts[0]?.currency),
    ...(worst.length > 1 ? [WORDS.worstPlaces(worst.join(', '))] : []),
  ];
}

/** Writes the observed money of the week for each account. */
function moneyLines({ accounts, observed }: Pick<FleetDocument, 'accounts' | 'observed'>): readonly string[] {
  const lines = observed.flatMap(({ account, week }) => {
    if (week === undefined) return [];
    const currency = accounts.find(({ name }) => name === account)?.currency;
    const [increase, decrease] = [week.increaseCents, week.decreaseCents].map((cents) =>
      moneyText(cents, currency),
    );
    return [WORDS.money(observed.length > 1 ? `${account}: ` : '', increase ?? '', decrease ?? '')];
  });
  return lines.slice(0, WORST);
}

const WEEK = 7 * DAY;

export const WORDS = {
  title: 'Incidents of the last 31 days',
  days: 'Last 31 days',
  none: 'No incidents',
  onlyDay: 'Only the last day is known: see the log of the exporter, or set state.file.',
  loading: 'Loading …',
  failed: 'No incidents to show:',
  all: 'All',
  worst: (by: 'group' | 'phone', isCompared: boolean) =>
    `${by === 'group' ? 'Groups' : 'Phones'} that cost most${isCompared ? ' (the 31 days before)' : ''}`,
  by: { group: 'Group', phone: 'Phone' },
  columns: ['Incidents', 'Sold time offline', 'To acknowledge', 'To repair'],
  notes: 'Notes',
  written: (by: string) => (by === 'loopback' ? '' : by === 'tags.file' ? 'in the tags file' : `by ${by},`),
  addNote: 'Add a note',
  addNoteTo: (name: string) => `Add a note to ${name}`,
  noteFor: (name: string) => `Note on ${name}`,
  saveNote: 'Save',
  onlyAcknowledge: 'Only acknowledge',
  onlyAcknowledgeNote: 'Others see that you are on it. Alerts continue.',
  acknowledged: 'You are on it.',
  week: (summary: string, before: number) =>
    `Last 7 days: ${summary}. The week before: ${countText(before, 'incident', 'incidents')}.`,
  lost: (now: string, before: string) => `Sold time offline: ${now}, before: ${before}.`,
  money: (account: string, increase: string, decrease: string) =>
    `${account}Balance observed: +${increase}, −${decrease}.`,
  before: (numbers: string) => `The 31 days before: ${numbers}.`,
  worstPlaces: (places: string) => `Most of it: ${places}.`,
  worstPhones: (phones: string) => `Phones: ${phones}.`,
  moreOpen: (count: number) => `and ${numberText(count)} more open`,
  calmWeek: (before: number) => `Last 7 days: no incidents; ${numberText(before)} in the week before.`,
  acknowledgeCommand: 'I’m on it: /ack lists the open incidents',
  noteCommand: 'Note on a phone: /note rack-03/slot-04 battery swollen; or reply to an alert',
  allAcknowledged: 'All open incidents are acknowledged.',
  whichNote: 'Write the note after the name: /note rack-03/slot-04 battery swollen',
  maintenance: 'Maintenance:',
  mute: { '2h': 'Mute for 2 h', back: 'Mute until back online' },
  notOpen: 'This incident is not open: it may have been resolved.',
  noSuchIncident: 'No incident has this ID.',
  noSuchPhone: 'No phone has this ID or label.',
  severalPhones: (count: number) => `${numberText(count)} phones have this name: use the ID, or add account.`,
  isOnIt: (who: string) => `${who} is on it.`,
  noted: 'The note is saved.',
  command: 'Incidents of 31 days: /log, /log rack-03',
  otherVersion: 'The exporter has another version of the incidents',
  day: (date: string, count: number) => `${date}: ${countText(count, 'incident', 'incidents')}`,
  more: (count: number) => `and ${numberText(count)} more in the CSV`,
};
