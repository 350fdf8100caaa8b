import { type Api, GrammyError, HttpError, InputFile } from 'grammy';
import { type Clock, sleep } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Secret } from '../../base/secret.ts';
import { type BotApi, connectApi, failureText, nextChatOf, threadOf } from '../../base/telegram.ts';
import { MINUTE, SECOND } from '../../model/time.ts';
import { say, sayInEnglish, speaking } from '../../text/say.ts';
import type { ChatReply, Conversation } from './conversation.ts';

/** Seconds that Telegram waits for an update. */
const POLL_SECONDS = 50;

/** Maximum number of updates in a response. */
const BATCH = 100;

/** Maximum age of a command that is still executed after an outage. */
const MAX_AGE = 5 * MINUTE;

/** Pauses between attempts after a failure. */
const REFUSED_WAIT = 10 * MINUTE;
const CONFLICT_WAIT = 30 * SECOND;
const MAX_WAIT = 5 * MINUTE;

/** Maximum `retry_after` of a message, in seconds, and maximum number of attempts. */
const MAX_RETRY_AFTER = 60;
const ATTEMPTS = 3;

/** Maximum number of strangers that the log names. */
const MAX_STRANGERS = 1_000;

/** Maximum number of update numbers to remember, so that no update is answered twice. */
const MAX_KNOWN = 1_000;

/** Maximum length of a message, in characters. */
const MAX_LENGTH = 4_096;

/** The token file contains no token. The message says what to do and does not quote the file. */
export class TokenError extends Error {}

export type BotOptions = BotApi & {
  readonly conversation: Conversation;
  /** Reads the token, which may have changed. Rejects with {@link TokenError}. */
  readonly readToken: () => Promise<Secret>;
  readonly chats: ReadonlySet<number>;
  /** Returns the language of a chat; by default English. */
  readonly languageOf?: (chat: number) => string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
};

export type Bot = {
  /** Answers until the signal aborts. Never rejects. */
  readonly run: () => Promise<void>;
  /** Sends a message; false if Telegram refuses it. */
  readonly send: (
    chat: number,
    reply: Pick<ChatReply, 'text'> & Partial<ChatReply>,
    topic?: number,
  ) => Promise<boolean>;
};

/**
 * Formats a message. Marked texts become code, in which Telegram finds no links, mentions or commands. A long text is cut at
 * the end of a line, or else between two characters: Telegram refuses half of one.
 */
export function messageOf({ text: given, keys = [] }: Pick<ChatReply, 'text'> & Partial<ChatReply>) {
  const text = given.toWellFormed();
  const line = text.lastIndexOf('\n', MAX_LENGTH - 2);
  const end = text.length <= MAX_LENGTH ? text.length : line === -1 ? MAX_LENGTH - 2 : line;
  const parts = (end < text.length ? `${text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}\n…` : text).split(
    /[\uE000\uE001]/,
  );
  let offset = 0;
  const entities = parts.flatMap((part, index) => {
    offset += part.length;
    return index % 2 === 0
      ? []
      : [{ type: 'code' as const, offset: offset - part.length, length: part.length }];
  });
  const rows = keys.map(({ label, key }) => [{ text: [...label].slice(0, 60).join(''), callback_data: key }]);
  return {
    text: parts.join(''),
    options: {
      entities,
      link_preview_options: { is_disabled: true },
      ...(rows.length > 0 && { reply_markup: { inline_keyboard: rows } }),
    },
  };
}

type Update = Awaited<ReturnType<Api['getUpdates']>>[number];
type Message = NonNullable<Update['message']>;

/** Kinds of messages other than text. None of them is kept. */
const ATTACHMENTS = [
  'photo',
  'video',
  'animation',
  'voice',
  'video_note',
  'audio',
  'document',
  'sticker',
  'location',
  'contact',
  'poll',
] as const;

/** The beginnings of alerts, and their commands, even if another bot sent them or somebody forwarded them. */
const ALERT = /^\[[\p{Lu}\p{M} ]+\]|\/(?:ack|notes)_\d/u;

/**
 * Returns the text of the message that somebody replies to, if it is one of ours or an alert. Its code, which marks text by
 * others, is marked again.
 */
