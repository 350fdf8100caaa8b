import * as z from 'zod';
import { createOutbound, reasonOf } from '../../base/outbound.ts';
import { Secret } from '../../base/secret.ts';
import { connectApi, refusalOf, TOKEN, threadOf, tryChat } from '../../base/telegram.ts';
import { ConfigError, showText } from '../../config/messages.ts';
import { say } from '../../text/say.ts';
import { findWay, logIn, type MailServer, type Networks, send, type Way } from './network.ts';
import {
  answer,
  type Checked,
  confirm,
  isUnattended,
  refuse,
  type Wizard,
  withoutAnswers,
  yesOrNo,
} from './questions.ts';

/*
 * The channels for alerts: their questions, and how the answers are checked. Only a Telegram chat gets a message for that: a
 * silent one, which is then deleted.
 */

/** The channels, each with the file for its secret. */
export const CHANNELS = {
  telegram: { file: 'telegram-bot-token' },
  ntfy: { file: 'ntfy-url' },
  pushover: { file: 'pushover-token' },
  discord: { file: 'discord-webhook-url' },
  slack: { file: 'slack-webhook-url' },
  mail: { file: 'smtp-password' },
  webhook: { file: 'webhook-url' },
  none: { file: '' },
} as const;

export type ChannelName = keyof typeof CHANNELS;

const CHANNEL_NAMES = Object.keys(CHANNELS).join(', ');

export function isChannel(name: string): name is ChannelName {
  return Object.hasOwn(CHANNELS, name);
}

/** The answers that the next run remembers. The secret has its own file. */
export const Remembered = z.object({
  channel: z.string().refine(isChannel),
  /** The Telegram chat, and the topic if it is a group with topics; 0 for none. */
  chat: z.number().optional(),
  topic: z.number().optional(),
  bot_answers: z.boolean().optional(),
  mail_server: z.string().optional(),
  mail_address: z.string().optional(),
  /** The user that logs in to the mail server; by default the address. */
  mail_user: z.string().optional(),
  pushover_user: z.string().optional(),
  /** The service responds only through the environment's proxy. */
  is_proxied: z.boolean().optional(),
  has_watchdog: z.boolean().optional(),
  /** The language of the installation, even if it is English, which needs no setting. */
  language: z.string().optional(),
});

/** The channel and its settings. The secret is empty for `none` and for a mail server without a password. */
export type Destination = z.output<typeof Remembered> & { readonly secret: string };

/** @property watchdog its address, empty if there should be none */
export type EarlierAnswers = Partial<Destination> & { readonly watchdog?: string };

/** Asks for the channel, and checks each answer with the service. */
export async function askDestination(
  earlier: EarlierAnswers,
  wizard: Wizard,
  networks: Networks,
): Promise<Destination> {
  const channel = await answer<ChannelName>(wizard, {
    variable: 'HOSTER_CHANNEL',
    text: say('setup-ask-channel', { channels: CHANNEL_NAMES }),
    remembered: earlier.channel,
    check: async (typed) => {
      const name = typed.toLowerCase();
      return isChannel(name)
        ? { value: name }
        : { problem: say('setup-unknown-channel', { typed: showText(typed), channels: CHANNEL_NAMES }) };
    },
  });
  const known = earlier.channel === channel ? earlier : {};
  switch (channel) {
    case 'none':
      return { channel, secret: '' };
    case 'telegram':
      return await askTelegram(known, wizard, networks);
    case 'mail':
      return await askMail(known, wizard);
    case 'pushover':
      return await askPushover(known, wizard, networks);
    default:
      return await askAddress(channel, known, wizard, networks);
  }
}

async function askSecret<Value>(
  channel: ChannelName,
  { secret: remembered }: EarlierAnswers,
  wizard: Wizard,
  check: (secret: string) => Promise<Checked<Value>>,
  suggestion?: string,
): Promise<Value> {
  const text = say(`setup-secret-${channel}`);
  const variable = 'HOSTER_CHANNEL_SECRET';
  return await answer(wizard, { variable, text, remembered, suggestion, isSecret: true, check });
}

/** Finds the way to a service, and says if it leads through the proxy. */
export async function findServiceWay(url: URL, wizard: Wizard, networks: Networks): Promise<Way> {
  const way = await findWay(url, networks);
  if (way.is_proxied) await wizard.print(say('setup-service-proxied'));
  return way;
}

