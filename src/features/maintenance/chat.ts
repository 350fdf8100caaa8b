import { createTimeZone } from '../../base/time-zone.ts';
import { formatDuration } from '../../config/values.ts';
import {
  type ChatAnswer,
  type ChatButton,
  type ChatExporter,
  type ChatPart,
  type ChatRequest,
  MAX_BUTTONS,
  quote,
  refusalText,
  Unavailable,
} from '../../fleet/chat.ts';
import type { FleetPhone } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { best, findTargets, phonesNamedIn, targetsIn } from '../../fleet/find.ts';
import type { PhoneEntry } from '../../fleet/phones.ts';
import { type PhoneTarget, phonesIn } from '../../fleet/targets.ts';
import { type FleetView, trustOf } from '../../fleet/trust.ts';
import { listText } from '../../fleet/words.ts';
import { isMuted } from '../../model/problem.ts';
import { HOUR, MINUTE } from '../../model/time.ts';
import { type Language, language, say, speaking } from '../../text/say.ts';
import {
  type FleetMaintenance,
  MAINTENANCE_RESPONSE,
  MAX_DURATION,
  MAX_UNTIL_BACK,
  MIN_DURATION,
} from './model.ts';
import { parseMaintenance, type WrittenEnd } from './parse.ts';
import {
  backText,
  coverOf,
  describeMaintenance,
  detailsText,
  isOfflineOrMuted,
  maintenanceText,
  overText,
  untilText,
} from './words.ts';

const PATH = '/api/v1/maintenance';

/** Durations that are offered if the command has none. */
const OFFERED: readonly WrittenEnd[] = [HOUR, 2 * HOUR, 8 * HOUR, 'back'];

/** An active request that was started in a chat. */
type StartedHere = {
  readonly place: ChatRequest['place'];
  readonly at: number;
  readonly target: PhoneTarget;
  readonly language: Language;
};

/** The requests that were started in chats, by id. */
type Started = Map<string, StartedHere>;

/** Maintenance in a chat: its commands, muting, lines about a phone, and a message at its end. */
export function maintenanceChat(): ChatPart {
  const started: Started = new Map();
  return {
    commands: [
      {
        command: 'maintenance',
        describe: () => say('maintenance-command'),
        answer: (request) => maintenance(request, started),
      },
      {
        command: 'back',
        describe: () => say('maintenance-back-command'),
        answer: (request) => back(request, started),
      },
    ],
    mute: async (request, target, length, by) => {
      const end = length === 'back' ? { until_back: true } : { for: length };
      return await start(request, started, target, { ...end, by });
    },
    problem: problemText,
    group: groupLines,
    due: async (exporter, fleet, now) => {
      // A cached document may be up to a minute older than the request.
      const gone = [...started].filter(
        ([id, { at }]) => now - at >= MINUTE && fleet.maintenance.every((each) => each.id !== id),
      );
      const view = gone.length === 0 ? undefined : await exporter.view(true).catch(() => undefined);
      if (view === undefined) return [];
      for (const [id] of gone) started.delete(id);
      return gone.map(([, { place, target, language: own }]) => ({
        place,
        text: speaking(own, () => overText(target, view.fleet, view.time)),
      }));
    },
    check: async (exporter, { exporter: { allowsChanges } }) => {
      const { status, content } = await endNothing(exporter);
      if (allowsChanges && status === 404) return ['maintenance', 'yes', ''];
      return ['maintenance', status === 404 ? 'off' : 'no', content];
    },
  };
}

/** Starts maintenance, and remembers where it was started. Resolves to a sentence. */
async function start(
  { exporter, now, place }: Pick<ChatRequest, 'exporter' | 'now' | 'place'>,
  started: Started,
  target: PhoneTarget,
  details: object,
): Promise<string> {
  const { text, id } = await send(exporter, 'POST', PATH, target.title, { ...target.scope, ...details });
  if (id !== undefined) started.set(id, { place, at: now(), target, language: language() });
  return text;
}

/** Ends a request that does not exist: the response says why maintenance cannot be changed. */
async function endNothing({ request }: ChatExporter): ReturnType<ChatExporter['request']> {
  return await request('DELETE', `${PATH}?id=no-request`);
}

