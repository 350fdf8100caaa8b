import * as z from 'zod';
import { instantOf, localText, type TimeZone } from '../../base/time-zone.ts';
import { parseDuration } from '../../config/values.ts';
import { countText } from '../../fleet/words.ts';
import { MAX_BODY_BYTES } from '../../http/limits.ts';
import { authorOf, LOOPBACK, notSaved, readChange } from '../../http/permission.ts';
import {
  jsonReply,
  type Reply,
  type Route,
  type RouteRequest,
  type Sender,
  textReply,
} from '../../http/reply.ts';
import { cleanName, cleanText, MAX_NAME, parseJson } from '../../model/text.ts';
import { MAX_DURATION, MAX_UNTIL_BACK, type MaintenanceScope, MIN_DURATION } from './model.ts';

/*
 * Maintenance over HTTP: POST starts it, DELETE ends it.
 */

/** Maximum length of a reason, in characters. */
const MAX_REASON = 200;

/** A request for maintenance. */
export type NewMaintenance = {
  readonly scope: MaintenanceScope;
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly untilBack: boolean;
  readonly reason: string;
  /** The login, or `loopback`, and the person that the request names. */
  readonly by: string;
};

/** A started request. */
type MaintenanceStarted = {
  readonly id: string;
  /** In milliseconds since 1970; later than requested if an earlier request for the same phones ends later. */
  readonly until: number;
  /** The names of the phones, as text. */
  readonly covers: string;
  readonly phones: number;
  readonly offline: number;
  /** It extends an earlier request. */
  readonly isExtended: boolean;
};

/** An ended request: the maintenance that still covers its phones, and the number of its other phones. */
export type MaintenanceEnded = {
  readonly still: readonly { readonly phones: number; readonly by: string; readonly until: number }[];
  readonly others: number;
};

/** The reason why a request could not be saved, so nothing was changed. */
type NotSaved = { readonly failure: string };

export type MaintenanceSources = {
  /** Returns the refusal for a sender who may not change anything. */
  readonly refusal: (sender: Sender) => Reply | undefined;
  /** By the clock of the API. */
  readonly now: () => number;
  readonly timeZone: () => TimeZone;
  /** Starts or extends maintenance. An impossible request resolves to the problem. */
  readonly start: (
    request: NewMaintenance,
  ) => Promise<MaintenanceStarted | { readonly problem: string } | NotSaved>;
  /** Ends a request; undefined if there is none with this id. */
  readonly end: (id: string, by: string) => Promise<MaintenanceEnded | NotSaved | undefined>;
};

/** Maximum number of names of one kind in a request. */
const MAX_NAMES = 1_000;

const name = z.string().transform(cleanName).pipe(z.string().min(1).max(MAX_NAME));
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
  by: z.string().max(MAX_BODY_BYTES).default(''),
});

/** Answers `POST` and `DELETE /api/v1/maintenance`. */
export function createMaintenanceResponse(sources: MaintenanceSources): Route['answer'] {
  return async (request) => {
    const refusal = sources.refusal(request.sender);
    if (refusal !== undefined) return refusal;
    return request.method === 'DELETE' ? end(request, sources) : start(request, sources);
  };
}

async function end({ query, sender }: RouteRequest, sources: MaintenanceSources): Promise<Reply> {
  const id = query.get('id') ?? '';
  if (id === '') return textReply(400, 'got no ID, expected DELETE /api/v1/maintenance?id=…');
  const ended = await sources.end(id, sender.login ?? LOOPBACK);
  if (ended === undefined) return textReply(404, 'no active request has this ID: it may have ended already');
  if ('failure' in ended) return notSaved(ended.failure);
  const still = ended.still.map(
    ({ phones, by, until }) =>
      ` ${phones === 1 ? '1 phone stays' : `${phones} phones stay`} in maintenance by ${by}, until ${localText(sources.timeZone(), until)}.`,
  );
  const phones = still.length === 0 ? 'phones' : 'other phones';
  const rest = ended.others === 0 ? '' : ` If ${phones} are still offline, you will be notified.`;
  return jsonReply(200, JSON.stringify({ id, text: `Maintenance ended.${still.join('')}${rest}` }));
}

