import type { Surroundings } from '../app.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { readKey } from '../key.ts';
import type { Io } from './io.ts';

/** A configuration that can be used, and what the daemon needs to use it. */
export type Prepared = { readonly config: Config; readonly surroundings: Surroundings };

/**
 * Loads the configuration and reads every key once, so that a missing one is told before anything starts.
 *
 * @throws ConfigError or KeyError
 */
export function prepare(flags: ReadonlyMap<string, string>, io: Io): Prepared {
  const { environment, readFile } = io;
  const { config, warnings } = loadConfig({ flags, environment, readFile, accounts: 'required' });
  const log = io.openLog(config.log.level, config.log.format);
  for (const warning of warnings) log.warn({}, warning);
  const keys = new Map(config.accounts.map(({ name, key }) => [name, readKey(key, readFile, environment)]));
  const key: Surroundings['key'] = ({ name }) => {
    const found = keys.get(name);
    if (found === undefined) throw new Error(`no key was read for the account ${name}`);
    return found;
  };
  return { config, surroundings: { ...io, key, log } };
}
