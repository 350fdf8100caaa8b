import { setMaxListeners } from 'node:events';
import { NetworkError } from '../../../src/api/errors.ts';
import type { HttpResponse } from '../../../src/api/http.ts';
import { createRequestPolicy } from '../../../src/api/request-policy.ts';
import type { ApiResponse } from '../../../src/api/response.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { Endpoint } from '../../../src/model/enums.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { httpResponse } from './bad-responses.ts';
import { recordEvents } from './recorded-events.ts';
import { failure, success } from './wire-fixtures.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Outcomes of a request, by name. */
export const OUTCOMES = {
  good: () => httpResponse(200, success({})),
  fault: () => httpResponse(500, failure('INTERNAL_ERROR')),
  refused: () => httpResponse(403, failure('INVALID_API_KEY')),
  invalid: () => httpResponse(400, failure('VALIDATION_ERROR')),
  'invalid envelope': () => httpResponse(200, '{}'),
  throttled: () => httpResponse(429, '{}'),
  'throttled for 60 s': () => httpResponse(429, '{}', { ...JSON_TYPE, 'retry-after': '60' }),
  'down for 60 s': () => httpResponse(503, '{}', { ...JSON_TYPE, 'retry-after': '60' }),
  reset: () => networkError('ECONNRESET'),
  'reset of an idle connection': () => networkError('ECONNRESET', 1),
  unreachable: () => networkError('ECONNREFUSED'),
  truncated: () => networkError('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
  late: () => networkError('UND_ERR_HEADERS_TIMEOUT'),
} as const satisfies Record<string, () => HttpResponse | NetworkError>;

export type OutcomeName = keyof typeof OUTCOMES;

function networkError(code: string, bytesRead = 0): NetworkError {
  return new NetworkError(Object.assign(new Error('words'), { code, socket: { bytesRead } }), 'head', 1_000);
}

/** A request that was sent, and waits for its outcome. */
export type Sent = { readonly path: string; readonly at: number; readonly end: (name: OutcomeName) => void };

export type ScriptedApi = {
  readonly clock: FakeClock;
  readonly seen: string[];
  /** Every request that was sent, whether it ended or not. */
  readonly sent: Sent[];
  readonly request: (
    path?: string,
    signal?: AbortSignal,
    endpoint?: Endpoint,
  ) => Promise<ApiResponse<unknown>>;
  /** Sends a request; resolves to `good` or to the reason of its failure. */
  readonly outcome: (path?: string, signal?: AbortSignal, endpoint?: Endpoint) => Promise<string>;
  readonly isFailing: () => boolean;
  readonly isRefused: (endpoint: Endpoint) => boolean;
  readonly forgetRefusals: () => void;
  readonly setKey: (key: string) => void;
};

type ScriptOptions = {
  readonly concurrency?: number;
  readonly requestsPerSecond?: number;
  readonly random?: () => number;
};

/**
 * Creates a request policy without a network: each request ends as `script` says, or stays open where it says nothing,
 * until `end` is called. Time stands still until it is advanced.
 */
export function scriptApi(
  script: (index: number) => OutcomeName | undefined,
  { concurrency = 8, requestsPerSecond, random = () => 0.5 }: ScriptOptions = {},
): ScriptedApi {
  const clock = createFakeClock();
  const { on, seen } = recordEvents();
  const sent: Sent[] = [];
  let key = new Secret('one');
  const http = {
    get: (path: string, _: Secret, signal: AbortSignal) =>
      new Promise<HttpResponse>((resolve, reject) => {
        const end = (name: OutcomeName) => {
          const result = OUTCOMES[name]();
          if (result instanceof NetworkError) reject(result);
          else resolve(result);
        };
        signal.addEventListener('abort', () => reject(signal.reason));
        const name = script(sent.length);
        sent.push({ path, at: clock.monotonic(), end });
        if (name !== undefined) end(name);
      }),
  };
  const policy = createRequestPolicy({
    http,
    key: () => key,
    concurrency,
    requestsPerSecond,
    clock,
    random,
    on,
  });
  const request: ScriptedApi['request'] = (
    path = '/',
    signal = new AbortController().signal,
    endpoint = 'devices',
  ) => {
    // As the poller does: each request listens to the signal of its poll.
    setMaxListeners(0, signal);
    return policy.send({ endpoint, path, signal, parse: () => ({ value: undefined }) });
  };
  const outcome: ScriptedApi['outcome'] = async (path, signal, endpoint) => {
    try {
      await request(path, signal, endpoint);
      return 'good';
    } catch (error) {
      if (typeof error === 'string') return error;
      return error instanceof Error && 'reason' in error ? String(error.reason) : 'not an ApiError';
    }
  };
  return {
    clock,
    seen,
    sent,
    request,
    outcome,
    isFailing: policy.isFailing,
    isRefused: policy.isRefused,
    forgetRefusals: policy.forgetRefusals,
    setKey: (text) => {
      key = new Secret(text);
    },
  };
}

/** Lets every promise settle that can. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
