import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { KeyError, parseKey } from '../../base/api-key.ts';
import { readOptional } from '../../base/files.ts';
import { ConfigError } from '../../config/messages.ts';
import { parseApiUrl, parseTimeZone } from '../../config/values.ts';
import {
  askDestination,
  CHANNELS,
  type Known,
  type Networks,
  Remembered,
  telegramApiOf,
} from './channels.ts';
import { writeFile, writeFiles } from './files.ts';
import { anew, answer, type Checked, confirm, type Talk } from './questions.ts';
import { type AccountAnswers, configurationOf, type Folders, routesOf, SHIPPED } from './routes.ts';

/*
 * The one set of questions: the account and where messages go, checked, and written as the files that the programs read.
 */

export type SetupContext = Folders & {
  readonly talk: Talk;
  readonly directory: string;
  /** The key file, as the exporter sees it. */
  readonly keyFile: string;
  /** Files that every user may read, for containers with users of their own. */
  readonly isShared: boolean;
  readonly alertmanagerVersion: string;
  readonly networks: Networks;
  /** Sends a request to each endpoint of the API, as `check` does. */
  readonly checkAccount: (configuration: string, key: string) => Promise<AccountFinding>;
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
  const { data } = Remembered.safeParse(parse(text ?? ''));
  if (data === undefined) return {};
  const { file } = CHANNELS[data.channel];
  const secret = file === '' ? undefined : await readOptional(join(directory, FILES.secrets, file));
  return { ...data, ...(secret !== undefined && { secret: secret.trim() }) };
}

/**
 * Asks, checks, and writes the files.
 *
 * @returns false if the person did not want the changes; nothing is written then
 * @throws ConfigError where an answer cannot be used and nobody can be asked for another; nothing is written then
 */
export async function setUp(context: SetupContext): Promise<boolean> {
  const { talk, directory, isShared, networks } = context;
  const account = await askAccount(context, talk);
  await talk.say('');
  const to = await askDestination(await readAnswers(directory), talk, networks);
  const shipped = await readFile(new URL(`alertmanager.${to.channel}.yml`, SHIPPED), 'utf8');
  const proxy = networks[1]?.proxies?.https;
  const routes = routesOf(shipped, to, { ...context, proxy, telegramApi: telegramApiOf(talk) });
  const { secret, ...answers } = to;
  const { file } = CHANNELS[to.channel];
  const planned = [
    { name: FILES.configuration, text: account.configuration, mode: 0o644 },
    { name: FILES.key, text: account.key && `${account.key}\n`, mode: 0o600, isSecret: true },
    { name: FILES.routes, text: routes, mode: 0o640 },
    { name: join(FILES.secrets, file), text: secret || undefined, mode: 0o640, isSecret: true },
  ].flatMap(({ text, mode, ...others }) =>
    text === undefined ? [] : { ...others, text, mode: isShared ? 0o644 : mode },
  );
  if (!(await writeFiles(directory, planned, secret, talk))) return false;
  const derived = {
    secret_file: secret === '' ? undefined : file,
    // As `telegram --chats` takes them.
    chats: to.topic ? `${to.chat}/${to.topic}` : to.chat,
  };
  const text = `# Answers of \`hoster-exporter setup\`, for its next run.\n${stringify({ ...answers, ...derived })}`;
  await writeFile(join(directory, FILES.answers), text, 0o644);
  // Every file in it can be read by all.
  if (isShared) await chmod(directory, 0o700);
  return true;
}

/** Asks for the account until the API accepts it, or the person goes on anyway. Several accounts stay as they are. */
async function askAccount(
  context: SetupContext,
  talk: Talk,
  typedUrl?: string,
): Promise<{ readonly configuration: string; readonly key: string | undefined }> {
  const { directory, keyFile } = context;
  const existing = await readOptional(join(directory, FILES.configuration));
  const { data } = Account.safeParse(parse(existing ?? ''));
  if (existing !== undefined && data === undefined && /^accounts:/m.test(existing)) {
    await talk.say(`The accounts in ${FILES.configuration} stay as they are.`);
    return { configuration: existing, key: undefined };
  }
  const earlier = data?.accounts[0];
  const earlierKey = (await readOptional(join(directory, FILES.key)))?.trim() || undefined;
  const api_url = await answer<string>(talk, {
    variable: 'HOSTER_API_URL',
    text: "Address of your marketplace's API",
    remembered: typedUrl ?? earlier?.api_url,
    check: async (typed) => await checkUrl(typed, talk),
  });
  const key = await answer<string>(talk, {
    variable: 'HOSTER_API_KEY',
    text: 'API key',
    remembered: earlierKey,
    isSecret: true,
    check: async (typed) => checkKey(typed),
  });
  const account = { api_url, api_key_file: keyFile, currency: earlier?.currency };
  const finding = await checkBothWays(context, existing, account, key);
  await talk.say(finding.findings);
  const isKnown = earlierKey === key && earlier?.api_url === api_url;
  if (!finding.works && !(await goesOn(finding, isKnown, talk)))
    return await askAccount(context, anew(talk), api_url);
  const currency = await askCurrency(earlier && (earlier.currency ?? ''), context.talk);
  const time_zone = await askTimeZone(data?.time_zone, context.talk);
  const settings = { ...account, currency, time_zone, is_proxied: finding.isProxied };
  return { configuration: configurationOf(existing, settings), key };
}

/** Without a person, what was there before stays in use while the API is down. */
async function goesOn({ isOutage }: AccountFinding, isKnown: boolean, talk: Talk): Promise<boolean> {
  if (isOutage && isKnown && (talk.prompt === undefined || talk.isQuiet)) return true;
  if (isOutage && (await confirm('Go on anyway?', talk))) return true;
  if (talk.prompt === undefined)
    throw new ConfigError([
      'The API does not work with these answers, as the lines above say. Nothing was written.',
    ]);
  await talk.say('That does not work yet. Try again, or end with Ctrl-C.');
  return false;
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
  { networks, checkAccount, talk }: SetupContext,
  existing: string | undefined,
  account: AccountAnswers,
  key: string,
): Promise<AccountFinding & { readonly isProxied: boolean }> {
  const check = async (isProxied: boolean) => ({
    ...(await checkAccount(configurationOf(existing, { ...account, is_proxied: isProxied }), key)),
    isProxied,
  });
  const direct = await check(false);
  if (direct.works || !direct.isOutage || networks.length === 1) return direct;
  const other = await check(true);
  if (other.isOutage) return direct;
  await talk.say(
    'The API responds only through the proxy of this environment, so the exporter goes that way.',
  );
  return other;
}

async function askCurrency(remembered: string | undefined, talk: Talk): Promise<string | undefined> {
  return await answer<string | undefined>(talk, {
    variable: 'HOSTER_CURRENCY',
    text: 'Currency of the balance, such as EUR; empty for none',
    remembered,
    suggestion: '',
    check: async (typed) =>
      typed === '' || /^[A-Z][A-Z0-9]{2,7}$/.test(typed)
        ? { value: typed || undefined }
        : { problem: `got "${typed}", expected a code such as EUR.` },
  });
}

async function askTimeZone(remembered: string | undefined, talk: Talk): Promise<string> {
  return await answer<string>(talk, {
    variable: 'HOSTER_TIME_ZONE',
    text: 'Your time zone, for the times in messages and the days of reports',
    remembered,
    suggestion: Intl.DateTimeFormat().resolvedOptions().timeZone,
    check: async (typed) => {
      const parsed = parseTimeZone(typed);
      return 'value' in parsed ? parsed : { problem: `got "${typed}", expected ${parsed.expected}.` };
    },
  });
}
