import { csvOf, spreadsheetCell } from '../../base/spreadsheet.ts';
import { dateAt } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import type { FleetIncident } from '../../fleet/document.ts';
import { incidentTitle } from '../../fleet/words.ts';
import { jsonReply, type Reply, type Route, type RouteRequest, textReply } from '../../http/reply.ts';
import { csvReply, tableFormatOf } from '../../http/table.ts';
import type { NamedAccount } from '../../model/account.ts';
import type { FleetDevice } from '../../model/fleet.ts';
import { INCIDENT_PROBLEMS } from '../../model/incident.ts';
import { DAY, SECOND } from '../../model/time.ts';
import { BY, type IncidentsDocument, type StatisticsDocument } from './document.ts';
import { besideMonthBefore, isCounted, numbersOf, placeOf, statisticsOf } from './statistics.ts';
import { type KeptIncident, mergeIncidents, readIncidents } from './store.ts';
import { incidentSubject } from './words.ts';

type IncidentSources = {
  /** Folder of the incident files; undefined without one, where only the last day is known. */
  readonly directory: string | undefined;
  readonly accounts: () => readonly NamedAccount[];
} & Pick<FeatureContext, 'now' | 'timeZone' | 'disk' | 'yieldToEventLoop' | 'log'>;

const MAX_DAYS = 400;

/** Answers `GET /api/v1/incidents` with the incidents in the files and those that the accounts have. */
export function createIncidentsResponse(sources: IncidentSources): Route['answer'] {
  const { directory, accounts, now, log } = sources;
  let failing = false;
  const read = async (from: number): Promise<Map<string, KeptIncident> | undefined> => {
    if (directory === undefined) return undefined;
    try {
      const kept = await readIncidents(directory, from, sources);
      failing = false;
      return kept;
    } catch (error) {
      if (!failing)
        log.warn({ directory, error }, 'the incident files cannot be read: only the last day is shown');
      failing = true;
      return undefined;
    }
  };
  const respond = async (request: RouteRequest): Promise<Reply> => {
    const { query } = request;
    const days = Number(/^[1-9]\d{0,2}$/.exec(query.get('days') ?? '31')?.[0]);
    if (!(days <= MAX_DAYS)) return textReply(400, `expected days=1 to ${MAX_DAYS}`);
    const problem = query.get('problem');
    if (problem !== null && !INCIDENT_PROBLEMS.some((each) => each === problem))
      return textReply(400, `expected problem=${INCIDENT_PROBLEMS.join(', problem=')}`);
    const state = query.get('open');
    if (state !== null && state !== 'true' && state !== 'false')
      return textReply(400, 'expected open=true or open=false');
    const format = tableFormatOf(request);
    if (typeof format === 'object') return format;
    const by = query.get('by');
    if (by !== null && !BY.test(by)) return textReply(400, BY_EXPECTED);
    if (by !== null && query.get('format') === 'csv') return textReply(400, 'expected format=json with by');
    const from = now() - days * DAY;
    const files = await read(by === null ? from : from - days * DAY);
    const selected = mergeIncidents(files, accounts()).filter(selectorOf(query, accounts()));
    const known = files === undefined ? now() - DAY : from;
    if (by !== null) return jsonReply(200, `${JSON.stringify(statistics(selected, by, from, sources))}\n`);
    const incidents = selected
      .map(({ incident }) => incident)
      .toSorted((one, other) => ((one.openedAt ?? '') < (other.openedAt ?? '') ? 1 : -1));
    const document: IncidentsDocument = { version: 1, from: new Date(known).toISOString(), incidents };
    if (format === 'json') return jsonReply(200, `${JSON.stringify(document)}\n`);
    return csvReply(`incidents-${days}-days`, csvOf(rowsOf(incidents, now()), format));
  };
  const pending = new Map<string, Promise<Reply>>();
  let previous: Promise<unknown> = Promise.resolve();
  // One at a time: a year of a large fleet takes tens of megabytes. Requests for the same share the response.
  return async (request) => {
    const key = JSON.stringify([request.query.toString(), request.accept, request.acceptLanguage]);
    const shared = pending.get(key);
    if (shared !== undefined) return await shared;
    const reply = previous.then(async () => await respond(request));
    pending.set(key, reply);
    const end = (): boolean => pending.delete(key);
    previous = reply.then(end, end);
    return await reply;
  };
}

const BY_EXPECTED = 'expected by=group, by=phone, by=month or by=tag:NAME';

