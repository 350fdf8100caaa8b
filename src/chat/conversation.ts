import type { Clock } from '../clock.ts';
import { formatDuration, parseDuration } from '../config/values.ts';
import type { FleetDocument, FleetMaintenance, FleetPhone } from '../fleet/document.ts';
import { coveredPhones, type MaintenanceTarget, untilText } from '../fleet/maintenance.ts';
import { type GroupCount, isSilent } from '../fleet/phones.ts';
import { countText } from '../fleet/words.ts';
import { MAX_DURATION, MAX_UNTIL_BACK, MIN_DURATION } from '../model/maintenance.ts';
import { parseJson } from '../model/text.ts';
import { DAY, HOUR, MINUTE } from '../model/time.ts';
import {
  absentText,
  balanceText,
  incidentsText,
  monthText,
  phoneText,
  quote,
  rackText,
  silentAnswer,
  statusText,
} from './answers.ts';
import { type Exporter, Unavailable, type View } from './exporter.ts';
import { findGroups, findPhones, findRequests, findTargets, type Named } from './find.ts';

/** Times for which a button can be tapped: one that confirms a change, and any other. */
const CONFIRM_MILLISECONDS = 5 * MINUTE;
const BUTTON_MILLISECONDS = DAY;

/** Maximum number of messages with buttons, the newest ones, and of buttons of a message. */
const MAX_KEPT = 200;
const MAX_BUTTONS = 8;

/** Lengths that are offered where none was given. */
const OFFERED: readonly Length[] = [HOUR, 2 * HOUR, 8 * HOUR, 'back'];

type Answer = { readonly text: string; readonly buttons?: readonly Button[] };

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
};

/** Answers commands and taps. */
export type Conversation = {
  readonly answer: (chat: number, text: string, who: string) => Promise<Reply>;
  /** `replaces`: the reply takes the place of the message with the button. */
  readonly tap: (chat: number, key: string, who: string) => Promise<Reply & { readonly replaces: boolean }>;
};

export function createConversation(
  exporter: Exporter,
  { now }: Pick<Clock, 'now'>,
  random: () => number,
): Conversation {
  const kept = new Map<string, { chat: number; at: number; buttons: readonly Button[] }>();
  const reply = async (chat: number, make: Promise<Answer>): Promise<Reply> => {
    const { text, buttons = [] } = await make.catch((error: unknown): Answer => {
      if (error instanceof Unavailable) return { text: error.message };
      throw error;
    });
    const id = random().toString(36).slice(2);
    if (buttons.length > 0) kept.set(id, { chat, at: now(), buttons });
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return { text, keys: buttons.map(({ label }, index) => ({ label, key: `${id}.${index}` })) };
  };
  return {
    answer: (chat, text, who) => {
      const [name = '', ...words] = text.trim().split(/\s+/);
      const command = COMMANDS.find((each) => `/${each.command}` === name.toLowerCase());
      const answer = command?.answer({ exporter, now, who, words }) ?? Promise.resolve({ text: help() });
      return reply(chat, answer);
    },
    tap: async (chat, key, who) => {
      const [id = '', index] = key.split('.');
      const message = kept.get(id);
      const button = message?.chat === chat ? message.buttons[Number(index)] : undefined;
      const replaces = button?.decides === true;
      const age = now() - (message?.at ?? 0);
      if (button === undefined || age > (replaces ? CONFIRM_MILLISECONDS : BUTTON_MILLISECONDS))
        return { text: 'This button is too old. Send the command again.', keys: [], replaces: false };
      // A second tap finds nothing to do.
      if (replaces) kept.delete(id);
      return { ...(await reply(chat, button.tap(who))), replaces };
    },
  };
}

/** A command: the words after it, and the name of the sender. */
type Asked = {
  readonly exporter: Exporter;
  readonly now: Clock['now'];
  readonly who: string;
  readonly words: readonly string[];
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

const noneText = (view: View, word: string) => (word === '' ? `Of what? ${help()}` : absentText(view, word));

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
  const hours = monthText(await exporter.ask('GET', '/api/v1/month'), item);
  return phoneText(await exporter.view(true), item, hours);
}

