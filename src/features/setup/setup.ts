import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { KeyError, parseKey } from '../../base/api-key.ts';
import { isTimeZone } from '../../base/time-zone.ts';
import { ConfigError, showText } from '../../config/messages.ts';
import { parseApiUrl, parseTimeZone } from '../../config/values.ts';
import { bcryptHash } from '../../http/web-config/bcrypt.ts';
import { say } from '../../text/say.ts';
import { askDestination, CHANNELS, type EarlierAnswers, Remembered, telegramApiOf } from './channels.ts';
import { parseMap, readBack, writeFile, writeFiles } from './files.ts';
import type { Networks } from './network.ts';
import {
  answer,
  type Checked,
  confirm,
  isUnattended,
  unexpected,
  type Wizard,
  withoutAnswers,
} from './questions.ts';
import {
  type AccountAnswers,
  configurationOf,
  type Folders,
  HEAD,
  routesOf,
  SHIPPED,
  withPageLogin,
} from './routes.ts';
import { askWatchdog, WATCHDOG_FILE } from './watchdog.ts';

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
  /** The language of the installation; undefined to leave it unchanged. */
  readonly language?: string | undefined;
  readonly networks: Networks;
  readonly newPassword: () => string;
  /** Sends a request without a key, directly or through the environment's proxy. Returns the reason if nothing responds. */
  readonly checkAddress: (
    address: URL,
  ) => Promise<{ readonly isProxied: boolean } | { readonly problem: string; readonly isWrong: boolean }>;
  /** Sends a request to each endpoint of the API, like `check`. */
  readonly checkAccount: (configuration: string, key: string) => Promise<AccountFinding>;
};

