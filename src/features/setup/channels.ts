import * as z from 'zod';
import { createOutbound, type Network, reasonOf } from '../../base/outbound.ts';
import { Secret } from '../../base/secret.ts';
import { connectApi, refusalOf, TOKEN } from '../../base/telegram.ts';
import { ConfigError, showText } from '../../config/messages.ts';
import { logIn, type MailServer, send } from './network.ts';
import {
  answer,
  type Checked,
  cleanAnswer,
  confirm,
  refuse,
  type Wizard,
  withoutAnswers,
} from './questions.ts';

/*
 * The channels for alerts: their questions, and how the answers are checked without sending a message.
 */

/** The channels, each with the file of its secret and the question for it. */
export const CHANNELS = {
  telegram: { file: 'telegram-bot-token', question: 'Token of your bot, from @BotFather' },
  ntfy: { file: 'ntfy-url', question: 'Address of your topic, such as https://ntfy.sh/my-phones-8231' },
  pushover: { file: 'pushover-token', question: 'Token of your application at pushover.net' },
  discord: { file: 'discord-webhook-url', question: 'Address of the webhook of your channel' },
  slack: { file: 'slack-webhook-url', question: 'Address of the incoming webhook of your channel' },
  mail: { file: 'smtp-password', question: 'Password of the mailbox; empty if the server needs none' },
  webhook: { file: 'webhook-url', question: 'Address that receives the alerts as JSON' },
  none: { file: '', question: '' },
} as const;

export type ChannelName = keyof typeof CHANNELS;

const CHANNEL_NAMES = Object.keys(CHANNELS).join(', ');

export function isChannel(name: string): name is ChannelName {
  return Object.hasOwn(CHANNELS, name);
}

/** The answers that the next run remembers. The secret has its own file. */
export const Remembered = z.object({
  channel: z.string().refine(isChannel),
  /** The chat in Telegram, and the topic of a group with topics, 0 for none. */
  chat: z.number().optional(),
  topic: z.number().optional(),
  /** The bot also answers commands in the chat. */
  bot_answers: z.boolean().optional(),
  mail_server: z.string().optional(),
  mail_address: z.string().optional(),
  /** The user that logs in at the mail server; by default the address. */
  mail_user: z.string().optional(),
  /** The user at Pushover. */
  pushover_user: z.string().optional(),
  /** The service responds only through the proxy of the environment. */
  is_proxied: z.boolean().optional(),
});

/** The channel and its settings. The secret is empty for `none` and for a mail server without a password. */
export type Destination = z.output<typeof Remembered> & { readonly secret: string };

/** The answers of an earlier run. */
export type EarlierAnswers = Partial<Destination>;

/** Networks to try in turn: without a proxy, and through the proxy of the environment. */
export type Networks = readonly [Network, ...Network[]];