async function rack(exporter: Exporter, item: GroupCount): Promise<string> {
  return rackText(await exporter.view(true), item);
}

/** The commands, as the menu of Telegram shows them. */
export const COMMANDS: readonly Command[] = [
  {
    command: 'status',
    description: 'What needs you, what is away, how old the data is',
    answer: say(statusText),
  },
  { command: 'silent', description: 'Silent phones, and I am on it', answer: silent },
  { command: 'phone', description: 'One phone: /phone slot-04', answer: about(findPhones, phone) },
  { command: 'rack', description: 'One group: /rack 03', answer: about(findGroups, rack) },
  { command: 'month', description: 'This month', answer: month },
  { command: 'balance', description: 'The balance', answer: say(balanceText) },
  { command: 'incidents', description: 'What was told within a day', answer: say(incidentsText) },
  {
    command: 'maintenance',
    description: 'You work on phones: /maintenance rack-03 2h moving',
    answer: maintenance,
  },
  { command: 'back', description: 'It is over: /back rack-03', answer: back },
];

/** Matches `/month 2026-10`. */
async function month({ exporter, words: [name] }: Asked): Promise<Answer> {
  const query = name === undefined ? '' : `?month=${encodeURIComponent(name)}`;
  return { text: monthText(await exporter.ask('GET', `/api/v1/month${query}`)) };
}

async function silent({ exporter, now }: Asked): Promise<Answer> {
  const view = await exporter.view(true);
  const { text, targets } = silentAnswer(view);
  const buttons = targets.slice(0, MAX_BUTTONS).map((target) => ({
    label: `I am on it: ${target.title}`,
    tap: () => confirm({ exporter, now, target, lengths: OFFERED, reason: '' }),
  }));
  return { text, buttons: view.fleet.exporter.allowsMaintenance ? buttons : [] };
}

/** Reads `rack-03 2h moving`: a name, for how long, and a reason. */
async function maintenance({ exporter, now, words, who }: Asked): Promise<Answer> {
  const view = await exporter.view(true);
  if (!view.fleet.exporter.allowsMaintenance)
    return { text: 'This exporter takes no word: web.enable_maintenance is off.' };
  const at = words.findIndex((word, index) => index > 0 && lengthOf(word) !== undefined);
  const end = at === -1 ? words.length : at;
  const name = words.slice(0, end).join(' ');
  const given = lengthOf(words[end]);
  if (typeof given === 'number' && (given < MIN_DURATION || given > MAX_DURATION))
    return { text: 'For how long? One minute at least and 30 days at most, such as 2h.' };
  const lengths = given === undefined ? OFFERED : [given];
  const reason = words.slice(end + 1).join(' ');
  const buttons = findTargets(view.fleet, name).map((target) => ({
    label: target.title,
    tap: () => confirm({ exporter, now, target, lengths, reason }),
  }));
  if (buttons.length > 0) return await choose(buttons, who);
  const hint = given === undefined ? ' A time is written like 2h, 30m or back.' : '';
  return { text: noneText(view, name) + hint };
}

/** Milliseconds, or until each phone is back. */
type Length = number | 'back';

/** Reads `2h`, or `back`. */
function lengthOf(text = ''): Length | undefined {
  return text.toLowerCase() === 'back' ? 'back' : parseDuration(text.toLowerCase());
}

type Word = Pick<Asked, 'exporter' | 'now'> & {
  readonly target: MaintenanceTarget;
  readonly lengths: readonly Length[];
  readonly reason: string;
};

