import type { Clock } from '../clock.ts';
import type { CircuitState } from '../model/circuit.ts';
import { ENDPOINTS, type Endpoint } from '../model/endpoint.ts';
import type { FailureReason } from '../model/failure.ts';
import type { ApiError, Refusal } from './errors.ts';

/**
 * Keeps requests back from an endpoint that is down: after some failures in a row its circuit is `open`, later one
 * request may try whether it is back (`half_open`), and it is `closed` again once any succeeds. Each endpoint has a
 * circuit of its own, since one that is broken is no reason to miss what the others say. When an open circuit may be
 * tried is one decision for all of them, so that an API that is down is tried by one request at a time.
 */
export type Breaker = {
  readonly state: (endpoint: Endpoint) => CircuitState;
  /** Why nothing may be sent to the endpoint now. */
  readonly refusal: (endpoint: Endpoint) => Refusal | undefined;
  /** As `refusal`, for a request that is sent at once if there is none: the first one after a rest is the probe. */
  readonly enter: (endpoint: Endpoint) => Refusal | undefined;
  readonly succeeded: (endpoint: Endpoint) => void;
  /** A request failed and is not tried again. */
  readonly failed: (failure: ApiError) => void;
  /** The caller of the probe gave it up, so that nothing was learned. */
  readonly probeAbandoned: () => void;
};

const FAILURES_TO_OPEN = 5;

/** A second rest is longer than the first, and none is longer than a minute. */
const FIRST_REST_MILLISECONDS = 30_000;
const LONGEST_REST_MILLISECONDS = 60_000;

/** Failures without any answer that say that the API cannot be reached. */
const UNREACHABLE: ReadonlySet<FailureReason> = new Set([
  'dns',
  'connect',
  'reset',
  'timeout',
  'tls',
  'truncated',
]);

/** Whether a failure says that the API is down. An answer of 4xx does not, whatever else it says. */
export function isOutage({ reason, status }: Pick<ApiError, 'reason' | 'status'>): boolean {
  if (status === undefined) return UNREACHABLE.has(reason);
  return status >= 500 || reason === 'server';
}

/** Milliseconds of rest when the circuit opens for the `count`th time without a success in between. */
export function restFor(count: number): number {
  return Math.min(LONGEST_REST_MILLISECONDS, FIRST_REST_MILLISECONDS * count);
}

/** What a breaker knows. */
type Circuits = {
  /** Failures in a row, and the reason of the last one that counted. */
  readonly failures: Readonly<Record<Endpoint, number>>;
  readonly reasons: Readonly<Partial<Record<Endpoint, FailureReason>>>;
  /** How often the rest began without a success of a probe in between. */
  readonly rests: number;
  /** By the monotonic clock. */
  readonly restUntil: number;
  /** The endpoint that a request is trying. */
  readonly probed: Endpoint | undefined;
};

const ALL_CLOSED: Circuits = {
  failures: { devices: 0, tunnel: 0, balance: 0 },
  reasons: {},
  rests: 0,
  restUntil: 0,
  probed: undefined,
};

function stateOf({ failures, probed }: Circuits, endpoint: Endpoint): CircuitState {
  if (failures[endpoint] < FAILURES_TO_OPEN) return 'closed';
  return probed === endpoint ? 'half_open' : 'open';
}

function afterSuccess(circuits: Circuits, endpoint: Endpoint): Circuits {
  if (circuits.failures[endpoint] === 0) return circuits;
  const closed = { ...circuits, failures: { ...circuits.failures, [endpoint]: 0 } };
  if (stateOf(circuits, endpoint) === 'closed') return closed;
  // If one is back, the others may be: they are tried at once, one by one.
  const probed = circuits.probed === endpoint ? undefined : circuits.probed;
  return { ...closed, rests: 0, restUntil: 0, probed };
}

function afterFailure(circuits: Circuits, { endpoint, reason }: ApiError, now: number): Circuits {
  const state = stateOf(circuits, endpoint);
  // What was sent before the circuit opened comes too late to count.
  if (state === 'open') return circuits;
  const failed = {
    ...circuits,
    failures: { ...circuits.failures, [endpoint]: circuits.failures[endpoint] + 1 },
    reasons: { ...circuits.reasons, [endpoint]: reason },
  };
  const isFirstOpen = ENDPOINTS.every((other) => stateOf(circuits, other) === 'closed');
  const opens = state === 'closed' && stateOf(failed, endpoint) === 'open';
  if (state !== 'half_open' && !(opens && isFirstOpen)) return failed;
  const rests = circuits.rests + 1;
  return { ...failed, rests, restUntil: now + restFor(rests), probed: undefined };
}

function refusalOf(circuits: Circuits, endpoint: Endpoint, now: number): Refusal | undefined {
  if (stateOf(circuits, endpoint) === 'closed') return undefined;
  const reason = circuits.reasons[endpoint] ?? 'server';
  if (circuits.probed !== undefined) {
    return { reason, got: 'not sent, as another request is trying whether the API is back' };
  }
  if (now >= circuits.restUntil) return undefined;
  const seconds = Math.ceil((circuits.restUntil - now) / 1000);
  return { reason, got: `not sent, as the requests before failed (tried again in ${seconds} s)` };
}

/** @param onState is told of each change of a state, which is `closed` at first */
export function createBreaker(
  clock: Clock,
  onState: (endpoint: Endpoint, state: CircuitState) => void,
): Breaker {
  let circuits = ALL_CLOSED;
  const become = (next: Circuits) => {
    if (next === circuits) return;
    const before = circuits;
    circuits = next;
    for (const endpoint of ENDPOINTS) {
      const state = stateOf(next, endpoint);
      if (state !== stateOf(before, endpoint)) onState(endpoint, state);
    }
  };
  const refusal = (endpoint: Endpoint) => refusalOf(circuits, endpoint, clock.monotonic());
  return {
    state: (endpoint) => stateOf(circuits, endpoint),
    refusal,
    enter: (endpoint) => {
      const refused = refusal(endpoint);
      if (refused === undefined && stateOf(circuits, endpoint) === 'open') {
        become({ ...circuits, probed: endpoint });
      }
      return refused;
    },
    succeeded: (endpoint) => become(afterSuccess(circuits, endpoint)),
    failed: (failure) =>
      become(
        isOutage(failure)
          ? afterFailure(circuits, failure, clock.monotonic())
          : afterSuccess(circuits, failure.endpoint),
      ),
    // The rest is over, so that the next request is the probe.
    probeAbandoned: () => become({ ...circuits, probed: undefined }),
  };
}
