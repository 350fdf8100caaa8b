import type { Endpoint } from '../model/enums.ts';
import type { Balance } from '../model/money.ts';
import type { Tunnel } from '../model/tunnel.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http.ts';
import { createRequestPolicy, type RequestPolicy, type RequestPolicyOptions } from './request-policy.ts';
import type { ApiResponse } from './response.ts';
import { createParsers, type DevicePage, PAGE_SIZE } from './schemas.ts';

/** Path of each endpoint below `{base_url}`. A tunnel's path continues with a device id. */
export const API_PATHS = {
  devices: '/hoster/v1/devices',
  tunnel: '/hoster/v1/devices',
  balance: '/hoster/v1/balance',
} as const satisfies Record<Endpoint, string>;

/**
 * Client of the API for one account. A request rejects with an ApiError, or with its signal's reason if that aborts.
 */
export type ApiClient = Omit<RequestPolicy, 'send'> & {
  /** Fetches one page of the device list, counted from 1. */
  readonly devicePage: (page: number, signal: AbortSignal) => Promise<ApiResponse<DevicePage>>;
  /** Fetches the self-rent tunnel of a device; undefined if there is none (404 SELF_RENT_TUNNEL_NOT_FOUND). */
  readonly tunnel: (deviceId: string, signal: AbortSignal) => Promise<ApiResponse<Tunnel | undefined>>;
  readonly balance: (signal: AbortSignal) => Promise<ApiResponse<Balance>>;
  /** Closes every connection at once. */
  readonly close: () => Promise<void>;
};

export type ApiClientOptions = HttpClientOptions &
  Omit<RequestPolicyOptions, 'http'> & {
    /** The transport. Defaults to the network. */
    readonly http?: HttpClient;
  };

/** Creates the client of one account. `baseUrl` is `{base_url}` of the API document. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const http = options.http ?? createHttpClient(options);
  const { send, ...policy } = createRequestPolicy({ ...options, http });
  const parsers = createParsers(options.on);
  return {
    devicePage: (page, signal) =>
      send({
        endpoint: 'devices',
        path: `${API_PATHS.devices}?page=${page}&limit=${PAGE_SIZE}`,
        signal,
        parse: (data) => asResult(parsers.devicePage(data)),
      }),
    tunnel: (deviceId, signal) =>
      send({
        endpoint: 'tunnel',
        path: `${API_PATHS.tunnel}/${encodeURIComponent(deviceId)}/self-rent/tunnel`,
        signal,
        parse: (data) => (data === undefined ? { value: undefined } : asResult(parsers.tunnel(data))),
      }),
    balance: (signal) =>
      send({
        endpoint: 'balance',
        path: API_PATHS.balance,
        signal,
        parse: (data) => asResult(parsers.balance(data)),
      }),
    ...policy,
    close: http.close,
  };
}

function asResult<Value>(value: Value | undefined): { readonly value: Value } | undefined {
  return value === undefined ? undefined : { value };
}
