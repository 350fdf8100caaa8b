import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { KeyError, parseKey } from '../../base/api-key.ts';
import { isTimeZone } from '../../base/time-zone.ts';
import { ConfigError, showText } from '../../config/messages.ts';
import { parseApiUrl, parseTimeZone } from '../../config/values.ts';
import { bcryptHash } from '../../http/web-config/bcrypt.ts';
import {
  askDestination,
  CHANNELS,
  type EarlierAnswers,
  type Networks,
  Remembered,
  telegramApiOf,
} from './channels.ts';
import { parseMap, readBack, writeFile, writeFiles } from './files.ts';
import { answer, type Checked, confirm, unexpected, type Wizard, withoutAnswers } from './questions.ts';
import {
  type AccountAnswers,
  configurationOf,
  type Folders,
  routesOf,
  SHIPPED,
  withPageLogin,
} from './routes.ts';

/*
 * Asks for the account and the channel, checks the answers, and writes the configuration files.
 */

export type SetupContext = Folders & {
  readonly wizard: Wizard;
  readonly directory: string;
  /** The key file, as the exporter sees it. */
  readonly keyFile: string;
  /** Makes files readable for all users, for containers. */
  readonly isShared: boolean;
  readonly alertmanagerVersion: string;
  readonly networks: Networks;
  /** Returns a new password. */
  readonly newPassword: () => string;
  /** Sends a request without a key. Returns the reason if nothing responds. */
  readonly checkAddress: (address: URL) => Promise<{ problem: string; isTypo: boolean } | undefined>;
  /** Sends a request to each endpoint of the API, like `check`. */
  readonly checkAccount: (configuration: string, key: string) => Promise<AccountFinding>;
};

/** The result of a check of the account. */
export type AccountFinding = {
  /** The list of phones can be read. */
  readonly works: boolean;
  /** The API does not respond or fails, so the answers cannot be checked. */
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
  logins: 'exporter/web.yml',
  password: 'page-password',
} as const;

/** Reads the answers of an earlier run. */
export async function readAnswers(directory: string): Promise<EarlierAnswers> {
  const path = join(directory, FILES.answers);
  const answers = parseMap((await readBack(path)) ?? '', path, 'a map of answers');
  const { data } = Remembered.safeParse(answers);
  if (data === undefined) return {};
  const { file } = CHANNELS[data.channel];
  const secret = file === '' ? undefined : await readBack(join(directory, FILES.secrets, file));
  return { ...data, ...(secret !== undefined && { secret: secret.trim() }) };
}

/**
 * Asks, checks, and writes the files.
 *
 * @returns false, with nothing written, if the person refuses the changes
 * @throws ConfigError, with nothing written, for an invalid answer without a terminal
 */
export async function setUp(context: SetupContext): Promise<boolean> {
  const { wizard, directory, isShared, networks } = context;
  const earlier = await readAnswers(directory);
  const account = await askAccount(context, wizard);
  const login = isShared ? pageLogin(account.configuration, context.newPassword()) : undefined;
  const accountFiles = [
    { name: FILES.configuration, text: login?.configuration ?? account.configuration, mode: 0o644 },
    { name: FILES.key, text: account.key && `${account.key}\n`, mode: 0o600, isSecret: true },
    ...(login?.files ?? []),
  ];
  // Before the next question, so that an interruption does not lose them.
  if (wizard.prompt !== undefined && (await readBack(join(directory, FILES.key))) === undefined)
    await writeFiles(directory, accountFiles, '', wizard, isShared);
  await wizard.print('');
  const to = await askDestination(earlier, wizard, networks);
  const shipped = await readFile(new URL(`alertmanager.${to.channel}.yml`, SHIPPED), 'utf8');
  const proxy = networks[1]?.proxies?.https;
  const routes = routesOf(shipped, to, { ...context, proxy, telegramApi: telegramApiOf(wizard) });
  const { secret, ...answers } = to;
  const { file } = CHANNELS[to.channel];
  const files = [
    ...accountFiles,
    { name: FILES.routes, text: routes, mode: 0o640 },
    { name: join(FILES.secrets, file), text: secret || undefined, mode: 0o640, isSecret: true },
  ];
  if (!(await writeFiles(directory, files, secret, wizard, isShared))) return false;
  const derived = {
    secret_file: secret === '' ? undefined : file,
    // The value of `telegram --chats`.
    chats: to.topic ? `${to.chat}/${to.topic}` : to.chat,
  };
  const text = `# Answers of \`hoster-exporter setup\`, for its next run.\n${stringify({ ...answers, ...derived })}`;
  await writeFile(join(directory, FILES.answers), text, 0o644);
  if (login !== undefined)
    await wizard.print(
      `The buttons of the fleet page ask for a login: ${PAGE_USER}, and the password in the file ${FILES.password}.`,
    );
  // All users can read the files in it.
  if (isShared) await chmod(directory, 0o700);
  return true;
}

const PAGE_USER = 'owner';

/**
 * Makes a login for changes on the fleet page: to the exporter in a container, a browser on the same machine is another machine.
 * Returns undefined if there are logins.
 */
function pageLogin(existing: string, password: string) {
  const configuration = withPageLogin(existing);
  if (configuration === undefined) return undefined;
  const logins = `# Logins for changes on the fleet page, by bcrypt hash.\nbasic_auth_users:\n  ${PAGE_USER}: "${bcryptHash(password)}"\n`;
  return {
    configuration,
    files: [
      { name: FILES.logins, text: logins, mode: 0o644, isSecret: true },
      { name: FILES.password, text: `${password}\n`, mode: 0o600, isSecret: true },
    ],
  };
}