/** Describes the maintenance of a phone. */
function problemText(view: FleetView, phone: FleetPhone): string | undefined {
  const cover = isMuted(phone.problem) ? coverOf(view.fleet.maintenance, phone) : undefined;
  if (cover === undefined) return undefined;
  const details = detailsText(cover, view.time);
  const text = isOfflineOrMuted(phone)
    ? say('maintenance-phone-offline', { details, time: view.time(phone.lastHeartbeatAt) })
    : say('maintenance-phone-online', { details });
  return trustOf(view, [phone.account]).asOf + text;
}

/** Describes the maintenance of a group, and names the phones that are back online. */
function groupLines(view: FleetView, entries: readonly PhoneEntry[]): readonly string[] {
  const covering = ({ phone }: PhoneEntry) => coverOf(view.fleet.maintenance, phone);
  const muted = entries.filter(({ phone }) => isMuted(phone.problem));
  const covers = new Set(muted.flatMap((entry) => covering(entry) ?? []));
  if (covers.size === 0) return [];
  const covered = entries.filter((entry) => {
    const cover = covering(entry);
    return cover !== undefined && covers.has(cover);
  });
  const phones = entries.map(({ phone }) => phone);
  const lines = Array.from(covers, (each) => {
    const own = phonesIn(phones, each).length;
    const details = detailsText(each, view.time);
    return own === phones.length
      ? say('maintenance-group', { details })
      : say('maintenance-group-some', { count: own, all: phones.length, details });
  });
  return [...lines, backText(covered, view.time)];
}

/** Asks to confirm `rack-03 2h moving`; without words, lists active maintenance. */
async function maintenance(request: ChatRequest, started: Started): Promise<ChatAnswer> {
  const { exporter, words, quoted, now } = request;
  const view = await exporter.view(true);
  if (words.length === 0 && quoted === undefined) return { text: maintenanceText(view.fleet, view.time) };
  if (!view.fleet.exporter.allowsChanges) return { text: refusalText((await endNothing(exporter)).content) };
  const timeZone = createTimeZone(view.fleet.exporter.timeZone);
  // As a reply, the length alone is enough.
  const { name, end, reason } = parseMaintenance(` ${words.join(' ')}`, now(), timeZone);
  const named = name === '' && quoted !== undefined ? targetsIn(view.fleet, quoted) : undefined;
  const length = typeof end === 'object' ? end.until - now() : end;
  if (typeof length === 'number' && (length < MIN_DURATION || length > MAX_DURATION))
    return { text: say('maintenance-how-long') };
  const lengths = end === undefined ? OFFERED : [end];
  const buttons = (named ?? findTargets(view.fleet, name)).map((target) => ({
    label: target.title,
    tap: () => confirm(request, started, target, lengths, reason),
  }));
  if (buttons.length > 0) return await request.choose(buttons);
  const hint = end === undefined ? ` ${say('maintenance-time-hint')}` : '';
  return { text: request.absent(view, name) + hint };
}

/** Asks to confirm phones and an end. Each of several ends has a button. */
async function confirm(
  request: ChatRequest,
  started: Started,
  target: PhoneTarget,
  lengths: readonly WrittenEnd[],
  reason: string,
): Promise<ChatAnswer> {
  const { fleet, time } = await request.exporter.view(true);
  const phones = phonesIn(fleet.phones, target.scope);
  if (phones.length === 0) return { text: say('maintenance-has-no-phones', { name: quote(target.title) }) };
  const offlinePhones = phones.filter(isOfflineOrMuted).length;
  const muted = phones.filter(({ problem }) => isMuted(problem)).length;
  const now = request.now();
  const hasChoice = lengths.length > 1;
  const ends = lengths.map((length) => {
    const until =
      typeof length === 'object' ? length.until : now + (length === 'back' ? MAX_UNTIL_BACK : length);
    const text = untilText({ until, untilBack: length === 'back' }, time, offlinePhones === phones.length);
    const body = length === 'back' ? { until_back: true } : { until: new Date(until).toISOString() };
    const label = typeof length === 'number' ? `${formatDuration(length)}, ${text}` : text;
    return { label: hasChoice ? label : say('maintenance-yes'), text, body };
  });
  const yes = ends.map(({ label, body }): ChatButton => {
    const tap = async (by: string) => ({
      text: await start(request, started, target, { ...body, reason, by }),
    });
    return { label, decides: true, tap };
  });
  const already = muted === 0 ? '' : `, ${say('maintenance-already', { count: muted })}`;
  const counts =
    offlinePhones === 0
      ? say('maintenance-none-offline-now', { count: phones.length })
      : say('maintenance-counts', { count: phones.length, offline: offlinePhones });
  const why = reason === '' ? '' : ` ${say('maintenance-because', { reason: quote(reason) })}`;
  const until = hasChoice ? '' : `, ${ends[0]?.text}`;
  const question = hasChoice ? say('maintenance-until-when') : say('maintenance-is-that-right');
  return {
    text: `${quote(target.title)}: ${counts}${already}${until}.${why} ${say('maintenance-will-be-muted')} ${question}`,
    buttons: [...yes, no()],
  };
}

