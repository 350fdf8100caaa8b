import { createFileCache } from '../base/files.ts';
import { createSender, type Network, reasonOf, withPublicAuthorities } from '../base/outbound.ts';
import { readConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import { readNetwork } from '../config/network.ts';
import type { Config } from '../config/schema.ts';
import { setting } from '../config/settings.ts';
import { addressOf, type ParseResult, parsedText, parsePath, parseSocketPath } from '../config/values.ts';
import { readWebConfig } from '../http/web-config/parse.ts';
import type { ExitCode, Io } from './command.ts';

/*
 * Requests of commands to running exporters.
 */

export const URL_EXPECTED =
  'an address such as http://127.0.0.1:9823, without a user name: use --login-file for a login';

/** The address of an exporter. */
export type ExporterAddress = {
  /** As people write it: http://127.0.0.1:9823, or unix:/run/hoster-exporter/web.sock. */
  readonly origin: string;
  /** Path of its Unix socket; undefined for TCP. */
  readonly socketPath?: string;
};

export const EXPORTER_URL = setting(parsedText(URL_EXPECTED, parseExporterAddress).optional(), {
  description:
    'Address of the exporter, or unix: and the path of its socket; by default the exporter on this machine, at web.socket if that is set.',
});

/** Addresses of exporters that all get a request. */
export const EXPORTER_URLS = setting(
  parsedText(`${URL_EXPECTED}, separated by commas`, parseUrls).optional(),
  {
    description:
      'Addresses of the exporters, or unix: and the path of a socket, separated by commas; by default the exporter on this machine.',
  },
);

const LOGIN = 'the path of a file with user:password';

export const LOGIN_FILE = setting(parsedText(LOGIN, (path) => parsePath(path, LOGIN)).optional(), {
  description: 'File with user:password, if the exporter requires a login.',
});

/** The settings of this machine, the address of its exporter, and the network that they describe. */
export type OwnSettings = {
  readonly config: Config;
  readonly address: ExporterAddress;
  readonly network: Network;
};

/** Reads the configuration and its files. Rejects with a ConfigError if they are invalid. */
export async function loadOwn(
  flags: ReadonlyMap<string, string>,
  { schema, environment, readFile }: Io,
): Promise<OwnSettings> {
  const files = createFileCache(readFile);
  const { config } = await readConfig({ schema, flags, environment, accounts: 'optional' }, files);
  await files.refresh(config.client.ca_file);
  const network = withPublicAuthorities(readNetwork(config.client, environment, files.text));
  const { config_file: configFile, listen_address: listenAddress, socket } = config.web;
  if (socket !== undefined) return { config, network, address: socketAddress(socket) };
  const web = configFile === undefined ? undefined : await readWebConfig(configFile, files);
  const scheme = web?.config.tls === undefined ? 'http' : 'https';
  return { config, network, address: addressOf(scheme, listenAddress) };
}

/** Returns user:password of a file. Throws a ConfigError if it cannot be read. */
export async function readLogin(path: string, { readFile }: Io): Promise<string> {
  try {
    return (await readFile(path)).trim();
  } catch {
    throw new ConfigError([`--login-file: cannot read ${path}, expected a file with user:password`]);
  }
}

type ExporterResponse = {
  readonly status: number;
  readonly content: string;
  /** The `Date` header, by the clock of the exporter. */
  readonly date: string | undefined;
};

/** Sends a request to one exporter. Rejects if it does not respond. */
export type SendRequest = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
) => Promise<ExporterResponse>;

/** Creates a function that sends requests for paths of an exporter, each over a connection of its own without a proxy. */
export function senderTo({ origin, socketPath }: ExporterAddress, network: Network, timeout: number) {
  // The exporter expects a name of this machine as the host of a request to its socket.
  const url = new URL(socketPath === undefined ? origin : 'http://localhost');
  const send = createSender(url, { ...network, proxies: undefined, socketPath }, timeout);
  return async (path: string, request: Parameters<typeof send>[1]) => await send(new URL(path, url), request);
}

/** @param timeout milliseconds without data after which an exporter does not respond */
export function requestsTo(
  address: ExporterAddress,
  login: string | undefined,
  network: Network,
  timeout = 10_000,
): SendRequest {
  const send = senderTo(address, network, timeout);
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
    } = await send(path, request);
    return {
      status,
      content: status === 401 ? LOGIN_TEXTS[login === undefined ? 'none' : 'wrong'] : content,
      date: date?.toString(),
    };
  };
}

export type ActionResult = { readonly output: string } | { readonly error: string };

/**
 * Runs an action on each exporter. Fails if one fails.
 *
 * @param timeout as in {@link requestsTo}
 * @param advice ends the message about an exporter that does not respond
 */
export async function forEachExporter(
  own: OwnSettings,
  {
    url,
    login_file: loginFile,
  }: { readonly url?: readonly ExporterAddress[] | undefined; readonly login_file?: string | undefined },
  io: Io,
  act: (send: SendRequest) => Promise<ActionResult>,
  { timeout, advice = '' }: { readonly timeout?: number; readonly advice?: string } = {},
): Promise<ExitCode> {
  const login = loginFile === undefined ? undefined : await readLogin(loginFile, io);
  const addresses = url ?? [own.address];
  let code: ExitCode = 0;
  for (const address of addresses) {
    const prefix = addresses.length > 1 ? `${address.origin}: ` : '';
    const result = await act(requestsTo(address, login, own.network, timeout)).catch(
      (error: unknown): ActionResult => ({ error: `did not respond (${reasonOf(error)})${advice}` }),
    );
    if ('output' in result) await io.print(prefix + result.output);
    else {
      io.printError(`${prefix || `${address.origin}: `}${result.error.trim()}\n`);
      code = 1;
    }
  }
  return code;
}

/** Texts that replace the content of a 401. */
const LOGIN_TEXTS = {
  none: 'The exporter requires a login: use --login-file with a file that contains user:password.',
  wrong: 'The exporter rejected the login of --login-file: use a user and password of its web.config_file.',
} as const;

/** Parses an address without a login, which messages would show. */
export function parseUrl(text: string): ParseResult<URL> {
  const isUrl = /^https?:\/\/[^\s\\@]+$/.test(text) && URL.canParse(text);
  return isUrl ? { value: new URL(text) } : { expected: URL_EXPECTED };
}

/** Parses the address of an exporter: an address without a login, or `unix:` and the path of a socket. */
export function parseExporterAddress(text: string): ParseResult<ExporterAddress> {
  if (!text.startsWith('unix:')) return parseUrl(text);
  const path = parseSocketPath(text.slice('unix:'.length));
  return 'value' in path ? { value: socketAddress(path.value) } : path;
}

export function socketAddress(socketPath: string): ExporterAddress {
  return { origin: `unix:${socketPath}`, socketPath };
}

function parseUrls(value: string): ParseResult<readonly ExporterAddress[]> {
  const parsed = value.split(',').map((part) => parseExporterAddress(part.trim()));
  const urls = parsed.flatMap((each) => ('value' in each ? [each.value] : []));
  return urls.length === parsed.length
    ? { value: urls }
    : { expected: `${URL_EXPECTED}, separated by commas` };
}