/** Asks for a confirmation of phones and an end. Several ends have a button each. */
async function confirm({ exporter, now, target, lengths, reason }: Word): Promise<Answer> {
  const { fleet, time } = await exporter.view(true);
  const phones = coveredPhones(fleet.phones, target.scope);
  if (phones.length === 0) return { text: `${quote(target.title)} has no phone now.` };
  const silentPhones = phones.filter(isSilent).length;
  const worked = phones.filter(({ problem }) => problem === 'in_maintenance').length;
  const begin = now();
  const isAsked = lengths.length > 1;
  const ends = lengths.map((length) => {
    const until = begin + (length === 'back' ? MAX_UNTIL_BACK : length);
    const text = length === 'back' ? `each is back, ${time(until)} at the latest` : time(until);
    const body = length === 'back' ? { until_back: true } : { until: new Date(until).toISOString() };
    const label = length === 'back' ? `until ${text}` : `${formatDuration(length)}, until ${text}`;
    return { label: isAsked ? label : 'Yes', text, body };
  });
  const yes = ends.map(({ label, body }): Button => {
    const tap = async (who: string): Promise<Answer> => {
      const sent = { ...target.scope, ...body, reason, by: who };
      return await tell(exporter, 'POST', '/api/v1/maintenance', target.title, sent);
    };
    return { label, decides: true, tap };
  });
  const already = worked === 0 ? '' : `, ${worked} in maintenance already`;
  const covers = `${countText(phones.length, 'phone', 'phones')}, ${silentPhones} of them silent${already}`;
  const until = isAsked ? '' : `, until ${ends[0]?.text}`;
  const question = isAsked ? 'Until when?' : 'Is that right?';
  return {
    text: `${quote(target.title)}: ${covers}${until}. Nothing is told of them meanwhile. ${question}`,
    buttons: [...yes, NO],
  };
}

async function back({ exporter, words, who }: Asked): Promise<Answer> {
  const word = words.join(' ');
  const { all, named } = findRequests((await exporter.view(false)).fleet, word);
  if (all.length === 0) return { text: 'Nothing is in maintenance that somebody asked for.' };
  const buttonOf = ({ id, covers, reason }: FleetMaintenance) => ({
    label: reason === '' ? covers : `${covers}: ${reason}`,
    tap: () => confirmEnd(exporter, id),
  });
  if (named.length > 0) return await choose(named.map(buttonOf), who);
  return {
    text: `Nothing fits ${quote(word)}. This holds:`,
    buttons: all.slice(0, MAX_BUTTONS).map(buttonOf),
  };
}

async function confirmEnd(exporter: Exporter, id: string): Promise<Answer> {
  const { fleet, time } = await exporter.view(false);
  const held = fleet.maintenance.find((each) => each.id === id);
  if (held === undefined) return { text: 'It is over already.' };
  const path = `/api/v1/maintenance?id=${encodeURIComponent(id)}`;
  return {
    text: `${quote(held.covers)}: ${countText(held.phones, 'phone', 'phones')}, ${untilText(held, time)}. End it? What is still wrong is told at once.`,
    buttons: [{ label: 'End it', decides: true, tap: () => tell(exporter, 'DELETE', path, id) }, NO],
  };
}

const NO: Button = { label: 'No', decides: true, tap: async () => ({ text: 'Nothing was changed.' }) };

/** Sends a maintenance request, and returns the answer to the owner. */
async function tell(
  exporter: Exporter,
  method: 'POST' | 'DELETE',
  path: string,
  name: string,
  sent?: object,
): Promise<Answer> {
  const doubt = 'Perhaps it was heard: /back says what holds.';
  const answer = await exporter.ask(method, path, sent).catch((error: unknown) => {
    if (error instanceof Unavailable) return error;
    throw error;
  });
  if (answer instanceof Unavailable) return { text: `${answer.message} ${doubt}` };
  const { status, content } = answer;
  if (status >= 300) return { text: `Nothing was changed: ${quote(content.slice(0, 300))}` };
  const body = parseJson(content);
  if (typeof body !== 'object' || body === null || !('text' in body))
    return { text: `Something else than the exporter answers. ${doubt}` };
  return { text: status === 201 ? `It holds. ${quote(name)}: ${body.text}. /back ends it.` : `${body.text}` };
}
