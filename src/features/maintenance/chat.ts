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
import type { FleetMaintenance, FleetPhone } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { best, findTargets } from '../../fleet/find.ts';
import type { PhoneEntry } from '../../fleet/phones.ts';
import { type PhoneTarget, phonesIn } from '../../fleet/targets.ts';
import { type FleetView, trustOf } from '../../fleet/trust.ts';
import { countText, listText } from '../../fleet/words.ts';
import { HOUR, MINUTE } from '../../model/time.ts';
import { MAINTENANCE_RESPONSE, MAX_DURATION, MAX_UNTIL_BACK, MIN_DURATION } from './model.ts';
import { parseMaintenance, type WrittenEnd } from './parse.ts';
import {
  backText,
  CHAT_WORDS,
  coverOf,
  detailsText,
  type Formats,
  isOfflineInMaintenance,
  maintenanceText,
  overText,
  untilText,
} from './words.ts';

const PATH = '/api/v1/maintenance';

/** Durations that are offered if the command has none. */
const OFFERED: readonly WrittenEnd[] = [HOUR, 2 * HOUR, 8 * HOUR, 'back'];

/** An active request that was started in a chat. */
type StartedHere = { readonly place: number; readonly at: number; readonly target: PhoneTarget };

/** The requests that were started in chats, by id. */
type Started = Map<string, StartedHere>;

/** Maintenance in a chat: its commands, *I’m on it*, lines about a phone, and a message at its end. */
export function maintenanceChat(): ChatPart {
  const started: Started = new Map();
  return {
    commands: [
      {
        command: 'maintenance',
        description: CHAT_WORDS.maintenanceCommand,
        answer: (request) => maintenance(request, started),
      },
      {
        command: 'back',
        description: CHAT_WORDS.backCommand,
        answer: (request) => back(request, started),
      },
    ],
    problem: problemText,
    group: groupLines,
    offers: (request, { exporter: { allowsMaintenance } }, targets) =>
      (allowsMaintenance ? targets : []).map((target) => ({
        label: `${CHAT_WORDS.isOnIt}: ${target.title}`,
        tap: () => confirm(request, started, { target, lengths: OFFERED, reason: '' }),
      })),
    due: async (exporter, fleet, now) => {
      // A cached document may be up to a minute older than the request.
      const gone = [...started].filter(
        ([id, { at }]) => now - at >= MINUTE && fleet.maintenance.every((each) => each.id !== id),
      );
      const view = gone.length === 0 ? undefined : await exporter.view(true).catch(() => undefined);
      if (view === undefined) return [];
      for (const [id] of gone) started.delete(id);
      return gone.map(([, { place, target }]) => ({
        place,
        text: overText(target, view.fleet, formatsOf(view)),
      }));
    },
    check: async (exporter, { exporter: { allowsMaintenance } }) => {
      const { status, content } = await endNothing(exporter);
      if (allowsMaintenance && status === 404) return ['maintenance', 'yes', ''];
      return ['maintenance', status === 404 ? 'off' : 'no', content];
    },
  };
}

/** Ends a request that does not exist: the response says why maintenance cannot be changed. */
async function endNothing({ request }: ChatExporter): ReturnType<ChatExporter['request']> {
  return await request('DELETE', `${PATH}?id=no-request`);
}

const formatsOf = ({ time }: FleetView): Formats => ({ time, quote });

/** Describes the maintenance of a phone. */
function problemText(view: FleetView, phone: FleetPhone): string | undefined {
  const cover = phone.problem === 'in_maintenance' ? coverOf(view.fleet.maintenance, phone) : undefined;
  if (cover === undefined) return undefined;
  const now = isOfflineInMaintenance(phone) ? `offline since ${view.time(phone.lastHeartbeatAt)}` : 'online';
  return `${trustOf(view, [phone.account]).asOf}In maintenance ${detailsText(cover, formatsOf(view))}: ${now}`;
}

/** Describes the maintenance of a group, and names the phones that are back online. */
function groupLines(view: FleetView, entries: readonly PhoneEntry[]): readonly string[] {
  const covering = ({ phone }: PhoneEntry) => coverOf(view.fleet.maintenance, phone);
  const muted = entries.filter(({ phone }) => phone.problem === 'in_maintenance');
  const covers = new Set(muted.flatMap((entry) => covering(entry) ?? []));
  if (covers.size === 0) return [];
  const covered = entries.filter((entry) => {
    const cover = covering(entry);
    return cover !== undefined && covers.has(cover);
  });
  const lines = Array.from(covers, (each) => `In maintenance ${detailsText(each, formatsOf(view))}.`);
  return [...lines, backText(covered, formatsOf(view))];
}

/** Asks to confirm `rack-03 2h moving`; without words, lists active maintenance. */
async function maintenance(request: ChatRequest, started: Started): Promise<ChatAnswer> {
  const { exporter, words, now } = request;
  const view = await exporter.view(true);
  if (words.length === 0) return { text: maintenanceText(view.fleet, formatsOf(view)) };
  if (!view.fleet.exporter.allowsMaintenance)
    return { text: refusalText((await endNothing(exporter)).content) };
  const timeZone = createTimeZone(view.fleet.exporter.timeZone);
  const { name, end, reason } = parseMaintenance(words.join(' '), now(), timeZone);
  const length = typeof end === 'object' ? end.until - now() : end;
  if (typeof length === 'number' && (length < MIN_DURATION || length > MAX_DURATION))
    return { text: CHAT_WORDS.howLong };
  const lengths = end === undefined ? OFFERED : [end];
  const buttons = findTargets(view.fleet, name).map((target) => ({
    label: target.title,
    tap: () => confirm(request, started, { target, lengths, reason }),
  }));
  if (buttons.length > 0) return await request.choose(buttons);
  const hint = end === undefined ? CHAT_WORDS.timeHint : '';
  return { text: request.absent(view, name) + hint };
}

