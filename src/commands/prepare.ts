import { KeyError, readKey } from '../api-key.ts';
import type { Setup } from '../app/members.ts';
import type { Surroundings } from '../app/monitor.ts';
import { loadConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import { readNetwork } from '../config/network.ts';
import type { Config } from '../config/schema.ts';
import { readWebSetup } from '../config/web/read.ts';
import type { Io } from './io.ts';

/** A configuration that can be used, and what the daemon needs to use it. */
export type Prepared = { readonly config: Config; readonly surroundings: Surroundings };

/**
 * Loads the configuration and reads all that it leads to once, so that what is missing is told before anything starts.
 *
 * @throws ConfigError with everything that is wrong
 */
export function prepare(flags: ReadonlyMap<string, string>, io: Io): Prepared {
  const { setup, warnings } = readSetup(flags, io);
  const { config, network } = setup;
  const log = io.openLog(config.log.level, config.log.format);
  const warn = (sentences: readonly string[]): void => {
    for (const sentence of sentences) log.warn({}, sentence);
  };
  warn(warnings);
  const surroundings: Surroundings = {
    ...io,
    key: (account) => readKey(account.key, io.readFile, io.environment),
    network,
    readSetup: () => {
      const again = readSetup(flags, io);
      warn(again.warnings);
      return again.setup;
    },
    log,
    setLogLevel: log.setLevel,
  };
  return { config, surroundings };
}

function readSetup(
  flags: ReadonlyMap<string, string>,
  { environment, readFile }: Io,
): { readonly setup: Setup; readonly warnings: readonly string[] } {
  const { config, warnings } = loadConfig({ flags, environment, readFile, accounts: 'required' });
  const { configFile } = config.web;
  const problems = [
    ...config.accounts.flatMap(({ key }) => problemsOf(() => readKey(key, readFile, environment))),
    ...(configFile === undefined ? [] : problemsOf(() => readWebSetup(configFile, readFile))),
  ];
  // The same file may hold the keys of many accounts.
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return { setup: { config, network: readNetwork(config.client, environment, readFile) }, warnings };
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof KeyError) return [error.message];
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
