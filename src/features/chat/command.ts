import { createFileCache, readErrorText } from '../../base/files.ts';
import { limitLog } from '../../base/log.ts';
import { createOutbound, withPublicAuthorities } from '../../base/outbound.ts';
import { Secret } from '../../base/secret.ts';
import { type BotApi, connectApi, failureText, TOKEN } from '../../base/telegram.ts';
import { createTimeZone } from '../../base/time-zone.ts';
import { defineCommand, formatTable, type Io } from '../../cli/command.ts';
import { EXPORTER_URL, LOGIN_FILE, loadOwn, readLogin, requestsTo } from '../../cli/own-exporter.ts';
import { ConfigError } from '../../config/messages.ts';
import { readNetwork } from '../../config/network.ts';
import { setting } from '../../config/settings.ts';
import { onOff, type ParseResult, parseApiUrl, parsedText, parsePath } from '../../config/values.ts';
import { type TalkCheck, type TalkPart, Unavailable } from '../../fleet/talk.ts';
import { type Bot, createBot, TokenError } from './bot.ts';
import { createConversation } from './conversation.ts';
import { createExporter, type Exporter } from './exporter.ts';
import { watch } from './watch.ts';

/*
 * Answers in the owner's chat in Telegram, from the JSON of a running daemon. A process of its own: it has no open port, and
 * the daemon knows nothing of it.
 */

/** Lines of the log in any minute at most. */
const LINES_PER_MINUTE = 30;

const CHATS =
  'numbers of chats such as 123456789,-1001234567890, each perhaps with a topic as in -1001234567890/5';

const path = (what: string) => parsedText(what, (value) => parsePath(value, what));

const OPTIONS = {
  token_file: setting(path('the path of a file with the token of a bot'), {
    description:
      'File with the token of the bot, from @BotFather. It is read again when Telegram refuses it.',
    example: '/etc/hoster-exporter/telegram-token',
  }),
  chats: setting(parsedText(CHATS, parseChats), {
    description:
      'Numbers of the chats that get answers, separated by commas. All others get none. With a topic behind a slash, the morning line goes there.',
    example: '123456789,-1001234567890/5',
  }),
  url: EXPORTER_URL,
  login_file: LOGIN_FILE,
  morning_hour: setting(parsedText('an hour from 0 to 23, or nothing', parseHour).optional(), {
    description: 'Hour of the morning line, in the time zone of the owner (--time-zone); none by default.',
    example: '8',
  }),
  bot_api_url: setting(parsedText('an address such as https://api.telegram.org', parseApiUrl), {
    description: 'Address of the Bot API, for a server of your own.',
    default: 'https://api.telegram.org',
  }),
  check: setting(onOff, { description: 'Say what works, and end.', default: false }),
};

export const telegram = defineCommand({
  options: OPTIONS,
  run: async ({ flags, options }, io) => {
    const { token_file: tokenFile, login_file: loginFile, morning_hour: morningHour } = options;
    const chats = new Set(options.chats.keys());
    const { config, address } = await loadOwn(flags, io);
    const { time_zone: timeZone } = config;
    const readToken = () => readTokenFile(tokenFile, io);
    const token = await readToken().catch((error: unknown) => {
      throw error instanceof TokenError ? new ConfigError([error.message]) : error;
    });
    const { clock, random } = io;
    const login = loginFile === undefined ? undefined : await readLogin(loginFile, io);
    const exporter = createExporter(requestsTo(options.url ?? address, login), timeZone, clock);
    const files = createFileCache(io.readFile);
    await files.refresh(config.client.ca_file);
    const network = readNetwork(config.client, io.environment, files.text);
    const botApi = {
      apiRoot: options.bot_api_url.href.replace(/\/$/, ''),
      outbound: createOutbound(options.bot_api_url, withPublicAuthorities(network)),
    };
    const parts = io.features.flatMap((feature) => feature.talk?.() ?? []);
    if (options.check) {
      const rows = [...(await checkBot(token, botApi, chats)), ...(await checkExporter(exporter, parts))];
      await io.print(formatTable(['what', 'works', 'details'], rows));
      return rows.some(([, works]) => works === 'no') ? 1 : 0;
    }
    const ending = new AbortController();
    const { signal } = ending;
    const log = limitLog(io.openLog(config.log.level, config.log.format), clock, LINES_PER_MINUTE);
    const conversation = createConversation(exporter, clock, random, parts);
    const bot = createBot({ ...botApi, conversation, readToken, chats, clock, random, log, signal });
    const send: Bot['send'] = (chat, reply, topic = options.chats.get(chat)) => bot.send(chat, reply, topic);
    const working = Promise.all([
      bot.run(),
      watch({
        exporter,
        send,
        parts,
        chats,
        clock,
        timeZone: createTimeZone(timeZone),
        morningHour,
        signal,
      }),
    ]);
    log.info({ version: io.build.version, chats: chats.size }, 'answers in Telegram');
    await Promise.race([working, io.interrupted]);
    ending.abort(new Error('interrupted'));
    return 0;
  },
});