/** Returns the numbers of a time, by group, phone, month or tag. */
function statistics(
  all: readonly KeptIncident[],
  by: string,
  from: number,
  { accounts, timeZone }: IncidentSources,
): StatisticsDocument {
  const start = new Date(from).toISOString();
  const monthAt = (instant: number): string => dateAt(timeZone(), instant).slice(0, 7);
  const isRecent = ({ endedAt = start }: FleetIncident): boolean => endedAt >= start;
  const counted = all.filter(({ incident }) => isCounted(incident));
  const entries = new Map(accounts().flatMap(({ account: { fleet } }) => [...(fleet?.devices ?? [])]));
  const nameOf = (id: string): string => {
    const entry = entries.get(id);
    if (by === 'phone') return entry?.device.label.trim() || id;
    return entry?.properties.get(by.slice('tag:'.length)) ?? 'no value';
  };
  const namesOf = ({ incident, devices }: KeptIncident): readonly string[] => {
    if (by === 'group') return [placeOf(incident)];
    return by === 'month' ? [monthAt(Date.parse(incident.since ?? start))] : devices.map(nameOf);
  };
  const rows = statisticsOf(counted, namesOf, by === 'month' ? () => true : isRecent);
  const [total = { name: 'total', ...numbersOf([]), before: numbersOf([]) }] = statisticsOf(
    counted,
    () => ['total'],
    isRecent,
  );
  return {
    version: 1,
    from: start,
    rows: [total, ...(by === 'month' ? besideMonthBefore(rows) : rows)],
  };
}

/**
 * Returns a function that reports whether a query selects an incident. A phone, by id or label, has the outages that it was
 * part of, and a group has those of its present phones.
 */
function selectorOf(
  query: URLSearchParams,
  accounts: readonly NamedAccount[],
): (kept: KeptIncident) => boolean {
  const [account, group, device] = ['account', 'group', 'device'].map((name) => query.get(name));
  const entries = accounts.flatMap(({ account: { fleet } }) => [...(fleet?.devices.values() ?? [])]);
  const idsOf = (isWanted: (entry: FleetDevice) => boolean): ReadonlySet<string> =>
    new Set(entries.filter(isWanted).map((entry) => entry.device.id));
  const named = new Set([device ?? '', ...idsOf((entry) => entry.device.label === device)]);
  const grouped = idsOf((entry) => entry.group === group);
  const isOfGroup = ({ incident: { phone, kind, value, group: own }, devices }: KeptIncident): boolean =>
    own === group ||
    (kind === 'group' && value === group) ||
    (phone === undefined && devices.some((id) => grouped.has(id)));
  const [problem, state] = ['problem', 'open'].map((name) => query.get(name));
  return (kept) =>
    (account === null || kept.incident.account === account) &&
    (group === null || isOfGroup(kept)) &&
    (device === null || kept.incident.label === device || kept.devices.some((id) => named.has(id))) &&
    (problem === null || kept.incident.problem === problem) &&
    (state === null || (kept.incident.endedAt === undefined) === (state === 'true'));
}

/** Seconds from the start of the problem to its end, or to now. */
function secondsOf({ since, endedAt }: FleetIncident, now: number): number {
  const end = endedAt === undefined ? now : Date.parse(endedAt);
  return Math.max(0, Math.round((end - Date.parse(since ?? '')) / SECOND)) || 0;
}

const HEAD = [
  ...['since', 'resolved', 'seconds', 'incident', 'subject', 'account', 'severity', 'phones'],
  ...['sold_phones', 'reason', 'acknowledged', 'acknowledged_by', 'sold_offline_seconds'],
  ...['estimated_cents', 'notes'],
];

/** The rows of a CSV. */
function rowsOf(incidents: readonly FleetIncident[], now: number): readonly (readonly string[])[] {
  const rows = incidents.map((incident) => {
    const { since = '', endedAt = '', account, severity, phone, mostSoldPhones, reason = '' } = incident;
    const { acknowledgedAt = '', acknowledgedBy = '', soldOfflineSeconds = 0, estimatedCents } = incident;
    const { notes = [] } = incident;
    const phones = incident.allPhones ?? Number(phone !== undefined);
    const sold = mostSoldPhones ?? Number(incident.problem === 'sold_offline');
    return [
      ...[since, endedAt, String(secondsOf(incident, now))],
      ...[incidentTitle(incident), incidentSubject(incident), account].map(spreadsheetCell),
      ...[severity, String(phones), String(sold), reason],
      ...[acknowledgedAt, spreadsheetCell(acknowledgedBy)],
      ...[String(soldOfflineSeconds), estimatedCents === undefined ? '' : String(estimatedCents)],
      spreadsheetCell(notes.map(({ text }) => text).join('; ')),
    ];
  });
  return [HEAD, ...rows];
}
