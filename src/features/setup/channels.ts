import { z } from 'zod';
import { createOutbound, type Network, reasonOf } from '../../base/outbound.ts';
import { Secret } from '../../base/secret.ts';
import { connectApi, refusalOf, TOKEN } from '../../base/telegram.ts';
import { logIn, type MailServer, send } from './network.ts';
import { anew, answer, type Checked, cleanAnswer, confirm, refuse, type Talk } from './questions.ts';

/*
 * Where messages go: what each channel wants to know, and how it is checked without a message.
 */

/** The channels, and of each the file of its secret and the question for it. */
export const CHANNELS = {
  telegram: { file: 'telegram-bot-token', question: 'Token of your bot, from @BotFather' },
  ntfy: { file: 'ntfy-url', question: 'Address of your topic, such as https://ntfy.sh/my-phones-8231' },
  pushover: { file: 'pushover-token', question: 'Token of your application at pushover.net' },
  discord: { file: 'discord-webhook-url', question: 'Address of the webhook of your channel' },
  slack: { file: 'slack-webhook-url', question: 'Address of the incoming webhook of your channel' },
  mail: { file: 'smtp-password', question: 'Password of the mailbox; empty if the server wants none' },
  webhook: { file: 'webhook-url', question: 'Address that takes the alerts as JSON' },
  none: { file: '', question: '' },
} as const;

export type ChannelName = keyof typeof CHANNELS;

const CHANNEL_NAMES = Object.keys(CHANNELS).join(', ');

export function isChannel(name: string): name is ChannelName {
  return Object.hasOwn(CHANNELS, name);
}

/** Where messages go, as the next run remembers it. The secret is in a file of its own. */
export const Remembered = z.object({
  channel: z.string().refine(isChannel),
  /** The chat in Telegram, and the topic of a group with topics, 0 for none. */
  chat: z.number().optional(),
  topic: z.number().optional(),
  /** The bot answers in the chat, too. */
  bot_answers: z.boolean().optional(),
  mail_server: z.string().optional(),
  mail_address: z.string().optional(),
  /** The user at Pushover, whose devices ring. */
  pushover_user: z.string().optional(),
  /** The service responds only through the proxy of the environment. */
  is_proxied: z.boolean().optional(),
});

/** Where messages go. The secret is empty for `none`, and for a mail server that wants no password. */
export type Destination = z.output<typeof Remembered> & { readonly secret: string };

/** The answers of an earlier run. */
export type Known = Partial<Destination>;

/** Networks to try in turn: without a proxy, and through the one of the environment. */
export type Networks = readonly [Network, ...Network[]];

/** Asks where messages go, and checks each answer at the service. */
export async function askDestination(earlier: Known, talk: Talk, networks: Networks): Promise<Destination> {
  const channel = await answer<ChannelName>(talk, {
    variable: 'HOSTER_CHANNEL',
    text: `Where do messages go? One of: ${CHANNEL_NAMES}`,
    remembered: earlier.channel,
    check: async (typed) => {
      const name = typed.toLowerCase();
      return isChannel(name)
        ? { value: name }
        : { problem: `"${typed}" is none of these: ${CHANNEL_NAMES}.` };
    },
  });
  const known = earlier.channel === channel ? earlier : {};
  switch (channel) {
    case 'none':
      return { channel, secret: '' };
    case 'telegram':
      return await askTelegram(known, talk, networks);
    case 'mail':
      return await askMail(known, talk);
    case 'pushover':
      return await askPushover(known, talk, networks);
    default:
      return await askAddress(channel, known, talk, networks);
  }
}

/** Asks for the secret of a channel. */
async function askSecret<Value>(
  channel: ChannelName,
  { secret: remembered }: Known,
  talk: Talk,
  check: (secret: string) => Promise<Checked<Value>>,
  suggestion?: string,
): Promise<Value> {
  const { question: text } = CHANNELS[channel];
  const variable = 'HOSTER_CHANNEL_SECRET';
  return await answer(talk, { variable, text, remembered, suggestion, isSecret: true, check });
}

/** Calls by each way, of which the first has no proxy, until one responds. Throws what the first threw. */
async function reach<Way, Value>(
  [first, ...others]: readonly [Way, ...Way[]],
  talk: Talk,
  call: (way: Way) => Promise<Value>,
): Promise<{ readonly value: Value; readonly is_proxied: boolean }> {
  try {
    return { value: await call(first), is_proxied: false };
  } catch (error) {
    for (const way of others) {
      const value = await call(way).catch(() => undefined);
      if (value === undefined) continue;
      await talk.say('It responds only through the proxy of this environment, so messages go that way.');
      return { value, is_proxied: true };
    }
    throw error;
  }
}

