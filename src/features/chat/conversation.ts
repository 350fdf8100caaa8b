import type { Clock } from '../../base/clock.ts';
import { createTimeZone } from '../../base/time-zone.ts';
import { formatDuration } from '../../config/values.ts';
import type { FleetDocument, FleetMaintenance, FleetPhone } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { findGroups, findPhones, findRequests, findTargets, type Named } from '../../fleet/find.ts';
import type { GroupCount } from '../../fleet/phones.ts';
import type { View } from '../../fleet/trust.ts';
import { countText, listText } from '../../fleet/words.ts';
import { DAY, HOUR, MINUTE } from '../../model/time.ts';
import { MAINTENANCE_ANSWER } from '../maintenance/document.ts';
import { MAX_DURATION, MAX_UNTIL_BACK, MIN_DURATION } from '../maintenance/model.ts';
import {
  coveredPhones,
  isSilentInWork,
  type MaintenanceTarget,
  maintenanceText,
  overText,
  untilText,
} from '../maintenance/words.ts';
import { parseWork, type WrittenEnd } from '../maintenance/work.ts';
import { MONTH_DOCUMENT } from '../month/document.ts';
import type { CsvSeparator } from '../month/grouping.ts';
import { monthText, phoneMonthText } from '../month/words.ts';
import {
  absentText,
  balanceText,
  incidentsText,
  phoneText,
  quote,
  rackText,
  silentAnswer,
  statusText,
  wordsOf,
} from './answers.ts';
import { type Exporter, Unavailable } from './exporter.ts';

/** Times for which a button can be tapped: one that confirms a change, and any other. */
const CONFIRM_MILLISECONDS = 5 * MINUTE;
const BUTTON_MILLISECONDS = DAY;

/** Maximum number of messages with buttons, the newest ones, and of buttons of a message. */
const MAX_KEPT = 200;
const MAX_BUTTONS = 8;

/** Lengths that are offered where none was given. */
const OFFERED: readonly WrittenEnd[] = [HOUR, 2 * HOUR, 8 * HOUR, 'back'];

type Answer = { readonly text: string; readonly buttons?: readonly Button[]; readonly file?: ChatFile };

/** A file that goes with a text. */
type ChatFile = { readonly name: string; readonly content: string };

type Button = {
  readonly label: string;
  /** The button confirms or refuses a change: it is valid once, for five minutes. */
  readonly decides?: true;
  /** @param who a name for the reason of a maintenance */
  readonly tap: (who: string) => Promise<Answer>;
};

/** A text to send, and the keys of its buttons. */
export type Reply = {
  readonly text: string;
  readonly keys: readonly { readonly label: string; readonly key: string }[];
  readonly file?: ChatFile | undefined;
};

/** Answers commands and taps. */
export type Conversation = {
  readonly answer: (chat: number, text: string, who: string) => Promise<Reply>;
  /** `replaces`: the reply takes the place of the message with the button. */
  readonly tap: (chat: number, key: string, who: string) => Promise<Reply & { readonly replaces: boolean }>;
  /** Takes the requests of chats that are over, each with what to say of it there. Empty where that is not known. */
  readonly over: (
    fleet: FleetDocument,
  ) => Promise<readonly { readonly chat: number; readonly text: string }[]>;
};

/** A request that was said in a chat, and holds as far as is known. */
type SaidHere = { readonly chat: number; readonly at: number; readonly target: MaintenanceTarget };