function quotedIn(message: Message, self: number | undefined): string | undefined {
  const { chat, reply_to_message: replied, quote, external_reply: external } = message;
  const { from, text, caption, forward_origin: forwarded } = replied ?? {};
  const origin = forwarded ?? external?.origin;
  // An alert that was forwarded from a channel is an alert, too.
  const isForwarded = origin !== undefined && (origin.type !== 'user' || origin.sender_user.is_bot);
  const isOfBot = from?.is_bot ?? (replied !== undefined || isForwarded);
  // Each message in a topic replies to the one that opened it.
  if (
    replied?.forum_topic_created !== undefined ||
    !(isOfBot || isForwarded || replied?.is_automatic_forward)
  )
    return undefined;
  const whole = text ?? caption ?? quote?.text ?? '';
  const entities = (text === undefined ? replied?.caption_entities : replied?.entities) ?? [];
  const isOurs = isOfBot && (chat.type === 'private' || from?.id === self);
  if (!isOurs && !ALERT.test(whole)) return undefined;
  return entities
    .filter(({ type }) => type === 'code')
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((marked, { offset, length }) => {
      const end = offset + length;
      return `${marked.slice(0, offset)}\uE000${marked.slice(offset, end)}\uE001${marked.slice(end)}`;
    }, whole);
}

/** Names the author of a message. An anonymous administrator writes as the group. */
function nameOf({ from, sender_chat: sender, author_signature: signature, chat }: Message): string {
  if (sender === undefined) return from?.first_name ?? say('somebody');
  const title = sender.title ?? say('chat-group');
  if (sender.id !== chat.id) return title;
  return signature === undefined ? say('chat-administrator', { group: title }) : `${signature} (${title})`;
}

