import type { FleetIncident } from '../../fleet/document.ts';
import { durationText, parseTime } from '../../fleet/freshness.ts';
import { countText, incidentTitle, listText, numberText } from '../../fleet/words.ts';
import { DAY } from '../../model/time.ts';

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

/** Sums up incidents: `14 incidents, 2 outages, median 6 min, longest 3 h 10 min`. */
export function incidentSummary(incidents: readonly FleetIncident[], now: number): string {
  if (incidents.length === 0) return WORDS.none;
  const seconds = incidents
    .map(({ since, endedAt }) => ((parseTime(endedAt) ?? now) - (parseTime(since) ?? now)) / 1000)
    .sort((one, other) => one - other);
  const median = seconds[Math.floor(seconds.length / 2)] ?? 0;
  const outages = incidents.filter(({ problem }) => problem === 'common_cause').length;
  const open = incidents.filter(({ endedAt }) => endedAt === undefined).length;
  return [
    countText(incidents.length, 'incident', 'incidents'),
    ...(outages === 0 ? [] : [countText(outages, 'outage', 'outages')]),
    ...(open === 0 ? [] : [`${numberText(open)} open`]),
    `median ${durationText(median)}`,
    `longest ${durationText(seconds[seconds.length - 1] ?? 0)}`,
  ].join(', ');
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
  return `${WORDS.days}: ${incidentSummary(incidents, now)}.\n${listText(lines, NAMED)}`.trim();
}

/** Number of places that a report of a week names. */
const WORST = 3;

/**
 * Sums up a week beside the one before: numbers, the places with most time in incidents, and what is still open.
 *
 * @param incidents those of the last two weeks
 * @param quote marks text by others
 */
export function weekText(
  incidents: readonly FleetIncident[],
  now: number,
  quote: (text: string) => string,
): string {
  const own = incidents.filter(({ severity }) => severity !== 'info');
  const isRecent = ({ openedAt, endedAt }: FleetIncident): boolean =>
    endedAt === undefined || (parseTime(openedAt) ?? 0) > now - WEEK;
  const week = own.filter(isRecent);
  const before = own.length - week.length;
  if (week.length === 0) return WORDS.calmWeek(before);
  const seconds = new Map<string, number>();
  for (const incident of week) {
    const place = incident.group || incidentSubject(incident);
    const start = Math.max(parseTime(incident.since) ?? now, now - WEEK);
    const lasted = ((parseTime(incident.endedAt) ?? now) - start) / 1000;
    seconds.set(place, (seconds.get(place) ?? 0) + Math.max(0, lasted));
  }
  const worst = [...seconds].sort((one, other) => other[1] - one[1]).slice(0, WORST);
  const open = week.filter(({ endedAt }) => endedAt === undefined);
  return [
    WORDS.week(incidentSummary(week, now), before),
    WORDS.worst(worst.map(([place, lasted]) => `${quote(place)} ${durationText(lasted)}`).join(', ')),
    ...open.slice(0, WORST).map((each) => {
      return `${incidentTitle(each)}, ${quote(incidentSubject(each))}: ${incidentEnd(each, now)}`;
    }),
  ].join('\n');
}

const WEEK = 7 * DAY;

export const WORDS = {
  title: 'Incidents of the last 31 days',
  days: 'Last 31 days',
  none: 'No incidents',
  onlyDay: 'Only the last day is known: see the log of the exporter, or set state.file.',
  loading: 'Loading …',
  failed: 'No incidents to show:',
  csv: { semicolon: 'Download for Excel', comma: 'Download CSV' },
  week: (summary: string, before: number) =>
    `Last 7 days: ${summary}; ${numberText(before)} in the week before.`,
  calmWeek: (before: number) => `Last 7 days: no incidents; ${numberText(before)} in the week before.`,
  worst: (places: string) => `Most time in incidents: ${places}.`,
  command: 'Incidents of 31 days: /log, /log rack-03',
  otherVersion: 'The exporter has another version of the incidents',
  day: (date: string, count: number) => `${date}: ${countText(count, 'incident', 'incidents')}`,
  more: (count: number) => `and ${numberText(count)} more in the CSV`,
};
