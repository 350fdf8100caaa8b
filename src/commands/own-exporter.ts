import { loadConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import type { Config } from '../config/schema.ts';
import { setting } from '../config/settings.ts';
import { addressOf, type ParseResult, parsedText, parsePath } from '../config/values.ts';
import { createFileCache } from '../files.ts';
import { loadWebConfig } from '../http/web-config/parse.ts';
import type { Io } from './command.ts';

/*
 * What a command needs to talk to the exporter of this machine.
 */

export const EXPORTER_URL = setting(
  parsedText('an address such as http://127.0.0.1:9823', parseUrl).optional(),
  { description: 'Address of the exporter; by default that of this machine.' },
);

const LOGIN = 'the path of a file with user:password';

export const LOGIN_FILE = setting(parsedText(LOGIN, (path) => parsePath(path, LOGIN)).optional(), {
  description: 'File with user:password, where the exporter demands a log-in.',
});

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

const TIMEOUT_MILLISECONDS = 10_000;

/** Sends a request to an exporter; rejects if it does not respond. */
export type Ask = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly content: string }>;

export function askOf(address: URL, login: string | undefined): Ask {
  return async (method, path, body) => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: {
        ...(login !== undefined && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    return { status: response.status, content: await response.text() };
  };
}

/** Says why a request failed; fetch hides the reason in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function parseUrl(text: string): ParseResult<URL> {
  const isUrl = /^https?:\/\//.test(text) && URL.canParse(text);
  return isUrl ? { value: new URL(text) } : { expected: 'an address such as http://127.0.0.1:9823' };
}