export function createBot(options: BotOptions): Bot {
  const { conversation, chats, clock, log, signal } = options;
  const strangers = new Set<number>();
  /** The reason for the last failure, by chat. It is logged once. */
  const refusals = new Map<number, string>();
  /** Chats that were notified that commands had been ignored. */
  const informed = new Set<number>();
  /** New IDs of groups that became supergroups, by their old IDs. */
  const moved = new Map<number, number>();
  let api: Api | undefined;
  let self: { readonly id: number; readonly username: string } | undefined;
  /** The last album that was answered, with or without a text. */
  let album: string | undefined;

  const inLanguageOf = <Result>(chat: number, act: () => Result): Result =>
    speaking(options.languageOf?.(chat), act);

  /** Follows an allowed group to its new ID. Returns false if it has none. */
  const follow = (chat: number, next: number | undefined): boolean => {
    if (next === undefined || moved.get(chat) === next) return false;
    moved.set(chat, next);
    log.warn({ chat, now: next }, sayInEnglish('chat-moved'));
    const text = inLanguageOf(chat, () =>
      say('chat-moved-to', { number: String(next), text: say('chat-moved') }),
    );
    void send(chat, { text }).catch(() => undefined);
    return true;
  };

  const connect = async (): Promise<Api> => {
    const token = await options.readToken();
    const connected = connectApi(token, options);
    self = await connected.getMe();
    api = connected;
    for (const chat of chats) {
      // Group IDs are negative. After a restart, their new IDs are learned here.
      if (chat < 0) await connected.getChat(chat).catch((error: unknown) => follow(chat, nextChatOf(error)));
      await showMenu(connected, chat);
    }
    return connected;
  };

  /** Shows the commands in a chat's menu. Other chats do not see it. */
  const showMenu = async (connected: Api, chat: number): Promise<void> => {
    const menu = inLanguageOf(chat, () =>
      conversation.commands.map(({ command, describe }) => ({ command, description: describe() })),
    );
    const scope = { type: 'chat', chat_id: moved.get(chat) ?? chat } as const;
    await connected.setMyCommands(menu, { scope }).catch(() => undefined);
  };

  const send: Bot['send'] = async (chat, reply, topic) => {
    const { text, options } = messageOf(reply);
    const thread = threadOf(topic);
    const place = thread === undefined ? {} : { message_thread_id: thread };
    const { file } = reply;
    const isSent = await deliver(chat, (to, by) => by.sendMessage(to, text, { ...options, ...place }));
    if (!isSent || file === undefined) return isSent;
    const document = () => new InputFile(Buffer.from(file.content), file.name);
    return await deliver(chat, (to, by) => by.sendDocument(to, document(), place));
  };

  /** Acts in a chat, and retries if Telegram asks for it. Returns false if Telegram refuses. */
  const deliver = async (
    chat: number,
    act: (chat: number, api: Api) => Promise<unknown>,
  ): Promise<boolean> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (api === undefined) return false;
        await act(moved.get(chat) ?? chat, api);
        refusals.delete(chat);
        return true;
      } catch (error) {
        const wait = follow(chat, nextChatOf(error)) ? 0 : retryAfter(error, attempt);
        if (wait > MAX_RETRY_AFTER || attempt === ATTEMPTS) {
          const reason = failureText(error);
          if (refusals.get(chat) !== reason) log.warn({ chat, reason }, 'Telegram refused a message');
          refusals.set(chat, reason);
          return false;
        }
        await sleep(clock, wait * SECOND, signal);
      }
    }
  };

  const isAllowed = (chat: number): boolean => {
    if (chats.has(chat) || [...moved.values()].includes(chat)) return true;
    if (strangers.has(chat) || strangers.size >= MAX_STRANGERS) return false;
    strangers.add(chat);
    log.warn({ chat }, 'message from a chat that is not allowed');
    return false;
  };

  /** Returns the text without the bot's name; undefined for a command to another bot. */
  const commandOf = (text: string, isForUs: boolean): string | undefined => {
    const [, command, to, rest = ''] = /^(\/\w+)(?:@(\w+))?(.*)$/s.exec(text) ?? [];
    if (command === undefined) return isForUs ? text : undefined;
    const [verb = ''] = command.toLowerCase().split('_');
    const isOurs = conversation.commands.some((each) => `/${each.command}` === verb);
    const isMeant = to === undefined ? isForUs || isOurs : to.toLowerCase() === self?.username.toLowerCase();
    return isMeant ? `${command}${rest}` : undefined;
  };

  const handle = async (bot: Api, update: Update, isLate: boolean): Promise<void> => {
    const { callback_query: tap, edited_message: edited } = update;
    const message = update.message ?? edited;
    const chat = (message ?? tap?.message)?.chat;
    const { migrate_from_chat_id: before, migrate_to_chat_id: next } = message ?? {};
    if (chat !== undefined && before !== undefined && chats.has(before)) follow(before, chat.id);
    if (chat === undefined || !isAllowed(chat.id)) return;
    // Two bots could talk forever. An anonymous administrator writes through a bot, as the group.
    if ((message ?? tap)?.from?.is_bot === true && message?.sender_chat === undefined) return;
    if (next !== undefined && chats.has(chat.id)) follow(chat.id, next);
    // A group that moved keeps its language, and its buttons.
    const [id = chat.id] = [...moved.keys()].filter((old) => moved.get(old) === chat.id);
    const earlier = options.languageOf?.(id);
    await inLanguageOf(id, async () => await react(bot, update, isLate, { id, type: chat.type }));
    if (options.languageOf?.(id) !== earlier) await showMenu(bot, id);
  };

  /** Answers an update of an allowed chat. */
  const react = async (
    bot: Api,
    update: Update,
    isLate: boolean,
    chat: { readonly id: number; readonly type: string },
  ): Promise<void> => {
    const { callback_query: tap, edited_message: edited } = update;
    const message = update.message ?? edited;
    const { is_topic_message: isTopic, message_thread_id: thread } = message ?? tap?.message ?? {};
    const topic = isTopic === true ? thread : undefined;
    if (tap !== undefined) {
      // This stops the progress indicator. Telegram refuses it for an old tap, whose age the conversation checks itself.
      await bot.answerCallbackQuery(tap.id).catch(() => undefined);
      const reply = await conversation.tap(chat.id, tap.data ?? '', tap.from.first_name);
      const { text, options } = messageOf(reply);
      const { chat: place = chat, message_id: message = 0 } = tap.message ?? {};
      const edit = () => bot.editMessageText(place.id, message, text, options);
      if (!reply.replaces || !(await edit().catch(() => false))) await send(chat.id, reply, topic);
      return;
    }
    if (message === undefined || message.is_automatic_forward === true) return;
    const written = message.text ?? message.caption ?? '';
    const quoted = quotedIn(message, self?.id);
    const isForUs = chat.type === 'private' || quoted !== undefined;
    const isNote = quoted !== undefined && written !== '' && !/^\/\w/.test(written);
    const text = isNote ? written : commandOf(written, isForUs);
    const kind = ATTACHMENTS.find((each) => message[each] !== undefined);
    // A reply without a text is a message of another kind, such as a dice or a checklist.
    const isOther = kind === undefined && quoted !== undefined && written === '';
    const attachment = kind || isOther ? say(`attachment-${kind ?? 'other'}`) : undefined;
    if (text === undefined || text === '') {
      // Each picture of an album is a message of its own, and one of them has the text.
      const isAnswered = album !== undefined && album === message.media_group_id;
      album = message.media_group_id;
      if (attachment === undefined || isAnswered || edited !== undefined) return;
      if (written !== '' || !isForUs) return;
      await send(chat.id, { text: say('chat-not-kept', { what: attachment }) }, topic);
      return;
    }
    album = message.media_group_id;
    // A late note is still valid.
    if (isLate && !isNote && !/^\/note\b/i.test(text)) {
      const late = { text: say('chat-late') };
      if (!informed.has(chat.id)) await send(chat.id, late, topic);
      informed.add(chat.id);
      return;
    }
    const origin = { quoted, id: message.message_id, topic };
    const answer = edited === undefined ? conversation.answer : conversation.edit;
    const reply = await answer(chat.id, text, nameOf(message), origin);
    if (reply === undefined) return;
    const lost =
      attachment === undefined || edited !== undefined
        ? ''
        : `\n${say('chat-text-only', { what: attachment })}`;
    await send(chat.id, { ...reply, text: `${reply.text}${lost}` }, topic);
  };

  const run = async (): Promise<void> => {
    let [offset, failures, logged] = [0, 0, ''];
    let responseAt = Number.NEGATIVE_INFINITY;
    let isBehind = true;
    // A self-hosted Bot API server may lose its offset, and Telegram may restart its numbering.
    const known = new Set<number>();
    while (!signal.aborted) {
      try {
        api ??= await connect();
        const common = { allowed_updates: ['message', 'edited_message', 'callback_query'] as const };
        const updates = await api.getUpdates({ ...common, offset, limit: BATCH, timeout: POLL_SECONDS });
        const last = updates.at(-1);
        if (last !== undefined) {
          // Without their numbers, updates cannot be confirmed and would be answered again and again.
          if (!Number.isSafeInteger(last.update_id)) throw new Error('got an update without update_id');
          // Updates are confirmed before they are executed, so that none is executed twice even if this process ends.
          await api.getUpdates({ ...common, offset: last.update_id + 1, limit: 1, timeout: 0 });
          offset = last.update_id + 1;
        }
        if (logged !== '') log.info({}, 'Telegram is responding again');
        [failures, logged] = [0, ''];
        isBehind ||= clock.uptime() - responseAt > MAX_AGE;
        for (const update of updates) {
          if (known.has(update.update_id)) continue;
          known.add(update.update_id);
          for (const oldest of known) if (known.size > MAX_KNOWN) known.delete(oldest);
          const isLate = isBehind && clock.now() - writtenAt(update) * SECOND > MAX_AGE;
          await handle(api, update, isLate).catch((error: unknown) =>
            log.warn({ reason: failureText(error) }, 'a command was not answered'),
          );
        }
        isBehind &&= updates.length === BATCH;
        if (!isBehind) informed.clear();
        responseAt = clock.uptime();
      } catch (error) {
        const { reason, wait } = problemOf(error, failures, options.random);
        if (reason !== logged) log.warn({ reason }, 'Telegram does not respond; retrying');
        if (wait === REFUSED_WAIT) api = undefined;
        [failures, logged] = [failures + 1, reason];
        await sleep(clock, wait, signal).catch(() => undefined);
      }
    }
  };
  return { run, send };
}

