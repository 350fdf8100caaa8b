import PQueue from 'p-queue';
import { type Clock, sleep } from '../base/clock.ts';
import type { Secret } from '../base/secret.ts';
import type { OnApiEvent } from '../model/api-events.ts';
import type { Endpoint, FailureReason } from '../model/enums.ts';
import { ApiError, NetworkError } from './errors.ts';
import type { HttpClient } from './http.ts';
import { type ApiResponse, parseResponse } from './response.ts';

type ApiRequest<Value> = {
  readonly endpoint: Endpoint;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Parses `data`; undefined if it does not have the documented form. */
  readonly parse: (data: unknown) => { readonly value: Value } | undefined;
};

/** Decides when an account's requests are sent, and whether they are retried. */
export type RequestPolicy = {
  /** Sends a request, and retries it. Rejects with an {@link ApiError}, or with the signal's reason. */
  readonly send: <Value>(request: ApiRequest<Value>) => Promise<ApiResponse<Value>>;
  /** Reports whether the last requests failed. The rest of a round is then not sent. */
  readonly isFailing: () => boolean;
  /** Returns the API's clock in milliseconds since 1970, by the last `Date` in a response; without one, our own. */
  readonly apiTime: () => number;
  /** Reports whether the endpoint has refused the current key and is not yet due for another try. */
  readonly isRefused: (endpoint: Endpoint) => boolean;
  /** Allows requests with a refused key again. */
  readonly forgetRefusals: () => void;
};

export type RequestPolicyOptions = {
  readonly http: Pick<HttpClient, 'get'>;
  /** Called for each request, so a new key needs no restart. */
  readonly key: () => Secret;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /** Undefined for no limit. */
  readonly requestsPerSecond: number | undefined;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  readonly on: OnApiEvent;
};

/** Priorities of waiting requests: balances do not wait for the pages of a long list, and pages do not wait for tunnels. */
const PRIORITIES: Readonly<Record<Endpoint, number>> = { balance: 2, devices: 1, tunnel: 0 };

/** Number of consecutive failures after which retries stop and rounds end. */
const FAILURES_IN_A_ROW = 3;

/** Creates the policy of one account: a priority queue, retries, backoff and refused keys. */
export function createRequestPolicy(options: RequestPolicyOptions): RequestPolicy {
  const { http, key, concurrency, requestsPerSecond, clock, random, on } = options;
  const queue = new PQueue({ concurrency });
  const pace = createPace(requestsPerSecond, clock);
  const backoff = createBackoff(clock, random);
  const refusals = createRefusals(key, clock);
  const apiClock = createApiClock();
  let failuresInARow = 0;

  const isFailing = (): boolean => failuresInARow >= FAILURES_IN_A_ROW;
  const noteAnswer = (): void => {
    failuresInARow = 0;
    queue.concurrency = concurrency;
  };
  const noteFailure = (failure: ApiError): void => {
    // If everything else works, only this tunnel is broken.
    if (failuresInARow === 0 && failure.endpoint === 'tunnel' && failure.status !== undefined) return;
    failuresInARow += 1;
    // One request at a time finds out whether the API works again.
    if (isFailing()) queue.concurrency = 1;
  };

  /** Throws if the request may not be sent now. */
  const throwIfRejected = (endpoint: Endpoint): void => {
    const rejection = refusals.rejection(endpoint) ?? backoff.rejection();
    if (rejection !== undefined) throw new ApiError({ ...rejection, endpoint, rejected: true });
  };

  const attempt = async <Value>(request: ApiRequest<Value>): Promise<ApiResponse<Value>> => {
    const { endpoint, path, signal, parse } = request;
    const sentKey = key();
    refusals.sent(endpoint);
    try {
      const startedAt = clock.now();
      const started = clock.monotonic();
      const startedUptime = clock.uptime();
      const response = await http.get(path, sentKey, signal);
      const milliseconds = clock.monotonic() - started;
      on({ kind: 'responded', endpoint, status: response.status, seconds: milliseconds / 1000 });
      const middle = startedAt + milliseconds / 2;
      const middleUptime = startedUptime + milliseconds / 2;
      const times = { middle, expected: apiClock.at(middleUptime) ?? middle };
      const { isDated, ...parsed } = parseResponse(endpoint, response, times, parse, on);
      if (isDated) apiClock.set(parsed.apiTime, middleUptime);
      noteAnswer();
      backoff.succeeded();
      refusals.succeeded(endpoint);
      return parsed;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = toApiError(endpoint, error);
      on({ kind: 'failed', endpoint, reason: failure.reason });
      // A code from the API document means that the API works, unless it reports the API's own failure.
      if (failure.code !== undefined && failure.reason !== 'server') noteAnswer();
      else noteFailure(failure);
      backoff.failed(failure);
      if (failure.reason === 'unauthorized') refusals.refused(endpoint, sentKey, failure.code);
      throw failure;
    }
  };

  /** Waits for its turn and for the pace, and checks after each wait, since other requests may have failed. */
  const attemptInTurn = <Value>(request: ApiRequest<Value>): Promise<ApiResponse<Value>> => {
    const { endpoint, signal } = request;
    return queue.add(
      async () => {
        await pace(signal, () => throwIfRejected(endpoint));
        throwIfRejected(endpoint);
        return attempt(request);
      },
      { priority: PRIORITIES[endpoint], signal },
    );
  };

  const send = async <Value>(request: ApiRequest<Value>): Promise<ApiResponse<Value>> => {
    const { endpoint, signal } = request;
    signal.throwIfAborted();
    throwIfRejected(endpoint);
    let tries = FIRST_TRY;
    for (;;) {
      try {
        return await attemptInTurn(request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.rejected) throw error;
        const isWorthIt = !isFailing() && backoff.rejection() === undefined;
        const plan = isWorthIt || error.staleConnection ? planRetry(error, tries, random) : undefined;
        if (plan === undefined) throw error;
        // It waits outside the queue, so it does not hold up other requests.
        await sleep(clock, plan.afterMilliseconds, signal);
        tries = plan.tries;
      }
    }
  };

  return {
    send,
    isFailing,
    apiTime: () => apiClock.at(clock.uptime()) ?? clock.now(),
    isRefused: (endpoint) => refusals.rejection(endpoint) !== undefined,
    forgetRefusals: refusals.forget,
  };
}

