import { createFileCache } from '../base/files.ts';
import { createSender, type Network, reasonOf } from '../base/outbound.ts';
import { readConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import type { Config } from '../config/schema.ts';
import { setting } from '../config/settings.ts';
import { addressOf, type ParseResult, parsedText, parsePath } from '../config/values.ts';
import { readWebConfig } from '../http/web-config/parse.ts';
import type { ExitCode, Io } from './command.ts';

/*
 * What a command needs to talk to the exporter of this machine.
 */

export const URL_EXPECTED =
  'an address such as http://127.0.0.1:9823, without a user name: --login-file names the log-in';

export const EXPORTER_URL = setting(parsedText(URL_EXPECTED, parseUrl).optional(), {
  description: 'Address of the exporter; by default that of this machine.',
});

const LOGIN = 'the path of a file with user:password';

export const LOGIN_FILE = setting(parsedText(LOGIN, (path) => parsePath(path, LOGIN)).optional(), {
  description: 'File with user:password, where the exporter demands a log-in.',
});

/** Returns the settings of this machine, and the address of its exporter. */
export async function loadOwn(
  flags: ReadonlyMap<string, string>,
  { schema, environment, readFile }: Io,
): Promise<{ readonly config: Config; readonly address: URL }> {
  const files = createFileCache(readFile);
  const { config } = await readConfig({ schema, flags, environment, accounts: 'optional' }, files);
  const { config_file: configFile, listen_address: listenAddress } = config.web;
  const web = configFile === undefined ? undefined : await readWebConfig(configFile, files);
  return { config, address: addressOf(web?.config.tls === undefined ? 'http' : 'https', listenAddress) };
}

/** Returns user:password of a file. Throws a ConfigError if it cannot be read. */
export async function readLogin(path: string, { readFile }: Io): Promise<string> {
  try {
    return (await readFile(path)).trim();
  } catch {
    throw new ConfigError([`--login-file: ${path} cannot be read, expected a file with user:password`]);
  }
}

/** An answer of an exporter. */
type Answer = {
  readonly status: number;
  readonly content: string;
  /** The `Date` header: the clock of the exporter. */
  readonly date: string | undefined;
};

/** Sends a request to one exporter; rejects if it does not respond. */
export type Ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Answer>;

/** The public authorities, and no proxy. */
const DIRECT: Network = { authorities: undefined, proxies: undefined };

const PATIENCE = 10_000;

/** @param patience milliseconds without a sign of life after which an exporter does not respond */
export function askOf(address: URL, login: string | undefined, patience = PATIENCE): Ask {
  const send = createSender(address, DIRECT, patience);
  return async (method, path, body) => {
    const headers = {
      ...(login !== undefined && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const {
      status,
      content,
      headers: { date },
    } = await send(new URL(path, address), request);
    return {
      status,
      content: status === 401 ? LOGIN_TEXTS[login === undefined ? 'none' : 'wrong'] : content,
      date: date?.toString(),
    };
  };
}

type Outcome = { readonly output: string } | { readonly error: string };

/** Asks each exporter; fails if one does not do what it is asked. */
export async function askEach(
  flags: ReadonlyMap<string, string>,
  {
    url,
    login_file: loginFile,
  }: { readonly url?: readonly URL[] | undefined; readonly login_file?: string | undefined },
  io: Io,
  act: (ask: Ask) => Promise<Outcome>,
): Promise<ExitCode> {
  const login = loginFile === undefined ? undefined : await readLogin(loginFile, io);
  const addresses = url ?? [(await loadOwn(flags, io)).address];
  let code: ExitCode = 0;
  for (const address of addresses) {
    const prefix = addresses.length > 1 ? `${address.origin}: ` : '';
    const outcome = await act(askOf(address, login)).catch(
      (error: unknown): Outcome => ({
        error: `did not respond (${reasonOf(error)})`,
      }),
    );
    if ('output' in outcome) await io.print(prefix + outcome.output);
    else {
      io.printError(`${prefix || `${address.origin}: `}${outcome.error.trim()}\n`);
      code = 1;
    }
  }
  return code;
}

/** Sentences in place of the content of a 401. */
const LOGIN_TEXTS = {
  none: 'The exporter demands a log-in: --login-file names a file with user:password.',
  wrong:
    'The exporter refuses the log-in of --login-file: it expects a user and password of its web.config_file.',
} as const;

/** Parses an address without a log-in, which messages would show. */
export function parseUrl(text: string): ParseResult<URL> {
  const isUrl = /^https?:\/\/[^\s\\@]+$/.test(text) && URL.canParse(text);
  return isUrl ? { value: new URL(text) } : { expected: URL_EXPECTED };
}