/** Asks for the account until the API accepts it, or the person continues anyway. Several accounts are kept unchanged. */
async function askAccount(
  context: SetupContext,
  wizard: Wizard,
  typed?: { readonly url: string; readonly key: string | undefined },
): Promise<{ readonly configuration: string; readonly key: string | undefined }> {
  const { directory, keyFile } = context;
  const path = join(directory, FILES.configuration);
  const existing = await readBack(path);
  const content = parseMap(existing ?? '', path, 'a map with accounts and sections such as poll');
  const { data } = Account.safeParse(content);
  if (existing !== undefined && data === undefined && content['accounts'] !== undefined) {
    await wizard.print(`The accounts in ${FILES.configuration} are kept unchanged.`);
    return { configuration: existing, key: undefined };
  }
  const earlier = data?.accounts[0];
  const earlierKey = (await readBack(join(directory, FILES.key)))?.trim() || undefined;
  const api_url = await answer<string>(wizard, {
    variable: 'HOSTER_API_URL',
    text: 'Address of the marketplace API, such as https://api.example.com',
    remembered: typed?.url ?? earlier?.api_url,
    check: async (text) => await checkUrl(text, context),
  });
  const key = await answer<string>(wizard, {
    variable: 'HOSTER_API_KEY',
    text: 'API key, from the hoster dashboard of the marketplace',
    remembered: typed?.key ?? earlierKey,
    isSecret: true,
    check: async (text) => checkKey(text),
  });
  const account = { api_url, api_key_file: keyFile, currency: earlier?.currency };
  const finding = await checkBothWays(context, existing, account, key);
  await wizard.print(finding.findings);
  const isKnown = earlierKey === key && earlier?.api_url === api_url;
  if (!finding.works && !(await continues(finding, isKnown, wizard)))
    return await askAccount(context, withoutAnswers(wizard), {
      url: api_url,
      key: finding.isOutage ? key : undefined,
    });
  const currency = await askCurrency(earlier && (earlier.currency ?? 'none'), context.wizard);
  const time_zone = await askTimeZone(data?.time_zone, context.wizard);
  const settings = { ...account, currency, time_zone, is_proxied: finding.isProxied };
  return { configuration: configurationOf(existing, settings), key };
}

/** Decides whether to continue. Without a terminal, earlier answers stay in use while the API is down. */
async function continues({ isOutage }: AccountFinding, isKnown: boolean, wizard: Wizard): Promise<boolean> {
  if (isOutage && isKnown && (wizard.prompt === undefined || wizard.isQuiet)) return true;
  if (isOutage && (await confirm('Continue anyway?', wizard))) return true;
  if (wizard.prompt === undefined)
    throw new ConfigError(['The API does not work with these answers (see above). Nothing was written.']);
  await wizard.print('That does not work yet. Try again, or press Ctrl-C to quit.');
  return false;
}

async function checkUrl(typed: string, { checkAddress, wizard }: SetupContext): Promise<Checked<string>> {
  const withScheme = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  const base = withScheme.replace(/\/hoster\/v1(?:\/.*)?$/, '');
  const parsed = parseApiUrl(base.replace(/\/+$/, ''));
  if ('expected' in parsed) return { problem: unexpected(typed, parsed.expected) };
  if (base !== withScheme) await wizard.print(`Using ${base}.`);
  const value = parsed.value.href.replace(/\/$/, '');
  const problem = await checkAddress(parsed.value);
  return problem === undefined ? { value } : { ...problem, orElse: value };
}

function checkKey(typed: string): Checked<string> {
  try {
    return { value: parseKey(typed, 'your answer').reveal() };
  } catch (error) {
    if (error instanceof KeyError) return { problem: `${error.message}.` };
    throw error;
  }
}

/** Checks the account without a proxy, then through the proxy of the environment. */
async function checkBothWays(
  { networks, checkAccount, wizard }: SetupContext,
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
  await wizard.print(
    'The API responds only through the proxy in your environment, so the exporter will use it.',
  );
  return other;
}

async function askCurrency(remembered: string | undefined, wizard: Wizard): Promise<string | undefined> {
  return await answer<string | undefined>(wizard, {
    variable: 'HOSTER_CURRENCY',
    text: 'Currency of the balance, such as EUR or none',
    remembered,
    suggestion: 'none',
    check: async (typed) => {
      if (/^none$/i.test(typed)) return { value: undefined };
      return /^(?:[A-Z][A-Z0-9]{2,7}|[a-z]{3})$/.test(typed)
        ? { value: typed.toUpperCase() }
        : { problem: `${showText(typed)} is not a currency code such as EUR.` };
    },
  });
}

async function askTimeZone(remembered: string | undefined, wizard: Wizard): Promise<string> {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return await answer<string>(wizard, {
    variable: 'HOSTER_TIME_ZONE',
    text: 'Your time zone, for times in messages and days in reports',
    remembered,
    suggestion: isTimeZone(own) ? own : 'UTC',
    check: async (typed) => {
      const parsed = parseTimeZone(typed);
      return 'value' in parsed ? parsed : { problem: unexpected(typed, parsed.expected) };
    },
  });
}
