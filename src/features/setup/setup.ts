import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { KeyError, parseKey } from '../../base/api-key.ts';
import { readOptional } from '../../base/files.ts';
import type { Network } from '../../base/outbound.ts';
import { ConfigError } from '../../config/messages.ts';
import { parseApiUrl, parseTimeZone } from '../../config/values.ts';
import { askDestination, CHANNELS, isChannel, type Known } from './channels.ts';
import { type PlannedFile, writeFile, writeFiles } from './files.ts';
import { answer, askTogether, type Checked, confirm, refuse, type Talk } from './questions.ts';
import { configurationOf, routesOf } from './routes.ts';

/*
 * The one set of questions: the account and where messages go, checked, and written as the files that the programs read.
 */

/** Where the files go, and how the programs that read them see them. */
export type Places = {
  readonly directory: string;
  /** The key file, as the exporter sees it. */
  readonly keyFile: string;
  /** Folder of the secrets of messages, as Alertmanager sees it. */
  readonly secretsFolder: string;
  /** Folder of the templates of messages, as Alertmanager sees it. */
  readonly templatesFolder: string;
  /** Files that every user may read, for containers with users of their own. */
  readonly isShared: boolean;
};

export type SetupContext = Places & {
  readonly talk: Talk;
  readonly alertmanagerVersion: string;
  /** Returns `alertmanager.CHANNEL.yml` of this project. */
  readonly readRoutes: (channel: string) => Promise<string>;
  /** Time zone of the machine. */
  readonly ownTimeZone: string;
  readonly telegramApi: URL;
  readonly direct: Network;
  /** Undefined where the environment names no proxy. */
  readonly proxied: Network | undefined;
  /** Sends a request to each endpoint of the API, as `check` does. */
  readonly checkAccount: (configuration: string, key: string, isProxied: boolean) => Promise<AccountFinding>;
};

/** What the API responds to the answers. */
export type AccountFinding = {
  /** The list of phones can be read. */
  readonly works: boolean;
  /** The API cannot say whether the answers are right, as it does not respond or fails. */
  readonly isOutage: boolean;
  /** Sentences about the endpoints. */
  readonly findings: string;
};

const Remembered = z.object({
  channel: z.string().refine(isChannel).optional(),
  chat: z.number().optional(),
  topic: z.number().optional(),
  bot_answers: z.boolean().optional(),
  mail_server: z.string().optional(),
  mail_address: z.string().optional(),
  pushover_user: z.string().optional(),
  is_proxied: z.boolean().optional(),
});

const Account = z.object({
  accounts: z
    .array(z.looseObject({ api_url: z.string(), api_key_file: z.string(), currency: z.string().optional() }))
    .length(1),
  time_zone: z.string().optional(),
});

/** Paths of the files in the directory. */
export const FILES = {
  configuration: 'exporter/hoster-exporter.yml',
  key: 'exporter/key',
  routes: 'alertmanager/alertmanager.yml',
  secrets: 'alertmanager/secrets',
  answers: 'setup.yml',
} as const;

/** Reads where messages go from the answers of an earlier run. */
export async function readAnswers(directory: string): Promise<Known> {
  const text = await readOptional(join(directory, FILES.answers));
  const known = Remembered.safeParse(text === undefined ? {} : parse(text));
  if (!known.success) return {};
  const { channel, ...others } = known.data;
  if (channel === undefined || channel === 'none') return { channel };
  const secret = await readOptional(join(directory, FILES.secrets, CHANNELS[channel].file));
  return { channel, ...others, secret: secret?.trim() };
}

/**
 * Asks, checks, and writes the files.
 *
 * @returns false if the person did not want the changes; nothing is written then
 * @throws ConfigError where an answer cannot be used and nobody can be asked for another; nothing is written then
 */
export async function setUp(context: SetupContext): Promise<boolean> {
  const { talk, directory, isShared, direct, proxied, telegramApi } = context;
  const account = await askAccount(context);
  await talk.say('');
  const networks = proxied === undefined ? [direct] : [direct, proxied];
  const to = await askDestination(await readAnswers(directory), { talk, telegramApi, networks });
  const routes = routesOf(await context.readRoutes(to.channel), to, {
    version: context.alertmanagerVersion,
    secretsFolder: context.secretsFolder,
    templatesFolder: context.templatesFolder,
    proxy: proxied?.proxies?.https,
    telegramApi:
      telegramApi.hostname === 'api.telegram.org' ? undefined : telegramApi.href.replace(/\/$/, ''),
  });
  if ('problem' in routes) throw new ConfigError([routes.problem]);
  const { secret, ...answers } = to;
  const file = (path: string, text: string, mode: number): PlannedFile => ({
    path: join(directory, path),
    name: path,
    text,
    mode: isShared ? 0o644 : mode,
    isSecret: path === FILES.key || path.startsWith(FILES.secrets),
    hidden: secret,
  });
  const planned = [
    file(FILES.configuration, account.configuration, 0o644),
    ...(account.key === undefined ? [] : [file(FILES.key, `${account.key}\n`, 0o600)]),
    file(FILES.routes, routes.text, 0o640),
    ...(secret === '' ? [] : [file(join(FILES.secrets, CHANNELS[to.channel].file), secret, 0o640)]),
  ];
  if (!(await writeFiles(planned, talk))) return false;
  const derived = {
    secret_file: secret === '' ? undefined : CHANNELS[to.channel].file,
    // As `telegram --chats` takes them.
    chats: to.topic ? `${to.chat}/${to.topic}` : to.chat,
  };
  const text = `# Answers of \`hoster-exporter setup\`, for its next run.\n${stringify({ ...answers, ...derived })}`;
  await writeFile(join(directory, FILES.answers), text, 0o644);
  // Every file in it can be read by all.
  if (isShared) await chmod(directory, 0o700);
  return true;
}