async function askAddress(
  channel: 'ntfy' | 'discord' | 'slack' | 'webhook',
  known: Known,
  talk: Talk,
  networks: Networks,
): Promise<Destination> {
  return await askSecret<Destination>(channel, known, talk, async (secret) => {
    if (!/^https?:\/\/[^/]+/.test(secret) || !URL.canParse(secret))
      return { problem: 'That is no address: it should begin with https://.' };
    try {
      // Discord alone knows an address before something is sent to it.
      const method = channel === 'discord' ? 'GET' : 'HEAD';
      const { value, is_proxied } = await reach(networks, talk, (network) =>
        send(new URL(secret), method, network),
      );
      if (channel === 'discord' && [400, 401, 403, 404].includes(value.status))
        return { problem: `Discord does not know this webhook. It responds with status ${value.status}.` };
      return { value: { channel, secret, is_proxied } };
    } catch (error) {
      return { problem: reasonOf(error), orElse: { channel, secret } };
    }
  });
}

/** A user or token of Pushover. */
const PUSHOVER = /^[A-Za-z0-9]{30}$/;

async function askPushover(known: Known, talk: Talk, networks: Networks): Promise<Destination> {
  const pushover_user = await answer<string>(talk, {
    variable: 'HOSTER_PUSHOVER_USER',
    text: 'Your user key, or that of a group, at pushover.net',
    remembered: known.pushover_user,
    check: async (typed) =>
      PUSHOVER.test(typed)
        ? { value: typed }
        : { problem: 'That is no user key: it has 30 letters and digits.' },
  });
  const found = await askSecret<Destination | undefined>('pushover', known, talk, async (secret) => {
    if (!PUSHOVER.test(secret)) return { problem: 'That is no token: it has 30 letters and digits.' };
    const url = new URL('https://api.pushover.net/1/users/validate.json');
    const to = { channel: 'pushover', secret, pushover_user } as const;
    try {
      const { value, is_proxied } = await reach(networks, talk, (network) =>
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
  await refuse('Pushover does not know this user key.', 'HOSTER_PUSHOVER_USER', talk);
  return await askPushover({ ...known, pushover_user }, anew(talk), networks);
}

/** The ports of a mail server that takes messages from its users: with STARTTLS, and with TLS from the first byte. */
const MAIL_PORTS = [587, 465];

async function askMail(known: Known, talk: Talk): Promise<Destination> {
  const server = await answer<MailServer>(talk, {
    variable: 'HOSTER_MAIL_SERVER',
    text: 'Mail server, such as mail.example.com; a port may follow, as in mail.example.com:465',
    remembered: known.mail_server,
    check: findMailServer,
  });
  const mail_server = `${server.host}:${server.port}`;
  const mail_address = await answer<string>(talk, {
    variable: 'HOSTER_MAIL_ADDRESS',
    text: 'Address that sends and gets the messages',
    remembered: known.mail_address,
    check: async (typed) =>
      /^[^\s@]+@[^\s@]+$/.test(typed)
        ? { value: typed }
        : { problem: `"${typed}" is no address of mail: it should look like me@example.com.` },
  });
  const suggestion = known.secret ? undefined : '';
  const secret = await askSecret<string>('mail', known, talk, async (value) => ({ value }), suggestion);
  const problem = await logIn(server, secret === '' ? undefined : mail_address, secret);
  if (problem === undefined) return { channel: 'mail', secret, mail_server, mail_address };
  await refuse(`${mail_server} refuses this log-in: ${problem}`, 'HOSTER_CHANNEL_SECRET_FILE', talk);
  return await askMail({ ...known, mail_server, mail_address }, anew(talk));
}

async function findMailServer(typed: string): Promise<Checked<MailServer>> {
  const [, host = '', port] = /^(?:smtps?:\/\/)?([^\s:/]+)(?::(\d{1,5}))?\/?$/.exec(typed) ?? [];
  if (host === '') return { problem: `"${typed}" is no mail server: it should look like mail.example.com.` };
  const problems: string[] = [];
  for (const each of port === undefined ? MAIL_PORTS : [Number(port)]) {
    const server = { host, port: each };
    const problem = await logIn(server, undefined, '');
    if (problem === undefined) return { value: server };
    problems.push(`port ${each}: ${problem}`);
  }
  return { problem: `${host} takes no mail here (${problems.join('; ')}).` };
}

/** Returns the address of Telegram's Bot API, which may be a server of the owner. */
export function telegramApiOf({ environment }: Talk): URL {
  return new URL(environment['HOSTER_TELEGRAM_API'] || 'https://api.telegram.org');
}

/** What is known of a chat before it is named. */
type Found = { readonly chat: number; readonly topic: number | undefined };

async function askTelegram(known: Known, talk: Talk, networks: Networks): Promise<Destination> {
  const { bot, secret, is_proxied } = await askToken(known, talk, networks);
  const found = known.chat === undefined ? await findChat(bot) : undefined;
  const place = await answer<Found & { readonly isForum: boolean }>(talk, {
    variable: 'HOSTER_TELEGRAM_CHAT',
    text:
      found === undefined && known.chat === undefined
        ? 'Write a word to your bot in Telegram, then press Enter here; or type the number of the chat'
        : 'Number of the chat',
    remembered: known.chat?.toString(),
    suggestion: found?.chat.toString() ?? '',
    check: async (typed) => await checkChat(bot, typed, talk),
  });
  await talk.say(`The chat is ${place.chat}.`);
  const isTopical = place.isForum || Boolean(talk.environment['HOSTER_TELEGRAM_TOPIC']);
  const topic = isTopical ? await askTopic(known.topic ?? place.topic ?? found?.topic, talk) : undefined;
  const bot_answers = await askIfBotAnswers(known.bot_answers, talk);
  return { channel: 'telegram', secret, chat: place.chat, topic, bot_answers, is_proxied };
}

async function askIfBotAnswers(known: boolean | undefined, talk: Talk): Promise<boolean> {
  const wanted = talk.environment['HOSTER_TELEGRAM_ANSWERS'];
  if (wanted) return /^y/i.test(cleanAnswer(wanted));
  if (known === true || (known === false && talk.isQuiet)) return known;
  return await confirm('Shall the bot also answer you, such as /status?', talk);
}

type Bot = { readonly api: ReturnType<typeof connectApi> };

async function askToken(known: Known, talk: Talk, networks: Networks) {
  const url = telegramApiOf(talk);
  type Token = { readonly bot: Bot; readonly secret: string; readonly is_proxied: boolean };
  return await askSecret<Token>('telegram', known, talk, async (secret) => {
    if (!TOKEN.test(secret))
      return {
        problem: 'That is no token of a bot: it should look like 123456789:AAE…, as @BotFather wrote it.',
      };
    const connect = (network: Network): Bot => {
      const outbound = createOutbound(url, network);
      const apiRoot = url.href.replace(/\/$/, '');
      return { api: connectApi(new Secret(secret), { apiRoot, outbound }) };
    };
    const [direct, ...others] = networks;
    const first = connect(direct);
    try {
      const { value: bot, is_proxied } = await reach([first, ...others.map(connect)], talk, async (each) => {
        await each.api.getMe();
        return each;
      });
      return { value: { bot, secret, is_proxied } };
    } catch (error) {
      const { code, reason } = refusalOf(error);
      if (code === 401 || code === 404)
        return { problem: 'Telegram refuses this token. Copy it from @BotFather again.' };
      return {
        problem: `No response from Telegram: ${reason}.`,
        orElse: { bot: first, secret, is_proxied: false },
      };
    }
  });
}

/** Finds the chat in which somebody wrote to the bot last. Another program may take the updates. */
async function findChat({ api }: Bot): Promise<Found | undefined> {
  const updates = await api.getUpdates().catch(() => []);
  const last = updates.flatMap(({ message, my_chat_member: member }) => message ?? member ?? []).at(-1);
  if (last === undefined) return undefined;
  const isTopic = 'is_topic_message' in last && last.is_topic_message === true;
  return { chat: last.chat.id, topic: isTopic ? last.message_thread_id : undefined };
}

async function checkChat(
  bot: Bot,
  typed: string,
  talk: Talk,
): Promise<Checked<Found & { readonly isForum: boolean }>> {
  const found = typed === '' ? await findChat(bot) : { chat: Number(typed), topic: undefined };
  if (found === undefined) return { problem: 'Nobody wrote to the bot yet, so its chat is unknown.' };
  if (!Number.isSafeInteger(found.chat)) return { problem: `"${typed}" is no number of a chat.` };
  try {
    const chat = await bot.api.getChat(found.chat);
    return { value: { ...found, isForum: 'is_forum' in chat && chat.is_forum === true } };
  } catch (error) {
    const { code, reason, movedTo } = refusalOf(error);
    if (movedTo !== undefined) {
      await talk.say(`The group became a supergroup: its number is ${movedTo} now.`);
      return await checkChat(bot, String(movedTo), talk);
    }
    if (code !== undefined) return { problem: `Telegram refuses the chat ${found.chat}: ${reason}.` };
    return { problem: `No response from Telegram: ${reason}.`, orElse: { ...found, isForum: false } };
  }
}

async function askTopic(known: number | undefined, talk: Talk): Promise<number> {
  return await answer<number>(talk, {
    variable: 'HOSTER_TELEGRAM_TOPIC',
    text: 'Number of the topic for messages, as in the link of one of its messages; 0 for none',
    remembered: known?.toString(),
    suggestion: '0',
    check: async (typed) =>
      /^\d{1,9}$/.test(typed) ? { value: Number(typed) } : { problem: `"${typed}" is no number of a topic.` },
  });
}
