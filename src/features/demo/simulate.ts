import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { readKey } from '../../base/api-key.ts';
import type { Clock } from '../../base/clock.ts';
import { createFileCache } from '../../base/files.ts';
import { defineCommand } from '../../cli/command.ts';
import type { Environment } from '../../config/environment.ts';
import { setting } from '../../config/settings.ts';
import { duration, parsedText, parsePath, wholeNumber } from '../../config/values.ts';
import { DAY, HOUR } from '../../model/time.ts';
import { createFaults, type Faults } from './faults.ts';
import { createMarketplace, type Marketplace } from './marketplace.ts';
import { createFleet, type Phone } from './phones.ts';
import {
  type EncodedResponse,
  encodeResponse,
  respond,
  type SimulatedAccount,
  type SimulatedRequest,
} from './response.ts';

/** Options of the simulated fleet that `demo` and `simulate` share. */
export const FLEET_OPTIONS = {
  phones: setting(wholeNumber(0, 1_000_000), { description: 'Number of simulated phones.', default: 250 }),
  seed: setting(wholeNumber(0, 999_999_999), {
    description: 'Seed of the fleet. The same seed gives the same phones.',
    default: 1,
  }),
  history: setting(duration(HOUR, 30 * DAY), {
    description: 'Length of the simulated history, such as 2d; it starts at the midnight (UTC) before.',
    default: '2d',
  }),
};

/** Values of {@link FLEET_OPTIONS}. */
type FleetOptions = { readonly phones: number; readonly seed: number; readonly history: number };

/** The default key of the simulated marketplace. It is valid nowhere else. */
export const DEMO_KEY = 'demo';

/** Advice if it cannot listen, by error code. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'choose another port with --port'],
  ['EACCES', 'choose another port with --port'],
  ['EADDRNOTAVAIL', 'this machine has no IPv4 address 127.0.0.1: add it to the loopback interface'],
  ['EAFNOSUPPORT', 'this machine has no IPv4, which the simulated marketplace needs'],
]);

export const simulate = defineCommand({
  options: {
    ...FLEET_OPTIONS,
    port: setting(wholeNumber(0, 65_535), {
      description: 'Port on 127.0.0.1; 0 for any free port.',
      default: 9824,
    }),
    'key-file': setting(parsedText('the path of a file with a key', parsePath).optional(), {
      description: 'File with the API key that the marketplace accepts; by default the key is "demo".',
    }),
    latency: setting(wholeNumber(0, 60_000), {
      description: 'Latency of each response, in milliseconds.',
      default: 0,
    }),
  },
  takesSettings: false,
  run: async ({ options }, io) => {
    const keyFile = options['key-file'];
    const files = createFileCache(io.readFile);
    await files.refresh(keyFile);
    const key =
      keyFile === undefined ? DEMO_KEY : readKey({ file: keyFile }, files.text, io.environment).reveal();
    const simulator = await simulateFleet(options, io.clock, key).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const action = ACTIONS.get(code);
      if (action === undefined) throw error;
      io.printError(`cannot listen on 127.0.0.1:${options.port} (${code}): ${action}\n`);
    });
    if (simulator === undefined) return 1;
    const { url, marketplace } = simulator;
    const isPlain = ({ label, online }: Phone): boolean => online && /^[\w-]+\/[\w-]+$/.test(label);
    const phone = marketplace.phones().find(isPlain)?.label ?? 'LABEL';
    await io.print(`Simulated marketplace with ${options.phones} phones:

  HOSTER_API_URL=${url}
  HOSTER_API_KEY${keyFile === undefined ? `=${DEMO_KEY}` : `_FILE=${keyFile}`}

  Make the API fail, respond slowly, or refuse the key:
  curl -X PUT ${url}/-/faults/down
  curl -X PUT ${url}/-/faults/slow
  curl -X PUT ${url}/-/faults/refused-key

  Cut the power of a rack; the exporter sees it once its phones are offline for longer than usual:
  curl -X PUT ${url}/-/faults/group/${phone.split('/', 1)}

  Take one phone offline, by its label:
  curl -X PUT ${url}/-/faults/label/${encodeURIComponent(phone)}

  List the faults, end all of them, or end one:
  curl ${url}/-/faults
  curl -X DELETE ${url}/-/faults
  curl -X DELETE ${url}/-/faults/down

Press Ctrl-C to quit.
`);
    await io.interrupted;
    simulator.close();
    return 0;
  },
});

/** Starts a simulated marketplace, by default on a free port. Rejects with the error of `listen`. */
export async function simulateFleet(
  options: FleetOptions & { readonly port?: number; readonly latency?: number },
  clock: Clock,
  key = DEMO_KEY,
) {
  const { port = 0, latency = 0 } = options;
  const marketplace = createMarketplaceAt(options, clock.now());
  const accounts = [{ key, marketplace }];
  const faults = createFaults(accounts);
  const listener = createSimulator({ accounts, clock, faults, latencyMilliseconds: latency });
  const server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    marketplace,
    faults,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Creates the marketplace for `now`, in milliseconds since 1970. It starts at midnight, so all marketplaces of a day are
 * equal.
 */
export function createMarketplaceAt({ phones, seed, history }: FleetOptions, now: number): Marketplace {
  const startAt = Math.floor((now - history) / DAY) * DAY;
  return createMarketplace({ seed, startAt, phones: createFleet({ seed, size: phones }) });
}

/** Returns flags and environment for the simulated marketplace only: a demo must never poll the real one. */
export function demoConfig(
  flags: ReadonlyMap<string, string>,
  environment: Environment,
  url: string,
): { readonly flags: ReadonlyMap<string, string>; readonly environment: Environment } {
  const demoFlags = new Map(flags).set('accounts[].api_url', url);
  demoFlags.delete('accounts[].api_key_file');
  return {
    flags: demoFlags,
    environment: { ...environment, HOSTER_API_KEY: DEMO_KEY, HOSTER_API_KEY_FILE: '' },
  };
}

export type SimulatorOptions = {
  readonly accounts: readonly SimulatedAccount[];
  /** Clock of the marketplaces and of delayed responses. */
  readonly clock: Clock;
  /** Latency of each API response; 0 by default. */
  readonly latencyMilliseconds?: number;
  readonly faults?: Faults;
};

const CONTROL_PREFIX = '/-/';

/** Creates the listener of a server for marketplaces and for controlling their faults. */
export function createSimulator({
  accounts,
  clock,
  latencyMilliseconds = 0,
  faults = createFaults(accounts),
}: SimulatorOptions): RequestListener {
  return (incoming, response) => {
    incoming.resume();
    const request = requestOf(incoming);
    const now = clock.now();
    for (const { marketplace } of accounts) marketplace.advance(now);
    if (request.path.startsWith(CONTROL_PREFIX)) {
      send(response, encodeResponse(faults.control(request), now));
      return;
    }
    // Responses are prepared first and sent later, so that the latency does not depend on the load.
    const encoded = encodeResponse(faults.apply(respond(accounts, request)), now);
    const delay = latencyMilliseconds + faults.delay();
    if (delay > 0) clock.after(delay, () => send(response, encoded));
    else send(response, encoded);
  };
}

export function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage): SimulatedRequest {
  const [, path = '', query] = /^([^?]*)\??(.*)$/.exec(url) ?? [];
  return { method, path, query: new URLSearchParams(query), headers };
}

function send(response: ServerResponse, { status, headers, body }: EncodedResponse): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}