export function createConversation(
  exporter: Exporter,
  { now }: Pick<Clock, 'now'>,
  random: () => number,
): Conversation {
  const kept = new Map<string, { chat: number; at: number; buttons: readonly Button[] }>();
  const said = new Map<string, SaidHere>();
  const reply = async (chat: number, make: Promise<Answer>): Promise<Reply> => {
    const {
      text,
      buttons = [],
      file,
    } = await make.catch((error: unknown): Answer => {
      if (error instanceof Unavailable) return { text: error.message };
      throw error;
    });
    const id = random().toString(36).slice(2);
    if (buttons.length > 0) kept.set(id, { chat, at: now(), buttons });
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return { text, keys: buttons.map(({ label }, index) => ({ label, key: `${id}.${index}` })), file };
  };
  return {
    answer: (chat, text, who) => {
      const [name = '', ...words] = text.trim().split(/\s+/);
      const command = COMMANDS.find((each) => `/${each.command}` === name.toLowerCase());
      const asked = { exporter, now, who, words, chat, said };
      const answer = command?.answer(asked) ?? Promise.resolve({ text: help() });
      return reply(chat, answer);
    },
    tap: async (chat, key, who) => {
      const [id = '', index] = key.split('.');
      const message = kept.get(id);
      const button = message?.chat === chat ? message.buttons[Number(index)] : undefined;
      const replaces = button?.decides === true;
      const age = now() - (message?.at ?? 0);
      if (message?.chat === chat && message.buttons.length === 0)
        return { text: 'This was answered already.', keys: [], replaces: false };
      if (button === undefined || age > (replaces ? CONFIRM_MILLISECONDS : BUTTON_MILLISECONDS))
        return { text: 'This button is too old. Send the command again.', keys: [], replaces: false };
      // A second tap finds nothing to do.
      if (replaces) kept.set(id, { chat, at: now(), buttons: [] });
      return { ...(await reply(chat, button.tap(who))), replaces };
    },
    over: async ({ maintenance }) => {
      // A document of the last minute may be older than the request.
      const gone = [...said].filter(
        ([id, { at }]) => now() - at >= MINUTE && maintenance.every((each) => each.id !== id),
      );
      const view = gone.length === 0 ? undefined : await exporter.view(true).catch(() => undefined);
      if (view === undefined) return [];
      for (const [id] of gone) said.delete(id);
      return gone.map(([, { chat, target }]) => ({
        chat,
        text: overText(target, view.fleet, wordsOf(view)),
      }));
    },
  };
}

/** A command: the words after it, and the name of the sender. */
type Asked = {
  readonly exporter: Exporter;
  readonly now: Clock['now'];
  readonly who: string;
  readonly words: readonly string[];
  readonly chat: number;
  readonly said: Map<string, SaidHere>;
};

type Command = {
  readonly command: string;
  readonly description: string;
  readonly answer: (asked: Asked) => Promise<Answer>;
};

/** Answers with a text about the fleet. */
const say =
  (textOf: (view: View) => string): Command['answer'] =>
  async ({ exporter }) => ({ text: textOf(await exporter.view(false)) });

function help(): string {
  return COMMANDS.map(({ command, description }) => `/${command} ${description}`).join('\n');
}

/** Answers about the one item that a word fits, or offers a button for each of several. */
async function choose(found: readonly Button[], who: string): Promise<Answer> {
  const [first, second] = found;
  if (first !== undefined && second === undefined) return await first.tap(who);
  const more = found.length > MAX_BUTTONS ? `, the first ${MAX_BUTTONS} here. Write more of the name` : '';
  const buttons = found.slice(0, MAX_BUTTONS);
  return { text: `${countText(found.length, 'match', 'matches')}${more}.`, buttons };
}

const noneText = (view: View, word: string) =>
  word === '' ? 'Which one? Write its name behind the command, or a part of it.' : absentText(view, word);

/** Answers about the items that a word fits. A kept button must not keep the document: no function here closes over it. */
const about =
  <Item>(
    find: (fleet: FleetDocument, word: string) => readonly Named<Item>[],
    textOf: (exporter: Exporter, item: Item) => Promise<string>,
  ): Command['answer'] =>
  async ({ exporter, words, who }) => {
    const word = words.join(' ');
    const view = await exporter.view(true);
    const buttons = find(view.fleet, word).map(({ title, item }) => ({
      label: title,
      tap: async () => ({ text: await textOf(exporter, item) }),
    }));
    return buttons.length === 0 ? { text: noneText(view, word) } : await choose(buttons, who);
  };

async function phone(exporter: Exporter, item: FleetPhone): Promise<string> {
  const { account, id } = item;
  const query = new URLSearchParams({ account, phone: id });
  const { content } = await exporter.ask('GET', `/api/v1/month?${query}`);
  const month = parseDocument(MONTH_DOCUMENT, content);
  return phoneText(await exporter.view(true), item, month === undefined ? '' : phoneMonthText(month, item));
}