type Proposal = {
  readonly target: PhoneTarget;
  readonly lengths: readonly WrittenEnd[];
  readonly reason: string;
};

/** Asks to confirm phones and an end. Each of several ends has a button. */
async function confirm(
  { exporter, now, place }: ChatRequest,
  started: Started,
  { target, lengths, reason }: Proposal,
): Promise<ChatAnswer> {
  const { fleet, time } = await exporter.view(true);
  const phones = phonesIn(fleet.phones, target.scope);
  if (phones.length === 0) return { text: `${quote(target.title)} has no phones.` };
  const offlinePhones = phones.filter(isOfflineInMaintenance).length;
  const muted = phones.filter(({ problem }) => problem === 'in_maintenance').length;
  const start = now();
  const hasChoice = lengths.length > 1;
  const ends = lengths.map((length) => {
    const until =
      typeof length === 'object' ? length.until : start + (length === 'back' ? MAX_UNTIL_BACK : length);
    const latest = `${time(until)} at the latest`;
    const back =
      offlinePhones === phones.length
        ? 'each phone is back online'
        : 'each phone was offline and is back online';
    const text = length === 'back' ? `${back}, ${latest}` : time(until);
    const body = length === 'back' ? { until_back: true } : { until: new Date(until).toISOString() };
    const label = typeof length === 'number' ? `${formatDuration(length)}, until ${text}` : `until ${text}`;
    return { label: hasChoice ? label : 'Yes', text, body };
  });
  const yes = ends.map(({ label, body }): ChatButton => {
    const tap = async (who: string): Promise<ChatAnswer> => {
      const sent = { ...target.scope, ...body, reason, by: who };
      const { text, id } = await send(exporter, 'POST', PATH, target.title, sent);
      if (id !== undefined) started.set(id, { place, at: now(), target });
      return { text };
    };
    return { label, decides: true, tap };
  });
  const already = muted === 0 ? '' : `, ${muted} already in maintenance`;
  const offlineText = offlinePhones === 0 ? 'none offline now' : `${offlinePhones} offline`;
  const covers = `${countText(phones.length, 'phone', 'phones')}, ${offlineText}${already}`;
  const why = reason === '' ? '' : ` Reason: ${quote(reason)}.`;
  const until = hasChoice ? '' : `, until ${ends[0]?.text}`;
  const question = hasChoice ? 'Until when?' : 'Is that right?';
  return {
    text: `${quote(target.title)}: ${covers}${until}.${why} ${CHAT_WORDS.muted} ${question}`,
    buttons: [...yes, NO],
  };
}

async function back({ exporter, words, choose }: ChatRequest, started: Started): Promise<ChatAnswer> {
  const word = words.join(' ');
  const { fleet } = await exporter.view(false);
  const all = fleet.maintenance.filter(({ source }) => source === 'requested');
  const { items: named } = best(all, word, ({ id, covers, groups, reason }) => [
    id,
    covers,
    ...groups,
    reason,
  ]);
  if (all.length === 0) return { text: CHAT_WORDS.noRequests };
  const buttonOf = ({ id, covers, reason }: FleetMaintenance) => ({
    label: reason === '' ? covers : `${covers}: ${reason}`,
    tap: () => confirmEnd(exporter, started, [id]),
  });
  const ids = all.map(({ id }) => id);
  if (word.toLowerCase() === 'all') return await confirmEnd(exporter, started, ids);
  const found = word === '' ? all : named;
  if (found.length > 0) return await choose(found.map(buttonOf));
  return {
    text: `No maintenance matches ${quote(word)}. Active:`,
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
  if (active.length === 0) return { text: CHAT_WORDS.alreadyEnded };
  const end = async ({ id, covers }: FleetMaintenance): Promise<string> => {
    const { text, isDone } = await send(exporter, 'DELETE', `${PATH}?id=${encodeURIComponent(id)}`, covers);
    if (isDone) started.delete(id);
    return active.length === 1 ? text : `${quote(covers)}: ${text}`;
  };
  const lines = active.map(
    (each) =>
      `${quote(each.covers)}: ${countText(each.phones, 'phone', 'phones')}, ${untilText(each, time)}.`,
  );
  const tap = async () => ({ text: (await Promise.all(active.map(end))).join('\n') });
  return {
    text: `${listText(lines, 10)} ${active.length === 1 ? CHAT_WORDS.endOne : CHAT_WORDS.endAll}`,
    buttons: [{ label: active.length === 1 ? 'End it' : 'End all', decides: true, tap }, NO],
  };
}

const NO: ChatButton = {
  label: 'No',
  decides: true,
  tap: async () => ({ text: 'Nothing was changed.' }),
};

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
    if (status === 404 && method === 'DELETE') return { text: CHAT_WORDS.alreadyEnded, isDone: true };
    if (status >= 300) return { text: refusalText(content) };
    const response = parseDocument(MAINTENANCE_RESPONSE, content);
    if (response === undefined) return { text: `${CHAT_WORDS.otherResponse} ${CHAT_WORDS.mayBeSaved}` };
    const { id, text } = response;
    if (status !== 201) return { text, isDone: true };
    return { text: `Maintenance started. ${quote(name)}: ${text}. End it with /back.`, id };
  } catch (error) {
    if (error instanceof Unavailable) return { text: `${error.message} ${CHAT_WORDS.mayBeSaved}` };
    throw error;
  }
}
