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
  quote,
  Unavailable,
} from '../../fleet/chat.ts';
import type { FleetDocument } from '../../fleet/document.ts';
import { findGroups, findPhones, type Named, namedIn, phonesNamedIn } from '../../fleet/find.ts';
import type { GroupCount } from '../../fleet/phones.ts';
import type { FleetView } from '../../fleet/trust.ts';
import { keysOf } from '../../model/enums.ts';
import { cleanName } from '../../model/text.ts';
import { DAY, MINUTE } from '../../model/time.ts';
import { LANGUAGES, type Language, say, speaking } from '../../text/say.ts';
import {
  absentText,
  balanceText,
  greetingText,
  offlineAnswer,
  phoneText,
  rackText,
  shortLabels,
  statusText,
} from './words.ts';

/** Lifetime of a button that confirms a change, and of any other button. */
const CONFIRM_MILLISECONDS = 5 * MINUTE;
const BUTTON_MILLISECONDS = DAY;

/** Maximum number of messages whose buttons are kept: the newest ones. */
const MAX_KEPT = 200;

/** A text to send, and the keys of its buttons. */
export type ChatReply = {
  readonly text: string;
  readonly keys: readonly { readonly label: string; readonly key: string }[];
  readonly file?: ChatFile | undefined;
};

/** Where a text comes from, other than a new message of its own. */
export type Origin = {
  /** The text of the bot's message that it replies to. Text by others is marked as {@link quote} does. */
  readonly quoted?: string | undefined;
  /** The message. If it is edited later, whatever it saved is corrected. */
  readonly id?: number | undefined;
  readonly topic?: number | undefined;
};

/** Answers commands and taps. */
export type Conversation = {
  readonly commands: readonly ChatCommand[];
  readonly answer: (chat: number, text: string, who: string, origin?: Origin) => Promise<ChatReply>;
  /** Answers an edited message that corrects a note or has become one. Resolves to undefined for any other. */
  readonly edit: (chat: number, text: string, who: string, origin: Origin) => Promise<ChatReply | undefined>;
  /** `replaces`: the reply replaces the message with the button. */
  readonly tap: (
    chat: number,
    key: string,
    who: string,
  ) => Promise<ChatReply & { readonly replaces: boolean }>;
};

/** A message that has saved something, or may do so through its buttons. */
type Saved = { readonly text: string; readonly correct: ChatAnswer['correct'] };

/** The buttons of a message, and the message that they answer. */
type Kept = { chat: number; at: number; buttons: readonly ChatButton[]; from: string | undefined };

/**
 * @param parts the parts of features
 * @param setLanguage keeps the language of a chat
 */
