import { describe, expect, it } from 'vitest';
import {
  afterAbort,
  afterFailure,
  afterSend,
  afterSuccess,
  CLOSED_CIRCUITS,
  circuitRejection,
  circuitState,
} from '../../../src/api/circuit.ts';
import { ApiError } from '../../../src/api/errors.ts';
import { ENDPOINTS, type Endpoint, FAILURE_REASONS, type FailureReason } from '../../../src/model/enums.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SECOND = 1_000;

const failure = (reason: FailureReason, status?: number, endpoint: Endpoint = 'devices') =>
  new ApiError({ reason, endpoint, got: 'something', status });

/** The circuits of an account, and the changes of their states. */
function setUp() {
  const clock = createFakeClock();
  const states: string[] = [];
  let circuits = CLOSED_CIRCUITS;
  const set = (next: typeof circuits): void => {
    for (const endpoint of ENDPOINTS) {
      const state = circuitState(next, endpoint);
      if (state !== circuitState(circuits, endpoint)) states.push(`${endpoint} ${state}`);
    }
    circuits = next;
  };
  const rejection = (endpoint: Endpoint) => circuitRejection(circuits, endpoint, clock.monotonic());
  const circuit = {
    rejection,
    state: (endpoint: Endpoint) => circuitState(circuits, endpoint),
    /** Sends a request unless it is rejected. */
    send: (endpoint: Endpoint) => {
      const rejected = rejection(endpoint);
      if (rejected === undefined) set(afterSend(circuits, endpoint));
      return rejected;
    },
    succeed: (endpoint: Endpoint) => set(afterSuccess(circuits, endpoint)),
    failed: (error: ApiError) => set(afterFailure(circuits, error, clock.monotonic())),
    abort: (endpoint: Endpoint) => set(afterAbort(circuits, endpoint)),
  };
  return {
    clock,
    circuit,
    states,
    fail: (times: number, error = failure('reset')) => {
      for (let time = 0; time < times; time += 1) circuit.failed(error);
    },
    wait: (seconds: number) => clock.advance(seconds * SECOND),
  };
}

describe('a series of failures', () => {
  it.each<[FailureReason, number | undefined, boolean]>([
    ['dns', undefined, true],
    ['connect', undefined, true],
    ['reset', undefined, true],
    ['timeout', undefined, true],
    ['tls', undefined, true],
    ['truncated', undefined, true],
    ['server', 500, true],
    ['server', 503, true],
    ['server', 200, true],
    ['edge_block', 503, true],
    ['edge_block', 520, true],
    ['edge_block', 403, false],
    ['timeout', 408, false],
    ['truncated', 200, false],
    ['throttled', 429, false],
    ['unauthorized', 403, false],
    ['bad_request', 400, false],
    ['not_found', 404, false],
    ['redirect', 302, false],
    ['envelope', 200, false],
    ['envelope', undefined, false],
    ['schema', 200, false],
    ['too_large', undefined, false],
    ['internal', undefined, false],
  ])('with the reason %s and the HTTP status %s opens the circuit: %s', (reason, status, opens) => {
    const { fail, circuit } = setUp();
    fail(5, failure(reason, status));
    expect(circuit.state('devices')).toBe(opens ? 'open' : 'closed');
  });

  it.each(FAILURE_REASONS.filter((reason) => reason !== 'server'))(
    'with the reason %s and a status 4xx does not open the circuit',
    (reason) => {
      const { fail, states } = setUp();
      for (const status of [400, 401, 403, 404, 408, 429]) fail(5, failure(reason, status));
      expect(states).toEqual([]);
    },
  );
});

