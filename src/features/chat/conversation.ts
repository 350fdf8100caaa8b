import type { Clock } from '../../base/clock.ts';
import type { FleetDocument } from '../../fleet/document.ts';
import { findGroups, findPhones, type Named } from '../../fleet/find.ts';
import {
  type Asked,
  MAX_BUTTONS,
  type TalkAnswer,
  type TalkButton,
  type TalkCommand,
  type TalkExporter,
  type TalkFile,
  type TalkPart,
  Unavailable,
} from '../../fleet/talk.ts';
import type { View } from '../../fleet/trust.ts';
import { countText } from '../../fleet/words.ts';
import { DAY, MINUTE } from '../../model/time.ts';
import {
  absentText,
  balanceText,
  incidentsText,
  offlineAnswer,
  phoneText,
  rackText,
  statusText,
} from './answers.ts';

/** Times for which a button can be tapped: one that confirms a change, and any other. */
const CONFIRM_MILLISECONDS = 5 * MINUTE;
const BUTTON_MILLISECONDS = DAY;

/** Maximum number of messages with buttons, the newest ones. */
const MAX_KEPT = 200;

/** A text to send, and the keys of its buttons. */
export type Reply = {
  readonly text: string;
  readonly keys: readonly { readonly label: string; readonly key: string }[];
  readonly file?: TalkFile | undefined;
};

/** Answers commands and taps. */
export type Conversation = {
  readonly commands: readonly TalkCommand[];
  readonly answer: (chat: number, text: string, who: string) => Promise<Reply>;
  /** `replaces`: the reply takes the place of the message with the button. */
  readonly tap: (chat: number, key: string, who: string) => Promise<Reply & { readonly replaces: boolean }>;
};

/** @param parts what features say */
export function createConversation(
  exporter: TalkExporter,
  { now }: Pick<Clock, 'now'>,
  random: () => number,
  parts: readonly TalkPart[],
): Conversation {
  const commands = [...ownCommands(parts), ...parts.flatMap((part) => part.commands ?? [])];
  const help = commands.map(({ command, description }) => `/${command} ${description}`).join('\n');
  const kept = new Map<string, { chat: number; at: number; buttons: readonly TalkButton[] }>();
  const reply = async (chat: number, make: Promise<TalkAnswer>): Promise<Reply> => {
    const {
      text,
      buttons = [],
      file,
    } = await make.catch((error: unknown): TalkAnswer => {
      if (error instanceof Unavailable) return { text: error.message };
      throw error;
    });
    const id = random().toString(36).slice(2);
    if (buttons.length > 0) kept.set(id, { chat, at: now(), buttons });
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return { text, keys: buttons.map(({ label }, index) => ({ label, key: `${id}.${index}` })), file };
  };
  return {
    commands,
    answer: (chat, text, who) => {
      const [name = '', ...words] = text.trim().split(/\s+/);
      const command = commands.find((each) => `/${each.command}` === name.toLowerCase());
      const asked: Asked = {
        ...{ exporter, now, who, words, place: chat },
        choose: (found) => choose(found, who),
        absent: noneText,
      };
      const answer = command?.answer(asked) ?? Promise.resolve({ text: help });
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
  };
}

/** Answers with a text about the fleet. */
const say =
  (textOf: (view: View) => string): TalkCommand['answer'] =>
  async ({ exporter }) => ({ text: textOf(await exporter.view(false)) });

/** Answers about the one item that a word fits, or offers a button for each of several. */
async function choose(found: readonly TalkButton[], who: string): Promise<TalkAnswer> {
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
    textOf: (exporter: TalkExporter, item: Item) => Promise<string>,
  ): TalkCommand['answer'] =>
  async ({ exporter, words, who }) => {
    const word = words.join(' ');
    const view = await exporter.view(true);
    const buttons = find(view.fleet, word).map(({ title, item }) => ({
      label: title,
      tap: async () => ({ text: await textOf(exporter, item) }),
    }));
    return buttons.length === 0 ? { text: noneText(view, word) } : await choose(buttons, who);
  };

/** The commands of the chat itself, as the menu of Telegram shows them. */
function ownCommands(parts: readonly TalkPart[]): readonly TalkCommand[] {
  return [
    {
      command: 'status',
      description: 'What needs you, what is offline, how old the data is',
      answer: say(statusText),
    },
    {
      command: 'offline',
      description: 'Offline phones, and I am on it: /offline, /offline rack-03',
      answer: async (asked) => {
        const view = await asked.exporter.view(true);
        const { text, targets } = offlineAnswer(view, asked.words.join(' '));
        const shown = targets.slice(0, MAX_BUTTONS);
        return { text, buttons: parts.flatMap((part) => part.offers?.(asked, view.fleet, shown) ?? []) };
      },
    },
    {
      command: 'phone',
      description: 'One phone: /phone slot-04',
      answer: about(findPhones, async (exporter, item) => {
        const lines = await Promise.all(parts.map(({ phone }) => phone?.(exporter, item) ?? ''));
        return phoneText(await exporter.view(true), item, parts, lines);
      }),
    },
    {
      command: 'rack',
      description: 'One group: /rack 03',
      answer: about(findGroups, async (exporter, item) => rackText(await exporter.view(true), item, parts)),
    },
    { command: 'balance', description: 'The balance', answer: say(balanceText) },
    { command: 'incidents', description: 'What was told within a day', answer: say(incidentsText) },
  ];
}
