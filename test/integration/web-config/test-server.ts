import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect } from 'node:tls';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Log } from '../../../src/base/log.ts';
import { type Route, textReply } from '../../../src/http/reply.ts';
import { type Server, startServer } from '../../../src/http/server.ts';
import { openWebAccess, type WebAccess } from '../../../src/http/web-config/access.ts';
import { bcryptMatches, type PasswordChecker } from '../../../src/http/web-config/bcrypt.ts';
import { openDisk } from '../../open-disk.ts';
import { silentLog } from '../../silent-log.ts';

/*
 * A server with a web configuration file that a test writes.
 */

const FIXTURES = join(import.meta.dirname, '../../fixtures/web');

/** The text of a test certificate or key. */
export function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8');
}

export const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-web-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Writes a file next to the web configuration, by default the fixture of that name. */
export function place(name: string, content = fixture(name)): string {
  const path = join(folder, basename(name));
  writeFileSync(path, content);
  return path;
}

for (const name of ['authority', 'server', 'renewed', 'client']) place(`${name}.pem`);
for (const name of ['server', 'renewed']) place(`${name}.test-key.pem`);

/** The first lines of every file with TLS. */
export const TLS = 'tls_server_config:\n  cert_file: server.pem\n  key_file: server.test-key.pem\n';

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ['/', { methods: ['GET'], answer: () => textReply(200, 'Hello World!') }],
  ['/-/healthy', { methods: ['GET'], answer: () => textReply(200, 'healthy') }],
  ['/large', { methods: ['GET'], answer: () => textReply(200, 'x'.repeat(3_000_000)) }],
]);

export const lines: string[] = [];

/** A log that keeps level and message of each line, and the problems of an error. */
const recordingLog: Log = {
  ...silentLog,
  info: (_, message) => lines.push(`info ${message}`),
  warn: (_, message) => lines.push(`warn ${message}`),
  error: ({ problems }, message) => lines.push(`error ${message}: ${String(problems)}`),
};

const servers: Server[] = [];
const watched: WebAccess[] = [];

/** Closes the servers and forgets the log lines, for `afterEach` of each test file. */
export async function closeServers(): Promise<void> {
  for (const web of watched.splice(0)) web.stop();
  lines.length = 0;
  await Promise.all(servers.splice(0).map(({ close }) => close()));
}

export type Serving = {
  readonly url: string;
  readonly port: number;
  /** Flags of a command for this server. */
  readonly flags: readonly string[];
  /** Writes the web configuration file again. */
  readonly rewrite: (content: string) => void;
  readonly close: () => Promise<void>;
};

let files = 0;

type ServeOptions = {
  readonly clock?: Clock;
  readonly host?: string;
  /** Compares a password with a hash; in the thread of the test, unless given. */
  readonly matches?: PasswordChecker['matches'];
};

const matchesAtOnce = async (password: string, hash: string): Promise<boolean> =>
  bcryptMatches(password, hash);

/** Starts a server; without content, one without a web configuration file. */
export async function serve(
  content: string | undefined,
  { clock = systemClock, host = '127.0.0.1', matches = matchesAtOnce }: ServeOptions = {},
): Promise<Serving> {
  files += 1;
  const name = `web-${files}.yml`;
  const checker = { matches, stop: () => {} };
  const web =
    content === undefined
      ? undefined
      : await openWebAccess({
          path: place(name, content),
          disk: openDisk,
          clock,
          log: recordingLog,
          checker,
        });
  if (web !== undefined) watched.push(web);
  const server = await startServer({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: 0,
    routes: ROUTES,
    onAnswer: () => {},
    onRefusal: () => {},
    web,
    clock,
    log: silentLog,
  });
  servers.push(server);
  const port = Number(/\d+$/.exec(server.url)?.[0]);
  return {
    url: server.url,
    port,
    flags: [`--web.listen-address=${host}:${port}`, `--web.config.file=${join(folder, name)}`],
    rewrite: (again) => void place(name, again),
    close: server.close,
  };
}

export type Answer = {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
};

export type Asking = RequestOptions &
  Pick<ConnectionOptions, 'ALPNProtocols'> & {
    readonly user?: string;
    readonly password?: string;
    /** A TLS session to resume. */
    readonly session?: Buffer;
  };

/** Sends a request on a new connection; over TLS it trusts the authority of the fixtures only. */
export function ask(url: string, { user, password, ...options }: Asking = {}): Promise<Answer> {
  const isSecure = url.startsWith('https:');
  const credentials = user === undefined ? {} : { auth: `${user}:${password ?? ''}` };
  return new Promise((resolve, reject) => {
    const all = { agent: false, ...credentials, ...options };
    const asked = (isSecure ? requestHttps : requestHttp)(
      url,
      isSecure ? { ca: fixture('authority.pem'), ...all } : all,
      async (response) => {
        const { statusCode: status, headers } = response;
        resolve({ status, headers, body: await text(response) });
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

/** Returns the status, or `refused` if there was no response. */
export async function outcomeOf(url: string, asking?: Asking): Promise<number | 'refused' | undefined> {
  return ask(url, asking).then(
    ({ status }) => status,
    () => 'refused' as const,
  );
}

/** Request options with a client certificate of the fixtures. */
export const showing = (name: string) => ({
  cert: fixture(`${name}.pem`),
  key: fixture(`${name}.test-key.pem`),
});

/** Returns the fingerprint of the server's certificate on a new connection. */
export function shownBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: fixture('authority.pem') }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? 'none');
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

/** Returns the fingerprint of a certificate of the fixtures. */
export const fingerprintOf = (name: string): string =>
  new X509Certificate(fixture(`${name}.pem`)).fingerprint256;
