import type { FleetIncident } from '../../fleet/document.ts';
import { durationText, parseTime } from '../../fleet/freshness.ts';
import { countText, incidentTitle, listText, numberText } from '../../fleet/words.ts';

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

export const WORDS = {
  title: 'Incidents of the last 31 days',
  days: 'Last 31 days',
  none: 'No incidents',
  loading: 'Loading …',
  failed: 'No incidents to show:',
  csv: { semicolon: 'Download for Excel', comma: 'Download CSV' },
  command: 'Incidents of 31 days: /log, /log rack-03',
  otherVersion: 'The exporter has another version of the incidents',
  day: (date: string, count: number) => `${date}: ${countText(count, 'incident', 'incidents')}`,
  more: (count: number) => `and ${numberText(count)} more in the CSV`,
};