async function rack(exporter: Exporter, item: GroupCount): Promise<string> {
  return rackText(await exporter.view(true), item);
}

/** The commands, as the menu of Telegram shows them. */
export const COMMANDS: readonly Command[] = [
  {
    command: 'status',
    description: 'What needs you, what is offline, how old the data is',
    answer: say(statusText),
  },
  {
    command: 'silent',
    description: 'Silent phones, and I am on it: /silent, /silent rack-03',
    answer: silent,
  },
  { command: 'phone', description: 'One phone: /phone slot-04', answer: about(findPhones, phone) },
  { command: 'rack', description: 'One group: /rack 03', answer: about(findGroups, rack) },
  { command: 'month', description: 'A month: /month, /month racks, /month 2026-10 rack-03', answer: month },
  { command: 'balance', description: 'The balance', answer: say(balanceText) },
  { command: 'incidents', description: 'What was told within a day', answer: say(incidentsText) },
  {
    command: 'maintenance',
    description: 'What you work on: /maintenance rack-03 2h moving; alone, what holds',
    answer: maintenance,
  },
  { command: 'back', description: 'It is over: /back rack-03, /back all', answer: back },
];

/** Parses `2026-10`, `racks` or the name of a rack, in any order. */
async function month({ exporter, words }: Pick<Asked, 'exporter' | 'words'>): Promise<Answer> {
  const date = words.find((word) => /^\d{4}-\d{2}$/.test(word));
  const rest = words.filter((word) => word !== date).join(' ');
  const query = new URLSearchParams({ ...(date && { month: date }), ...(rest && { by: 'group' }) });
  const { status, content } = await exporter.ask('GET', `/api/v1/month?${query}`);
  const document = parseDocument(MONTH_DOCUMENT, content);
  if (document === undefined) {
    const got =
      status === 200 ? 'The exporter answers with a month of another form' : quote(content.slice(0, 200));
    return { text: `No month: ${got}.` };
  }
  const { fleet } = await exporter.view(rest !== '');
  return {
    text: monthText(fleet, document, /^racks?$/i.test(rest) ? '' : rest, quote),
    buttons: CSV_BUTTONS.map(({ label, separator }) => ({
      label,
      tap: () => monthFile(exporter, document.month, separator),
    })),
  };
}

/** In countries with a comma as decimal sign, a spreadsheet expects the first one. */
const CSV_BUTTONS = [
  { label: 'CSV with ;', separator: 'semicolon' },
  { label: 'CSV with ,', separator: 'comma' },
] as const satisfies readonly { readonly label: string; readonly separator: CsvSeparator }[];

async function monthFile(exporter: Exporter, month: string, separator: CsvSeparator): Promise<Answer> {
  const query = new URLSearchParams({ month, format: 'csv', separator });
  const { status, content } = await exporter.ask('GET', `/api/v1/month?${query}`);
  if (status !== 200) return { text: `No file: ${quote(content.slice(0, 200))}` };
  return { text: `${month}, a line for each phone.`, file: { name: `phones-${month}.csv`, content } };
}

/** Returns the message about a month that ended: what it brought, whom to visit, and its file; undefined without months. */
export async function endedMonth(exporter: Exporter, date: string): Promise<Answer | undefined> {
  const { text, buttons } = await month({ exporter, words: [date] });
  const { file } = buttons === undefined ? {} : await monthFile(exporter, date, 'semicolon');
  return file && { text, file };
}

async function silent({ words, ...asked }: Asked): Promise<Answer> {
  const view = await asked.exporter.view(true);
  const { text, targets } = silentAnswer(view, words.join(' '));
  const buttons = targets.slice(0, MAX_BUTTONS).map((target) => ({
    label: `I am on it: ${target.title}`,
    tap: () => confirm({ ...asked, target, lengths: OFFERED, reason: '' }),
  }));
  return { text, buttons: view.fleet.exporter.allowsMaintenance ? buttons : [] };
}

/** Asks for a confirmation of `rack-03 2h moving`; without words, says what holds. */
async function maintenance({ words, ...asked }: Asked): Promise<Answer> {
  const { exporter, now, who } = asked;
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
  if (buttons.length > 0) return await choose(buttons, who);
  const hint = end === undefined ? ' A time is written like 2h, 90 min, 18:00 or back.' : '';
  return { text: noneText(view, name) + hint };
}

