import { readErrorText } from '../../base/files.ts';
import { limitLog } from '../../base/log.ts';
import { createOutbound } from '../../base/outbound.ts';
import { Secret } from '../../base/secret.ts';
import { type BotApi, connectApi, failureText, TOKEN, threadOf, tryChat } from '../../base/telegram.ts';
import { createTimeZone } from '../../base/time-zone.ts';
import { defineCommand, formatTable, type Io } from '../../cli/command.ts';
import { EXPORTER_URL, LOGIN_FILE, loadOwn, readLogin, requestsTo } from '../../cli/own-exporter.ts';
import { isSet } from '../../config/environment.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { onOff, type ParseResult, parseApiUrl, parsedText, parsePath } from '../../config/values.ts';
import { type ChatCheck, type ChatPart, Unavailable } from '../../fleet/chat.ts';
import { fleetParser } from '../../fleet/document.ts';
import { MINUTE } from '../../model/time.ts';
import { type Bot, createBot, TokenError } from './bot.ts';
import { createConversation } from './conversation.ts';
import { createExporter, type Exporter } from './exporter.ts';
import { createSentDates } from './sent.ts';
import { watch } from './watch.ts';

/*
 * Answers commands in Telegram from the JSON of a running daemon. It is a process of its own without an open port, and the
 * daemon does not know about it.
 */

const LINES_PER_MINUTE = 30;

const CHATS =
  'chat numbers such as 123456789,-1001234567890, optionally with a topic, as in -1001234567890/5';

const HOUR_EXPECTED = 'an hour from 0 to 23, or nothing';

const path = (what: string) => parsedText(what, (value) => parsePath(value, what));

const OPTIONS = {
  token_file: setting(path('the path of a file with a bot token'), {
    description: 'File with the bot token from @BotFather. It is read again when Telegram refuses the token.',
    example: '/etc/hoster-exporter/telegram-token',
  }),
  chats: setting(parsedText(CHATS, parseChats), {
    description:
      'Numbers of the chats that get answers, separated by commas. Other chats are ignored. A topic after a slash gets the morning message.',
    example: '123456789,-1001234567890/5',
  }),
  url: EXPORTER_URL,
  login_file: LOGIN_FILE,
  morning_hour: setting(parsedText(HOUR_EXPECTED, parseHour).optional(), {
    description: 'Hour of the morning message, in the time zone of --time-zone; none by default.',
    example: '8',
  }),
  reports: setting(onOff, {
    description: 'Send the reports of the week and of the month, at the hour of the morning message or at 8.',
    default: true,
  }),
  bot_api_url: setting(parsedText('an address such as https://api.telegram.org', parseApiUrl), {
    description: 'Address of the Bot API, if you run your own server.',
    default: 'https://api.telegram.org',
  }),
  state_file: setting(path('the path of a file that this program may write').optional(), {
    description:
      'File that remembers which reports were sent, so that a restart sends what was missed and nothing twice; by default next to the token file.',
    example: '/var/lib/hoster-exporter-telegram/reports.json',
  }),
  check: setting(onOff, { description: 'Test the setup and exit.', default: false }),
};

