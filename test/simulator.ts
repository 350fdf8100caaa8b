import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { endpointOf, type SimulatedAccount, type SimulatedRequest } from '../src/features/demo/response.ts';
import { createSimulator, requestOf, type SimulatorOptions } from '../src/features/demo/simulate.ts';
import type { Endpoint } from '../src/model/enums.ts';

/** Options of a simulator, whose accounts have names for the request log. */
export type TestedSimulatorOptions = Omit<SimulatorOptions, 'accounts'> & {
  readonly accounts: readonly (SimulatedAccount & { readonly name: string })[];
};

/** Responds in place of the simulator, and returns true; false lets it respond. */
export type Intercept = (exchange: {
  readonly request: SimulatedRequest;
  readonly endpoint: Endpoint;
  readonly response: ServerResponse;
}) => boolean;

/** A running simulated marketplace, which logs requests of the API. */
export type Simulator = Pick<RequestLog, 'requests' | 'counts'> & {
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** Stops listening and closes all connections. */
  readonly close: () => Promise<void>;
};

/** Serves the marketplaces of the accounts on a free port. */
export async function startSimulator(
  options: TestedSimulatorOptions,
  intercept: Intercept = () => false,
): Promise<Simulator> {
  const { accounts, clock } = options;
  const log = createRequestLog();
  const respond = createSimulator(options);
  const server = createServer((incoming, response) => {
    const request = requestOf(incoming);
    const { method, path, query, headers } = request;
    const endpoint = endpointOf(path);
    const key = headers['x-api-key'];
    if (!path.startsWith('/-/'))
      log.record({
        at: clock.now(),
        ...{ method, path, query: query.toString(), endpoint, keyPresent: key !== undefined },
        account: accounts.find((account) => account.key === key)?.name,
      });
    incoming.resume();
    if (endpoint === undefined || !intercept({ request, endpoint, response })) respond(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`,
    requests: log.requests,
    counts: log.counts,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
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

/** Maximum number of requests that are kept. */
const LIMIT = 10_000;

function createRequestLog(): RequestLog {
  const kept: LoggedRequest[] = [];
  const counts = { devices: 0, tunnel: 0, balance: 0, other: 0 };
  return {
    record: (request) => {
      counts[request.endpoint ?? 'other'] += 1;
      kept.push(request);
      if (kept.length > LIMIT) kept.shift();
    },
    requests: () => [...kept],
    counts: () => ({ ...counts }),
  };
}