export function createConversation(
  exporter: ChatExporter,
  { now }: Pick<Clock, 'now'>,
  random: () => number,
  parts: readonly ChatPart[],
  setLanguage: (chat: number, language: Language) => Promise<void> = async () => {},
): Conversation {
  const help: ChatCommand['answer'] = async () => {
    const list = commands.map(({ command, describe }) => `/${command} ${describe()}`);
    const greeting = await exporter.view(true).then(greetingText, (error: unknown) => {
      if (error instanceof Unavailable) return error.message;
      throw error;
    });
    return { text: [greeting, ...list].join('\n') };
  };
  const commands: readonly ChatCommand[] = [
    ...ownCommands(parts),
    ...parts.flatMap((part) => part.commands ?? []),
    ownCommand('language', async ({ place, words: [word] }) =>
      chooseLanguage(word?.toLowerCase(), (language) => setLanguage(place.chat, language)),
    ),
    ownCommand('help', help),
  ];
  const answerReply = parts.find((part) => part.reply !== undefined)?.reply ?? help;
  const kept = new Map<string, Kept>();
  const saved = new Map<string, Saved>();
  const reply = async (
    chat: number,
    make: Promise<ChatAnswer>,
    from: string | undefined,
  ): Promise<ChatReply> => {
    const before = from === undefined ? undefined : saved.get(from);
    const {
      text,
      buttons = [],
      file,
      correct,
    } = await make.catch((error: unknown): ChatAnswer => {
      if (!(error instanceof Unavailable)) throw error;
      const isLost = before !== undefined && before.correct === undefined;
      return { text: isLost ? `${error.message} ${say('chat-note-again')}` : error.message };
    });
    if (from !== undefined && before !== undefined && correct !== undefined)
      saved.set(from, { ...before, correct });
    const id = random().toString(36).slice(2);
    if (buttons.length > 0) kept.set(id, { chat, at: now(), buttons, from });
    for (const map of [kept, saved])
      for (const oldest of map.keys()) if (map.size > MAX_KEPT) map.delete(oldest);
    const labels = shortLabels(buttons.map(({ label }) => label));
    return { text, keys: labels.map((label, index) => ({ label, key: `${id}.${index}` })), file };
  };
  const parse = (text: string, quoted: string | undefined) => {
    const all = cleanName(text).trim().split(/\s+/);
    // Telegram makes a command with its arguments a link if they are one word: /ack_1764288123.
    const [name = '', ...rest] = [...(all[0] ?? '').split('_').filter(Boolean), ...all.slice(1)];
    // "status" works without its slash, but a sentence that replies to an alert is a note.
    const isCommand = /^\/\w/.test(name) || quoted === undefined || all.length === 1;
    const word = name.toLowerCase().replace(/^\/|[.,!?…]+$/g, '');
    const command = commands.find((each) => isCommand && each.command === word);
    const isNote =
      command === undefined ? quoted !== undefined && !/^\/\w/.test(name) : command.command === 'note';
    return { command, isNote, words: command === undefined ? all : rest };
  };
  const keyOf = (chat: number, id: number | undefined) => (id === undefined ? undefined : `${chat}/${id}`);
  const answer: Conversation['answer'] = async (chat, text, who, { quoted, id, topic = 1 } = {}) => {
    const { command, isNote, words } = parse(text, quoted);
    const from = keyOf(chat, id);
    if (from !== undefined && isNote) saved.set(from, { text, correct: undefined });
    const about = { exporter, now, place: { chat, topic } };
    const muting = parts.find(({ mute }) => mute !== undefined)?.mute;
    const request: ChatRequest = {
      ...about,
      ...{ who, quoted, words },
      mute: muting && ((...of) => muting(about, ...of)),
      choose: (found, question) => choose(found, who, question),
      absent: noneText,
    };
    const isReply = quoted !== undefined && !/^\s*\/\w/.test(text);
    return await reply(chat, (command?.answer ?? (isReply ? answerReply : help))(request), from);
  };
  return {
    commands,
    answer,
    edit: async (chat, text, who, origin) => {
      const from = keyOf(chat, origin.id);
      const before = from === undefined ? undefined : saved.get(from);
      if (before?.text === text) return undefined;
      if (from === undefined || before?.correct === undefined)
        return parse(text, origin.quoted).isNote ? await answer(chat, text, who, origin) : undefined;
      saved.set(from, { ...before, text });
      return await reply(chat, before.correct(text, who), from);
    },
    tap: async (chat, key, who) => {
      const [id = '', index] = key.split('.');
      const message = kept.get(id);
      const button = message?.chat === chat ? message.buttons[Number(index)] : undefined;
      const replaces = button?.decides === true;
      const age = now() - (message?.at ?? 0);
      if (message?.chat === chat && message.buttons.length === 0)
        return { text: say('chat-button-used'), keys: [], replaces: false };
      if (button === undefined || age > (replaces ? CONFIRM_MILLISECONDS : BUTTON_MILLISECONDS))
        return { text: say('chat-button-expired'), keys: [], replaces: false };
      // A second tap does nothing.
      if (replaces) kept.set(id, { chat, at: now(), buttons: [], from: undefined });
      return { ...(await reply(chat, button.tap(who), message?.from)), replaces };
    },
  };
}

/** Sets a chat's language, or offers all languages by their own names. */
async function chooseLanguage(
  word: string | undefined,
  keep: (language: Language) => Promise<void>,
): Promise<ChatAnswer> {
  const codes = keysOf(LANGUAGES);
  const set = async (language: Language): Promise<ChatAnswer> => {
    await keep(language);
    return { text: speaking(language, () => say('chat-language-set')) };
  };
  const named = codes.find((code) => code === word || LANGUAGES[code].toLowerCase() === word);
  if (named !== undefined) return await set(named);
  const buttons = codes.map((code) => ({ label: LANGUAGES[code], tap: async () => await set(code) }));
  const text =
    word === undefined ? say('chat-language-choose') : say('chat-language-unknown', { typed: quote(word) });
  return { text, buttons };
}

