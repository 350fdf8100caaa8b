import { describe, expect, it } from 'vitest';
import { createBreaker, isOutage, restFor } from '../../../src/api/breaker.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { Endpoint } from '../../../src/model/endpoint.ts';
import { FAILURE_REASONS, type FailureReason } from '../../../src/model/failure.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SECOND = 1_000;

const failure = (reason: FailureReason, status?: number, endpoint: Endpoint = 'devices') =>
  new ApiError({ reason, endpoint, got: 'something', status });

function setUp() {
  const clock = createFakeClock();
  const states: string[] = [];
  const breaker = createBreaker(clock, (endpoint, state) => states.push(`${endpoint} ${state}`));
  return {
    clock,
    breaker,
    states,
    fail: (times: number, error = failure('reset')) => {
      for (let time = 0; time < times; time += 1) breaker.failed(error);
    },
    rest: (seconds: number) => clock.advance(seconds * SECOND),
  };
}

describe('an outage', () => {
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
  ])('is %s with HTTP %s: %s', (reason, status, is) => {
    expect(isOutage({ reason, status })).toBe(is);
  });

  it.each(FAILURE_REASONS.filter((reason) => reason !== 'server'))('is never %s with 4xx', (reason) => {
    for (const status of [400, 401, 403, 404, 408, 429]) expect(isOutage({ reason, status })).toBe(false);
  });
});

describe('a circuit', () => {
  it('opens after five failures in a row', () => {
    const { breaker, fail, states } = setUp();
    fail(4);
    expect(breaker.enter('devices')).toBeUndefined();
    fail(1, failure('server', 502));
    expect(states).toEqual(['devices open']);
    expect(breaker.enter('devices')).toEqual({
      reason: 'server',
      got: 'not sent, as the requests before failed (tried again in 30 s)',
    });
  });

  it.each([
    ['a success', undefined],
    ['a refusal', failure('unauthorized', 403)],
    ['a 404', failure('not_found', 404)],
    ['a pause that the API asks for', failure('throttled', 429)],
    ['an answer that is of no use', failure('schema', 200)],
  ])('counts anew after %s', (_, answer) => {
    const { breaker, fail, states } = setUp();
    for (let round = 0; round < 3; round += 1) {
      fail(4);
      if (answer === undefined) breaker.succeeded('devices');
      else breaker.failed(answer);
    }
    expect(states).toEqual([]);
  });

  it('never opens for 4xx', () => {
    const { fail, states } = setUp();
    fail(1_000, failure('bad_request', 400));
    expect(states).toEqual([]);
  });

  it('lets one request try after the rest, and no other meanwhile', () => {
    const { clock, breaker, fail, states } = setUp();
    fail(5);
    clock.advance(30 * SECOND - 1);
    expect(breaker.enter('devices')).toBeDefined();
    clock.advance(1);
    expect(breaker.refusal('devices')).toBeUndefined();
    expect(states).toEqual(['devices open']);
    expect(breaker.enter('devices')).toBeUndefined();
    expect(states).toEqual(['devices open', 'devices half_open']);
    for (const ask of [breaker.enter, breaker.refusal]) {
      expect(ask('devices')).toEqual({
        reason: 'reset',
        got: 'not sent, as another request is trying whether the API is back',
      });
    }
  });

  it('closes when the probe succeeds, and then lets all pass', () => {
    const { breaker, fail, rest, states } = setUp();
    fail(5);
    rest(30);
    breaker.enter('devices');
    breaker.succeeded('devices');
    expect(states).toEqual(['devices open', 'devices half_open', 'devices closed']);
    for (let request = 0; request < 10; request += 1) expect(breaker.enter('devices')).toBeUndefined();
    fail(4);
    expect(breaker.state('devices')).toBe('closed');
  });

  it('closes when the probe is refused, since that is an answer', () => {
    const { breaker, fail, rest, states } = setUp();
    fail(5);
    rest(30);
    breaker.enter('devices');
    breaker.failed(failure('unauthorized', 403));
    expect(states).toEqual(['devices open', 'devices half_open', 'devices closed']);
  });

  it.each([
    [1, 30],
    [2, 60],
    [3, 60],
    [1_000_000, 60],
  ])('rests for the %ith time for %i s', (count, seconds) => {
    expect(restFor(count)).toBe(seconds * SECOND);
  });

  it('rests longer each time that the probe fails, and starts anew after a success', () => {
    const { clock, breaker, fail, rest } = setUp();
    fail(5);
    for (const seconds of [30, 60, 60, 60]) {
      clock.advance(seconds * SECOND - 1);
      expect(breaker.enter('devices')).toBeDefined();
      clock.advance(1);
      expect(breaker.enter('devices')).toBeUndefined();
      breaker.failed(failure('connect'));
    }
    expect(breaker.enter('devices')?.reason).toBe('connect');
    rest(60);
    breaker.enter('devices');
    breaker.succeeded('devices');
    fail(5);
    rest(30);
    expect(breaker.enter('devices')).toBeUndefined();
  });

  it('lets the next request try where the probe was given up', () => {
    const { breaker, fail, rest, states } = setUp();
    fail(5);
    rest(30);
    breaker.enter('devices');
    breaker.probeAbandoned();
    expect(breaker.enter('devices')).toBeUndefined();
    expect(states.slice(1)).toEqual(['devices half_open', 'devices open', 'devices half_open']);
  });

  it('does not rest longer for what was under way when it opened', () => {
    const { breaker, fail, rest } = setUp();
    fail(25);
    rest(30);
    expect(breaker.enter('devices')).toBeUndefined();
  });
});

