import type { Clock } from '../../base/clock.ts';
import {
  type ChatAnswer,
  type ChatButton,
  type ChatCommand,
  type ChatExporter,
  type ChatFile,
  type ChatPart,
  type ChatRequest,
  MAX_BUTTONS,
  Unavailable,
} from '../../fleet/chat.ts';
import type { FleetDocument } from '../../fleet/document.ts';
import { findGroups, findPhones, type Named } from '../../fleet/find.ts';
import type { FleetView } from '../../fleet/trust.ts';
import { cleanName } from '../../model/text.ts';
import { DAY, MINUTE } from '../../model/time.ts';
import {
  absentText,
  balanceText,
  incidentsText,
  offlineAnswer,
  phoneText,
  rackText,
  statusText,
  WORDS,
} from './words.ts';

/** Lifetimes of buttons: of one that confirms a change, and of any other. */
const CONFIRM_MILLISECONDS = 5 * MINUTE;
const BUTTON_MILLISECONDS = DAY;

/** Maximum number of messages with buttons that are kept, the newest ones. */
const MAX_KEPT = 200;

/** A text to send, and the keys of its buttons. */
export type ChatReply = {
  readonly text: string;
  readonly keys: readonly { readonly label: string; readonly key: string }[];
  readonly file?: ChatFile | undefined;
};

/** Answers commands and taps. */
export type Conversation = {
  readonly commands: readonly ChatCommand[];
  /** @param quoted the message that it replies to, if {@link takesReply} */
  readonly answer: (chat: number, text: string, who: string, quoted?: string) => Promise<ChatReply>;
  /** Reports whether a reply to a message is a command. */
  readonly takesReply: (quoted: string) => boolean;
  /** `replaces`: the reply replaces the message with the button. */
  readonly tap: (
    chat: number,
    key: string,
    who: string,
  ) => Promise<ChatReply & { readonly replaces: boolean }>;
};

/** @param parts the parts of features */
export function createConversation(
  exporter: ChatExporter,
  { now }: Pick<Clock, 'now'>,
  random: () => number,
  parts: readonly ChatPart[],
): Conversation {
  const commands = [...ownCommands(parts), ...parts.flatMap((part) => part.commands ?? [])];
  const help = commands.map(({ command, description }) => `/${command} ${description}`).join('\n');
  const replyTo = (quoted: string) => parts.map((part) => part.reply?.(quoted)).find(Boolean);
  const kept = new Map<string, { chat: number; at: number; buttons: readonly ChatButton[] }>();
  const reply = async (chat: number, make: Promise<ChatAnswer>): Promise<ChatReply> => {
    const {
      text,
      buttons = [],
      file,
    } = await make.catch((error: unknown): ChatAnswer => {
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
    takesReply: (quoted) => replyTo(quoted) !== undefined,
    answer: (chat, text, who, quoted) => {
      const all = cleanName(text).trim().split(/\s+/);
      const answerReply = quoted === undefined ? undefined : replyTo(quoted);
      // Telegram makes a command with its arguments a link if they are one word: /ack_1764288123.
      const [name = '', ...words] =
        answerReply === undefined ? [...(all[0] ?? '').split('_'), ...all.slice(1)] : ['', ...all];
      const command = commands.find((each) => `/${each.command}` === name.toLowerCase());
      const request: ChatRequest = {
        ...{ exporter, now, who, words, place: chat },
        choose: (found) => choose(found, who),
        absent: noneText,
      };
      const answer = (answerReply ?? command?.answer)?.(request) ?? Promise.resolve({ text: help });
      return reply(chat, answer);
    },
    tap: async (chat, key, who) => {
      const [id = '', index] = key.split('.');
      const message = kept.get(id);
      const button = message?.chat === chat ? message.buttons[Number(index)] : undefined;
      const replaces = button?.decides === true;
      const age = now() - (message?.at ?? 0);
      if (message?.chat === chat && message.buttons.length === 0)
        return { text: WORDS.answered, keys: [], replaces: false };
      if (button === undefined || age > (replaces ? CONFIRM_MILLISECONDS : BUTTON_MILLISECONDS))
        return { text: WORDS.tooOld, keys: [], replaces: false };
      // A second tap does nothing.
      if (replaces) kept.set(id, { chat, at: now(), buttons: [] });
      return { ...(await reply(chat, button.tap(who))), replaces };
    },
  };
}

/** Answers with a text about the fleet. */
const textAnswer =
  (textOf: (view: FleetView) => string): ChatCommand['answer'] =>
  async ({ exporter }) => ({ text: textOf(await exporter.view(false)) });

/** Taps the only button, or offers several. */
async function choose(found: readonly ChatButton[], who: string): Promise<ChatAnswer> {
  const [first, second] = found;
  if (first !== undefined && second === undefined) return await first.tap(who);
  return { text: WORDS.matches(found.length, MAX_BUTTONS), buttons: found.slice(0, MAX_BUTTONS) };
}

const noneText = (view: FleetView, word: string) => (word === '' ? WORDS.which : absentText(view, word));

/** Answers about the items that a word matches. Buttons outlive the document, so none of them closes over it. */
const about =
  <Item>(
    find: (fleet: FleetDocument, word: string) => readonly Named<Item>[],
    textOf: (exporter: ChatExporter, item: Item) => Promise<string>,
  ): ChatCommand['answer'] =>
  async ({ exporter, words, who }) => {
    const word = words.join(' ');
    const view = await exporter.view(true);
    const buttons = find(view.fleet, word).map(({ title, item }) => ({
      label: title,
      tap: async () => ({ text: await textOf(exporter, item) }),
    }));
    return buttons.length === 0 ? { text: noneText(view, word) } : await choose(buttons, who);
  };

/** The commands of the chat itself, with their descriptions in the menu of Telegram. */
function ownCommands(parts: readonly ChatPart[]): readonly ChatCommand[] {
  return [
    {
      command: 'status',
      description: WORDS.status,
      answer: textAnswer(statusText),
    },
    {
      command: 'offline',
      description: WORDS.offline,
      answer: async (request) => {
        const view = await request.exporter.view(true);
        const { text, targets } = offlineAnswer(view, request.words.join(' '));
        const shown = targets.slice(0, MAX_BUTTONS);
        return { text, buttons: parts.flatMap((part) => part.offers?.(request, view.fleet, shown) ?? []) };
      },
    },
    {
      command: 'phone',
      description: WORDS.phone,
      answer: about(findPhones, async (exporter, item) => {
        const lines = await Promise.all(parts.map(({ phone }) => phone?.(exporter, item) ?? ''));
        return phoneText(await exporter.view(true), item, parts, lines);
      }),
    },
    {
      command: 'rack',
      description: WORDS.rack,
      answer: about(findGroups, async (exporter, item) => rackText(await exporter.view(true), item, parts)),
    },
    { command: 'balance', description: WORDS.balance, answer: textAnswer(balanceText) },
    { command: 'incidents', description: WORDS.incidents, answer: textAnswer(incidentsText) },
  ];
}
