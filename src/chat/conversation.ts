import type { Clock } from '../clock.ts';
import { formatDuration, parseDuration } from '../config/values.ts';
import { countText } from '../fleet-page/words.ts';
import { parseJson } from '../model/text.ts';
import * as answers from './answers.ts';
import { type Action, type Answer, type Button, MAX_BUTTONS, nameOf, quote, type Word } from './answers.ts';
import { type Exporter, type ExporterAnswer, Unavailable } from './exporter.ts';
import { monthText } from './month.ts';
import { coveredPhones, findGroups, findPhones, findRequests, findTargets, isSilent } from './targets.ts';

/** The commands, as the menu of Telegram shows them. */
export const COMMANDS = [
  { command: 'status', description: 'What needs you, what is away, how old the data is' },
  { command: 'silent', description: 'Silent phones, and I am on it' },
  { command: 'phone', description: 'One phone: /phone slot-04' },
  { command: 'rack', description: 'One group: /rack 03' },
  { command: 'month', description: 'This month' },
  { command: 'balance', description: 'The balance' },
  { command: 'incidents', description: 'What was told within a day' },
  { command: 'maintenance', description: 'You work on phones: /maintenance rack-03 2h moving' },
  { command: 'back', description: 'It is over: /back rack-03' },
] as const;

const HELP = COMMANDS.map(({ command, description }) => `/${command} ${description}`).join('\n');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Time in which the owner's word has to be confirmed, and in which other buttons can be tapped. */
const CONFIRM_MILLISECONDS = 5 * MINUTE;
const BUTTON_MILLISECONDS = 24 * HOUR;

/** Messages whose buttons are kept; the oldest are dropped. */
const MAX_KEPT = 200;

/** Limits of the exporter. */
const MIN_DURATION = MINUTE;
const MAX_DURATION = 30 * 24 * HOUR;
const MAX_UNTIL_BACK = 7 * 24 * HOUR;

/** Times that are offered where none was given. */
const OFFERED = [HOUR, 2 * HOUR, 8 * HOUR];

const NO_WORD = 'This exporter takes no word: web.enable_maintenance is off.';

/** A text to send, and the keys of its buttons. */
export type Reply = {
  readonly text: string;
  readonly keys: readonly { readonly label: string; readonly key: string }[];
};

/** Answers commands and taps. `who` is a name for the reason of a maintenance. */
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
  const kept = new Map<string, { chat: number; at: number; actions: readonly Action[] }>();
  const reply = async (chat: number, make: Promise<Answer>): Promise<Reply> => {
    const { text, buttons = [] } = await make.catch((error: unknown): Answer => {
      if (error instanceof Unavailable) return { text: error.message };
      throw error;
    });
    const id = random().toString(36).slice(2);
    if (buttons.length > 0) kept.set(id, { chat, at: now(), actions: buttons.map(({ action }) => action) });
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return { text, keys: buttons.map(({ label }, index) => ({ label, key: `${id}.${index}` })) };
  };
  return {
    answer: (chat, text, who) => reply(chat, answerTo(text, who, exporter, now)),
    tap: async (chat, key, who) => {
      const [id = '', index] = key.split('.');
      const message = kept.get(id);
      const action = message?.chat === chat ? message.actions[Number(index)] : undefined;
      const replaces = action !== undefined && ['start', 'end', 'nothing'].includes(action.does);
      if (
        action === undefined ||
        now() - (message?.at ?? 0) > (replaces ? CONFIRM_MILLISECONDS : BUTTON_MILLISECONDS)
      )
        return { text: 'This button is too old. Send the command again.', keys: [], replaces: false };
      // A second tap finds nothing to do.
      if (replaces) kept.delete(id);
      return { ...(await reply(chat, act(action, who, exporter, now))), replaces };
    },
  };
}

async function answerTo(text: string, who: string, exporter: Exporter, now: Clock['now']): Promise<Answer> {
  const [command = '', ...words] = text.trim().split(/\s+/);
  const rest = words.join(' ');
  const choose = async (word: string, buttons: readonly Button[]): Promise<Answer> => {
    const [first, second] = buttons;
    if (first === undefined)
      return { text: word === '' ? `Of what? ${HELP}` : `Nothing fits ${quote(word)}.` };
    if (second === undefined) return await act(first.action, who, exporter, now);
    const more =
      buttons.length > MAX_BUTTONS ? `, the first ${MAX_BUTTONS} here. Write more of the name` : '';
    return {
      text: `${countText(buttons.length, 'match', 'matches')}${more}.`,
      buttons: buttons.slice(0, MAX_BUTTONS),
    };
  };
  switch (command.toLowerCase()) {
    case '/status':
      return answers.statusAnswer(await exporter.view(false));
    case '/silent':
      return answers.silentAnswer(await exporter.view(true));
    case '/balance':
      return answers.balanceAnswer(await exporter.view(false));
    case '/incidents':
      return answers.incidentsAnswer(await exporter.view(false));
    case '/month':
      return { text: monthText(await exporter.ask('GET', '/api/v1/month')) };
    case '/phone': {
      const phones = findPhones((await exporter.view(true)).fleet, rest);
      return await choose(
        rest,
        phones.map((phone) => ({ label: nameOf(phone), action: { does: 'phone', id: phone.id } })),
      );
    }
    case '/rack': {
      const groups = findGroups((await exporter.view(true)).fleet, rest);
      return await choose(
        rest,
        groups.map((group) => ({ label: group, action: { does: 'rack', group } })),
      );
    }
    case '/maintenance': {
      const { fleet } = await exporter.view(true);
      if (!fleet.exporter.allowsMaintenance) return { text: NO_WORD };
      const at = words.findIndex((word, index) => index > 0 && lastingOf(word) !== undefined);
      const name = at === -1 ? rest : words.slice(0, at).join(' ');
      const [lasts, reason] =
        at === -1 ? [undefined, ''] : [lastingOf(words[at]), words.slice(at + 1).join(' ')];
      const found = findTargets(fleet, name).map((target): Word => ({ target, lasts, reason }));
      return await choose(
        name,
        found.map((word) => ({ label: word.target.name, action: { does: 'askStart', word } })),
      );
    }
    case '/back': {
      const requests = findRequests((await exporter.view(false)).fleet, rest);
      if (requests.length === 0) return { text: 'Nothing is in maintenance that somebody asked for.' };
      return await choose(
        rest,
        requests.map(({ id, reason }) => ({ label: `${reason} (${id})`, action: { does: 'askEnd', id } })),
      );
    }
    default:
      return { text: HELP };
  }
}

