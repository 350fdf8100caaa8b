import { type Clock, sleep } from '../clock.ts';
import type { ApiEvents } from '../model/api-events.ts';
import type { Endpoint, FailureReason } from '../model/enums.ts';
import type { Secret } from '../secret.ts';
import {
  afterAbort,
  afterFailure,
  afterSend,
  afterSuccess,
  CLOSED_CIRCUITS,
  circuitRejection,
  circuitState,
} from './circuit.ts';
import { ApiError, NetworkError } from './errors.ts';
import type { HttpClient } from './http.ts';
import { type ApiResponse, parseResponse } from './response.ts';

/** A request to the API. */
type ApiRequest<Value> = {
  readonly endpoint: Endpoint;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Parses `data`; undefined where it is not of the documented form. */
  readonly parse: (data: unknown) => { readonly value: Value } | undefined;
};

/** Decides for one account whether and when a request is sent, and whether it is retried. */
export type RequestPolicy = {
  /** Sends until there is a response or no retry left. Rejects with an {@link ApiError}, or with the signal's reason. */
  readonly send: <Value>(request: ApiRequest<Value>) => Promise<ApiResponse<Value>>;
  /** Tells whether the endpoint refused the present key, and is not tried again yet. */
  readonly isRefused: (endpoint: Endpoint) => boolean;
  /** Tries again what was refused. */
  readonly forgetRefusals: () => void;
};

export type RequestPolicyOptions = {
  readonly http: Pick<HttpClient, 'get'>;
  /** Called for each request, so that a new key needs no restart. */
  readonly key: () => Secret;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /**
   * Returns the milliseconds after which data expires: a backoff ends before, so that the account does not go blank because
   * of it. A reload may change it.
   */
  readonly staleAfter: () => number;
  /** Undefined for no limit. */
  readonly requestsPerSecond: number | undefined;
  readonly clock: Clock;
  /** Returns a number in [0, 1), another one at each call. */
  readonly random: () => number;
  readonly events: ApiEvents;
};

/** Creates the policy of one account: concurrency, rate, backoff, refused keys, circuits and retries. */
export function createRequestPolicy(options: RequestPolicyOptions): RequestPolicy {
  const { http, key, concurrency, requestsPerSecond, clock, random, events } = options;
  const adaptive = createAdaptiveLimit(concurrency, events.concurrencyLimit);
  const slots = createSlots(adaptive.limit);
  const pace = createPace(requestsPerSecond, clock);
  const backoff = createBackoff(options);
  const refusals = createRefusals(key, clock);
  const apiClock = createApiClock(clock);
  let circuits = CLOSED_CIRCUITS;
  let retryTokens = FIRST_TOKENS;

  /** Throws if the request may not be sent now. */
  const throwIfRejected = (endpoint: Endpoint): void => {
    const rejection =
      refusals.rejection(endpoint) ??
      backoff.rejection() ??
      circuitRejection(circuits, endpoint, clock.monotonic());
    if (rejection === undefined) return;
    events.failed(endpoint, rejection.reason);
    throw new ApiError({ ...rejection, endpoint, rejected: true });
  };

  const attempt = async <Value>(request: ApiRequest<Value>): Promise<ApiResponse<Value>> => {
    const { endpoint, path, signal, parse } = request;
    const sentUnder = adaptive.generation();
    const sentKey = key();
    circuits = afterSend(circuits, endpoint);
    refusals.sent(endpoint);
    try {
      const startedAt = clock.now();
      const started = clock.monotonic();
      const startedUptime = clock.uptime();
      const response = await http.get(path, sentKey, signal);
      const milliseconds = clock.monotonic() - started;
      events.answered(endpoint, response.status, milliseconds / 1000);
      const times = {
        middle: startedAt + milliseconds / 2,
        expected: apiClock.at(startedUptime + milliseconds / 2),
      };
      const parsed = parseResponse(endpoint, response, times, parse, events);
      apiClock.set(parsed.apiTime, startedUptime + milliseconds / 2);
      adaptive.succeeded();
      backoff.succeeded();
      refusals.succeeded(endpoint);
      circuits = afterSuccess(circuits, endpoint);
      retryTokens = Math.min(MAX_TOKENS, retryTokens + 1);
      return parsed;
    } catch (error) {
      if (signal.aborted) {
        circuits = afterAbort(circuits, endpoint);
        throw signal.reason;
      }
      const failure = toApiError(endpoint, error);
      events.failed(endpoint, failure.reason);
      adaptive.failed(failure.reason, sentUnder);
      backoff.failed(failure);
      if (failure.reason === 'unauthorized') refusals.refused(endpoint, sentKey, failure.code);
      throw failure;
    }
  };

  /** Waits for a slot and for the pace, and checks again after each wait, since other requests may have failed. */
  const attemptWhenAllowed = async <Value>(request: ApiRequest<Value>): Promise<ApiResponse<Value>> => {
    const { endpoint, signal } = request;
    signal.throwIfAborted();
    throwIfRejected(endpoint);
    await slots.acquire(signal);
    try {
      throwIfRejected(endpoint);
      await pace(signal);
      throwIfRejected(endpoint);
      return await attempt(request);
    } finally {
      slots.release();
    }
  };

  const send = async <Value>(request: ApiRequest<Value>): Promise<ApiResponse<Value>> => {
    const { endpoint, signal } = request;
    let tries = FIRST_TRY;
    for (;;) {
      try {
        return await attemptWhenAllowed(request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.rejected) throw error;
        const maySend = backoff.rejection() === undefined && circuitState(circuits, endpoint) === 'closed';
        const plan = maySend ? planRetry(error, tries, retryTokens, random) : undefined;
        if (plan === undefined) {
          circuits = afterFailure(circuits, error, clock.monotonic());
          throw error;
        }
        retryTokens -= plan.tokens;
        // Without a slot, so that other requests need not wait for this one.
        await sleep(clock, plan.afterMilliseconds, signal);
        tries = plan.tries;
      }
    }
  };

  return {
    send,
    isRefused: (endpoint) => refusals.rejection(endpoint) !== undefined,
    forgetRefusals: refusals.forget,
  };
}