function toApiError(endpoint: Endpoint, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof NetworkError))
    return new ApiError({
      reason: 'internal',
      endpoint,
      got: 'unexpected error during the request',
      cause: error,
    });
  const { reason, code, message, staleConnection } = error;
  const got = `no usable response (${code === undefined ? message : `${code}: ${message}`})`;
  return new ApiError({ reason, endpoint, got, staleConnection, cause: error });
}

/** A request that is rejected locally: the reason for the failure behind it, and the message. */
type Rejection = {
  readonly reason: FailureReason;
  readonly got: string;
  readonly code?: string | undefined;
};

/** Maximum number of retries of one request, not counting the one for a stale connection. */
const MAX_RETRIES = 2;

/** Longest wait before the first retry, doubled for each further one. */
const FIRST_RETRY_MILLISECONDS = 500;

/**
 * Failures that are worth a retry within seconds. Not `timeout`, which was expensive for the API, nor `dns`, because
 * resolvers retry by themselves.
 */
const RETRIED: ReadonlySet<FailureReason> = new Set(['server', 'reset', 'connect', 'truncated']);

/** The retries of one request so far. */
type Tries = {
  readonly retries: number;
  /** A stale connection has already been replaced. */
  readonly reconnected: boolean;
};

const FIRST_TRY: Tries = { retries: 0, reconnected: false };

type RetryPlan = { readonly afterMilliseconds: number; readonly tries: Tries };

/**
 * Plans the retry of a failed request; undefined if there is none. Tunnels are not retried: the next round reads them
 * again. Waits have full jitter, that is, any time up to the longest, so that clients whose requests failed together do
 * not come back together.
 *
 * @param random returns a number in [0, 1)
 */
function planRetry(failure: ApiError, tries: Tries, random: () => number): RetryPlan | undefined {
  // The server closed a connection that we thought was open. It never saw the request, so this is the first one.
  if (failure.staleConnection && !tries.reconnected)
    return { afterMilliseconds: 0, tries: { ...tries, reconnected: true } };
  const { retries } = tries;
  if (retries >= MAX_RETRIES || failure.endpoint === 'tunnel' || !RETRIED.has(failure.reason))
    return undefined;
  const longest = FIRST_RETRY_MILLISECONDS * 2 ** retries;
  return { afterMilliseconds: random() * longest, tries: { ...tries, retries: retries + 1 } };
}

// Backoff: requests are rejected for a while after a 429, and after a 503 with Retry-After.

/** First backoff after a 429 without a usable Retry-After. Each one after it is twice as long. */
const DEFAULT_BACKOFF_MILLISECONDS = 30_000;

/**
 * Maximum backoffs after a 429 and a 503, jitter included. They cap a long Retry-After, so that data does not expire
 * with the default settings.
 */
const MAX_THROTTLED_MILLISECONDS = 10 * 60_000;
const MAX_UNAVAILABLE_MILLISECONDS = 5 * 60_000;

