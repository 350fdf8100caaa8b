import { loadConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import type { Config } from '../config/schema.ts';
import { addressOf } from '../config/values.ts';
import { createFileCache } from '../files.ts';
import { loadWebConfig } from '../http/web-config/parse.ts';
import type { Io } from './command.ts';

/*
 * What a command needs to talk to the exporter of this machine.
 */

/** Returns the settings of this machine, and the address of its exporter. */
export async function loadOwn(
  flags: ReadonlyMap<string, string>,
  { environment, readFile }: Io,
): Promise<{ readonly config: Config; readonly address: URL }> {
  const files = createFileCache(readFile);
  return await files.load((read) => {
    const { config } = loadConfig({ flags, environment, readFile: read, accounts: 'optional' });
    const { configFile, listenAddress } = config.web;
    const tls = configFile === undefined ? undefined : loadWebConfig(configFile, read).config.tls;
    return { config, address: addressOf(tls === undefined ? 'http' : 'https', listenAddress) };
  });
}

/** Returns user:password of a file. Throws a ConfigError if it cannot be read. */
export async function readLogin(path: string, { readFile }: Io): Promise<string> {
  try {
    return (await readFile(path)).trim();
  } catch {
    throw new ConfigError([`--login-file: ${path} cannot be read, expected a file with user:password`]);
  }
}