function toApiError(endpoint: Endpoint, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof NetworkError)) {
    return new ApiError({
      reason: 'internal',
      endpoint,
      got: 'unexpected error during the request',
      cause: error,
    });
  }
  const { reason, code, message, staleConnection } = error;
  const got = `no usable response (${code === undefined ? message : `${code}: ${message}`})`;
  return new ApiError({ reason, endpoint, got, staleConnection, cause: error });
}

/** A request that is rejected locally: the reason of the failure behind it, and the message. */
type Rejection = {
  readonly reason: FailureReason;
  readonly got: string;
  readonly code?: string | undefined;
};

// Retries: at most two more than a tenth of the successes, so that an API in trouble gets hardly more requests.

/** Tokens are tenths of a retry: each success earns one, each retry costs {@link TOKENS_PER_RETRY}. */
const FIRST_TOKENS = 20;
const MAX_TOKENS = 100;
const TOKENS_PER_RETRY = 10;

/** Maximum number of retries of one request, beside the free one for a stale connection. */
const MAX_RETRIES = 2;

/** Longest wait before the first retry, doubled for each further one, and its maximum. */
const FIRST_RETRY_MILLISECONDS = 500;
const MAX_RETRY_MILLISECONDS = 8_000;

/**
 * Failures that may be over in a second. Not `timeout`, which has cost the API its longest already, not `dns`, since
 * resolvers retry by themselves, and nothing that would only be refused again.
 */
const RETRIED: ReadonlySet<FailureReason> = new Set(['server', 'reset', 'connect', 'truncated']);

/** The retries of one request so far. */
type Tries = {
  readonly retries: number;
  /** A stale connection was replaced already. */
  readonly reconnected: boolean;
};

const FIRST_TRY: Tries = { retries: 0, reconnected: false };

type RetryPlan = { readonly afterMilliseconds: number; readonly tokens: number; readonly tries: Tries };

/**
 * Plans the retry of a failed request; undefined where there is none. Waits have full jitter: any time up to the longest,
 * so that clients whose requests failed together do not come back together.
 *
 * @param tokens what is left of the retry budget
 * @param random returns a number in [0, 1)
 */
function planRetry(
  failure: ApiError,
  tries: Tries,
  tokens: number,
  random: () => number,
): RetryPlan | undefined {
  // The server closed a connection that we took for open: it never saw the request, so this one is the first.
  if (failure.staleConnection && !tries.reconnected) {
    return { afterMilliseconds: 0, tokens: 0, tries: { ...tries, reconnected: true } };
  }
  const { retries } = tries;
  if (tokens < TOKENS_PER_RETRY || retries >= MAX_RETRIES || !RETRIED.has(failure.reason)) return undefined;
  const longest = Math.min(MAX_RETRY_MILLISECONDS, FIRST_RETRY_MILLISECONDS * 2 ** retries);
  return {
    afterMilliseconds: random() * longest,
    tokens: TOKENS_PER_RETRY,
    tries: { ...tries, retries: retries + 1 },
  };
}