async function readTokenFile(path: string, { readFile }: Io): Promise<Secret> {
  const content = await readFile(path).catch((error: unknown) => {
    throw new TokenError(
      `--token-file: ${path} cannot be read (${readErrorText(error)}), expected a token of a bot`,
    );
  });
  if (TOKEN.test(content.trim())) return new Secret(content.trim());
  throw new TokenError(
    `--token-file: ${path} holds no token of a bot, expected the one from @BotFather alone`,
  );
}

/** Returns the topic of each chat, if it has one. */
function parseChats(text: string): ParseResult<ReadonlyMap<number, number | undefined>> {
  const parts = text.split(',').map((part) => /^(-?\d{1,15})(?:\/(\d{1,9}))?$/.exec(part.trim()));
  const chats = parts.flatMap((part) =>
    part === null ? [] : [[Number(part[1]), Number(part[2]) || undefined] as const],
  );
  return chats.length === parts.length ? { value: new Map(chats) } : { expected: CHATS };
}

function parseHour(text: string): ParseResult<number | undefined> {
  if (text === '') return { value: undefined };
  const isHour = /^\d{1,2}$/.test(text) && Number(text) < 24;
  return isHour ? { value: Number(text) } : { expected: 'an hour from 0 to 23, or nothing' };
}

/** Says what Telegram answers. Takes no updates: the service that runs would lose them. */
async function checkBot(
  token: Secret,
  botApi: BotApi,
  chats: ReadonlySet<number>,
): Promise<readonly TalkCheck[]> {
  const api = connectApi(token, botApi);
  const tried = async (what: string, act: () => Promise<string>): Promise<TalkCheck> =>
    await act().then(
      (details) => [what, 'yes', details],
      (error: unknown) => [what, 'no', failureText(error)],
    );
  const named = await tried('token', async () => `@${(await api.getMe()).username}`);
  if (named[1] === 'no') return [named];
  const { url = '' } = await api.getWebhookInfo();
  const webhook: TalkCheck = [
    'commands',
    'no',
    'a webhook of another program takes them: deleteWebhook ends that',
  ];
  const found = Array.from(chats, (chat) =>
    tried(`chat ${chat}`, async () => {
      const { title, first_name: name } = await api.getChat(chat);
      return title ?? name ?? '';
    }),
  );
  return [named, ...(url === '' ? [] : [webhook]), ...(await Promise.all(found))];
}

/** Says what the exporter answers, and what features say. */
async function checkExporter(exporter: Exporter, parts: readonly TalkPart[]): Promise<readonly TalkCheck[]> {
  try {
    const { fleet } = await exporter.view(false);
    const phones = fleet.accounts.reduce((sum, { totals }) => sum + (totals?.phones ?? 0), 0);
    const checks = parts.flatMap(({ check }) => check?.(exporter, fleet) ?? []);
    return [
      ['exporter', 'yes', `version ${fleet.exporter.version}, ${phones} phones`],
      ...(await Promise.all(checks)),
    ];
  } catch (error) {
    if (error instanceof Unavailable) return [['exporter', 'no', error.message]];
    throw error;
  }
}
