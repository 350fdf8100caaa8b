import { csvPieces, type TableColumn } from '../../base/spreadsheet.ts';
import { inSteps, lookAtEach, type Steps } from '../../base/steps.ts';
import { dateAt } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { incidentName } from '../../fleet/describe.ts';
import type { FleetIncident } from '../../fleet/document.ts';
import { parseTime } from '../../fleet/freshness.ts';
import { groupingsText, groupingWord, isByProperty } from '../../fleet/grouping.ts';
import type { CurrencyOf } from '../../fleet/money.ts';
import { incidentTitle } from '../../fleet/words.ts';
import {
  isStranger,
  JSON_TYPE,
  jsonPieces,
  piecesReply,
  publicJson,
  type Reply,
  type Route,
  textReply,
} from '../../http/reply.ts';
import { createSharedReplies, type Turn } from '../../http/shared.ts';
import { csvReply, tableFormatOf } from '../../http/table.ts';
import type { NamedAccount } from '../../model/account.ts';
import type { FleetDevice } from '../../model/fleet.ts';
import { INCIDENT_PROBLEMS } from '../../model/incident.ts';
import { DAY, MINUTE, SECOND } from '../../model/time.ts';
import { BY, type IncidentsDocument, type StatisticsDocument } from './document.ts';
import { besideMonthBefore, isCounted, placeOf, type RowName, statisticsOf, totalOf } from './statistics.ts';
import {
  createKeptSince,
  type KeptIncident,
  mergeIncidents,
  readIncidents,
  TooManyIncidents,
} from './store.ts';

type IncidentSources = {
  /** Folder of the incident files; undefined if there is none and only the last day is known. */
  readonly directory: string | undefined;
  readonly accounts: () => readonly NamedAccount[];
  readonly currencyOf: CurrencyOf;
} & Pick<FeatureContext, 'now' | 'timeZone' | 'disk' | 'yieldToEventLoop' | 'log'>;

const MAX_DAYS = 400;

/** Incidents from the files, by their identity, and since when the files have been complete. */
type KnownFiles = { readonly kept: Map<string, KeptIncident>; readonly since: number | undefined };

/** Answers `GET /api/v1/incidents` with the incidents in the files and those in the accounts. */
export function createIncidentsResponse(sources: IncidentSources): Route['answer'] {
  const { directory, accounts, now, log } = sources;
  let failing = false;
  const keptSince = directory === undefined ? undefined : createKeptSince(directory, sources);
  const read = async (from: number, turn: Turn): Promise<KnownFiles | 'too many' | undefined> => {
    if (directory === undefined) return undefined;
    try {
      const kept = await readIncidents(directory, from, { ...sources, yieldToEventLoop: turn });
      const since = await keptSince?.();
      failing = false;
      return { kept, since };
    } catch (error) {
      if (error instanceof TooManyIncidents) return 'too many';
      await turn();
      if (!failing)
        log.warn({ directory, error }, 'the incident files cannot be read: only the last day is shown');
      failing = true;
      return undefined;
    }
  };
  const share = createSharedReplies(sources.yieldToEventLoop);
  return async (request) => {
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
    if (by !== null && !BY.some((each) => each === by) && !isByProperty(by))
      return textReply(400, `expected by=${groupingsText(BY)}`);
    if (by !== null && query.get('format') === 'csv') return textReply(400, 'expected format=json with by');
    const isPublic = isStranger(request.sender);
    const key = JSON.stringify([query.toString(), format, isPublic]);
    return await share(key, request.isGone, async (turn) => {
      const from = now() - days * DAY;
      const files = await read(by === null ? from : from - days * DAY, turn);
      if (files === 'too many')
        return textReply(400, `too many incidents for one response: request fewer than ${days} days`);
      const all = await inSteps(mergeIncidents(files?.kept, accounts()), turn);
      const steps = replyOf(all, files?.since, { query, days, from, by, format, isPublic }, sources);
      return await inSteps(steps, turn);
    });
  };
}

/** The parameters of a request. */
type Wanted = {
  readonly query: URLSearchParams;
  readonly days: number;
  readonly from: number;
  readonly by: string | null;
  readonly isPublic: boolean;
  readonly format: Exclude<ReturnType<typeof tableFormatOf>, object>;
};

/** Computes a response in steps, since there may be a hundred thousand incidents. */
function* replyOf(
  all: readonly KeptIncident[],
  keptSince: number | undefined,
  { query, days, from, by, format, isPublic }: Wanted,
  sources: IncidentSources,
): Steps<Reply> {
  const { accounts, now, timeZone } = sources;
  const isSelected = selectorOf(query, accounts());
  const selected: KeptIncident[] = [];
  yield* lookAtEach(all, (each) => {
    if (isSelected(each)) selected.push(each);
  });
  const known = new Date(yield* knownSince(all, keptSince, sources)).toISOString();
  if (by !== null) {
    const document = yield* statistics(selected, by, [from, known], sources);
    const { rows, ...head } = document;
    return piecesReply(JSON_TYPE, yield* jsonPieces(head, 'rows', rows));
  }
  const opened: number[] = [];
  yield* lookAtEach(selected, ({ incident }) => opened.push(parseTime(incident.openedAt) ?? 0));
  const order = Uint32Array.from(opened.keys()).sort(
    (one, other) => (opened[other] ?? 0) - (opened[one] ?? 0) || one - other,
  );
  const incidents = Array.from(order, (index) => selected[index]?.incident).filter(
    (each) => each !== undefined,
  );
  const start = new Date(from).toISOString();
  const head: Omit<IncidentsDocument, 'incidents'> = { version: 1, from: known > start ? known : start };
  if (format === 'json') {
    const encode = isPublic ? publicJson : undefined;
    return piecesReply(JSON_TYPE, yield* jsonPieces(head, 'incidents', incidents, encode));
  }
  const columns = columnsAt(now()).filter(({ title }) => !isPublic || title !== 'acknowledged_by');
  const pieces = yield* csvPieces(columns, incidents, format, timeZone());
  return csvReply(`incidents-${days}-days`, pieces);
}

