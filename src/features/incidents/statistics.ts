import type { FleetIncident } from '../../fleet/document.ts';
import { parseTime } from '../../fleet/freshness.ts';
import { SECOND } from '../../model/time.ts';
import type { IncidentNumbers, IncidentStatistics } from './document.ts';

/*
 * Numbers about incidents of a time, beside those of as much time before: by place, by phone, by tag, by month.
 */

/** An incident, and the share of its sold time that counts. */
export type Counted = { readonly incident: FleetIncident; readonly share: number };

/** Returns the incidents that count: no one-time events, and none of low severity. */
export function isCounted({ severity }: FleetIncident): boolean {
  return severity !== 'info';
}

/** Names the place of an incident: its group, or what its phones share. */
export function placeOf({ group, kind, value = '', phone, phones, account }: FleetIncident): string {
  if (kind !== undefined) return kind === 'group' ? value : `${kind.replace(/_/g, ' ')} ${value}`;
  if (phone !== undefined) return group || 'no group';
  return phones === undefined ? account : 'several groups';
}

/** Sums up incidents. Times are in seconds; medians and maxima are left out without any. */
export function numbersOf(counted: readonly Counted[]): IncidentNumbers {
  const incidents = counted.map(({ incident }) => incident);
  const acknowledge = sortedSeconds(incidents, ({ openedAt, acknowledgedAt }) => [openedAt, acknowledgedAt]);
  const repair = sortedSeconds(incidents, ({ since, endedAt }) => [since, endedAt]);
  const cents = counted.reduce((sum, { incident, share }) => sum + (incident.estimatedCents ?? 0) * share, 0);
  const sold = counted.reduce(
    (sum, { incident, share }) => sum + (incident.soldOfflineSeconds ?? 0) * share,
    0,
  );
  return {
    incidents: incidents.length,
    outages: incidents.filter(({ problem }) => problem === 'common_cause').length,
    open: incidents.filter(({ endedAt }) => endedAt === undefined).length,
    soldOfflineSeconds: Math.round(sold),
    ...(cents > 0 && { estimatedCents: Math.round(cents) }),
    ...(acknowledge.length > 0 && {
      acknowledgeSeconds: median(acknowledge),
      worstAcknowledgeSeconds: acknowledge[acknowledge.length - 1],
    }),
    ...(repair.length > 0 && {
      repairSeconds: median(repair),
      worstRepairSeconds: repair[repair.length - 1],
    }),
  };
}

/** Returns the seconds between two instants of each incident that has both, ascending. */
function sortedSeconds(
  incidents: readonly FleetIncident[],
  spanOf: (incident: FleetIncident) => readonly [string | undefined, string | undefined],
): readonly number[] {
  return incidents
    .flatMap((incident) => {
      const [from, to] = spanOf(incident).map(parseTime);
      return from === undefined || to === undefined ? [] : [Math.max(0, Math.round((to - from) / SECOND))];
    })
    .sort((one, other) => one - other);
}

/** Returns the median of ascending numbers; 0 for none. */
function median(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/**
 * Returns a row for each name, the one that cost most first.
 *
 * @param namesOf returns the names for which an incident counts, one for each of its phones or a single one
 * @param isRecent the incident is of the time, and not of the time before
 */
export function statisticsOf<Kept extends { readonly incident: FleetIncident }>(
  all: readonly Kept[],
  namesOf: (kept: Kept) => readonly string[],
  isRecent: (incident: FleetIncident) => boolean,
): readonly IncidentStatistics[] {
  const rows = new Map<string, { now: Counted[]; before: Counted[] }>();
  for (const kept of all) {
    const names = namesOf(kept);
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [name, count] of counts) {
      const row = rows.get(name) ?? { now: [], before: [] };
      rows.set(name, row);
      const counted = { incident: kept.incident, share: count / names.length };
      row[isRecent(kept.incident) ? 'now' : 'before'].push(counted);
    }
  }
  return Array.from(rows, ([name, { now, before }]) => ({
    name,
    ...numbersOf(now),
    before: numbersOf(before),
  })).sort(
    (one, other) =>
      other.soldOfflineSeconds - one.soldOfflineSeconds ||
      other.incidents - one.incidents ||
      other.before.incidents - one.before.incidents,
  );
}

/** Puts months in their order, the newest first, each beside the month before. */
export function besideMonthBefore(rows: readonly IncidentStatistics[]): readonly IncidentStatistics[] {
  const numbers = new Map(rows.map(({ name, before: _, ...own }) => [name, own]));
  const monthBefore = (name: string): string => {
    const [year = 0, month = 1] = name.split('-').map(Number);
    return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7);
  };
  return rows
    .map((row) => ({ ...row, before: numbers.get(monthBefore(row.name)) ?? numbersOf([]) }))
    .sort((one, other) => (one.name < other.name ? 1 : -1));
}