/** The result of checking the account. */
export type AccountFinding = {
  /** The list of phones can be read. */
  readonly works: boolean;
  /** The API does not respond or fails, so the answers cannot be checked. */
  readonly isOutage: boolean;
  /** The API refuses the key. */
  readonly isRefused: boolean;
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

/** Returns the language in the configuration, or of the last run; undefined if there is none. */
export async function languageIn(directory: string): Promise<string | undefined> {
  const path = join(directory, FILES.configuration);
  const { language } = parseMap((await readBack(path)) ?? '', path, 'a map');
  return typeof language === 'string' ? language : (await readAnswers(directory)).language;
}

/** Reads the answers from an earlier run. */
export async function readAnswers(directory: string): Promise<EarlierAnswers> {
  const path = join(directory, FILES.answers);
  const answers = parseMap((await readBack(path)) ?? '', path, 'a map of answers');
  const { data } = Remembered.safeParse(answers);
  if (data === undefined) return {};
  const { file } = CHANNELS[data.channel];
  const secretIn = async (name: string) => (await readBack(join(directory, FILES.secrets, name)))?.trim();
  const secret = file === '' ? undefined : await secretIn(file);
  const watchdog = data.has_watchdog === false ? '' : await secretIn(WATCHDOG_FILE);
  return { ...data, ...(secret !== undefined && { secret }), ...(watchdog !== undefined && { watchdog }) };
}

/**
 * Asks, checks, and writes the files.
 *
 * @returns false, with nothing written, if the person declines the changes
 * @throws ConfigError, with nothing written, if an answer is invalid and there is no terminal
 */
export async function setUp(context: SetupContext): Promise<boolean> {
  const { wizard, directory, isShared, networks } = context;
  const earlier = await readAnswers(directory);
  const filesOf = ({ configuration, key }: AccountFiles) => [
    { name: FILES.configuration, text: configuration, mode: 0o644 },
    { name: FILES.key, text: key && `${key}\n`, mode: 0o600, isSecret: true },
  ];
  const isInterrupted = await isNewOrInterrupted(directory);
  const keep = async (files: AccountFiles): Promise<void> => {
    // Without a terminal, nothing is written until all answers are right.
    if (!isInterrupted || wizard.prompt === undefined) return;
    for (const { name, text, mode } of filesOf(files))
      if (text !== undefined) await writeFile(join(directory, name), text, isShared ? 0o644 : mode);
  };
  const account = await askAccount(context, keep);
  const login = isShared ? pageLogin(account.configuration, context.newPassword()) : undefined;
  const configuration = login?.configuration ?? account.configuration;
  await keep({ ...account, configuration });
  const accountFiles = [...filesOf({ ...account, configuration }), ...(login?.files ?? [])];
  await wizard.print('');
  const to = await askDestination(earlier, wizard, networks);
  // Without a channel, nobody is alerted anyway.
  const watchdog = to.channel === 'none' ? undefined : await askWatchdog(earlier.watchdog, wizard, networks);
  const shipped = await readFile(new URL(`alertmanager.${to.channel}.yml`, SHIPPED), 'utf8');
  const proxy = networks[1]?.proxies?.https;
  const { time_zone } = Account.safeParse(parseMap(configuration, FILES.configuration, 'a map')).data ?? {};
  const telegramApi = telegramApiOf(wizard);
  const routes = routesOf(shipped, to, { ...context, proxy, watchdog, telegramApi, timeZone: time_zone });
  const { secret, ...answers } = to;
  const { file } = CHANNELS[to.channel];
  const files = [
    ...accountFiles,
    { name: FILES.routes, text: routes, mode: 0o640 },
    { name: join(FILES.secrets, file), text: secret || undefined, mode: 0o640, isSecret: true },
    { name: join(FILES.secrets, WATCHDOG_FILE), text: watchdog?.address, mode: 0o640, isSecret: true },
  ];
  const secrets = [secret, watchdog?.address ?? '', earlier.watchdog ?? ''];
  if (!(await writeFiles(directory, files, secrets, wizard, isShared))) return false;
  const derived = {
    secret_file: secret === '' ? undefined : file,
    language: context.language,
    has_watchdog: to.channel === 'none' ? undefined : watchdog !== undefined,
    // The value for `telegram --chats`.
    chats: to.topic ? `${to.chat}/${to.topic}` : to.chat,
  };
  const text = `# Answers of \`hoster-exporter setup\`, for its next run.\n${stringify({ ...answers, ...derived })}`;
  await writeFile(join(directory, FILES.answers), text, 0o644);
  if (login !== undefined) await wizard.print(say('setup-login', { user: PAGE_USER, file: FILES.password }));
  // All users can read the files in it.
  if (isShared) await chmod(directory, 0o700);
  return true;
}

/** Reports whether no run has finished here and nobody has written the configuration by hand. */
async function isNewOrInterrupted(directory: string): Promise<boolean> {
  const answers = await readBack(join(directory, FILES.answers));
  const configuration = await readBack(join(directory, FILES.configuration));
  return answers === undefined && (configuration ?? HEAD).startsWith(HEAD);
}

const PAGE_USER = 'owner';

/**
 * Makes a login for changes on the fleet page: an exporter in a container sees a browser on the same machine as another machine.
 * Returns undefined if there already are logins.
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

/** The texts of the configuration and of the key file. */
type AccountFiles = { readonly configuration: string; readonly key: string | undefined };

/** The API's address, and the way to it. */
type Place = { readonly api_url: string; readonly isProxied: boolean };

/**
 * Asks for the account until the API accepts it, or the person continues anyway. Keeps several accounts unchanged.
 *
 * @param keep writes the answers so far, so that an interruption does not lose them
 */
async function askAccount(
  context: SetupContext,
  keep: (account: AccountFiles) => Promise<void>,
): Promise<AccountFiles> {
  const { directory, keyFile, wizard } = context;
  const path = join(directory, FILES.configuration);
  const existing = await readBack(path);
  const content = parseMap(existing ?? '', path, 'a map with accounts and sections such as poll');
  const { data } = Account.safeParse(content);
  if (existing !== undefined && data === undefined && content['accounts'] !== undefined) {
    await wizard.print(say('setup-accounts-kept', { file: FILES.configuration }));
    return { configuration: existing, key: undefined };
  }
  const earlier = data?.accounts[0];
  const earlierKey = (await readBack(join(directory, FILES.key)))?.trim() || undefined;
  const configure = (to: Place, others: Partial<AccountAnswers> = {}): string =>
    configurationOf(existing, {
      ...{ api_url: to.api_url, api_key_file: keyFile, is_proxied: to.isProxied },
      ...{ currency: earlier?.currency, language: context.language, ...others },
    });
  const known = { api_url: earlier?.api_url, key: earlierKey };
  const { key, ...place } = await askWorkingAccount(context, known, (to) => configure(to));
  await keep({ configuration: configure(place), key });
  // Without a time zone, the last run ended before these questions.
  const isAnswered = data?.time_zone !== undefined;
  const currency = await askCurrency(earlier?.currency ?? (isAnswered ? 'none' : undefined), wizard);
  await keep({ configuration: configure(place, { currency }), key });
  const time_zone = await askTimeZone(data?.time_zone, wizard);
  return { configuration: configure(place, { currency, time_zone }), key };
}

/** Asks for the address and the key until the API accepts them. */
async function askWorkingAccount(
  context: SetupContext,
  known: { readonly api_url: string | undefined; readonly key: string | undefined },
  configure: (account: Place) => string,
): Promise<Place & { readonly key: string }> {
  let { wizard } = context;
  let remembered = known;
  let place: Place | undefined;
  for (;;) {
    place ??= await answer(wizard, {
      variable: 'HOSTER_API_URL',
      text: say('setup-ask-address'),
      remembered: remembered.api_url,
      check: async (text) => await checkUrl(text, context),
    });
    const key = await answer<string>(wizard, {
      variable: 'HOSTER_API_KEY',
      text: say('setup-ask-key'),
      remembered: remembered.key,
      isSecret: true,
      check: async (text) => checkKey(text),
    });
    const finding = await context.checkAccount(configure(place), key);
    await wizard.print(finding.findings);
    const isKnown = known.key === key && known.api_url === place.api_url;
    if (finding.works || (await continues(finding, isKnown, wizard))) return { ...place, key };
    const earlierKey = known.key === key ? undefined : known.key;
    remembered = { api_url: place.api_url, key: finding.isOutage ? key : earlierKey };
    // A refused key says nothing about the address.
    if (!finding.isRefused) place = undefined;
    wizard = withoutAnswers(wizard);
  }
}

/** Decides whether to continue. Answers from an earlier run stay in use. */
async function continues({ isOutage }: AccountFinding, isKnown: boolean, wizard: Wizard): Promise<boolean> {
  if (isKnown && isUnattended(wizard)) {
    await wizard.print(say('setup-kept'));
    return true;
  }
  if (isOutage && (await confirm(say('setup-continue-anyway'), wizard))) return true;
  if (wizard.prompt === undefined)
    throw new ConfigError(['The API does not work with these answers (see above). Nothing was written.']);
  await wizard.print(say('setup-try-again'));
  return false;
}

async function checkUrl(typed: string, { checkAddress, wizard }: SetupContext): Promise<Checked<Place>> {
  const withScheme = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  const base = withScheme.replace(/\/hoster\/v1(?:\/.*)?$/, '');
  const parsed = parseApiUrl(base.replace(/\/+$/, ''));
  if ('expected' in parsed) return { problem: unexpected(typed, parsed.expected) };
  if (base !== withScheme) await wizard.print(say('setup-using', { address: base }));
  const api_url = parsed.value.href.replace(/\/$/, '');
  const found = await checkAddress(parsed.value);
  if ('problem' in found) return { ...found, orElse: { api_url, isProxied: false } };
  if (found.isProxied) await wizard.print(say('setup-api-proxied'));
  return { value: { api_url, isProxied: found.isProxied } };
}

function checkKey(typed: string): Checked<string> {
  try {
    return { value: parseKey(typed, 'your answer').reveal() };
  } catch (error) {
    if (error instanceof KeyError) return { problem: `${error.message}.` };
    throw error;
  }
}

async function askCurrency(remembered: string | undefined, wizard: Wizard): Promise<string | undefined> {
  return await answer<string | undefined>(wizard, {
    variable: 'HOSTER_CURRENCY',
    text: say('setup-ask-currency'),
    remembered,
    suggestion: 'none',
    check: async (typed) => {
      if (/^none$/i.test(typed)) return { value: undefined };
      return /^(?:[A-Z][A-Z0-9]{2,7}|[a-z]{3})$/.test(typed)
        ? { value: typed.toUpperCase() }
        : { problem: say('setup-no-currency', { typed: showText(typed) }) };
    },
  });
}

async function askTimeZone(remembered: string | undefined, wizard: Wizard): Promise<string> {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return await answer<string>(wizard, {
    variable: 'HOSTER_TIME_ZONE',
    text: say('setup-ask-time-zone'),
    remembered,
    suggestion: isTimeZone(own) ? own : 'UTC',
    check: async (typed) => {
      const parsed = parseTimeZone(typed);
      return 'value' in parsed ? parsed : { problem: unexpected(typed, parsed.expected) };
    },
  });
}