/**
 * Returns since when incidents have been known, in milliseconds since 1970: since the first list of a phone that is still
 * remembered, or since the oldest incident, but not for longer than files keep them; without files, for at most a day.
 */
function* knownSince(
  all: readonly KeptIncident[],
  keptSince: number | undefined,
  { accounts, now }: IncidentSources,
): Steps<number> {
  let first = now();
  const look = (instant: number | undefined): void => {
    if (instant !== undefined && instant < first) first = instant;
  };
  for (const { account } of accounts()) {
    yield* lookAtEach(account.fleet?.devices.values() ?? [], ({ times }) => look(times.firstListedAt));
    yield* lookAtEach(account.fleet?.departed.values() ?? [], ({ times }) => look(times.firstListedAt));
  }
  yield* lookAtEach(all, ({ incident }) => look(parseTime(incident.openedAt)));
  return Math.max(first, Math.min(keptSince ?? now(), now() - DAY));
}

/** Length of time within which the month is the same in every time zone, in milliseconds. */
const SAME_MONTH = 15 * MINUTE;

/** Returns the numbers for a period, by group, phone, month or tag. */
function* statistics(
  all: readonly KeptIncident[],
  by: string,
  [from, knownFrom]: readonly [from: number, knownFrom: string],
  { accounts, currencyOf, timeZone }: IncidentSources,
): Steps<StatisticsDocument> {
  const start = new Date(from).toISOString();
  const months = new Map<number, string>();
  const monthAt = (instant: number): string => {
    const quarter = Math.floor(instant / SAME_MONTH);
    const month = months.get(quarter) ?? dateAt(timeZone(), instant).slice(0, 7);
    months.set(quarter, month);
    return month;
  };
  const isRecent = ({ endedAt = start }: FleetIncident): boolean => endedAt >= start;
  const counted = all.filter(({ incident }) => isCounted(incident));
  const fleets = new Map(accounts().map(({ name, account: { fleet } }) => [name, fleet]));
  const nameOf = ({ account, label }: FleetIncident, id: string): string => {
    const fleet = fleets.get(account);
    const entry = fleet?.devices.get(id);
    if (by !== 'phone') return entry?.properties.get(groupingWord(by)) ?? 'no value';
    const { device } = entry ?? fleet?.departed.get(id) ?? {};
    return (device?.label ?? label)?.trim() || id;
  };
  const namesOf = ({ incident, devices }: KeptIncident): readonly RowName[] => {
    if (by === 'group') return [placeOf(incident)];
    if (by === 'month') return [{ name: monthAt(Date.parse(incident.since ?? start)) }];
    const { account } = incident;
    return devices.map((id) => ({ name: nameOf(incident, id), ...(by === 'phone' && { account }) }));
  };
  const rows = yield* statisticsOf(counted, namesOf, by === 'month' ? () => true : isRecent, currencyOf);
  const total = yield* totalOf(counted, isRecent, currencyOf);
  return {
    version: 1,
    from: start,
    knownFrom,
    rows: [total, ...(by === 'month' ? besideMonthBefore(rows) : rows)],
  };
}

/**
 * Returns a function that reports whether a query selects an incident. A phone, given by id or label, includes the outages
 * that it was part of; a group includes those of its current phones.
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

/** Lists the columns of a CSV. The account of a name is in another column. */
function columnsAt(now: number): readonly TableColumn<FleetIncident>[] {
  return [
    { title: 'since', cell: ({ since }) => dateOf(since) },
    { title: 'resolved', cell: ({ endedAt }) => dateOf(endedAt) },
    { title: 'seconds', cell: (incident) => secondsOf(incident, now) },
    { title: 'incident', cell: incidentTitle },
    { title: 'subject', cell: (incident) => incidentName(incident, { accounts: [] }) || incident.account },
    { title: 'account', cell: ({ account }) => account },
    { title: 'severity', cell: ({ severity }) => severity },
    { title: 'phones', cell: ({ allPhones, phone }) => allPhones ?? Number(phone !== undefined) },
    {
      title: 'sold_phones',
      cell: ({ mostSoldPhones, problem }) => mostSoldPhones ?? Number(problem === 'sold_offline'),
    },
    { title: 'reason', cell: ({ reason }) => reason },
    { title: 'acknowledged', cell: ({ acknowledgedAt }) => dateOf(acknowledgedAt) },
    { title: 'acknowledged_by', cell: ({ acknowledgedBy }) => acknowledgedBy },
    { title: 'sold_offline_seconds', cell: ({ soldOfflineSeconds = 0 }) => soldOfflineSeconds },
    { title: 'estimated_cents', cell: ({ estimatedCents }) => estimatedCents },
    { title: 'currency', cell: ({ currency }) => currency },
    { title: 'notes', cell: ({ notes = [] }) => notes.map(({ text }) => text).join('; ') },
  ];
}

function dateOf(instant: string | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(instant);
}
