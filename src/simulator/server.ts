import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../model/endpoint.ts';
import { type Account, answer, endpointOf, type Request } from './answer.ts';
import { spoil } from './faults/spoil.ts';
import { createSwitchboard, type Switchboard } from './faults/switchboard.ts';
import { encode, type Message } from './message.ts';
import { createRandom } from './random.ts';
import { answerRemote } from './remote.ts';
import { createRequestLog, type RequestLog, seen } from './request-log.ts';

export type SimulatorOptions = {
  readonly accounts: readonly Account[];
  /** Decides what time it is in the worlds, and when slow answers move on. */
  readonly clock: Clock;
  /** By default 127.0.0.1. */
  readonly host?: string;
  /** By default any port that is free. */
  readonly port?: number;
  /** How long every answer of the API takes; by default no time. */
  readonly latencyMilliseconds?: number;
  /** How long a connection may be idle before it is closed; by default five seconds. */
  readonly keepAliveMilliseconds?: number;
  /** Where chance comes from for faults with a probability. */
  readonly seed?: number;
  /** How many of the latest requests are kept; by default 10,000. */
  readonly logLimit?: number;
};

/** A simulated marketplace that listens. */
export type Simulator = Pick<RequestLog, 'requests' | 'counts'> & {
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly faults: Switchboard;
  /** Stops listening and breaks every connection. */
  readonly close: () => Promise<void>;
};

type Service = {
  readonly options: SimulatorOptions;
  readonly faults: Switchboard;
  readonly log: RequestLog;
};

const REMOTE_PREFIX = '/-/';

/** Serves the marketplaces of the accounts. Rejects if the port cannot be listened on. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const faults = createSwitchboard(createRandom(options.seed ?? 1));
  const log = createRequestLog(options.logLimit ?? 10_000);
  const service: Service = { options, faults, log };
  const server = createServer(
    { keepAliveTimeout: options.keepAliveMilliseconds ?? 5_000 },
    (incoming, response) => {
      incoming.resume();
      serve(service, incoming, response);
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

function serve(service: Service, incoming: IncomingMessage, response: ServerResponse): void {
  const { accounts, clock, latencyMilliseconds = 0 } = service.options;
  const request = requestOf(incoming);
  if (request.path.startsWith(REMOTE_PREFIX)) {
    send(response, encode(answerRemote(service.faults, request), clock.now()));
    return;
  }
  const endpoint = endpointOf(request.path);
  service.log.record(seen(request, endpoint, accounts, clock.now()));
  // Made at once and then kept back, so that an answer takes so long, and not longer the more of them are made.
  const respond = answerOnApi(service, request, endpoint, response);
  if (latencyMilliseconds > 0) clock.after(latencyMilliseconds, respond);
  else respond();
}

/** The way of an answer: the worlds as they are now, the answer as data, as bytes; calling it puts them on the socket. */
function answerOnApi(
  service: Service,
  request: Request,
  endpoint: Endpoint | undefined,
  response: ServerResponse,
): () => void {
  const { accounts, clock } = service.options;
  const now = clock.now();
  for (const { marketplace } of accounts) marketplace.advance(now);
  const good = answer(accounts, request);
  const { socket } = response;
  const acting = endpoint === undefined ? [] : service.faults.next(endpoint);
  if (endpoint === undefined || acting.length === 0 || socket === null) {
    const message = encode(good, now);
    return () => send(response, message);
  }
  const message = spoil(good, acting, {
    endpoint,
    path: request.path,
    now,
    otherOrigin: `http://localhost:${socket.localPort}`,
    ask: (parameters) => answer(accounts, { ...request, query: merged(request.query, parameters) }),
  });
  const breaker = acting.map(({ fault }) => fault).find((fault) => 'onSocket' in fault);
  if (breaker === undefined) return () => send(response, message);
  return () => breaker.onSocket({ socket, after: clock.after }, message);
}

function send(response: ServerResponse, { status, headers, body }: Message): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage): Request {
  const mark = url.indexOf('?');
  if (mark === -1) return { method, path: url, query: new URLSearchParams(), headers };
  return { method, path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)), headers };
}

function merged(query: URLSearchParams, parameters: Readonly<Record<string, string>>): URLSearchParams {
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
