import { createTimeZone } from '../../base/time-zone.ts';
import { formatDuration } from '../../config/values.ts';
import type { FleetDocument, FleetMaintenance, FleetPhone } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { best, findTargets } from '../../fleet/find.ts';
import type { PhoneEntry } from '../../fleet/phones.ts';
import {
  type Asked,
  MAX_BUTTONS,
  quote,
  type TalkAnswer,
  type TalkButton,
  type TalkExporter,
  type TalkPart,
  Unavailable,
} from '../../fleet/talk.ts';
import { phonesIn, type Target } from '../../fleet/targets.ts';
import { trustOf, type View } from '../../fleet/trust.ts';
import { countText, listText } from '../../fleet/words.ts';
import { HOUR, MINUTE } from '../../model/time.ts';
import { MAINTENANCE_ANSWER } from './document.ts';
import { MAX_DURATION, MAX_UNTIL_BACK, MIN_DURATION } from './model.ts';
import {
  backText,
  coverOf,
  isOfflineInMaintenance,
  maintenanceText,
  overText,
  untilText,
  type Words,
  workText,
} from './words.ts';
import { parseWork, type WrittenEnd } from './work.ts';

/** Lengths that are offered where none was given. */
const OFFERED: readonly WrittenEnd[] = [HOUR, 2 * HOUR, 8 * HOUR, 'back'];

/** A request that was said in a chat, and holds as far as is known. */
type SaidHere = { readonly place: number; readonly at: number; readonly target: Target };

/** A command, and the requests that were said in chats, by their ids. */
type Work = Omit<Asked, 'words'> & { readonly said: Map<string, SaidHere> };

/** Maintenance in a chat: its commands, *I am on it*, who works on a phone, and a message when it is over. */
export function maintenanceTalk(): TalkPart {
  const said = new Map<string, SaidHere>();
  return {
    commands: [
      {
        command: 'maintenance',
        description: 'What you work on: /maintenance rack-03 2h moving; alone, what holds',
        answer: (asked) => maintenance({ ...asked, said }),
      },
      {
        command: 'back',
        description: 'It is over: /back rack-03, /back all',
        answer: (asked) => back({ ...asked, said }),
      },
    ],
    problem: problemText,
    group: groupLines,
    offers: (asked, { exporter: { allowsMaintenance } }, targets) =>
      (allowsMaintenance ? targets : []).map((target) => ({
        label: `I am on it: ${target.title}`,
        tap: () => confirm({ ...asked, said, target, lengths: OFFERED, reason: '' }),
      })),
    due: async (exporter, fleet, now) => {
      // A document of the last minute may be older than the request.
      const gone = [...said].filter(
        ([id, { at }]) => now - at >= MINUTE && fleet.maintenance.every((each) => each.id !== id),
      );
      const view = gone.length === 0 ? undefined : await exporter.view(true).catch(() => undefined);
      if (view === undefined) return [];
      for (const [id] of gone) said.delete(id);
      return gone.map(([, { place, target }]) => ({
        place,
        text: overText(target, view.fleet, wordsOf(view)),
      }));
    },
    // Ends nothing: no request has this id.
    check: async ({ ask }, { exporter: { allowsMaintenance } }) => {
      const { status, content } = await ask('DELETE', '/api/v1/maintenance?id=no-request');
      if (!allowsMaintenance) return ['maintenance', 'off', 'web.enable_maintenance switches it on'];
      return ['maintenance', status === 404 ? 'yes' : 'no', status === 404 ? '' : content];
    },
  };
}

/** Returns how texts write instants, and texts that others wrote. */
function wordsOf({ time }: View): Words {
  return { time, quote };
}

/** Says who works on a phone, why and until when. */
function problemText(view: View, phone: FleetPhone): string | undefined {
  const cover = phone.problem === 'in_maintenance' ? coverOf(view.fleet.maintenance, phone) : undefined;
  if (cover === undefined) return undefined;
  const now = isOfflineInMaintenance(phone)
    ? `offline since ${view.time(phone.lastHeartbeatAt)}`
    : 'it reports';
  return `${trustOf(view).asOf}In maintenance ${workText(cover, wordsOf(view))}: ${now}`;
}

