import { createFileCache } from '../base/files.ts';
import { createSender, type Network, reasonOf, withPublicAuthorities } from '../base/outbound.ts';
import { FILE_VARIABLE, isSet, SERVICE_SOCKET_VARIABLE } from '../config/environment.ts';
import { readConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import { readNetwork } from '../config/network.ts';
import type { Config } from '../config/schema.ts';
import { setting } from '../config/settings.ts';
import { addressOf, type ParseResult, parsedText, parsePath, parseSocketPath } from '../config/values.ts';
import { readWebConfig } from '../http/web-config/parse.ts';
import { language, speaking } from '../text/say.ts';
import type { ExitCode, Io } from './command.ts';

const URL_EXPECTED =
  'an address such as http://127.0.0.1:9823, without a user name: use --login-file for a login';

export type ExporterAddress = {
  /** The address as people write it: http://127.0.0.1:9823, or unix:/run/hoster-exporter/web.sock. */
  readonly origin: string;
  /** Path of its Unix socket; undefined for TCP. */
  readonly socketPath?: string;
};

export const EXPORTER_URL = setting(parsedText(URL_EXPECTED, parseExporterAddress).optional(), {
  description:
    'Address of the exporter, or unix: and the path of its socket; by default the exporter on this machine, at web.socket if that is set.',
});

/** Addresses of exporters, each of which gets a request. */
const EXPORTER_URLS = setting(parsedText(`${URL_EXPECTED}, separated by commas`, parseUrls).optional(), {
  description:
    'Addresses of the exporters, or unix: and the path of a socket, separated by commas; by default the exporter on this machine.',
});

const LOGIN = 'the path of a file with user:password';

export const LOGIN_FILE = setting(parsedText(LOGIN, (path) => parsePath(path, LOGIN)).optional(), {
  description: 'File with user:password, if the exporter requires a login.',
});

/** This machine's settings, the address of its exporter, and the network that they describe. */
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
  const { config_file: configFile, listen_address: listenAddress } = config.web;
  const socket = socketOf(config, flags, environment);
  if (socket !== undefined) return { config, network, address: socketAddress(socket) };
  const web = configFile === undefined ? undefined : await readWebConfig(configFile, files);
  const scheme = web?.config.tls === undefined ? 'http' : 'https';
  return { config, network, address: addressOf(scheme, listenAddress) };
}

/**
 * Returns the exporter's socket; undefined to use its address. A flag with an address wins over a socket that no flag names.
 * The socket of a package's service counts only if nothing else is named.
 */
function socketOf(
  { web: { socket } }: Config,
  flags: ReadonlyMap<string, string>,
  environment: Io['environment'],
): string | undefined {
  if (flags.has('web.listen_address') && !flags.has('web.socket')) return undefined;
  const isNamed =
    flags.has('config.file') ||
    [FILE_VARIABLE, 'HOSTER_WEB_LISTEN_ADDRESS'].some((variable) => isSet(environment, variable));
  return socket ?? (isNamed ? undefined : environment[SERVICE_SOCKET_VARIABLE] || undefined);
}

/** Returns the user:password in a file. Throws a ConfigError if it cannot be read. */
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
  /** The `Date` header, by the exporter's clock. */
  readonly date: string | undefined;
};

/** Sends a request to one exporter. Rejects if it does not respond. */
export type SendRequest = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
) => Promise<ExporterResponse>;

/** Creates a function that requests an exporter's paths, each over its own connection and without a proxy. */
export function senderTo({ origin, socketPath }: ExporterAddress, network: Network, timeout: number) {
  // The exporter expects requests to its socket to name this machine as the host.
  const url = new URL(socketPath === undefined ? origin : 'http://localhost');
  const send = createSender(url, { ...network, proxies: undefined, socketPath }, timeout);
  return async (path: string, request: Parameters<typeof send>[1]) => await send(new URL(path, url), request);
}

/** @param timeout milliseconds without data after which an exporter counts as not responding */
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
      ...(language() !== 'en' && { 'accept-language': language() }),
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

export const EXPORTER_OPTIONS = { url: EXPORTER_URLS, login_file: LOGIN_FILE };

type ExporterOptions = {
  readonly url?: readonly ExporterAddress[] | undefined;
  readonly login_file?: string | undefined;
};