// Backoff: requests are rejected for a time after a 429, and after a 503 with Retry-After.

/** Backoff after a 429 without a usable Retry-After; doubled each time that the one before was not enough. */
const DEFAULT_BACKOFF_MILLISECONDS = 30_000;

/** Maximum backoff after a 429, jitter included. Bounds a Retry-After that is too long. */
const MAX_THROTTLED_MILLISECONDS = 15 * 60_000;

/** Maximum backoff after a 503, jitter included: the API can only estimate the end of an outage. */
const MAX_UNAVAILABLE_MILLISECONDS = 5 * 60_000;

/** Maximum share of the time after which data expires. */
const MAX_STALE_SHARE = 0.9;

/** Jitter on top: at least half of this share of the backoff, or of this time, and at most all of it. */
const JITTER_SHARE = 0.1;
const JITTER_MILLISECONDS = 1_000;

/**
 * Returns the milliseconds of backoff that a failure asks for; undefined where it asks for none. Retry-After has one
 * meaning with 429 and 503 (RFC 9110, section 10.2.3). Jitter only adds, since the seconds of a response are rounded, and
 * many clients may have been given the same ones; only at the maximum it subtracts.
 *
 * @param before number of backoffs since the last success
 * @param staleAfterMilliseconds time after which data expires; a backoff takes at most a share of it
 * @param random returns a number in [0, 1)
 */
export function backoffMilliseconds(
  failure: ApiError,
  before: number,
  staleAfterMilliseconds: number,
  random: () => number,
): number | undefined {
  const asked = failure.retryAfterMilliseconds;
  const max = (limit: number): number => Math.min(limit, staleAfterMilliseconds * MAX_STALE_SHARE);
  if (failure.reason === 'throttled' || failure.status === 429) {
    const wanted = asked ?? DEFAULT_BACKOFF_MILLISECONDS * 2 ** before;
    return withJitter(wanted, max(MAX_THROTTLED_MILLISECONDS), random);
  }
  if (failure.status === 503 && asked !== undefined) {
    return withJitter(asked, max(MAX_UNAVAILABLE_MILLISECONDS), random);
  }
  return undefined;
}

function withJitter(milliseconds: number, max: number, random: () => number): number {
  const jitter = (longest: number): number =>
    (Math.max(JITTER_MILLISECONDS, longest * JITTER_SHARE) * (1 + random())) / 2;
  const longer = milliseconds + jitter(milliseconds);
  return longer <= max ? longer : max - jitter(max) / 2;
}

/** Keeps track of the backoff of an account. */
function createBackoff({ clock, random, staleAfter }: RequestPolicyOptions) {
  let throttledUntil = Number.NEGATIVE_INFINITY;
  let reason: FailureReason = 'throttled';
  let backoffs = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  const remaining = (): number =>
    Math.min(throttledUntil, beganAt + staleAfter() * MAX_STALE_SHARE) - clock.monotonic();
  return {
    rejection: (): Rejection | undefined => {
      const milliseconds = remaining();
      if (milliseconds <= 0) return undefined;
      const seconds = Math.ceil(milliseconds / 1000);
      return { reason, got: `rejected: backoff, ${seconds} s left` };
    },
    succeeded: (): void => {
      // The success of a request that was sent before the backoff does not end it.
      if (remaining() <= 0) backoffs = 0;
    },
    failed: (failure: ApiError): void => {
      const isNew = remaining() <= 0;
      const milliseconds = backoffMilliseconds(
        failure,
        isNew ? backoffs : backoffs - 1,
        staleAfter(),
        random,
      );
      if (milliseconds === undefined || milliseconds <= remaining()) return;
      // Requests that were in flight together are throttled together, and are one backoff.
      if (isNew) backoffs += 1;
      reason = failure.reason;
      beganAt = clock.monotonic();
      throttledUntil = beganAt + milliseconds;
    },
  };
}

/**
 * Returns the clock of the API where a response does not tell it: it goes on from the last response that did, or from our
 * own clock at the start. So it does not change when our clock is set, or where only some responses have a date.
 */
function createApiClock(clock: Clock) {
  let offset = clock.now() - clock.uptime();
  return {
    /** Returns the time in milliseconds since 1970, at an uptime of this machine. */
    at: (uptime: number): number => offset + uptime,
    set: (apiTime: number, uptime: number): void => {
      offset = apiTime - uptime;
    },
  };
}

// Refused keys: requests with a key that the endpoint refused are rejected for a time.

/** A refused key is tried again each time after this. */
const REFUSAL_MILLISECONDS = 5 * 60_000;