/** Jitter on top: between half and all of this share of the backoff, or of this time. */
const JITTER_SHARE = 0.1;
const JITTER_MILLISECONDS = 1_000;

/**
 * Returns the backoff that a failure asks for, in milliseconds; undefined if it asks for none. Retry-After means the same
 * with 429 and 503 (RFC 9110, section 10.2.3). Jitter only adds, since the seconds in a response are rounded and many
 * clients may have got the same ones. Only at the maximum does it subtract.
 *
 * @param before number of backoffs since the last success
 * @param random returns a number in [0, 1)
 */
export function backoffMilliseconds(
  failure: ApiError,
  before: number,
  random: () => number,
): number | undefined {
  const asked = failure.retryAfterMilliseconds;
  if (failure.reason === 'throttled' || failure.status === 429)
    return withJitter(
      asked ?? DEFAULT_BACKOFF_MILLISECONDS * 2 ** before,
      MAX_THROTTLED_MILLISECONDS,
      random,
    );
  if (failure.status === 503 && asked !== undefined)
    return withJitter(asked, MAX_UNAVAILABLE_MILLISECONDS, random);
  return undefined;
}

function withJitter(milliseconds: number, max: number, random: () => number): number {
  const jitter = (longest: number): number =>
    (Math.max(JITTER_MILLISECONDS, longest * JITTER_SHARE) * (1 + random())) / 2;
  const longer = milliseconds + jitter(milliseconds);
  return longer <= max ? longer : max - jitter(max) / 2;
}

function createBackoff(clock: Clock, random: () => number) {
  let throttledUntil = Number.NEGATIVE_INFINITY;
  let reason: FailureReason = 'throttled';
  let backoffs = 0;
  const remaining = (): number => throttledUntil - clock.monotonic();
  return {
    rejection: (): Rejection | undefined => {
      const milliseconds = remaining();
      if (milliseconds <= 0) return undefined;
      const seconds = Math.ceil(milliseconds / 1000);
      return { reason, got: `rejected: backoff, ${seconds} s left` };
    },
    succeeded: (): void => {
      // A request that was sent before the backoff does not end it by succeeding.
      if (remaining() <= 0) backoffs = 0;
    },
    failed: (failure: ApiError): void => {
      const isNew = remaining() <= 0;
      const milliseconds = backoffMilliseconds(failure, isNew ? backoffs : backoffs - 1, random);
      if (milliseconds === undefined || milliseconds <= remaining()) return;
      // Requests that were in flight together are throttled together and count as one backoff.
      if (isNew) backoffs += 1;
      reason = failure.reason;
      throttledUntil = clock.monotonic() + milliseconds;
    },
  };
}

/**
 * Keeps the API's clock for responses without a Date header. It runs on from the last response that had one,
 * independently of our own clock.
 */
function createApiClock() {
  let offset: number | undefined;
  return {
    /** Returns the time at an uptime of this machine, in milliseconds since 1970; undefined before a response with a Date. */
    at: (uptime: number): number | undefined => (offset === undefined ? undefined : offset + uptime),
    set: (apiTime: number, uptime: number): void => {
      offset = apiTime - uptime;
    },
  };
}

// Refused keys: after an endpoint refuses a key, requests with that key are rejected for a while.

/** Time after which a refused key is tried again. */
const REFUSAL_MILLISECONDS = 5 * 60_000;

type KeyRefusal = { readonly key: Secret; readonly retryAt: number; readonly code: string | undefined };

/**
 * Keeps track of which endpoints refused the key: a key that may not read the balance may still list devices. A refusal
 * belongs to the key that was sent, so a new key is tried at once.
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
    /** Notes that a request is sent. If it retries a refused key, no other request does until the time is up again. */
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
      // If one endpoint accepts the key again, the others may too.
      if (refusals.has(endpoint)) refusals.clear();
    },
    forget: (): void => refusals.clear(),
  };
}

/**
 * Returns a function that resolves when the next request may be sent: evenly spread, without bursts. Its second argument
 * is called before the wait, and throws if the request may no longer be sent.
 */
function createPace(requestsPerSecond: number | undefined, clock: Clock) {
  const queue = new PQueue({ concurrency: 1 });
  let next = Number.NEGATIVE_INFINITY;
  return async (signal: AbortSignal, check: () => void): Promise<void> => {
    if (requestsPerSecond === undefined) return;
    await queue.add(
      async () => {
        check();
        await sleep(clock, next - clock.monotonic(), signal);
        next = clock.monotonic() + 1000 / requestsPerSecond;
      },
      { signal },
    );
  };
}