/** Says what covers phones of a group, and which of them are back. */
function groupLines(view: View, entries: readonly PhoneEntry[]): readonly string[] {
  const covering = ({ phone }: PhoneEntry) => coverOf(view.fleet.maintenance, phone);
  const worked = entries.filter(({ phone }) => phone.problem === 'in_maintenance');
  const covers = new Set(worked.flatMap((entry) => covering(entry) ?? []));
  if (covers.size === 0) return [];
  // Until back, phones that are back are not in maintenance any more.
  const meant = entries.filter((entry) => {
    const cover = covering(entry);
    return cover !== undefined && covers.has(cover);
  });
  const lines = Array.from(covers, (each) => `In maintenance ${workText(each, wordsOf(view))}.`);
  return [...lines, backText(meant, wordsOf(view))];
}

/** Asks for a confirmation of `rack-03 2h moving`; without words, says what holds. */
async function maintenance({ words, ...asked }: Work & Pick<Asked, 'words'>): Promise<TalkAnswer> {
  const { exporter, now } = asked;
  const view = await exporter.view(true);
  if (words.length === 0) return { text: maintenanceText(view.fleet, wordsOf(view)) };
  if (!view.fleet.exporter.allowsMaintenance)
    return { text: 'This exporter takes no word: web.enable_maintenance is off.' };
  const timeZone = createTimeZone(view.fleet.exporter.timeZone);
  const { name, end, reason } = parseWork(words.join(' '), now(), timeZone);
  const length = typeof end === 'object' ? end.until - now() : end;
  if (typeof length === 'number' && (length < MIN_DURATION || length > MAX_DURATION))
    return { text: 'For how long? One minute at least and 30 days at most, such as 2h.' };
  const lengths = end === undefined ? OFFERED : [end];
  const buttons = findTargets(view.fleet, name).map((target) => ({
    label: target.title,
    tap: () => confirm({ ...asked, target, lengths, reason }),
  }));
  if (buttons.length > 0) return await asked.choose(buttons);
  const hint = end === undefined ? ' A time is written like 2h, 90 min, 18:00 or back.' : '';
  return { text: asked.absent(view, name) + hint };
}

type Word = Work & {
  readonly target: Target;
  readonly lengths: readonly WrittenEnd[];
  readonly reason: string;
};

/** Asks for a confirmation of phones and an end. Several ends have a button each. */
async function confirm({ target, lengths, reason, ...asked }: Word): Promise<TalkAnswer> {
  const { exporter, now } = asked;
  const { fleet, time } = await exporter.view(true);
  const phones = phonesIn(fleet.phones, target.scope);
  if (phones.length === 0) return { text: `${quote(target.title)} has no phone now.` };
  const offlinePhones = phones.filter(isOfflineInMaintenance).length;
  const worked = phones.filter(({ problem }) => problem === 'in_maintenance').length;
  const begin = now();
  const isAsked = lengths.length > 1;
  const ends = lengths.map((length) => {
    const until =
      typeof length === 'object' ? length.until : begin + (length === 'back' ? MAX_UNTIL_BACK : length);
    const latest = `${time(until)} at the latest`;
    const back = offlinePhones === phones.length ? 'each is back' : 'each was offline and is back';
    const text = length === 'back' ? `${back}, ${latest}` : time(until);
    const body = length === 'back' ? { until_back: true } : { until: new Date(until).toISOString() };
    const label = typeof length === 'number' ? `${formatDuration(length)}, until ${text}` : `until ${text}`;
    return { label: isAsked ? label : 'Yes', text, body };
  });
  const yes = ends.map(({ label, body }): TalkButton => {
    const tap = async (who: string): Promise<TalkAnswer> => {
      const sent = { ...target.scope, ...body, reason, by: who };
      const { answer, id } = await tell(exporter, 'POST', '/api/v1/maintenance', target.title, sent);
      if (id !== undefined) asked.said.set(id, { place: asked.place, at: now(), target });
      return answer;
    };
    return { label, decides: true, tap };
  });
  const already = worked === 0 ? '' : `, ${worked} in maintenance already`;
  const offlineText = offlinePhones === 0 ? 'none of them offline now' : `${offlinePhones} of them offline`;
  const covers = `${countText(phones.length, 'phone', 'phones')}, ${offlineText}${already}`;
  const why = reason === '' ? '' : ` Reason: ${quote(reason)}.`;
  const until = isAsked ? '' : `, until ${ends[0]?.text}`;
  const question = isAsked ? 'Until when?' : 'Is that right?';
  return {
    text: `${quote(target.title)}: ${covers}${until}.${why} Nothing is told of them meanwhile. ${question}`,
    buttons: [...yes, NO],
  };
}

