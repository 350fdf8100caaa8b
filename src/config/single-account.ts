import { type Environment, type Given, isSet, KEY_VARIABLE } from './environment.ts';

/** The one account that flags and variables describe, in the form of an account of the file. */
export type SingleAccount = {
  readonly written: Readonly<Record<string, string>>;
  /** What messages call the place that each of its settings comes from. */
  readonly origins: ReadonlyMap<string, string>;
  /** Where the account as a whole comes from: the flag or variable with its address. */
  readonly origin: string;
  readonly problems: readonly string[];
};

const PREFIX = 'accounts[].';

/**
 * An address of the API outside of the file makes a single account; undefined without one. Its key is in the file of
 * `--api.key-file` or HOSTER_API_KEY_FILE, or else in HOSTER_API_KEY.
 */
export function singleAccount(
  given: ReadonlyMap<string, Given>,
  environment: Environment,
): SingleAccount | undefined {
  const address = given.get(`${PREFIX}api_url`);
  if (address === undefined) return undefined;
  const keyFile = given.get(`${PREFIX}api_key_file`);
  const settings = ofAccount(given);
  if (keyFile === undefined) settings.set('api_key_env', { text: KEY_VARIABLE, origin: KEY_VARIABLE });
  // A flag wins over both variables; between the two of them nothing does.
  const both = isSet(environment, KEY_VARIABLE) && keyFile !== undefined && !keyFile.origin.startsWith('--');
  return {
    written: Object.fromEntries(Array.from(settings, ([key, { text }]) => [key, text])),
    origins: new Map(Array.from(settings, ([key, { origin }]) => [key, origin])),
    origin: address.origin,
    problems: both ? [`${KEY_VARIABLE}: set beside ${keyFile.origin}: keep one of the two`] : [],
  };
}

/**
 * A sentence for each flag and variable that would describe an account, if an address were given with it; `named` are
 * the variables that accounts of the file name for their keys.
 */
export function withoutAddress(
  given: ReadonlyMap<string, Given>,
  environment: Environment,
  named: readonly string[],
): readonly string[] {
  if (given.has(`${PREFIX}api_url`)) return [];
  const origins = Array.from(ofAccount(given).values(), ({ origin }) => origin);
  if (isSet(environment, KEY_VARIABLE) && !named.includes(KEY_VARIABLE)) origins.push(KEY_VARIABLE);
  return origins.map((origin) => `${origin}: has no effect without HOSTER_API_URL`);
}

function ofAccount(given: ReadonlyMap<string, Given>): Map<string, Given> {
  return new Map(
    [...given].flatMap(([name, value]) =>
      name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value] as const] : [],
    ),
  );
}
