import { z } from 'zod';
import { parseDuration } from '../config/values.ts';
import { MAX_DURATION, MAX_UNTIL_BACK, type MaintenanceScope, MIN_DURATION } from '../model/maintenance.ts';
import { cleanText, parseJson } from '../model/text.ts';
import { instantOf, type TimeZone } from '../time-zone.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { jsonReply, type Reply, type Route, type RouteRequest, type Sender, textReply } from './reply.ts';

/*
 * Maintenance over HTTP: POST begins it, DELETE ends it. A log-in is needed, or without log-ins a request of this machine.
 */

/** Maximum length of a reason, in characters. */
const MAX_REASON = 200;

/** A request of an owner. */
export type MaintenanceRequest = {
  readonly scope: MaintenanceScope;
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly untilBack: boolean;
  readonly reason: string;
  /** The log-in, or `loopback`. */
  readonly by: string;
};

/** The phones that a request covers. */
export type MaintenanceStarted = { readonly id: string; readonly phones: number; readonly silent: number };

export type MaintenanceSources = {
  /** `web.enable_maintenance`. */
  readonly isEnabled: boolean;
  readonly now: () => number;
  readonly timeZone: () => TimeZone;
  /** Starts maintenance. A request that cannot be met resolves to the expected one. */
  readonly start: (
    request: MaintenanceRequest,
  ) => Promise<MaintenanceStarted | { readonly expected: string }>;
  /** Ends a request; false if there is none with this id. */
  readonly end: (id: string, by: string) => Promise<boolean>;
};

const OFF = textReply(
  404,
  'off: web.enable_maintenance (--web.enable-maintenance) lets the owner say which phones are worked on',
);
const NOT_ALLOWED = textReply(
  403,
  'not allowed: log in as web.config_file demands. Without log-ins only this machine may, through no proxy and without web.external_url: docs/WEB-CONFIG.md',
);

/** Maximum number of names of one kind in a request. */
const MAX_NAMES = 1_000;

const name = z.string().min(1).max(128);
const names = z.array(name).max(MAX_NAMES).default([]);

const body = z.strictObject({
  accounts: names,
  groups: names,
  devices: names,
  all: z.literal(true).optional(),
  for: z.string().max(32).optional(),
  until: z.string().max(32).optional(),
  until_back: z.boolean().default(false),
  reason: z.string().max(MAX_BODY_BYTES).default(''),
});

/** Answers `POST` and `DELETE /api/v1/maintenance`. */
export function createMaintenanceResponse(sources: MaintenanceSources): Route['answer'] {
  return async (request) => {
    if (!sources.isEnabled) return OFF;
    const by = nameOf(request.sender);
    if (by === undefined) return NOT_ALLOWED;
    return request.method === 'DELETE' ? end(request, by, sources) : start(request, by, sources);
  };
}

function nameOf({ login, isLocal }: Sender): string | undefined {
  return login ?? (isLocal ? 'loopback' : undefined);
}

async function end({ query }: RouteRequest, by: string, sources: MaintenanceSources): Promise<Reply> {
  const id = query.get('id') ?? '';
  if (id === '') return textReply(400, 'got no id, expected DELETE /api/v1/maintenance?id=…');
  const hasEnded = await sources.end(id, by);
  return hasEnded
    ? jsonReply(200, JSON.stringify({ id, text: 'It is over: what is still wrong is told.' }))
    : textReply(
        404,
        'got an id that no request has: the fleet page and `hoster-exporter maintenance list` name them',
      );
}

async function start(request: RouteRequest, by: string, sources: MaintenanceSources): Promise<Reply> {
  if (!/^application\/json(?:;|$)/i.test(request.contentType ?? ''))
    return textReply(415, 'expected a body of the type application/json');
  const text = await request.body();
  if (text === undefined)
    return textReply(413, `expected a body of at most ${MAX_BODY_BYTES / 1024} kB, with its length`);
  const wanted = parseRequest(text, by, sources);
  if ('expected' in wanted) return textReply(400, `expected ${wanted.expected}`);
  const started = await sources.start(wanted);
  if ('expected' in started) return textReply(400, `expected ${started.expected}`);
  const { id, phones, silent } = started;
  const until = new Date(wanted.until).toISOString();
  return jsonReply(
    201,
    JSON.stringify({ id, until, phones, silentPhones: silent, text: textOf(wanted, started, sources) }),
  );
}

/** Writes the phones of a request, and its end. */
function textOf(
  { until, untilBack }: MaintenanceRequest,
  { phones, silent }: MaintenanceStarted,
  { timeZone }: MaintenanceSources,
): string {
  const covered = `${phones} ${phones === 1 ? 'phone' : 'phones'}, ${silent} of them silent`;
  const end = localText(until, timeZone());
  return untilBack ? `${covered}, until each is back, ${end} at the latest` : `${covered}, until ${end}`;
}

/** Writes an instant in the owner's time, such as 24 Nov 14:05 EET. */
function localText(instant: number, { offsetAt, abbreviationAt }: TimeZone): string {
  const local = new Date(instant + offsetAt(instant));
  const month = local.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  const time = local.toISOString().slice(11, 16);
  return `${local.getUTCDate()} ${month} ${time} ${abbreviationAt(instant)}`;
}

function parseRequest(
  text: string,
  by: string,
  sources: MaintenanceSources,
): MaintenanceRequest | { readonly expected: string } {
  const parsed = body.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.map(String).join('.') ?? '';
    if (issue?.code === 'too_big' && issue.origin === 'array')
      return { expected: `at most ${MAX_NAMES} names in ${path}: name their groups, or all` };
    return {
      expected: `JSON with groups, devices, accounts or all, and for, until or until_back${path === '' ? '' : `: ${path} is none of that`}`,
    };
  }
  const { accounts, groups, devices, all, until_back: untilBack, reason } = parsed.data;
  const isSelected = accounts.length + groups.length + devices.length > 0;
  if (isSelected === (all === true)) return { expected: 'groups, devices or accounts, or all alone' };
  const until = parseEnd(parsed.data, sources);
  if (typeof until !== 'number') return until;
  const shown = cleanText(reason, MAX_REASON);
  return { scope: { accounts, groups, devices }, until, untilBack, reason: shown, by };
}

/** Returns the end of a request. */
function parseEnd(
  { for: duration, until, until_back: untilBack }: z.output<typeof body>,
  { now, timeZone }: MaintenanceSources,
): number | { readonly expected: string } {
  const given = [duration, until].filter((each) => each !== undefined).length;
  if (given > 1 || (given === 1 && untilBack) || (given === 0 && !untilBack))
    return {
      expected: 'one of for (a duration such as 2h), until (a time such as 2026-12-01T08:00) and until_back',
    };
  if (untilBack) return now() + MAX_UNTIL_BACK;
  const end =
    duration === undefined
      ? parseInstant(until ?? '', timeZone())
      : now() + (parseDuration(duration) ?? Number.NaN);
  if (Number.isNaN(end))
    return { expected: 'a duration such as 2h in for, or a time such as 2026-12-01T08:00 in until' };
  if (end - now() < MIN_DURATION || end - now() > MAX_DURATION)
    return { expected: 'an end in one minute at least and 30 days at most' };
  return end;
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;

/** Reads an instant: ISO 8601 with an offset, or without one in the owner's time. */
function parseInstant(text: string, timeZone: TimeZone): number {
  if (LOCAL.test(text)) return instantOf(timeZone, Date.parse(`${text}Z`));
  return /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
}
