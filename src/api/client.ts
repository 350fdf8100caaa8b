import type { Clock } from '../clock.ts';
import type { ApiEvents } from '../model/api-events.ts';
import type { Balance } from '../model/balance.ts';
import type { Shard } from '../model/shard.ts';
import type { Tunnel } from '../model/tunnel.ts';
import type { Secret } from '../secret.ts';
import type { Answer } from './answer.ts';
import { createAsk } from './ask.ts';
import { PAGE_SIZE } from './listing-pages.ts';
import { createTransport, type Proxies, type Transport } from './transport.ts';
import { whole } from './understand.ts';
import { readBalance } from './wire/balance.ts';
import { createPageMemory, PageReader, type PageTaker } from './wire/page-memory.ts';
import { createTunnelMemory, TunnelReader } from './wire/tunnel-memory.ts';
import { createWire } from './wire/wire.ts';

/**
 * The API of one account. A call rejects with an {@link ApiError}, or with the reason of its signal once that aborted:
 * giving up is the caller's decision, not a failure of the API.
 */
export type ApiClient = {
  /**
   * One page of the device list, counted from 1, as what the taker makes of it at once. A promise that has waited long
   * enough to be old keeps what it is resolved with until the old generation is collected, and a page is large.
   */
  readonly devicePage: <Value>(
    page: number,
    signal: AbortSignal,
    taker: PageTaker<Value>,
  ) => Promise<Answer<Value>>;
  /**
   * The self-rent tunnel of a device; undefined where it has none (404 SELF_RENT_TUNNEL_NOT_FOUND). It is `known` itself,
   * the tunnel as it was when it was last asked for, if that is what the answer says.
   */
  readonly tunnel: (
    deviceId: string,
    signal: AbortSignal,
    known?: Tunnel,
  ) => Promise<Answer<Tunnel | undefined>>;
  readonly balance: (signal: AbortSignal) => Promise<Answer<Balance>>;
  /** Ends every connection at once. */
  readonly close: () => Promise<void>;
};

export type ApiClientOptions = {
  /** `{base_url}` of the API document; may carry a path. */
  readonly baseUrl: URL;
  /** Asked at each request, so that a new key needs no restart. */
  readonly key: () => Secret;
  /** Most requests at once, each on a connection of its own. */
  readonly concurrency: number;
  /** Undefined for as many as come. */
  readonly requestsPerSecond: number | undefined;
  /** From the sending of a request to the last byte of its answer; waiting for a turn does not count. */
  readonly timeoutMilliseconds: number;
  readonly userAgent: string;
  /** Certificates (PEM) of the authorities to trust in place of the public ones. */
  readonly authorities: string | undefined;
  readonly proxies: Proxies | undefined;
  /** What carries the requests; the network by default. */
  readonly transport?: Transport;
  readonly clock: Clock;
  /** A number in [0, 1), another one at each call. */
  readonly random: () => number;
  /** Gives the event loop back between two slices of work. */
  readonly pause: () => Promise<void>;
  readonly events: ApiEvents;
  /** The phones that are read whole; all of them by default. */
  readonly shard?: Shard;
};

/** Creates the client of one account: the three endpoints, each a path and a reader of its answers. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const transport = options.transport ?? createTransport({ ...options, connections: options.concurrency });
  const ask = createAsk({ ...options, transport });
  const wire = createWire(options.events, options.shard);
  const pages = createPageMemory(wire);
  const tunnels = createTunnelMemory(wire);
  return {
    devicePage: (page, signal, taker) =>
      ask({
        endpoint: 'devices',
        path: `/hoster/v1/devices?page=${page}&limit=${PAGE_SIZE}`,
        signal,
        reader: new PageReader(pages, page, taker),
      }),
    tunnel: (deviceId, signal, known) =>
      ask({
        endpoint: 'tunnel',
        path: `/hoster/v1/devices/${encodeURIComponent(deviceId)}/self-rent/tunnel`,
        signal,
        reader: new TunnelReader(tunnels, known),
      }),
    balance: (signal) =>
      ask({
        endpoint: 'balance',
        path: '/hoster/v1/balance',
        signal,
        reader: whole((data) => withValue(readBalance(data, wire))),
      }),
    close: transport.close,
  };
}

function withValue<Value>(value: Value | undefined): { readonly value: Value } | undefined {
  return value === undefined ? undefined : { value };
}