const textAnswer =
  (textOf: (view: FleetView) => string): ChatCommand['answer'] =>
  async ({ exporter }) => ({ text: textOf(await exporter.view(false)) });

/** Taps the only button, or offers several. With a question, it offers a single one, too. */
async function choose(found: readonly ChatButton[], who: string, question?: string): Promise<ChatAnswer> {
  const [first, second] = found;
  if (question === undefined && first !== undefined && second === undefined) return await first.tap(who);
  const buttons = found.slice(0, MAX_BUTTONS);
  const count = found.length;
  const matches =
    count > MAX_BUTTONS
      ? say('chat-matches-first', { count, shown: MAX_BUTTONS })
      : say('chat-matches', { count });
  if (question === undefined) return { text: matches, buttons };
  return { text: found.length > MAX_BUTTONS ? `${question} ${matches}` : question, buttons };
}

const noneText = (view: FleetView, word: string) =>
  word === '' ? say('chat-which') : absentText(view, word);

/** Lists the groups that a message names, and those of the phones that it names. */
function groupsNamedIn(fleet: FleetDocument, message: string): readonly Named<GroupCount>[] {
  const phones = phonesNamedIn(fleet, message);
  return [...new Set(phones.map(({ group }) => group))].flatMap((name) =>
    findGroups(fleet, name).filter(({ item }) =>
      phones.some(({ account, group }) => account === item.account && group === item.group),
    ),
  );
}

/** Answers about the items that a word matches, or that the replied-to message names. Buttons outlive the document. */
const about =
  <Item>(
    find: (fleet: FleetDocument, word: string) => readonly Named<Item>[],
    named: (fleet: FleetDocument, message: string) => readonly Named<Item>[],
    textOf: (exporter: ChatExporter, item: Item) => Promise<string>,
  ): ChatCommand['answer'] =>
  async ({ exporter, words, quoted, who }) => {
    const word = words.join(' ');
    const view = await exporter.view(true);
    const found = word === '' && quoted !== undefined ? named(view.fleet, quoted) : find(view.fleet, word);
    const buttons = found.map(({ title, item }) => ({
      label: title,
      tap: async () => ({ text: await textOf(exporter, item) }),
    }));
    return buttons.length === 0 ? { text: noneText(view, word) } : await choose(buttons, who);
  };

type OwnCommand = 'status' | 'offline' | 'phone' | 'rack' | 'balance' | 'language' | 'help';

/** Creates one of the chat's own commands, with its description in Telegram's menu. */
function ownCommand(command: OwnCommand, answer: ChatCommand['answer']): ChatCommand {
  return { command, describe: () => say(`chat-${command}-command`), answer };
}

function ownCommands(parts: readonly ChatPart[]): readonly ChatCommand[] {
  const phone = about(
    findPhones,
    (fleet, message) => namedIn(fleet, message).phones,
    async (exporter, item) => {
      const lines = await Promise.all(parts.map((part) => part.phone?.(exporter, item) ?? ''));
      return phoneText(await exporter.view(true), item, parts, lines);
    },
  );
  const rack = about(findGroups, groupsNamedIn, async (exporter, item) =>
    rackText(await exporter.view(true), item, parts),
  );
  const offline: ChatCommand['answer'] = async (request) => {
    const view = await request.exporter.view(true);
    const word = request.words.join(' ');
    const named = word === '' ? phonesNamedIn(view.fleet, request.quoted ?? '') : [];
    const { text, visits } = offlineAnswer(view, word, named.length === 0 ? undefined : named);
    const shown = visits.slice(0, MAX_BUTTONS);
    return { text, buttons: parts.flatMap((part) => part.offers?.(request, view, shown) ?? []) };
  };
  const rackOrPhone: ChatCommand['answer'] = async (request) => {
    const { fleet } = await request.exporter.view(true);
    const word = request.words.join(' ');
    // The name of a phone that is in no such group.
    const isPhone = findGroups(fleet, word).length === 0 && findPhones(fleet, word).length > 0;
    return await (isPhone ? phone : rack)(request);
  };
  return [
    ownCommand('status', textAnswer(statusText)),
    ownCommand('offline', offline),
    ownCommand('phone', phone),
    ownCommand('rack', rackOrPhone),
    ownCommand('balance', textAnswer(balanceText)),
  ];
}