export const noAddress = (): string => say('setup-no-address');

/** Returns a web address; undefined for any other text. */
export function parseAddress(text: string): URL | undefined {
  return /^https?:\/\/[^/]+/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

async function askAddress(
  channel: 'ntfy' | 'discord' | 'slack' | 'webhook',
  known: EarlierAnswers,
  wizard: Wizard,
  networks: Networks,
): Promise<Destination> {
  return await askSecret<Destination>(channel, known, wizard, async (secret) => {
    const url = parseAddress(secret);
    if (url === undefined) return { problem: noAddress() };
    if (channel !== 'webhook' && /^\/*$/.test(url.pathname))
      return { problem: channel === 'ntfy' ? say('setup-no-topic') : say('setup-no-webhook') };
    try {
      const { network, is_proxied } = await findServiceWay(url, wizard, networks);
      const to = { channel, secret, is_proxied };
      // Only Discord can check an address without a message being sent.
      const { status } = channel === 'discord' ? await send(url, 'GET', network) : { status: 200 };
      if (status >= 400 && status <= 404)
        return {
          problem: say('setup-discord-unknown', { status }),
          orElse: to,
          isWrong: true,
        };
      return { value: to };
    } catch (error) {
      return { problem: reasonOf(error), orElse: { channel, secret, is_proxied: known.is_proxied } };
    }
  });
}

/** A user or token of Pushover. */
const PUSHOVER = /^[A-Za-z0-9]{30}$/;

async function askPushover(known: EarlierAnswers, wizard: Wizard, networks: Networks): Promise<Destination> {
  const pushover_user = await answer<string>(wizard, {
    variable: 'HOSTER_PUSHOVER_USER',
    text: say('setup-ask-pushover-user'),
    remembered: known.pushover_user,
    check: async (typed) =>
      PUSHOVER.test(typed) ? { value: typed } : { problem: say('setup-no-pushover-user') },
  });
  const found = await askSecret<Destination | undefined>('pushover', known, wizard, async (secret) => {
    if (!PUSHOVER.test(secret)) return { problem: say('setup-no-pushover-token') };
    const url = new URL('https://api.pushover.net/1/users/validate.json');
    const to = { channel: 'pushover', secret, pushover_user, is_proxied: known.is_proxied } as const;
    try {
      const { network, is_proxied } = await findServiceWay(url, wizard, networks);
      const json = { token: secret, user: pushover_user };
      const { content, status } = await send(url, 'POST', network, json);
      if (content.includes('"token":"invalid"'))
        return { problem: say('setup-pushover-refused'), orElse: to, isWrong: true };
      if (content.includes('"user":"invalid"')) return { value: undefined };
      if (status === 200) return { value: { ...to, is_proxied } };
      return { problem: say('setup-pushover-status', { status }), orElse: to };
    } catch (error) {
      return { problem: reasonOf(error), orElse: to };
    }
  });
  if (found !== undefined) return found;
  const isKept = isUnattended(wizard) && known.pushover_user === pushover_user && known.secret !== undefined;
  await refuse(say('setup-pushover-unknown'), 'HOSTER_PUSHOVER_USER', wizard, isKept);
  if (isKept)
    return { channel: 'pushover', secret: known.secret, pushover_user, is_proxied: known.is_proxied };
  return await askPushover({ ...known, pushover_user }, withoutAnswers(wizard), networks);
}

/** Mail submission ports: with STARTTLS, and with TLS from the first byte. */
const MAIL_PORTS = [587, 465];

async function askMail(known: EarlierAnswers, wizard: Wizard): Promise<Destination> {
  const server = await answer<MailServer>(wizard, {
    variable: 'HOSTER_MAIL_SERVER',
    text: say('setup-ask-mail-server'),
    remembered: known.mail_server,
    check: findMailServer,
  });
  const mail_server = `${server.host}:${server.port}`;
  const mail_address = await answer<string>(wizard, {
    variable: 'HOSTER_MAIL_ADDRESS',
    text: say('setup-ask-mail-address'),
    remembered: known.mail_address,
    check: async (typed) =>
      /^[^\s@]+@[^\s@]+$/.test(typed)
        ? { value: typed }
        : { problem: say('setup-no-mail-address', { typed: showText(typed) }) },
  });
  const mail_user = await answer<string>(wizard, {
    variable: 'HOSTER_MAIL_USER',
    text: say('setup-ask-mail-user'),
    remembered: known.mail_user ?? (known.mail_address && mail_address),
    suggestion: mail_address,
    check: async (typed) => ({ value: typed }),
  });
  const suggestion = known.secret ? undefined : '';
  const secret = await askSecret<string>('mail', known, wizard, async (value) => ({ value }), suggestion);
  const problem = await logIn(server, secret === '' ? undefined : mail_user, secret);
  const answers = { mail_server, mail_address, mail_user };
  const isKept = isUnattended(wizard) && known.secret === secret && known.mail_server === mail_server;
  if (problem !== undefined)
    await refuse(
      say('setup-mail-refused', { server: mail_server, problem }),
      'HOSTER_CHANNEL_SECRET_FILE',
      wizard,
      isKept,
    );
  if (problem === undefined || isKept) return { channel: 'mail', secret, ...answers };
  return await askMail({ ...known, ...answers }, withoutAnswers(wizard));
}

async function findMailServer(typed: string): Promise<Checked<MailServer>> {
  const [, host = '', port] = /^(?:smtps?:\/\/)?([^\s:/]+)(?::(\d{1,5}))?\/?$/.exec(typed) ?? [];
  if (host === '') return { problem: say('setup-no-mail-server', { typed: showText(typed) }) };
  const problems: string[] = [];
  for (const each of port === undefined ? MAIL_PORTS : [Number(port)]) {
    const server = { host, port: each };
    const problem = await logIn(server, undefined, '');
    if (problem === undefined) return { value: server };
    problems.push(`port ${each}: ${problem}`);
  }
  const problem = say('setup-mail-not-accepted', { host, problems: problems.join('; ') });
  return { problem, orElse: { host, port: Number(port ?? MAIL_PORTS[0]) }, isWrong: true };
}

/** Returns the address of Telegram's Bot API, or of the owner's own server. */
export function telegramApiOf({ environment }: Wizard): URL {
  const given = environment['HOSTER_TELEGRAM_API'] || 'https://api.telegram.org';
  if (URL.canParse(given)) return new URL(given);
  throw new ConfigError([
    `HOSTER_TELEGRAM_API: got ${showText(given)}, expected an address such as http://127.0.0.1:8081`,
  ]);
}

type ChatPlace = { readonly chat: number; readonly topic: number | undefined };

/** A chat, and whether it is a group with topics or a channel. */
type FoundChat = ChatPlace & { readonly isForum: boolean; readonly isChannel: boolean };

async function askTelegram(known: EarlierAnswers, wizard: Wizard, networks: Networks): Promise<Destination> {
  const { bot, secret, is_proxied } = await askToken(known, wizard, networks);
  const found = known.chat === undefined ? await findChat(bot) : undefined;
  const hasTopic = Boolean(known.topic || wizard.environment['HOSTER_TELEGRAM_TOPIC']);
  const place = await answer<FoundChat>(wizard, {
    variable: 'HOSTER_TELEGRAM_CHAT',
    text:
      found === undefined && known.chat === undefined
        ? say('setup-ask-first-message')
        : say('setup-ask-chat'),
    remembered: known.chat?.toString(),
    suggestion: found?.chat.toString() ?? '',
    check: async (typed) => await checkChat(bot, typed, wizard, hasTopic),
  });
  const { chat, isForum, isChannel } = place;
  await wizard.print(say('setup-using-chat', { number: String(chat) }));
  const suggested = known.topic ?? place.topic ?? found?.topic;
  const topic = isForum || hasTopic ? await askTopic(bot, chat, suggested, wizard) : undefined;
  if (isChannel) await wizard.print(say('setup-channel-only'));
  const bot_answers = !isChannel && (await askIfBotAnswers(known.bot_answers, wizard));
  return { channel: 'telegram', secret, chat, topic, bot_answers, is_proxied };
}

async function askIfBotAnswers(known: boolean | undefined, wizard: Wizard): Promise<boolean> {
  const wanted = yesOrNo('HOSTER_TELEGRAM_ANSWERS', wizard);
  if (wanted !== undefined) return wanted;
  if (known !== undefined && wizard.isQuiet) return known;
  return await confirm(say('setup-ask-bot-answers'), wizard, known);
}

type TelegramBot = ReturnType<typeof connectApi>;

async function askToken(known: EarlierAnswers, wizard: Wizard, networks: Networks) {
  const url = telegramApiOf(wizard);
  type Token = { readonly bot: TelegramBot; readonly secret: string; readonly is_proxied: boolean };
  return await askSecret<Token>('telegram', known, wizard, async (secret) => {
    if (!TOKEN.test(secret)) return { problem: say('setup-no-token') };
    const tokenFor = ({ network, is_proxied }: Way): Token => {
      const apiRoot = url.href.replace(/\/$/, '');
      const bot = connectApi(new Secret(secret), { apiRoot, outbound: createOutbound(url, network) });
      return { bot, secret, is_proxied };
    };
    let value = tokenFor({ network: networks[0], is_proxied: known.is_proxied === true });
    try {
      value = tokenFor(await findServiceWay(url, wizard, networks));
      await value.bot.getMe();
      return { value };
    } catch (error) {
      const { code, reason } = refusalOf(error);
      if (code === 401 || code === 404) {
        const problem = say('setup-token-refused');
        return { problem, orElse: value, isWrong: true };
      }
      return { problem: say('setup-telegram-silent', { reason }), orElse: value };
    }
  });
}

/** Finds the chat with the last message to the bot. Another program may already have fetched the updates. */
async function findChat(api: TelegramBot): Promise<ChatPlace | undefined> {
  const updates = await api.getUpdates().catch(() => []);
  const last = updates.flatMap(({ message, my_chat_member: member }) => message ?? member ?? []).at(-1);
  if (last === undefined) return undefined;
  const isTopic = 'is_topic_message' in last && last.is_topic_message === true;
  return { chat: last.chat.id, topic: isTopic ? last.message_thread_id : undefined };
}

/** @param hasTopic the chat is tried with its topic, which is the next question */
async function checkChat(
  bot: TelegramBot,
  typed: string,
  wizard: Wizard,
  hasTopic: boolean,
): Promise<Checked<FoundChat>> {
  const found = typed === '' ? await findChat(bot) : { chat: Number(typed), topic: undefined };
  if (found === undefined) return { problem: say('setup-no-message') };
  if (!Number.isSafeInteger(found.chat)) return { problem: say('setup-no-chat', { typed: showText(typed) }) };
  try {
    const chat = await bot.getChat(found.chat);
    const isForum = 'is_forum' in chat && chat.is_forum === true;
    if (!isForum && !hasTopic) await tryChat(bot, found.chat, undefined);
    return { value: { ...found, isForum, isChannel: chat.type === 'channel' } };
  } catch (error) {
    const { code, reason, movedTo } = refusalOf(error);
    if (movedTo !== undefined) {
      await wizard.print(say('setup-supergroup', { number: String(movedTo) }));
      return await checkChat(bot, String(movedTo), wizard, hasTopic);
    }
    const orElse = { ...found, isForum: false, isChannel: false };
    return refused(
      code,
      reason,
      say('setup-telegram-refused-chat', { number: String(found.chat), reason }),
      orElse,
    );
  }
}

function refused<Value>(
  code: number | undefined,
  reason: string,
  refusal: string,
  orElse: Value,
): Checked<Value> {
  return code === undefined
    ? { problem: say('setup-telegram-silent', { reason }), orElse }
    : { problem: refusal, orElse, isWrong: true };
}

async function askTopic(
  bot: TelegramBot,
  chat: number,
  known: number | undefined,
  wizard: Wizard,
): Promise<number> {
  return await answer<number>(wizard, {
    variable: 'HOSTER_TELEGRAM_TOPIC',
    text: say('setup-ask-topic'),
    remembered: known?.toString(),
    suggestion: '0',
    check: async (typed) => {
      if (!/^\d{1,9}$/.test(typed))
        return { problem: say('setup-no-topic-number', { typed: showText(typed) }) };
      const topic = threadOf(Number(typed)) ?? 0;
      try {
        await tryChat(bot, chat, topic);
        return { value: topic };
      } catch (error) {
        const { code, reason } = refusalOf(error);
        return refused(
          code,
          reason,
          say('setup-telegram-refused-topic', { number: String(topic), reason }),
          topic,
        );
      }
    },
  });
}