describe('a circuit', () => {
  it('opens after five failures in a row', () => {
    const { circuit, fail, states } = setUp();
    fail(4);
    expect(circuit.send('devices')).toBeUndefined();
    fail(1, failure('server', 502));
    expect(states).toEqual(['devices open']);
    expect(circuit.send('devices')).toEqual({
      reason: 'server',
      got: 'rejected: the circuit is open; next probe in 30 s',
    });
  });

  it.each([
    ['a success', undefined],
    ['a refusal', failure('unauthorized', 403)],
    ['a 404', failure('not_found', 404)],
    ['a backoff that the API requests', failure('throttled', 429)],
    ['an unusable response', failure('schema', 200)],
  ])('restarts its count of failures after %s', (_, answer) => {
    const { circuit, fail, states } = setUp();
    for (let round = 0; round < 3; round += 1) {
      fail(4);
      if (answer === undefined) circuit.succeed('devices');
      else circuit.failed(answer);
    }
    expect(states).toEqual([]);
  });

  it('of the tunnels is closed by 5xx about single tunnels while the device list works', () => {
    const { circuit, fail, wait } = setUp();
    fail(100, failure('server', 500, 'tunnel'));
    expect(circuit.state('tunnel')).toBe('closed');
    fail(5, failure('reset', undefined, 'tunnel'));
    expect(circuit.state('tunnel')).toBe('open');
    wait(30);
    circuit.send('tunnel');
    fail(1, failure('server', 502, 'tunnel'));
    expect(circuit.state('tunnel')).toBe('closed');
  });

  it('of the tunnels opens for 5xx when the device list fails, too', () => {
    const { circuit, fail } = setUp();
    fail(5, failure('server', 500));
    fail(5, failure('server', 500, 'tunnel'));
    expect(circuit.state('tunnel')).toBe('open');
  });

  it('never opens for 4xx', () => {
    const { fail, states } = setUp();
    fail(1_000, failure('bad_request', 400));
    expect(states).toEqual([]);
  });

  it('sends one request as a probe after the wait, and no other until the probe ends', () => {
    const { clock, circuit, fail, states } = setUp();
    fail(5);
    clock.advance(30 * SECOND - 1);
    expect(circuit.send('devices')).toBeDefined();
    clock.advance(1);
    expect(circuit.rejection('devices')).toBeUndefined();
    expect(states).toEqual(['devices open']);
    expect(circuit.send('devices')).toBeUndefined();
    expect(states).toEqual(['devices open', 'devices half_open']);
    for (const ask of [circuit.send, circuit.rejection]) {
      expect(ask('devices')).toEqual({
        reason: 'reset',
        got: 'rejected: the circuit is open, and another request is the probe',
      });
    }
  });

  it('closes when the probe succeeds, and then lets all requests through', () => {
    const { circuit, fail, wait, states } = setUp();
    fail(5);
    wait(30);
    circuit.send('devices');
    circuit.succeed('devices');
    expect(states).toEqual(['devices open', 'devices half_open', 'devices closed']);
    for (let request = 0; request < 10; request += 1) expect(circuit.send('devices')).toBeUndefined();
    fail(4);
    expect(circuit.state('devices')).toBe('closed');
  });

  it('closes when the probe is refused, since that is a response', () => {
    const { circuit, fail, wait, states } = setUp();
    fail(5);
    wait(30);
    circuit.send('devices');
    circuit.failed(failure('unauthorized', 403));
    expect(states).toEqual(['devices open', 'devices half_open', 'devices closed']);
  });

  it('waits longer each time that the probe fails, and starts with the shortest wait after a success', () => {
    const { clock, circuit, fail, wait } = setUp();
    fail(5);
    for (const seconds of [30, 60, 60, 60]) {
      clock.advance(seconds * SECOND - 1);
      expect(circuit.send('devices')).toBeDefined();
      clock.advance(1);
      expect(circuit.send('devices')).toBeUndefined();
      circuit.failed(failure('connect'));
    }
    expect(circuit.send('devices')?.reason).toBe('connect');
    wait(60);
    circuit.send('devices');
    circuit.succeed('devices');
    fail(5);
    wait(30);
    expect(circuit.send('devices')).toBeUndefined();
  });

  it('lets the next request probe when the probe was aborted', () => {
    const { circuit, fail, wait, states } = setUp();
    fail(5);
    wait(30);
    circuit.send('devices');
    circuit.abort('devices');
    expect(circuit.send('devices')).toBeUndefined();
    expect(states.slice(1)).toEqual(['devices half_open', 'devices open', 'devices half_open']);
  });

  it('does not wait longer for requests that were in flight when it opened', () => {
    const { circuit, fail, wait } = setUp();
    fail(25);
    wait(30);
    expect(circuit.send('devices')).toBeUndefined();
  });
});

describe('the circuits of an account', () => {
  it('open for each endpoint separately', () => {
    const { circuit, fail, states } = setUp();
    fail(100, failure('reset', undefined, 'tunnel'));
    expect(circuit.send('tunnel')).toBeDefined();
    for (const endpoint of ['devices', 'balance'] as const) {
      fail(4, failure('server', 500, endpoint));
      expect(circuit.send(endpoint)).toBeUndefined();
    }
    expect(states).toEqual(['tunnel open']);
  });

  it('are probed by one request at a time', () => {
    const { circuit, fail, wait } = setUp();
    for (const endpoint of ['devices', 'tunnel', 'balance'] as const) {
      fail(5, failure('reset', undefined, endpoint));
    }
    wait(30);
    expect(circuit.send('tunnel')).toBeUndefined();
    expect(circuit.send('devices')?.got).toBe(
      'rejected: the circuit is open, and another request is the probe',
    );
    circuit.failed(failure('reset', undefined, 'tunnel'));
    wait(59);
    for (const endpoint of ['devices', 'tunnel', 'balance'] as const) {
      expect(circuit.send(endpoint)).toBeDefined();
    }
    wait(1);
    expect(circuit.send('balance')).toBeUndefined();
  });

  it('are probed at once, one by one, when one of them closed', () => {
    const { circuit, fail, wait, states } = setUp();
    for (const endpoint of ['devices', 'tunnel'] as const) fail(5, failure('reset', undefined, endpoint));
    wait(30);
    circuit.send('devices');
    circuit.failed(failure('reset'));
    wait(60);
    circuit.send('devices');
    circuit.succeed('devices');
    expect(circuit.send('tunnel')).toBeUndefined();
    expect(circuit.send('tunnel')).toBeDefined();
    expect(states.slice(-2)).toEqual(['devices closed', 'tunnel half_open']);
  });

  it('share the wait of the one that opened first', () => {
    const { circuit, fail, wait } = setUp();
    fail(5);
    wait(20);
    fail(5, failure('reset', undefined, 'balance'));
    wait(10);
    expect(circuit.send('balance')).toBeUndefined();
  });
});
