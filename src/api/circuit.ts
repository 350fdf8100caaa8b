import { type CircuitState, ENDPOINTS, type Endpoint, type FailureReason } from '../model/enums.ts';
import type { ApiError } from './errors.ts';

/**
 * The circuits of the endpoints of one account, as an immutable value. After some failures in a row the circuit of an
 * endpoint opens, later one request probes whether the endpoint is back (`half_open`), and any success closes it. Each
 * endpoint has its own circuit, so that an outage of one does not block the others. The time of the next probe is
 * common to all, so that an API that is down is probed by one request at a time.
 */
export type Circuits = {
  /** Failures in a row, and the reason of the last one that counted. */
  readonly failures: Readonly<Record<Endpoint, number>>;
  readonly reasons: Readonly<Partial<Record<Endpoint, FailureReason>>>;
  /** Number of waits since the last probe that succeeded. */
  readonly waits: number;
  /** Time of the next probe, by the monotonic clock. */
  readonly probeAt: number;
  /** The endpoint that is being probed. */
  readonly probed: Endpoint | undefined;
};

export const CLOSED_CIRCUITS: Circuits = {
  failures: { devices: 0, tunnel: 0, balance: 0 },
  reasons: {},
  waits: 0,
  probeAt: 0,
  probed: undefined,
};

const FAILURES_TO_OPEN = 5;

/** The second wait is longer than the first, and none is longer than a minute. */
const FIRST_WAIT_MILLISECONDS = 30_000;
const MAX_WAIT_MILLISECONDS = 60_000;

/** Failures without any response that mean that the API cannot be reached. */
const UNREACHABLE: ReadonlySet<FailureReason> = new Set([
  'dns',
  'connect',
  'reset',
  'timeout',
  'tls',
  'truncated',
]);

export function circuitState({ failures, probed }: Circuits, endpoint: Endpoint): CircuitState {
  if (failures[endpoint] < FAILURES_TO_OPEN) return 'closed';
  return probed === endpoint ? 'half_open' : 'open';
}

/** Returns why a request to the endpoint is rejected at `now`; undefined where it may be sent. */
export function circuitRejection(
  circuits: Circuits,
  endpoint: Endpoint,
  now: number,
): { readonly reason: FailureReason; readonly got: string } | undefined {
  if (circuitState(circuits, endpoint) === 'closed') return undefined;
  const reason = circuits.reasons[endpoint] ?? 'server';
  if (circuits.probed !== undefined) {
    return { reason, got: 'rejected: the circuit is open, and another request is the probe' };
  }
  if (now >= circuits.probeAt) return undefined;
  const seconds = Math.ceil((circuits.probeAt - now) / 1000);
  return { reason, got: `rejected: the circuit is open; next probe in ${seconds} s` };
}

/** Returns the circuits when a request that is not rejected is sent: through an open circuit it is the probe. */
export function afterSend(circuits: Circuits, endpoint: Endpoint): Circuits {
  return circuitState(circuits, endpoint) === 'open' ? { ...circuits, probed: endpoint } : circuits;
}

/** Returns the circuits when the caller of the probe aborted it, so that nothing was learned: the next one probes. */
export function afterAbort(circuits: Circuits, endpoint: Endpoint): Circuits {
  return circuits.probed === endpoint ? { ...circuits, probed: undefined } : circuits;
}

/** Returns the circuits after a success. */
export function afterSuccess(circuits: Circuits, endpoint: Endpoint): Circuits {
  if (circuits.failures[endpoint] === 0) return circuits;
  const closed = { ...circuits, failures: { ...circuits.failures, [endpoint]: 0 } };
  if (circuitState(circuits, endpoint) === 'closed') return closed;
  // If one is back, the others may be: they are probed at once, one by one.
  const probed = circuits.probed === endpoint ? undefined : circuits.probed;
  return { ...closed, waits: 0, probeAt: 0, probed };
}

/**
 * Returns the circuits after a failure that is not retried. A response of 4xx shows that the API is there. So does one of
 * 5xx about a tunnel while the device list works: then it is that tunnel that is broken.
 */
export function afterFailure(circuits: Circuits, failure: ApiError, now: number): Circuits {
  const { endpoint, reason, status } = failure;
  const isAboutTunnel =
    endpoint === 'tunnel' && status !== undefined && circuitState(circuits, 'devices') === 'closed';
  if (isAboutTunnel || !isOutage(failure)) return afterSuccess(circuits, endpoint);
  const state = circuitState(circuits, endpoint);
  // A request that was sent before the circuit opened comes too late to count.
  if (state === 'open') return circuits;
  const failed = {
    ...circuits,
    failures: { ...circuits.failures, [endpoint]: circuits.failures[endpoint] + 1 },
    reasons: { ...circuits.reasons, [endpoint]: reason },
  };
  const isFirstOpen = ENDPOINTS.every((other) => circuitState(circuits, other) === 'closed');
  const opens = state === 'closed' && circuitState(failed, endpoint) === 'open';
  if (state !== 'half_open' && !(opens && isFirstOpen)) return failed;
  const waits = circuits.waits + 1;
  const wait = Math.min(MAX_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * waits);
  return { ...failed, waits, probeAt: now + wait, probed: undefined };
}

function isOutage({ reason, status }: ApiError): boolean {
  if (status === undefined) return UNREACHABLE.has(reason);
  return status >= 500 || reason === 'server';
}
