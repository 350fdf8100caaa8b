import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { createFaults, type Faults } from './faults.ts';
import {
  type EncodedResponse,
  encodeResponse,
  respond,
  type SimulatedAccount,
  type SimulatedRequest,
} from './response.ts';

export type SimulatorOptions = {
  readonly accounts: readonly SimulatedAccount[];
  /** Time of the marketplaces, and of delayed responses. */
  readonly clock: Clock;
  /** Latency of each response of the API; by default 0. */
  readonly latencyMilliseconds?: number;
  readonly faults?: Faults;
};

const CONTROL_PREFIX = '/-/';

/** Creates the listener of a server for marketplaces and the control of their faults. */
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