async function start(request: RouteRequest, sources: MaintenanceSources): Promise<Reply> {
  const text = await readChange(request);
  if (typeof text !== 'string') return text;
  const wanted = parseRequest(text, request.sender, sources);
  if ('problem' in wanted) return textReply(400, wanted.problem);
  const started = await sources.start(wanted);
  if ('problem' in started) return textReply(400, started.problem);
  if ('failure' in started) return notSaved(started.failure);
  const { id, covers, phones, offline } = started;
  const until = new Date(started.until).toISOString();
  return jsonReply(
    201,
    JSON.stringify({
      id,
      covers,
      until,
      phones,
      offlinePhones: offline,
      text: textOf(wanted, started, sources),
    }),
  );
}

/** Describes a started request. */
function textOf(
  { untilBack }: NewMaintenance,
  { phones, offline, until, isExtended }: MaintenanceStarted,
  { timeZone }: MaintenanceSources,
): string {
  const covered = `${countText(phones, 'phone', 'phones')}, ${offline} offline`;
  const end = localText(timeZone(), until);
  const extended = isExtended ? ', extended' : '';
  if (!untilBack) return `${covered}${extended}, until ${end}`;
  const back = offline === phones ? 'is back online' : 'was offline and is back online';
  return `${covered}${extended}, until each phone ${back}, ${end} at the latest`;
}

type Refusal = { readonly problem: string };

function parseRequest(text: string, sender: Sender, sources: MaintenanceSources): NewMaintenance | Refusal {
  const parsed = body.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.map(String).join('.') ?? '';
    if (issue?.code === 'too_big' && issue.origin === 'array')
      return { problem: `expected at most ${MAX_NAMES} names in ${path}: use their groups, or all` };
    return {
      problem: `expected JSON with groups, devices, accounts or all, and for, until or until_back${path === '' ? '' : `; got ${path}`}`,
    };
  }
  const { accounts, groups, devices, all, until_back: untilBack, reason, by: person } = parsed.data;
  const isSelected = accounts.length + groups.length + devices.length > 0;
  if (isSelected === (all === true)) return { problem: 'expected groups, devices or accounts, or only all' };
  const until = parseEnd(parsed.data, sources);
  if (typeof until !== 'number') return until;
  const by = authorOf(person, sender);
  const scope = { accounts, groups, devices };
  return { scope, until, untilBack, reason: cleanText(reason, MAX_REASON).trim(), by };
}

function parseEnd(
  { for: duration, until, until_back: untilBack }: z.output<typeof body>,
  { now, timeZone }: MaintenanceSources,
): number | Refusal {
  const given = [duration, until].filter((each) => each !== undefined).length;
  if (given > 1 || (given === 1 && untilBack) || (given === 0 && !untilBack))
    return {
      problem:
        'expected one of for (a duration such as 2h), until (a time such as 2026-12-01T08:00) and until_back',
    };
  if (untilBack) return now() + MAX_UNTIL_BACK;
  const end =
    duration === undefined
      ? parseInstant(until ?? '', timeZone())
      : now() + (parseDuration(duration) ?? Number.NaN);
  const got = `got ${JSON.stringify(duration ?? until)}, expected`;
  if (Number.isNaN(end))
    return { problem: `${got} a duration such as 2h in for, or a time such as 2026-12-01T08:00 in until` };
  if (end - now() < MIN_DURATION || end - now() > MAX_DURATION)
    return { problem: `${got} an end in at least one minute and at most 30 days` };
  return end;
}

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::[0-5]\d(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Parses ISO 8601, without an offset in the owner's time zone. NaN for 31 November, or 25:00. */
function parseInstant(text: string, timeZone: TimeZone): number {
  const [, minute = '', offset] = INSTANT.exec(text) ?? [];
  const local = Date.parse(`${minute}Z`);
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(minute)) return Number.NaN;
  return offset === undefined ? instantOf(timeZone, Date.parse(`${text}Z`)) : Date.parse(text);
}