/**
 * Runs an action on each exporter. Fails if one fails.
 *
 * @param timeout as in {@link requestsTo}
 */
export async function forEachExporter(
  own: OwnSettings,
  { url, login_file: loginFile }: ExporterOptions,
  io: Io,
  act: (send: SendRequest, address: ExporterAddress) => Promise<ActionResult>,
  timeout?: number,
): Promise<ExitCode> {
  const login = loginFile === undefined ? undefined : await readLogin(loginFile, io);
  const addresses = url ?? [own.address];
  let code: ExitCode = 0;
  for (const address of addresses) {
    const prefix = addresses.length > 1 ? `${address.origin}: ` : '';
    const send = requestsTo(address, login, own.network, timeout);
    const result = await speaking(own.config.language, async () => await act(send, address)).catch(
      (error: unknown): ActionResult => ({ error: `did not respond (${reasonFor(address, error)})` }),
    );
    if ('output' in result) await io.print(prefix + printable(result.output));
    else {
      io.printError(
        `${prefix || `${address.origin}: `}${printable(result.error.trim().slice(0, MAX_ERROR))}\n`,
      );
      code = 1;
    }
  }
  return code;
}

/** Maximum length of an error from another server, in characters. */
const MAX_ERROR = 2_000;

/** Replaces characters that control a terminal: the address may belong to any server. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\r\t]/gu, '\uFFFD');
}

const SOCKET_ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket: is the exporter running, and is this its web.socket?',
  ECONNREFUSED: 'nothing listens on it: is the exporter running?',
  EACCES: 'permission denied: this user is not in the group of the socket',
};

/** Says why an exporter did not respond, and what to do if its socket cannot be opened. */
export function reasonFor({ socketPath }: ExporterAddress, error: unknown): string {
  const reason = reasonOf(error);
  return (socketPath === undefined ? undefined : SOCKET_ADVICE[reason]) ?? reason;
}

/**
 * Returns the `run` of a command that sends one request to each exporter and prints the responses.
 *
 * @param textOf formats a response for a terminal; returns undefined for any other document
 */
export function requestOfEach(
  request: Parameters<SendRequest>,
  textOf: (content: string, io: Io) => string | undefined,
) {
  return async (
    { flags, options }: { readonly flags: ReadonlyMap<string, string>; readonly options: ExporterOptions },
    io: Io,
  ): Promise<ExitCode> =>
    await forEachExporter(await loadOwn(flags, io), options, io, async (send, { origin }) => {
      const [method] = request;
      const { status, content } = await send(...request);
      const text = status < 300 ? textOf(content, io) : undefined;
      if (text === undefined) return { error: content };
      // If there are several exporters, the output names the one that was changed.
      return { output: method === 'GET' ? text : `${text}exporter: ${origin}\n` };
    });
}

/** Texts shown instead of the content of a 401. */
const LOGIN_TEXTS = {
  none: 'The exporter requires a login: use --login-file with a file that contains user:password.',
  wrong: 'The exporter rejected the login of --login-file: use a user and password of its web.config_file.',
} as const;

/** Parses an address without a login: messages would show it. */
export function parseUrl(text: string): ParseResult<URL> {
  const isUrl = /^https?:\/\/[^\s\\@]+$/.test(text) && URL.canParse(text);
  return isUrl ? { value: new URL(text) } : { expected: URL_EXPECTED };
}

/** Parses the address of an exporter: an address without a login, or `unix:` and the path of a socket. */
function parseExporterAddress(text: string): ParseResult<ExporterAddress> {
  if (!text.startsWith('unix:')) return parseUrl(text);
  const path = parseSocketPath(text.slice('unix:'.length));
  return 'value' in path ? { value: socketAddress(path.value) } : path;
}

function socketAddress(socketPath: string): ExporterAddress {
  return { origin: `unix:${socketPath}`, socketPath };
}

function parseUrls(value: string): ParseResult<readonly ExporterAddress[]> {
  const parsed = value.split(',').map((part) => parseExporterAddress(part.trim()));
  const urls = parsed.flatMap((each) => ('value' in each ? [each.value] : []));
  return urls.length === parsed.length
    ? { value: urls }
    : { expected: `${URL_EXPECTED}, separated by commas` };
}