type KeyRefusal = { readonly key: Secret; readonly retryAt: number; readonly code: string | undefined };

/**
 * Keeps track of the endpoints that refused the key, each by itself: a key that may not read the balance may still list
 * devices. A refusal belongs to the key that the request was sent with, so a new key is tried at once.
 */
function createRefusals(key: () => Secret, clock: Clock) {
  const refusals = new Map<Endpoint, KeyRefusal>();
  const current = (endpoint: Endpoint): KeyRefusal | undefined => {
    const refusal = refusals.get(endpoint);
    return refusal?.key.equals(key()) ? refusal : undefined;
  };
  return {
    rejection: (endpoint: Endpoint): Rejection | undefined => {
      const refusal = current(endpoint);
      if (refusal === undefined || clock.monotonic() >= refusal.retryAt) return undefined;
      const minutes = Math.ceil((refusal.retryAt - clock.monotonic()) / 60_000);
      const got = `rejected: the API refused this key; next try in ${minutes} min`;
      return { reason: 'unauthorized', got, code: refusal.code };
    },
    /** Notes that a request is sent: if it tries a refused key again, it is the only one until the time is over again. */
    sent: (endpoint: Endpoint): void => {
      const refusal = current(endpoint);
      if (refusal !== undefined)
        refusals.set(endpoint, { ...refusal, retryAt: clock.monotonic() + REFUSAL_MILLISECONDS });
    },
    refused: (endpoint: Endpoint, sentKey: Secret, code: string | undefined): void => {
      if (!sentKey.equals(key())) return;
      refusals.set(endpoint, { key: sentKey, retryAt: clock.monotonic() + REFUSAL_MILLISECONDS, code });
    },
    succeeded: (endpoint: Endpoint): void => {
      // If one endpoint accepts the key again, the others may, too.
      if (refusals.has(endpoint)) refusals.clear();
    },
    forget: (): void => refusals.clear(),
  };
}

// Concurrency and rate.

const FIRST_LIMIT = 2;

/** Failures that are a sign of overload. */
const OVERLOADS: ReadonlySet<FailureReason> = new Set(['throttled', 'timeout']);

/**
 * Adapts the number of requests in flight: one more after as many successes in a row as the limit is, half of it on a
 * sign of overload (additive increase, multiplicative decrease, as in TCP). Requests that were in flight together show
 * that sign together, so it counts once.
 */
function createAdaptiveLimit(max: number, onLimit: (limit: number) => void) {
  let limit = Math.min(FIRST_LIMIT, max);
  let successes = 0;
  let halvings = 0;
  const change = (next: number): void => {
    successes = 0;
    if (next === limit) return;
    limit = next;
    onLimit(limit);
  };
  onLimit(limit);
  return {
    limit: (): number => limit,
    /** Returns a value to read when a request is sent, and to pass to `failed`. */
    generation: (): number => halvings,
    succeeded: (): void => {
      successes += 1;
      if (successes >= limit) change(Math.min(max, limit + 1));
    },
    failed: (reason: FailureReason, generation: number): void => {
      successes = 0;
      if (!OVERLOADS.has(reason) || generation !== halvings) return;
      halvings += 1;
      change(Math.max(1, Math.floor(limit / 2)));
    },
  };
}

/** A semaphore with a limit that may change, first come first served; requests in flight when it falls go on. */
function createSlots(limit: () => number) {
  const waiting = new Set<() => void>();
  let used = 0;
  return {
    acquire: async (signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted();
      if (used >= limit()) {
        await new Promise<void>((resolve, reject) => {
          const abort = (): void => {
            waiting.delete(admit);
            reject(signal.reason);
          };
          const admit = (): void => {
            signal.removeEventListener('abort', abort);
            resolve();
          };
          waiting.add(admit);
          signal.addEventListener('abort', abort, { once: true });
        });
      } else used += 1;
    },
    release: (): void => {
      used -= 1;
      for (const admit of waiting) {
        if (used >= limit()) return;
        used += 1;
        waiting.delete(admit);
        admit();
      }
    },
  };
}

/** Returns a function that resolves when the next request may be sent: evenly spread, without bursts. */
function createPace(requestsPerSecond: number | undefined, clock: Clock) {
  const queue = createSlots(() => 1);
  let next = Number.NEGATIVE_INFINITY;
  return async (signal: AbortSignal): Promise<void> => {
    if (requestsPerSecond === undefined) return;
    await queue.acquire(signal);
    try {
      await sleep(clock, next - clock.monotonic(), signal);
      next = clock.monotonic() + 1000 / requestsPerSecond;
    } finally {
      queue.release();
    }
  };
}
