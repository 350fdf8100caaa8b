import * as z from 'zod';
import { instantOf, type TimeZone, zoneFor } from '../../base/time-zone.ts';
import { parseDuration } from '../../config/values.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { LOOPBACK } from '../../fleet/words.ts';
import { MAX_BODY_BYTES } from '../../http/limits.ts';
import { authorOf, readChange } from '../../http/permission.ts';
import { type Reply, type Route, type Sender, textReply } from '../../http/reply.ts';
import { cleanName, cleanText, MAX_NAME, parseJson } from '../../model/text.ts';
import { MAX_DURATION, MAX_UNTIL_BACK, MIN_DURATION, type NewMaintenance } from './model.ts';
import type { MaintenanceRequests } from './requests.ts';

/* Maintenance over HTTP: POST starts it, DELETE ends it. */

/** Maximum length of a reason, in characters. */
const MAX_REASON = 200;

type MaintenanceSources = Pick<MaintenanceRequests, 'now' | 'start' | 'end'> &
  Pick<FeatureContext, 'timeZone'> & {
    /** Returns the refusal for a sender who may not change anything. */
    readonly refusal: (sender: Sender) => Reply | undefined;
  };

/** Maximum number of names of each kind in a request. */
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
    const { method, query, sender } = request;
    const refusal = sources.refusal(sender);
    if (refusal !== undefined) return refusal;
    const zone = zoneFor(query, sources.timeZone());
    if (method === 'DELETE') {
      const id = query.get('id') ?? '';
      if (id === '') return textReply(400, 'got no ID, expected DELETE /api/v1/maintenance?id=…');
      return await sources.end(id, sender.login ?? LOOPBACK, zone);
    }
    const text = await readChange(request);
    if (typeof text !== 'string') return text;
    const wanted = parseRequest(text, sender, sources);
    return 'status' in wanted ? wanted : await sources.start(wanted, zone);
  };
}

/** Returns the request, or the reply if it is impossible. */
function parseRequest(text: string, sender: Sender, sources: MaintenanceSources): NewMaintenance | Reply {
  const parsed = body.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.map(String).join('.') ?? '';
    if (issue?.code === 'too_big' && issue.origin === 'array')
      return textReply(400, `expected at most ${MAX_NAMES} names in ${path}: use their groups, or all`);
    const got = path === '' ? '' : `; got ${path}`;
    return textReply(
      400,
      `expected JSON with groups, devices, accounts or all, and for, until or until_back${got}`,
    );
  }
  const { accounts, groups, devices, all, until_back: untilBack, reason, by: person } = parsed.data;
  const isSelected = accounts.length + groups.length + devices.length > 0;
  if (isSelected === (all === true))
    return textReply(400, 'expected groups, devices or accounts, or only all');
  const until = parseEnd(parsed.data, sources);
  if (typeof until !== 'number') return until;
  const by = authorOf(person, sender);
  const scope = { accounts, groups, devices };
  return { scope, until, untilBack, reason: cleanText(reason, MAX_REASON).trim(), by };
}

function parseEnd(
  { for: duration, until, until_back: untilBack }: z.output<typeof body>,
  { now, timeZone }: MaintenanceSources,
): number | Reply {
  const given = [duration, until, untilBack || undefined].filter((each) => each !== undefined);
  if (given.length !== 1)
    return textReply(
      400,
      'expected one of for (a duration such as 2h), until (a time such as 2026-12-01T08:00) and until_back',
    );
  if (untilBack) return now() + MAX_UNTIL_BACK;
  const end =
    duration === undefined
      ? parseInstant(until ?? '', timeZone())
      : now() + (parseDuration(duration) ?? Number.NaN);
  const got = `got ${JSON.stringify(duration ?? until)}, expected`;
  if (Number.isNaN(end))
    return textReply(400, `${got} a duration such as 2h in for, or a time such as 2026-12-01T08:00 in until`);
  if (end - now() < MIN_DURATION || end - now() > MAX_DURATION)
    return textReply(400, `${got} an end in at least one minute and at most 30 days`);
  return end;
}

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::[0-5]\d(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Parses ISO 8601; without an offset, in the owner's time zone. NaN for 31 November, or 25:00. */
function parseInstant(text: string, timeZone: TimeZone): number {
  const [, minute = '', offset] = INSTANT.exec(text) ?? [];
  const local = Date.parse(`${minute}Z`);
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(minute)) return Number.NaN;
  return offset === undefined ? instantOf(timeZone, Date.parse(`${text}Z`)) : Date.parse(text);
}