type Word = Omit<Asked, 'words'> & {
  readonly target: MaintenanceTarget;
  readonly lengths: readonly WrittenEnd[];
  readonly reason: string;
};

/** Asks for a confirmation of phones and an end. Several ends have a button each. */
async function confirm({ target, lengths, reason, ...asked }: Word): Promise<Answer> {
  const { exporter, now } = asked;
  const { fleet, time } = await exporter.view(true);
  const phones = coveredPhones(fleet.phones, target.scope);
  if (phones.length === 0) return { text: `${quote(target.title)} has no phone now.` };
  const silentPhones = phones.filter(isSilentInWork).length;
  const worked = phones.filter(({ problem }) => problem === 'in_maintenance').length;
  const begin = now();
  const isAsked = lengths.length > 1;
  const ends = lengths.map((length) => {
    const until =
      typeof length === 'object' ? length.until : begin + (length === 'back' ? MAX_UNTIL_BACK : length);
    const latest = `${time(until)} at the latest`;
    const back = silentPhones === phones.length ? 'each is back' : 'each was silent and is back';
    const text = length === 'back' ? `${back}, ${latest}` : time(until);
    const body = length === 'back' ? { until_back: true } : { until: new Date(until).toISOString() };
    const label = typeof length === 'number' ? `${formatDuration(length)}, until ${text}` : `until ${text}`;
    return { label: isAsked ? label : 'Yes', text, body };
  });
  const yes = ends.map(({ label, body }): Button => {
    const tap = async (who: string): Promise<Answer> => {
      const sent = { ...target.scope, ...body, reason, by: who };
      const { answer, id } = await tell(exporter, 'POST', '/api/v1/maintenance', target.title, sent);
      if (id !== undefined) asked.said.set(id, { chat: asked.chat, at: now(), target });
      return answer;
    };
    return { label, decides: true, tap };
  });
  const already = worked === 0 ? '' : `, ${worked} in maintenance already`;
  const silentText = silentPhones === 0 ? 'none of them silent now' : `${silentPhones} of them silent`;
  const covers = `${countText(phones.length, 'phone', 'phones')}, ${silentText}${already}`;
  const why = reason === '' ? '' : ` Reason: ${quote(reason)}.`;
  const until = isAsked ? '' : `, until ${ends[0]?.text}`;
  const question = isAsked ? 'Until when?' : 'Is that right?';
  return {
    text: `${quote(target.title)}: ${covers}${until}.${why} Nothing is told of them meanwhile. ${question}`,
    buttons: [...yes, NO],
  };
}

async function back({ words, ...asked }: Asked): Promise<Answer> {
  const word = words.join(' ');
  const { all, named } = findRequests((await asked.exporter.view(false)).fleet, word);
  if (all.length === 0) return { text: 'Nothing is in maintenance that somebody asked for.' };
  const buttonOf = ({ id, covers, reason }: FleetMaintenance) => ({
    label: reason === '' ? covers : `${covers}: ${reason}`,
    tap: () => confirmEnd(asked, [id]),
  });
  const ids = all.map(({ id }) => id);
  if (word.toLowerCase() === 'all') return await confirmEnd(asked, ids);
  if (named.length > 0) return await choose(named.map(buttonOf), asked.who);
  return {
    text: `Nothing fits ${quote(word)}. This holds:`,
    buttons: all.slice(0, MAX_BUTTONS).map(buttonOf),
  };
}

async function confirmEnd({ exporter, said }: Omit<Asked, 'words'>, ids: readonly string[]): Promise<Answer> {
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

const NO: Button = { label: 'No', decides: true, tap: async () => ({ text: 'Nothing was changed.' }) };

/** Sends a maintenance request. Returns the answer to the owner, and the id of one that holds. */
async function tell(
  exporter: Exporter,
  method: 'POST' | 'DELETE',
  path: string,
  name: string,
  sent?: object,
): Promise<{ readonly answer: Answer; readonly id?: string; readonly isDone?: true }> {
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
