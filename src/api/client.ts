import type { Clock } from '../clock.ts';
import type { Balance } from '../model/balance.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { Tunnel } from '../model/tunnel.ts';
import type { Secret } from '../secret.ts';
import type { Answer, DevicePage } from './answer.ts';
import { ApiError } from './errors.ts';
import type { ApiEvents } from './events.ts';
import { createGate } from './gate.ts';
import { PAGE_SIZE } from './listing-plan.ts';
import { NetworkError } from './network-error.ts';
import { createTransport } from './transport.ts';
import { type Read, type TimedReply, understand } from './understand.ts';
import { readBalance } from './wire/balance.ts';
import { readDevicePage } from './wire/device-page.ts';
import { readTunnel } from './wire/tunnel.ts';

/**
 * The API of one account. A call rejects with an {@link ApiError}, or with the reason of its signal once that aborted:
 * giving up is the caller's decision, not a failure of the API.
 */
export type ApiClient = {
  /** One page of the device list, counted from 1. */
  readonly devicePage: (page: number, signal: AbortSignal) => Promise<Answer<DevicePage>>;
  /** The self-rent tunnel of a device; undefined where it has none (404 SELF_RENT_TUNNEL_NOT_FOUND). */
  readonly tunnel: (deviceId: string, signal: AbortSignal) => Promise<Answer<Tunnel | undefined>>;
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
  /** From the sending of a request to the last byte of its answer; waiting for a turn does not count. */
  readonly timeoutMilliseconds: number;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly events: ApiEvents;
};

/** Creates the client of one account. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { clock, events } = options;
  const transport = createTransport({ ...options, connections: options.concurrency });
  const gate = createGate(options.concurrency);

  const exchange = async (endpoint: Endpoint, path: string, signal: AbortSignal): Promise<TimedReply> => {
    const startedAt = clock.now();
    const started = clock.monotonic();
    const reply = await transport.get(path, signal);
    const milliseconds = clock.monotonic() - started;
    events.answered(endpoint, reply.status, milliseconds / 1000);
    return { reply, middle: startedAt + milliseconds / 2 };
  };

  const ask = async <Value>(endpoint: Endpoint, path: string, signal: AbortSignal, read: Read<Value>) => {
    try {
      const answer = await gate.run(signal, () => exchange(endpoint, path, signal));
      return understand(endpoint, answer, read, events);
    } catch (error) {
      signal.throwIfAborted();
      const failure = toApiError(endpoint, error);
      events.failed(endpoint, failure.reason);
      throw failure;
    }
  };

  return {
    devicePage: (page, signal) =>
      ask('devices', `/hoster/v1/devices?page=${page}&limit=${PAGE_SIZE}`, signal, (data) =>
        wrap(readDevicePage(data, events)),
      ),
    tunnel: (deviceId, signal) =>
      ask('tunnel', `/hoster/v1/devices/${encodeURIComponent(deviceId)}/self-rent/tunnel`, signal, (data) =>
        data === undefined ? { value: undefined } : wrap(readTunnel(data, events)),
      ),
    balance: (signal) =>
      ask('balance', '/hoster/v1/balance', signal, (data) => wrap(readBalance(data, events))),
    close: transport.close,
  };
}

function wrap<Value>(value: Value | undefined): { readonly value: Value } | undefined {
  return value === undefined ? undefined : { value };
}

function toApiError(endpoint: Endpoint, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof NetworkError)) {
    return new ApiError({ reason: 'internal', endpoint, got: 'no answer was understood', cause: error });
  }
  const { reason, code, message } = error;
  const got = `no usable answer (${code === undefined ? message : `${code}: ${message}`})`;
  return new ApiError({ reason, endpoint, got, cause: error });
}