/** Asks for the channel and checks each answer at the service. */
export async function askDestination(
  earlier: EarlierAnswers,
  wizard: Wizard,
  networks: Networks,
): Promise<Destination> {
  const channel = await answer<ChannelName>(wizard, {
    variable: 'HOSTER_CHANNEL',
    text: `Where should alerts be sent? One of: ${CHANNEL_NAMES}`,
    remembered: earlier.channel,
    check: async (typed) => {
      const name = typed.toLowerCase();
      return isChannel(name)
        ? { value: name }
        : { problem: `Unknown channel ${showText(typed)}. Expected one of: ${CHANNEL_NAMES}.` };
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

/** Asks for the secret of a channel. */
async function askSecret<Value>(
  channel: ChannelName,
  { secret: remembered }: EarlierAnswers,
  wizard: Wizard,
  check: (secret: string) => Promise<Checked<Value>>,
  suggestion?: string,
): Promise<Value> {
  const { question: text } = CHANNELS[channel];
  const variable = 'HOSTER_CHANNEL_SECRET';
  return await answer(wizard, { variable, text, remembered, suggestion, isSecret: true, check });
}

/** Calls directly, then through proxies, until one responds. Throws the error of the first call. */
async function callInTurn<Way, Value>(
  [first, ...others]: readonly [Way, ...Way[]],
  wizard: Wizard,
  call: (way: Way) => Promise<Value>,
): Promise<{ readonly value: Value; readonly is_proxied: boolean }> {
  try {
    return { value: await call(first), is_proxied: false };
  } catch (error) {
    for (const way of others) {
      const value = await call(way).catch(() => undefined);
      if (value === undefined) continue;
      await wizard.print(
        'The service responds only through the proxy in your environment, so alerts will use it.',
      );
      return { value, is_proxied: true };
    }
    throw error;
  }
}

async function askAddress(
  channel: 'ntfy' | 'discord' | 'slack' | 'webhook',
  known: EarlierAnswers,
  wizard: Wizard,
  networks: Networks,
): Promise<Destination> {
  return await askSecret<Destination>(channel, known, wizard, async (secret) => {
    if (!/^https?:\/\/[^/]+/.test(secret) || !URL.canParse(secret))
      return { problem: 'That is not an address: it should begin with https://.' };
    if (channel !== 'webhook' && /^\/*$/.test(new URL(secret).pathname))
      return { problem: `That address names no ${channel === 'ntfy' ? 'topic' : 'webhook'}.` };
    try {
      // Only Discord recognizes an address before a message is sent.
      const method = channel === 'discord' ? 'GET' : 'HEAD';
      const { value, is_proxied } = await callInTurn(networks, wizard, (network) =>
        send(new URL(secret), method, network),
      );
      if (channel === 'discord' && [400, 401, 403, 404].includes(value.status))
        return { problem: `Discord does not know this webhook (status ${value.status}).` };
      return { value: { channel, secret, is_proxied } };
    } catch (error) {
      return { problem: reasonOf(error), orElse: { channel, secret } };
    }
  });
}

/** A user or token of Pushover. */
const PUSHOVER = /^[A-Za-z0-9]{30}$/;

async function askPushover(known: EarlierAnswers, wizard: Wizard, networks: Networks): Promise<Destination> {
  const pushover_user = await answer<string>(wizard, {
    variable: 'HOSTER_PUSHOVER_USER',
    text: 'Your user key or group key from pushover.net',
    remembered: known.pushover_user,
    check: async (typed) =>
      PUSHOVER.test(typed)
        ? { value: typed }
        : { problem: 'That is not a user key, which has 30 letters and digits.' },
  });
  const found = await askSecret<Destination | undefined>('pushover', known, wizard, async (secret) => {
    if (!PUSHOVER.test(secret)) return { problem: 'That is not a token, which has 30 letters and digits.' };
    const url = new URL('https://api.pushover.net/1/users/validate.json');
    const to = { channel: 'pushover', secret, pushover_user } as const;
    try {
      const { value, is_proxied } = await callInTurn(networks, wizard, (network) =>
        send(url, 'POST', network, { token: secret, user: pushover_user }),
      );
      if (value.content.includes('"token":"invalid"')) return { problem: 'Pushover refuses this token.' };
      if (value.content.includes('"user":"invalid"')) return { value: undefined };
      if (value.status === 200) return { value: { ...to, is_proxied } };
      return { problem: `Pushover responds with status ${value.status}.`, orElse: to };
    } catch (error) {
      return { problem: reasonOf(error), orElse: to };
    }
  });
  if (found !== undefined) return found;
  await refuse('Pushover does not know this user key.', 'HOSTER_PUSHOVER_USER', wizard);
  return await askPushover({ ...known, pushover_user }, withoutAnswers(wizard), networks);
}

/** Submission ports of mail servers: with STARTTLS, and with TLS from the first byte. */
const MAIL_PORTS = [587, 465];

async function askMail(known: EarlierAnswers, wizard: Wizard): Promise<Destination> {
  const server = await answer<MailServer>(wizard, {
    variable: 'HOSTER_MAIL_SERVER',
    text: 'Mail server, such as mail.example.com, optionally with a port, as in mail.example.com:465',
    remembered: known.mail_server,
    check: findMailServer,
  });
  const mail_server = `${server.host}:${server.port}`;
  const mail_address = await answer<string>(wizard, {
    variable: 'HOSTER_MAIL_ADDRESS',
    text: 'Address that sends and receives the alerts',
    remembered: known.mail_address,
    check: async (typed) =>
      /^[^\s@]+@[^\s@]+$/.test(typed)
        ? { value: typed }
        : { problem: `${showText(typed)} is not a mail address such as me@example.com.` },
  });
  const mail_user = await answer<string>(wizard, {
    variable: 'HOSTER_MAIL_USER',
    text: 'User of the mail server',
    remembered: known.mail_user ?? (known.mail_address && mail_address),
    suggestion: mail_address,
    check: async (typed) => ({ value: typed }),
  });
  const suggestion = known.secret ? undefined : '';
  const secret = await askSecret<string>('mail', known, wizard, async (value) => ({ value }), suggestion);
  const problem = await logIn(server, secret === '' ? undefined : mail_user, secret);
  const answers = { mail_server, mail_address, mail_user };
  if (problem === undefined) return { channel: 'mail', secret, ...answers };
  await refuse(`${mail_server} refused the login: ${problem}`, 'HOSTER_CHANNEL_SECRET_FILE', wizard);
  return await askMail({ ...known, ...answers }, withoutAnswers(wizard));
}

async function findMailServer(typed: string): Promise<Checked<MailServer>> {
  const [, host = '', port] = /^(?:smtps?:\/\/)?([^\s:/]+)(?::(\d{1,5}))?\/?$/.exec(typed) ?? [];
  if (host === '') return { problem: `${showText(typed)} is not a mail server such as mail.example.com.` };
  const problems: string[] = [];
  for (const each of port === undefined ? MAIL_PORTS : [Number(port)]) {
    const server = { host, port: each };
    const problem = await logIn(server, undefined, '');
    if (problem === undefined) return { value: server };
    problems.push(`port ${each}: ${problem}`);
  }
  return { problem: `${host} does not accept mail here (${problems.join('; ')}).` };
}

/** Returns the address of the Bot API of Telegram, or of the owner's own server. */
export function telegramApiOf({ environment }: Wizard): URL {
  const given = environment['HOSTER_TELEGRAM_API'] || 'https://api.telegram.org';
  if (URL.canParse(given)) return new URL(given);
  throw new ConfigError([
    `HOSTER_TELEGRAM_API: got ${showText(given)}, expected an address such as http://127.0.0.1:8081`,
  ]);
}

/** A chat and its topic. */
type ChatPlace = { readonly chat: number; readonly topic: number | undefined };

async function askTelegram(known: EarlierAnswers, wizard: Wizard, networks: Networks): Promise<Destination> {
  const { bot, secret, is_proxied } = await askToken(known, wizard, networks);
  const found = known.chat === undefined ? await findChat(bot) : undefined;
  const place = await answer<ChatPlace & { readonly isForum: boolean }>(wizard, {
    variable: 'HOSTER_TELEGRAM_CHAT',
    text:
      found === undefined && known.chat === undefined
        ? 'Send your bot any message in Telegram, then press Enter here; or type the chat number'
        : 'Chat number',
    remembered: known.chat?.toString(),
    suggestion: found?.chat.toString() ?? '',
    check: async (typed) => await checkChat(bot, typed, wizard),
  });
  await wizard.print(`Using chat ${place.chat}.`);
  const isTopical = place.isForum || Boolean(wizard.environment['HOSTER_TELEGRAM_TOPIC']);
  const topic = isTopical ? await askTopic(known.topic ?? place.topic ?? found?.topic, wizard) : undefined;
  const bot_answers = await askIfBotAnswers(known.bot_answers, wizard);
  return { channel: 'telegram', secret, chat: place.chat, topic, bot_answers, is_proxied };
}

async function askIfBotAnswers(known: boolean | undefined, wizard: Wizard): Promise<boolean> {
  const wanted = wizard.environment['HOSTER_TELEGRAM_ANSWERS'];
  if (wanted) return /^y/i.test(cleanAnswer(wanted));
  if (known !== undefined && wizard.isQuiet) return known;
  return await confirm('Should the bot also answer commands such as /status?', wizard, known);
}

type TelegramBot = { readonly api: ReturnType<typeof connectApi> };

async function askToken(known: EarlierAnswers, wizard: Wizard, networks: Networks) {
  const url = telegramApiOf(wizard);
  type Token = { readonly bot: TelegramBot; readonly secret: string; readonly is_proxied: boolean };
  return await askSecret<Token>('telegram', known, wizard, async (secret) => {
    if (!TOKEN.test(secret))
      return { problem: 'That is not a bot token such as 123456789:AAE… from @BotFather.' };
    const connect = (network: Network): TelegramBot => {
      const outbound = createOutbound(url, network);
      const apiRoot = url.href.replace(/\/$/, '');
      return { api: connectApi(new Secret(secret), { apiRoot, outbound }) };
    };
    const [direct, ...others] = networks;
    const first = connect(direct);
    try {
      const { value: bot, is_proxied } = await callInTurn(
        [first, ...others.map(connect)],
        wizard,
        async (each) => {
          await each.api.getMe();
          return each;
        },
      );
      return { value: { bot, secret, is_proxied } };
    } catch (error) {
      const { code, reason } = refusalOf(error);
      if (code === 401 || code === 404)
        return { problem: 'Telegram refused this token. Copy it from @BotFather again.' };
      return {
        problem: `No response from Telegram: ${reason}.`,
        orElse: { bot: first, secret, is_proxied: false },
      };
    }
  });
}

/** Finds the chat with the last message to the bot. Another program may have fetched the updates. */
async function findChat({ api }: TelegramBot): Promise<ChatPlace | undefined> {
  const updates = await api.getUpdates().catch(() => []);
  const last = updates.flatMap(({ message, my_chat_member: member }) => message ?? member ?? []).at(-1);
  if (last === undefined) return undefined;
  const isTopic = 'is_topic_message' in last && last.is_topic_message === true;
  return { chat: last.chat.id, topic: isTopic ? last.message_thread_id : undefined };
}

async function checkChat(
  bot: TelegramBot,
  typed: string,
  wizard: Wizard,
): Promise<Checked<ChatPlace & { readonly isForum: boolean }>> {
  const found = typed === '' ? await findChat(bot) : { chat: Number(typed), topic: undefined };
  if (found === undefined) return { problem: 'The bot has received no message yet.' };
  if (!Number.isSafeInteger(found.chat)) return { problem: `${showText(typed)} is not a chat number.` };
  try {
    const chat = await bot.api.getChat(found.chat);
    return { value: { ...found, isForum: 'is_forum' in chat && chat.is_forum === true } };
  } catch (error) {
    const { code, reason, movedTo } = refusalOf(error);
    if (movedTo !== undefined) {
      await wizard.print(`The group became a supergroup. Its number is now ${movedTo}.`);
      return await checkChat(bot, String(movedTo), wizard);
    }
    if (code !== undefined) return { problem: `Telegram refused chat ${found.chat}: ${reason}.` };
    return { problem: `No response from Telegram: ${reason}.`, orElse: { ...found, isForum: false } };
  }
}

async function askTopic(known: number | undefined, wizard: Wizard): Promise<number> {
  return await answer<number>(wizard, {
    variable: 'HOSTER_TELEGRAM_TOPIC',
    text: 'Number of the topic for alerts, from the link of one of its messages; 0 for none',
    remembered: known?.toString(),
    suggestion: '0',
    check: async (typed) =>
      /^\d{1,9}$/.test(typed)
        ? { value: Number(typed) }
        : { problem: `${showText(typed)} is not a topic number.` },
  });
}
