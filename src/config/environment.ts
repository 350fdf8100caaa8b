import { nearest } from './messages.ts';
import type { Setting } from './settings.ts';

/** Environment variables. An empty one counts as not set, as is usual for containers. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Text of a setting from a flag or variable, and the name of that flag or variable. */
export type Override = { readonly text: string; readonly origin: string };

/** Variable with the key of the single account. Only its presence is checked here. */
export const KEY_VARIABLE = 'HOSTER_API_KEY';

export const FILE_VARIABLE = 'HOSTER_CONFIG_FILE';

/** Variable with the socket of a package's service, for commands that name no exporter. */
export const SERVICE_SOCKET_VARIABLE = 'HOSTER_SERVICE_SOCKET';

/** Variables that Kubernetes sets in all pods for a service named hoster-exporter. */
const KUBERNETES_VARIABLE = /^HOSTER_EXPORTER_/;

export function isSet(environment: Environment, variable: string): boolean {
  return (environment[variable] ?? '') !== '';
}

/** Collects the settings from flags and variables, by name. Flags win. */
export function readOverrides(
  settings: readonly Setting[],
  environment: Environment,
  flags: ReadonlyMap<string, string>,
): ReadonlyMap<string, Override> {
  const overrides = settings.flatMap((setting) => {
    const override = readOverride(setting, environment, flags);
    return override === undefined ? [] : [[setting.name, override] as const];
  });
  return new Map(overrides);
}

function readOverride(
  { name, flag, variable }: Setting,
  environment: Environment,
  flags: ReadonlyMap<string, string>,
): Override | undefined {
  const fromFlag = flags.get(name);
  if (fromFlag !== undefined) return { text: fromFlag, origin: `--${flag}` };
  if (variable === undefined || !isSet(environment, variable)) return undefined;
  return { text: environment[variable] ?? '', origin: variable };
}

/** Warns of unknown `HOSTER_…` variables; `others` are the variables named in the file. */
export function warnOfUnknownVariables(
  settings: readonly Setting[],
  environment: Environment,
  others: readonly string[],
): readonly string[] {
  const known = [
    KEY_VARIABLE,
    FILE_VARIABLE,
    SERVICE_SOCKET_VARIABLE,
    ...settings.flatMap(({ variable }) => variable ?? []),
  ];
  return Object.keys(environment)
    .filter((variable) => variable.startsWith('HOSTER_') && isSet(environment, variable))
    .filter((variable) => !KUBERNETES_VARIABLE.test(variable) && ![...known, ...others].includes(variable))
    .sort()
    .map((variable) => {
      const suggestion = nearest(variable, known);
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      return `${variable}: unknown variable.${hint}`;
    });
}

export type SingleAccount = {
  /** Its settings, in the form of an account in the file. */
  readonly content: Readonly<Record<string, string>>;
  /** Flag or variable that gave each setting. */
  readonly origins: ReadonlyMap<string, string>;
  /** Flag or variable that gave its address, for messages about the whole account. */
  readonly origin: string;
  readonly problems: readonly string[];
};

const ACCOUNT_PREFIX = 'accounts[].';

/**
 * Returns the account that flags and variables configure; undefined without an address. Its key is in the file named by
 * `--api.key-file` or HOSTER_API_KEY_FILE, or else in HOSTER_API_KEY.
 */
export function readSingleAccount(
  overrides: ReadonlyMap<string, Override>,
  environment: Environment,
): SingleAccount | undefined {
  const address = overrides.get(`${ACCOUNT_PREFIX}api_url`);
  if (address === undefined) return undefined;
  const keyFile = overrides.get(`${ACCOUNT_PREFIX}api_key_file`);
  const settings = accountOverrides(overrides);
  if (keyFile === undefined) settings.set('api_key_env', { text: KEY_VARIABLE, origin: KEY_VARIABLE });
  // A flag wins over both variables; neither variable wins over the other.
  const both = isSet(environment, KEY_VARIABLE) && keyFile !== undefined && !keyFile.origin.startsWith('--');
  return {
    content: Object.fromEntries(Array.from(settings, ([key, { text }]) => [key, text])),
    origins: new Map(Array.from(settings, ([key, { origin }]) => [key, origin])),
    origin: address.origin,
    problems: both ? [`${KEY_VARIABLE} and ${keyFile.origin} are both set: keep one of them`] : [],
  };
}

/**
 * Warns of flags and variables for a single account without an address; `keyVariables` are the key variables of the file's
 * accounts.
 */
export function warnOfMissingAddress(
  overrides: ReadonlyMap<string, Override>,
  environment: Environment,
  keyVariables: readonly string[],
): readonly string[] {
  if (overrides.has(`${ACCOUNT_PREFIX}api_url`)) return [];
  const origins = Array.from(accountOverrides(overrides).values(), ({ origin }) => origin);
  if (isSet(environment, KEY_VARIABLE) && !keyVariables.includes(KEY_VARIABLE)) origins.push(KEY_VARIABLE);
  return origins.map((origin) => `${origin}: has no effect without HOSTER_API_URL`);
}

function accountOverrides(overrides: ReadonlyMap<string, Override>): Map<string, Override> {
  return new Map(
    [...overrides].flatMap(([name, override]) =>
      name.startsWith(ACCOUNT_PREFIX) ? [[name.slice(ACCOUNT_PREFIX.length), override] as const] : [],
    ),
  );
}