export const telegram = defineCommand({
  options: OPTIONS,
  run: async ({ flags, options }, io) => {
    const { token_file: tokenFile, login_file: loginFile, morning_hour: morningHour } = options;
    const chats = new Set(options.chats.keys());
    const { config, address, network } = await loadOwn(flags, io);
    // The chat has its own zone if a flag, a variable or the configuration names one. UTC is the configuration's default.
    const isOwnZone = flags.has('time_zone') || isSet(io.environment, 'HOSTER_TIME_ZONE');
    const timeZone = isOwnZone || config.time_zone !== 'UTC' ? config.time_zone : undefined;
    const readToken = () => readTokenFile(tokenFile, io);
    const token = await readToken().catch((error: unknown) => {
      throw error instanceof TokenError ? new ConfigError([error.message]) : error;
    });
    const { clock, random } = io;
    const login = loginFile === undefined ? undefined : await readLogin(loginFile, io);
    // Adding up a large fleet's month takes a while.
    const requests = requestsTo(options.url ?? address, login, network, MINUTE);
    const exporter = createExporter(requests, fleetParser(io.features), timeZone, clock);
    const botApi = {
      apiRoot: options.bot_api_url.href.replace(/\/$/, ''),
      outbound: createOutbound(options.bot_api_url, network),
    };
    const parts = io.features.flatMap((feature) => feature.chat?.() ?? []);
    if (options.check) {
      const rows = [
        ...(await checkBot(token, botApi, options.chats)),
        ...(await checkExporter(exporter, parts)),
      ];
      await io.print(formatTable(['what', 'works', 'details'], rows));
      return rows.some(([, works]) => works === 'no') ? 1 : 0;
    }
    const ending = new AbortController();
    const { signal } = ending;
    const log = limitLog(io.openLog(config.log.level, config.log.format), clock, LINES_PER_MINUTE);
    const kept = createSentDates(options.state_file ?? `${tokenFile}.reports.json`, log);
    // The menus of the chats are in their languages.
    await kept.load();
    const languageOf = (chat: number) => kept.languageOf(chat) ?? config.language ?? exporter.language();
    const conversation = createConversation(exporter, clock, random, parts, kept.setLanguage);
    const shared = { chats, languageOf, clock, log, signal };
    const bot = createBot({ ...botApi, ...shared, conversation, readToken, random });
    const send: Bot['send'] = (chat, reply, topic = options.chats.get(chat)) => bot.send(chat, reply, topic);
    const working = Promise.all([
      bot.run(),
      watch({
        ...shared,
        exporter,
        send,
        parts,
        morningHour,
        timeZone: timeZone === undefined ? undefined : createTimeZone(timeZone),
        dates: kept,
        sendsReports: options.reports,
      }),
    ]);
    log.info({ version: io.build.version, chats: chats.size }, 'answering in Telegram');
    await Promise.race([working, io.interrupted]);
    ending.abort(new Error('interrupted'));
    return 0;
  },
});

async function readTokenFile(path: string, { readFile }: Io): Promise<Secret> {
  const content = await readFile(path).catch((error: unknown) => {
    throw new TokenError(
      `--token-file: ${path} cannot be read (${readErrorText(error)}), expected a file with a bot token`,
    );
  });
  if (TOKEN.test(content.trim())) return new Secret(content.trim());
  throw new TokenError(
    `--token-file: ${path} contains no bot token, expected only the token from @BotFather`,
  );
}

function parseChats(text: string): ParseResult<ReadonlyMap<number, number | undefined>> {
  const parts = text.split(',').map((part) => /^(-?\d{1,15})(?:\/(\d{1,9}))?$/.exec(part.trim()));
  const chats = parts.flatMap((part) =>
    part === null ? [] : [[Number(part[1]), threadOf(Number(part[2] ?? 0))] as const],
  );
  return chats.length === parts.length ? { value: new Map(chats) } : { expected: CHATS };
}

function parseHour(text: string): ParseResult<number | undefined> {
  if (text === '') return { value: undefined };
  const isHour = /^\d{1,2}$/.test(text) && Number(text) < 24;
  return isHour ? { value: Number(text) } : { expected: HOUR_EXPECTED };
}

/** Tests the bot and each chat, with a silent message. Fetches no updates, which the running service would lose. */
async function checkBot(
  token: Secret,
  botApi: BotApi,
  chats: ReadonlyMap<number, number | undefined>,
): Promise<readonly ChatCheck[]> {
  const api = connectApi(token, botApi);
  const tried = async (what: string, act: () => Promise<readonly ['yes' | 'off', string]>) =>
    await act().then(
      ([works, details]): ChatCheck => [what, works, details],
      (error: unknown): ChatCheck => [what, 'no', failureText(error)],
    );
  const named = await tried('token', async () => ['yes', `@${(await api.getMe()).username}`]);
  if (named[1] === 'no') return [named];
  const { url = '' } = await api.getWebhookInfo();
  const webhook: ChatCheck = [
    'commands',
    'no',
    'a webhook of another program gets them: remove it with deleteWebhook',
  ];
  const found = Array.from(chats, ([chat, topic]) =>
    tried(topic === undefined ? `chat ${chat}` : `chat ${chat}/${topic}`, async () => {
      const { title, first_name: name, type } = await api.getChat(chat);
      await tryChat(api, chat, topic);
      const called = title ?? name ?? '';
      if (type !== 'channel') return ['yes', called];
      return ['off', `${called}: a channel gets alerts and reports, but nobody can send commands there`];
    }),
  );
  return [named, ...(url === '' ? [] : [webhook]), ...(await Promise.all(found))];
}

async function checkExporter(exporter: Exporter, parts: readonly ChatPart[]): Promise<readonly ChatCheck[]> {
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