type AccountFiles = { readonly configuration: string; readonly key: string | undefined };

/** Asks for the account until the API accepts it, or the person goes on anyway. Several accounts stay as they are. */
async function askAccount(context: SetupContext): Promise<AccountFiles> {
  const { talk, directory } = context;
  const existing = await readOptional(join(directory, FILES.configuration));
  const known = Account.safeParse(existing === undefined ? {} : parse(existing));
  if (existing !== undefined && !known.success && /^accounts:/m.test(existing)) {
    await talk.say(`The accounts in ${FILES.configuration} stay as they are.`);
    return { configuration: existing, key: undefined };
  }
  const earlier = known.data?.accounts[0];
  const earlierKey = (await readOptional(join(directory, FILES.key)))?.trim() || undefined;
  let earlierUrl = earlier?.api_url;
  return await askTogether<AccountFiles>(talk, async (asking) => {
    const api_url: string = await answer<string>(
      {
        variable: 'HOSTER_API_URL',
        text: "Address of your marketplace's API",
        remembered: earlierUrl,
        check: async (typed) => await checkUrl(typed, talk),
      },
      asking,
    );
    const key: string = await answer<string>(
      {
        variable: 'HOSTER_API_KEY',
        text: 'API key',
        remembered: earlierKey,
        isSecret: true,
        check: async (typed) => checkKey(typed),
      },
      asking,
    );
    const settings = {
      api_url,
      api_key_file: context.keyFile,
      currency: earlier?.currency,
      time_zone: known.data?.time_zone ?? context.ownTimeZone,
    };
    const finding = await checkBothWays(context, existing, settings, key);
    await talk.say(finding.findings);
    if (finding.works || (await goesOn(finding, earlierKey === key && earlierUrl === api_url, talk))) {
      const currency = await askCurrency(earlier?.currency, earlier !== undefined, talk);
      const time_zone = await askTimeZone(known.data?.time_zone, context);
      const { isProxied } = finding;
      return {
        configuration: configurationOf(existing, { ...settings, currency, time_zone, is_proxied: isProxied }),
        key,
      };
    }
    earlierUrl = api_url;
    return undefined;
  });
}

/** Without a person, what was there before stays in use while the API is down. */
async function goesOn({ isOutage }: AccountFinding, isKnown: boolean, talk: Talk): Promise<boolean> {
  if (talk.prompt === undefined || talk.isQuiet) {
    if (isOutage && isKnown) return true;
    if (talk.prompt === undefined)
      throw new ConfigError([
        'The API does not work with these answers, as the lines above say. Nothing was written.',
      ]);
  }
  const answered = isOutage && (await confirm('Go on anyway?', talk));
  if (!answered)
    await refuse('That does not work yet. Try again, or end with Ctrl-C.', 'HOSTER_API_URL', talk);
  return answered;
}

async function checkUrl(typed: string, talk: Talk): Promise<Checked<string>> {
  const withScheme = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  const base = withScheme.replace(/\/hoster\/v1(?:\/.*)?$/, '');
  const parsed = parseApiUrl(base.replace(/\/+$/, ''));
  if ('expected' in parsed) return { problem: `"${typed.slice(0, 60)}": expected ${parsed.expected}.` };
  if (base !== withScheme) await talk.say(`The address is ${base}: the rest of it comes by itself.`);
  return { value: parsed.value.href.replace(/\/$/, '') };
}

function checkKey(typed: string): Checked<string> {
  try {
    return { value: parseKey(typed, 'that answer').reveal() };
  } catch (error) {
    if (error instanceof KeyError) return { problem: `${error.message}.` };
    throw error;
  }
}

/** Checks the account without a proxy, and through the one of the environment if that does not work. */
async function checkBothWays(
  { proxied, checkAccount, talk }: SetupContext,
  existing: string | undefined,
  settings: Omit<Parameters<typeof configurationOf>[1], 'is_proxied'>,
  key: string,
): Promise<AccountFinding & { readonly isProxied: boolean }> {
  const check = async (isProxied: boolean): Promise<AccountFinding> =>
    await checkAccount(configurationOf(existing, { ...settings, is_proxied: isProxied }), key, isProxied);
  const direct = await check(false);
  if (direct.works || !direct.isOutage || proxied === undefined) return { ...direct, isProxied: false };
  const other = await check(true);
  if (other.isOutage) return { ...direct, isProxied: false };
  await talk.say(
    'The API responds only through the proxy of this environment, so the exporter goes that way.',
  );
  return { ...other, isProxied: true };
}

async function askCurrency(
  known: string | undefined,
  isKnown: boolean,
  talk: Talk,
): Promise<string | undefined> {
  return await answer<string | undefined>(
    {
      variable: 'HOSTER_CURRENCY',
      text: 'Currency of the balance, such as EUR; empty for none',
      remembered: known ?? (isKnown ? '' : undefined),
      suggestion: '',
      check: async (typed) =>
        typed === '' || /^[A-Z][A-Z0-9]{2,7}$/.test(typed)
          ? { value: typed || undefined }
          : { problem: `got "${typed}", expected a code such as EUR.` },
    },
    talk,
  );
}

async function askTimeZone(known: string | undefined, { ownTimeZone, talk }: SetupContext): Promise<string> {
  return await answer<string>(
    {
      variable: 'HOSTER_TIME_ZONE',
      text: 'Your time zone, for the times in messages and the days of reports',
      remembered: known,
      suggestion: ownTimeZone,
      check: async (typed) => {
        const parsed = parseTimeZone(typed);
        return 'value' in parsed ? parsed : { problem: `got "${typed}", expected ${parsed.expected}.` };
      },
    },
    talk,
  );
}
