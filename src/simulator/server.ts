import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../model/enums.ts';
import type { Fault } from './faults/fault.ts';
import { applyFaults } from './faults/fault.ts';
import { createSwitchboard, respondToControl, type Switchboard } from './faults/switchboard.ts';
import { USUAL_FAULTS } from './faults/usual.ts';
import { createIncidents, type Incidents, isIncidentPath } from './incidents.ts';
import { createRandom } from './random.ts';
import {
  type EncodedResponse,
  encodeResponse,
  endpointOf,
  respond,
  type SimulatedAccount,
  type SimulatedRequest,
} from './response.ts';

export type SimulatorOptions = {
  readonly accounts: readonly SimulatedAccount[];
  /** Time of the marketplaces, and of delayed responses. */
  readonly clock: Clock;
  /** By default 127.0.0.1. */
  readonly host?: string;
  /** By default a free port. */
  readonly port?: number;
  /** Latency of each response of the API; by default 0. */
  readonly latencyMilliseconds?: number;
  /** Idle time after which a connection is closed; by default 5 s. */
  readonly keepAliveMilliseconds?: number;
  /** Faults that can be switched on; by default the usual ones. */
  readonly faults?: readonly Fault[];
  /** Seed for faults with a probability. */
  readonly seed?: number;
  /** Number of the latest requests to keep; by default 10,000. */
  readonly logLimit?: number;
};

/** A running simulated marketplace. */
export type Simulator = Pick<RequestLog, 'requests' | 'counts'> & {
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly faults: Switchboard;
  /** Stops listening and closes all connections. */
  readonly close: () => Promise<void>;
};

type Context = {
  readonly options: SimulatorOptions;
  readonly faults: Switchboard;
  readonly incidents: Incidents;
  readonly log: RequestLog;
};

const CONTROL_PREFIX = '/-/';

/** Serves the marketplaces of the accounts. Rejects if it can't listen on the port. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const faults = createSwitchboard(options.faults ?? USUAL_FAULTS, createRandom(options.seed ?? 1));
  const log = createRequestLog(options.logLimit ?? 10_000);
  const incidents = createIncidents(options.accounts);
  const context: Context = { options, faults, incidents, log };
  const server = createServer(
    { keepAliveTimeout: options.keepAliveMilliseconds ?? 5_000 },
    (incoming, response) => {
      incoming.resume();
      serve(context, incoming, response);
    },
  );
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, host, options.port ?? 0);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    faults,
    requests: log.requests,
    counts: log.counts,
    close: () => close(server),
  };
}

function serve(context: Context, incoming: IncomingMessage, response: ServerResponse): void {
  const { accounts, clock, latencyMilliseconds = 0 } = context.options;
  const request = requestOf(incoming);
  if (request.path.startsWith(CONTROL_PREFIX)) {
    const controlled = isIncidentPath(request.path)
      ? context.incidents.respond(request, clock.now())
      : respondToControl(context.faults, request);
    send(response, encodeResponse(controlled, clock.now()));
    return;
  }
  const endpoint = endpointOf(request.path);
  context.log.record(logEntry(request, endpoint, accounts, clock.now()));
  // Prepared at once and sent later, so that the latency doesn't depend on the load.
  const sendResponse = prepareResponse(context, request, endpoint, response);
  if (latencyMilliseconds > 0) clock.after(latencyMilliseconds, sendResponse);
  else sendResponse();
}

/** Prepares the response as of now, with its faults; the returned function sends it. */
function prepareResponse(
  context: Context,
  request: SimulatedRequest,
  endpoint: Endpoint | undefined,
  response: ServerResponse,
): () => void {
  const { accounts, clock } = context.options;
  const now = clock.now();
  for (const { marketplace } of accounts) marketplace.advance(now);
  const correct = respond(accounts, request);
  const { socket } = response;
  const acting = endpoint === undefined ? [] : context.faults.next(endpoint);
  if (endpoint === undefined || acting.length === 0 || socket === null) {
    const encoded = encodeResponse(correct, now);
    return () => send(response, encoded);
  }
  const encoded = applyFaults(correct, acting, {
    endpoint,
    path: request.path,
    now,
    otherOrigin: `http://localhost:${socket.localPort}`,
    respondWith: (parameters) =>
      respond(accounts, { ...request, query: withParameters(request.query, parameters) }),
  });
  const socketFault = acting.map(({ fault }) => fault).find((fault) => 'onSocket' in fault);
  if (socketFault === undefined) return () => send(response, encoded);
  return () => socketFault.onSocket({ socket, after: clock.after }, encoded);
}

function send(response: ServerResponse, { status, headers, body }: EncodedResponse): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage): SimulatedRequest {
  const mark = url.indexOf('?');
  if (mark === -1) return { method, path: url, query: new URLSearchParams(), headers };
  return { method, path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)), headers };
}

function withParameters(
  query: URLSearchParams,
  parameters: Readonly<Record<string, string>>,
): URLSearchParams {
  const result = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) result.set(name, value);
  return result;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}

/** A logged request, without its key. */
type LoggedRequest = {
  /** Time of the request, in milliseconds since 1970 by the simulator's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The query as it was sent, without the question mark. */
  readonly query: string;
  /** Undefined for other paths. */
  readonly endpoint: Endpoint | undefined;
  readonly keyPresent: boolean;
  /** The name of the account that the key belongs to. */
  readonly account: string | undefined;
};

type RequestLog = {
  readonly record: (request: LoggedRequest) => void;
  /** The latest requests, oldest first. */
  readonly requests: () => readonly LoggedRequest[];
  /** Number of all requests, kept or not. */
  readonly counts: () => Readonly<Record<Endpoint | 'other', number>>;
};

/** Keeps at least the latest `limit` requests and at most twice as many, so that removal is cheap. */
function createRequestLog(limit: number): RequestLog {
  let kept: LoggedRequest[] = [];
  const counts = { devices: 0, tunnel: 0, balance: 0, other: 0 };
  return {
    record: (request) => {
      counts[request.endpoint ?? 'other'] += 1;
      kept.push(request);
      if (kept.length > 2 * limit) kept = kept.slice(-limit);
    },
    requests: () => kept.slice(-limit),
    counts: () => ({ ...counts }),
  };
}

function logEntry(
  request: SimulatedRequest,
  endpoint: Endpoint | undefined,
  accounts: readonly SimulatedAccount[],
  at: number,
): LoggedRequest {
  const key = request.headers['x-api-key'];
  return {
    at,
    method: request.method,
    path: request.path,
    query: request.query.toString(),
    endpoint,
    keyPresent: key !== undefined,
    account: accounts.find((account) => account.key === key)?.name,
  };
}