async function back({ words, ...asked }: Work & Pick<Asked, 'words'>): Promise<TalkAnswer> {
  const word = words.join(' ');
  const { all, named } = findRequests((await asked.exporter.view(false)).fleet, word);
  if (all.length === 0) return { text: 'Nothing is in maintenance that somebody asked for.' };
  const buttonOf = ({ id, covers, reason }: FleetMaintenance) => ({
    label: reason === '' ? covers : `${covers}: ${reason}`,
    tap: () => confirmEnd(asked, [id]),
  });
  const ids = all.map(({ id }) => id);
  if (word.toLowerCase() === 'all') return await confirmEnd(asked, ids);
  if (named.length > 0) return await asked.choose(named.map(buttonOf));
  return {
    text: `Nothing fits ${quote(word)}. This holds:`,
    buttons: all.slice(0, MAX_BUTTONS).map(buttonOf),
  };
}

async function confirmEnd({ exporter, said }: Work, ids: readonly string[]): Promise<TalkAnswer> {
  const { fleet, time } = await exporter.view(false);
  const holding = fleet.maintenance.filter(({ id }) => ids.includes(id));
  if (holding.length === 0) return { text: OVER_ALREADY };
  const end = async ({ id, covers }: FleetMaintenance): Promise<string> => {
    const path = `/api/v1/maintenance?id=${encodeURIComponent(id)}`;
    const { answer, isDone } = await tell(exporter, 'DELETE', path, covers);
    if (isDone) said.delete(id);
    return holding.length === 1 ? answer.text : `${quote(covers)}: ${answer.text}`;
  };
  const lines = holding.map(
    (each) =>
      `${quote(each.covers)}: ${countText(each.phones, 'phone', 'phones')}, ${untilText(each, time)}.`,
  );
  const tap = async () => ({ text: (await Promise.all(holding.map(end))).join('\n') });
  return {
    text: `${listText(lines, 10)} End ${holding.length === 1 ? 'it' : 'them all'}? What is still wrong is told at once.`,
    buttons: [{ label: holding.length === 1 ? 'End it' : 'End all', decides: true, tap }, NO],
  };
}

const OVER_ALREADY = 'It is over already.';

const NO: TalkButton = { label: 'No', decides: true, tap: async () => ({ text: 'Nothing was changed.' }) };

/** Sends a maintenance request. Returns the answer to the owner, and the id of one that holds. */
async function tell(
  exporter: TalkExporter,
  method: 'POST' | 'DELETE',
  path: string,
  name: string,
  sent?: object,
): Promise<{ readonly answer: TalkAnswer; readonly id?: string; readonly isDone?: true }> {
  const doubt = 'Perhaps it was heard: /maintenance says what holds.';
  const answer = await exporter.ask(method, path, sent).catch((error: unknown) => {
    if (error instanceof Unavailable) return error;
    throw error;
  });
  if (answer instanceof Unavailable) return { answer: { text: `${answer.message} ${doubt}` } };
  const { status, content } = answer;
  if (status === 404 && method === 'DELETE') return { answer: { text: OVER_ALREADY }, isDone: true };
  if (status >= 300) {
    const reason = content.replace(/^nothing was changed: /, '').slice(0, 300);
    return { answer: { text: `Nothing was changed: ${quote(reason)}` } };
  }
  const taken = parseDocument(MAINTENANCE_ANSWER, content);
  if (taken === undefined) return { answer: { text: `Something else than the exporter answers. ${doubt}` } };
  const { id, text } = taken;
  if (status !== 201) return { answer: { text }, isDone: true };
  return { answer: { text: `It holds. ${quote(name)}: ${text}. /back ends it.` }, id };
}

/** Lists the maintenance requests that hold, and those among them that a word names by phones, id or reason. */
function findRequests(
  { maintenance }: FleetDocument,
  word: string,
): { readonly all: readonly FleetMaintenance[]; readonly named: readonly FleetMaintenance[] } {
  const all = maintenance.filter(({ source }) => source === 'requested');
  if (word === '' || word.toLowerCase() === 'all') return { all, named: all };
  return {
    all,
    named: best(all, word, ({ id, covers, groups, reason }) => [id, covers, ...groups, reason]).items,
  };
}