async function back({ exporter, words, quoted, choose }: ChatRequest, started: Started): Promise<ChatAnswer> {
  const word = words.join(' ');
  const isReply = quoted !== undefined && word === '';
  const { fleet, time } = await exporter.view(isReply);
  const meant = isReply ? phonesNamedIn(fleet, quoted) : [];
  const all = fleet.maintenance
    .filter(({ source }) => source === 'requested')
    .filter((each) => meant.length === 0 || phonesIn(meant, each).length > 0);
  if (all.length === 0) return { text: say('maintenance-nothing-to-end') };
  const buttonOf = (each: FleetMaintenance): ChatButton => {
    const { name, until } = describeMaintenance(each, time);
    const isShared = all.some(({ id, covers }) => covers === each.covers && id !== each.id);
    const label = [isShared ? `${name}, ${until}` : name, each.reason].filter(Boolean).join(': ');
    return { label, tap: () => confirmEnd(exporter, started, [each.id]) };
  };
  const ids = all.map(({ id }) => id);
  if (word.toLowerCase() === 'all') return await confirmEnd(exporter, started, ids);
  const namesOf = ({ id, covers, groups, reason }: FleetMaintenance) => [id, covers, ...groups, reason];
  const found = word === '' ? all : best(all, word, namesOf).items;
  if (found.length > 0)
    return await choose(found.map(buttonOf), found.length > 1 ? say('maintenance-which') : undefined);
  return {
    text: say('maintenance-none-matches', { name: quote(word) }),
    buttons: all.slice(0, MAX_BUTTONS).map(buttonOf),
  };
}

async function confirmEnd(
  exporter: ChatExporter,
  started: Started,
  ids: readonly string[],
): Promise<ChatAnswer> {
  const { fleet, time } = await exporter.view(false);
  const active = fleet.maintenance.filter(({ id }) => ids.includes(id));
  if (active.length === 0) return { text: say('maintenance-already-ended') };
  const end = async ({ id, covers }: FleetMaintenance): Promise<string> => {
    const { text, isDone } = await send(exporter, 'DELETE', `${PATH}?id=${encodeURIComponent(id)}`, covers);
    if (isDone) started.delete(id);
    return active.length === 1 ? text : `${quote(covers)}: ${text}`;
  };
  const lines = active.map((each) => {
    const { name, counts, until } = describeMaintenance(each, time);
    return `${quote(name)}: ${counts}, ${until}.`;
  });
  const tap = async () => ({ text: (await Promise.all(active.map(end))).join('\n') });
  const isOne = active.length === 1;
  return {
    text: `${listText(lines, 10)} ${isOne ? say('maintenance-end-question') : say('maintenance-end-all-question')}`,
    buttons: [
      { label: isOne ? say('maintenance-end-it') : say('maintenance-end-all'), decides: true, tap },
      no(),
    ],
  };
}

const no = (): ChatButton => ({
  label: say('maintenance-no'),
  decides: true,
  tap: async () => ({ text: say('maintenance-not-changed') }),
});

/** Sends a maintenance request. Returns the text for the owner, and the id of a started request. */
async function send(
  exporter: ChatExporter,
  method: 'POST' | 'DELETE',
  path: string,
  name: string,
  body?: object,
): Promise<{ readonly text: string; readonly id?: string; readonly isDone?: true }> {
  try {
    const { status, content } = await exporter.request(method, path, body);
    if (status === 404 && method === 'DELETE')
      return { text: say('maintenance-already-ended'), isDone: true };
    if (status >= 300) return { text: refusalText(content) };
    const response = parseDocument(MAINTENANCE_RESPONSE, content);
    if (response === undefined)
      return { text: `${say('maintenance-not-the-exporter')} ${say('maintenance-may-be-saved')}` };
    const { id, text } = response;
    if (status !== 201) return { text, isDone: true };
    return { text: say('maintenance-started', { name: quote(name), text }), id };
  } catch (error) {
    if (error instanceof Unavailable) return { text: `${error.message} ${say('maintenance-may-be-saved')}` };
    throw error;
  }
}