/** Reads `2h`, or `back`. */
function lastingOf(text = ''): Word['lasts'] {
  return text.toLowerCase() === 'back' ? 'back' : parseDuration(text.toLowerCase());
}

async function act(action: Action, who: string, exporter: Exporter, now: Clock['now']): Promise<Answer> {
  switch (action.does) {
    case 'phone': {
      const month = monthText(await exporter.ask('GET', '/api/v1/month'), action.id);
      return answers.phoneAnswer(await exporter.view(true), action.id, month);
    }
    case 'rack':
      return answers.rackAnswer(await exporter.view(true), action.group);
    case 'askStart':
      return await askStart(action.word, exporter, now());
    case 'start': {
      const { target, reason } = action.word;
      const end =
        action.until === 'back' ? { until_back: true } : { until: new Date(action.until).toISOString() };
      const said = `${target.name}: ${reason === '' ? '' : `${reason} `}(${who})`;
      return outcome(
        await exporter.ask('POST', '/api/v1/maintenance', { ...target.scope, ...end, reason: said }),
        target.name,
      );
    }
    case 'askEnd': {
      const { fleet, time } = await exporter.view(false);
      const [first, ...others] = fleet.maintenance.filter(({ id }) => id === action.id);
      if (first === undefined) return { text: 'It is over already.' };
      const phones = [first, ...others].reduce((sum, each) => sum + each.phones, 0);
      const text = `${quote(first.reason)}: ${countText(phones, 'phone', 'phones')}, until ${time(first.until)}. End it? What is still wrong is told at once.`;
      return { text, buttons: [{ label: 'End it', action: { does: 'end', id: action.id } }, NO] };
    }
    case 'end':
      return outcome(
        await exporter.ask('DELETE', `/api/v1/maintenance?id=${encodeURIComponent(action.id)}`),
        action.id,
      );
    case 'nothing':
      return { text: 'Nothing was changed.' };
  }
}

/** Asks for the confirmation: what is covered, and until when. */
async function askStart(word: Word, exporter: Exporter, now: number): Promise<Answer> {
  const { fleet, time } = await exporter.view(true);
  const { target, lasts } = word;
  const phones = coveredPhones(fleet, target);
  const silent = phones.filter(isSilent).length;
  const covers = `${quote(target.name)}: ${countText(phones.length, 'phone', 'phones')}, ${silent} of them silent`;
  const latest = time(now + MAX_UNTIL_BACK);
  const start = (label: string, until: number | 'back'): Button => ({
    label,
    action: { does: 'start', word, until },
  });
  const meanwhile = 'Nothing is told of them meanwhile.';
  if (lasts === undefined) {
    const offered = OFFERED.map((each) =>
      start(`${formatDuration(each)}, until ${time(now + each)}`, now + each),
    );
    const back = start(`until back, ${latest} at the latest`, 'back');
    return { text: `${covers}. ${meanwhile} Until when?`, buttons: [...offered, back, NO] };
  }
  if (lasts !== 'back' && (lasts < MIN_DURATION || lasts > MAX_DURATION))
    return { text: 'For how long? One minute at least and 30 days at most, such as 2h.' };
  const until = lasts === 'back' ? lasts : now + lasts;
  const end = until === 'back' ? `each is back, ${latest} at the latest` : time(until);
  return { text: `${covers}, until ${end}. ${meanwhile} Is that right?`, buttons: [start('Yes', until), NO] };
}

/** Says what the exporter made of the owner's word. */
function outcome({ status, content }: ExporterAnswer, name: string): Answer {
  if (status >= 300) return { text: `Nothing was changed: ${quote(content.slice(0, 300))}` };
  const body = parseJson(content);
  const said = typeof body === 'object' && body !== null && 'text' in body ? String(body.text) : '';
  return { text: status === 201 ? `It holds. ${quote(name)}: ${said}. /back ends it.` : said };
}

const NO: Button = { label: 'No', action: { does: 'nothing' } };