/**
 * Returns the seconds until a message is sent again: the `retry_after` of Telegram, or a few after a broken connection or a
 * server error. After a timeout the message may have arrived, so it is not sent again.
 */
function retryAfter(error: unknown, attempt: number): number {
  if (error instanceof HttpError)
    return error.error instanceof Error && 'code' in error.error ? attempt : Infinity;
  if (!(error instanceof GrammyError)) return Infinity;
  return error.parameters.retry_after ?? (error.error_code >= 500 ? attempt : Infinity);
}

/** Returns when a message was written or edited, in seconds since 1970; infinity for a tap. */
function writtenAt({ message, edited_message: edited }: Update): number {
  return message?.date ?? edited?.edit_date ?? Infinity;
}

/** Returns the message about a failure and the time until the next attempt. */
function problemOf(error: unknown, failures: number, random: () => number) {
  if (error instanceof TokenError) return { reason: error.message, wait: REFUSED_WAIT };
  const reason = failureText(error);
  const code = error instanceof GrammyError ? error.error_code : undefined;
  if (code === 401 || code === 404)
    return { reason: `Telegram refuses the token (${reason})`, wait: REFUSED_WAIT };
  if (code === 409) return { reason: `another program uses this token (${reason})`, wait: CONFLICT_WAIT };
  const asked = error instanceof GrammyError ? error.parameters.retry_after : undefined;
  if (asked !== undefined) return { reason, wait: asked * SECOND };
  return { reason, wait: Math.min(MAX_WAIT, 2 ** Math.min(failures, 20) * SECOND) * (0.5 + random() / 2) };
}