describe('the circuits of an account', () => {
  it('open one by one: an endpoint that is broken is no reason to miss the others', () => {
    const { breaker, fail, states } = setUp();
    fail(100, failure('server', 500, 'tunnel'));
    expect(breaker.enter('tunnel')).toBeDefined();
    for (const endpoint of ['devices', 'balance'] as const) {
      fail(4, failure('server', 500, endpoint));
      expect(breaker.enter(endpoint)).toBeUndefined();
    }
    expect(states).toEqual(['tunnel open']);
  });

  it('are tried by one request at a time', () => {
    const { breaker, fail, rest } = setUp();
    for (const endpoint of ['devices', 'tunnel', 'balance'] as const) {
      fail(5, failure('reset', undefined, endpoint));
    }
    rest(30);
    expect(breaker.enter('tunnel')).toBeUndefined();
    expect(breaker.enter('devices')?.got).toBe(
      'not sent, as another request is trying whether the API is back',
    );
    breaker.failed(failure('reset', undefined, 'tunnel'));
    rest(59);
    for (const endpoint of ['devices', 'tunnel', 'balance'] as const) {
      expect(breaker.enter(endpoint)).toBeDefined();
    }
    rest(1);
    expect(breaker.enter('balance')).toBeUndefined();
  });

  it('are tried at once, one by one, when one of them closed', () => {
    const { breaker, fail, rest, states } = setUp();
    for (const endpoint of ['devices', 'tunnel'] as const) fail(5, failure('reset', undefined, endpoint));
    rest(30);
    breaker.enter('devices');
    breaker.failed(failure('reset'));
    rest(60);
    breaker.enter('devices');
    breaker.succeeded('devices');
    expect(breaker.enter('tunnel')).toBeUndefined();
    expect(breaker.enter('tunnel')).toBeDefined();
    expect(states.slice(-2)).toEqual(['devices closed', 'tunnel half_open']);
  });

  it('that open while another is open share its rest', () => {
    const { breaker, fail, rest } = setUp();
    fail(5);
    rest(20);
    fail(5, failure('reset', undefined, 'balance'));
    rest(10);
    expect(breaker.enter('balance')).toBeUndefined();
  });
});
