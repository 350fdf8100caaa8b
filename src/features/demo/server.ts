import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Endpoint } from '../../model/enums.ts';
import { createFaults, type Faults } from './faults.ts';
import {
  type EncodedResponse,
  encodeResponse,
  endpointOf,
  respond,
  type SimulatedAccount,
  type SimulatedRequest,
  type SimulatedResponse,
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
  /** Returns an act in place of sending the correct response; undefined lets it be sent. */
  readonly intercept?: (exchange: Exchange) => (() => void) | undefined;
  /** Number of the latest requests to keep; by default 10,000. */
  readonly logLimit?: number;
};

/** A request of the API, its correct response, and what is needed to send another one. */
export type Exchange = {
  readonly request: SimulatedRequest;
  readonly endpoint: Endpoint;
  readonly correct: SimulatedResponse;
  /** Time of the marketplaces, in milliseconds since 1970. */
  readonly now: number;
  readonly socket: Socket;
  readonly send: (response: EncodedResponse) => void;
};

/** A running simulated marketplace. */
export type Simulator = Pick<RequestLog, 'requests' | 'counts'> & {
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** Stops listening and closes all connections. */
  readonly close: () => Promise<void>;
};

type Context = {
  readonly options: SimulatorOptions;
  readonly faults: Faults;
  readonly log: RequestLog;
};

const CONTROL_PREFIX = '/-/';

/** Serves the marketplaces of the accounts. Rejects if it can't listen on the port. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const faults = createFaults(options.accounts);
  const log = createRequestLog(options.logLimit ?? 10_000);
  const context: Context = { options, faults, log };
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
    requests: log.requests,
    counts: log.counts,
    close: () => close(server),
  };
}

function serve(context: Context, incoming: IncomingMessage, response: ServerResponse): void {
  const { accounts, clock, latencyMilliseconds = 0 } = context.options;
  const request = requestOf(incoming);
  if (request.path.startsWith(CONTROL_PREFIX)) {
    send(response, encodeResponse(context.faults.control(request, clock.now()), clock.now()));
    return;
  }
  const endpoint = endpointOf(request.path);
  context.log.record(logEntry(request, endpoint, accounts, clock.now()));
  // Prepared at once and sent later, so that the latency doesn't depend on the load.
  const sendResponse = prepareResponse(context, request, endpoint, response);
  const delay = latencyMilliseconds + context.faults.delay();
  if (delay > 0) clock.after(delay, sendResponse);
  else sendResponse();
}

/** Prepares the response as of now; the returned function sends it. */
function prepareResponse(
  context: Context,
  request: SimulatedRequest,
  endpoint: Endpoint | undefined,
  response: ServerResponse,
): () => void {
  const { accounts, clock, intercept } = context.options;
  const now = clock.now();
  for (const { marketplace } of accounts) marketplace.advance(now);
  const correct = respond(accounts, request);
  const { socket } = response;
  const sendEncoded = (encoded: EncodedResponse): void => send(response, encoded);
  const act =
    intercept === undefined || endpoint === undefined || socket === null
      ? undefined
      : intercept({ request, endpoint, correct, now, socket, send: sendEncoded });
  if (act !== undefined) return act;
  const encoded = encodeResponse(endpoint === undefined ? correct : context.faults.apply(correct), now);
  return () => sendEncoded(encoded);
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
