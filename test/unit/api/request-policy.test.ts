import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorFacts } from '../../../src/api/errors.ts';
import { backoffMilliseconds } from '../../../src/api/request-policy.ts';
import { type OutcomeName, type ScriptedApi, scriptApi, settle } from './scripted-api.ts';

const SECOND = 1_000;

/** Lets time pass in steps, and everything happen that falls due. */
async function pass({ clock }: ScriptedApi, milliseconds: number, step = milliseconds): Promise<void> {
  await settle();
  for (let passed = 0; passed < milliseconds; passed += step) {
    clock.advance(step);
    await settle();
  }
}

const inTurn =
  (...endings: readonly OutcomeName[]) =>
  (index: number) =>
    endings[Math.min(index, endings.length - 1)];

describe('a request that failed', () => {
  it('is retried after a random wait', async () => {
    const api = scriptApi(inTurn('fault', 'reset', 'good'));
    const outcome = api.outcome();
    await pass(api, 250);
    await pass(api, 499);
    expect(api.sent).toHaveLength(2);
    await pass(api, 1);
    expect(await outcome).toBe('good');
    expect(api.sent.map(({ at }) => at)).toEqual([0, 250, 750]);
    expect(api.seen).toEqual([
      'responded devices 500',
      'failed devices server',
      'failed devices reset',
      'responded devices 200',
      'access granted',
    ]);
  });

  it('fails with its last failure after two retries', async () => {
    const api = scriptApi(inTurn('fault', 'fault', 'reset'));
    const outcome = api.outcome();
    await pass(api, 250);
    await pass(api, 500);
    expect(await outcome).toBe('reset');
    expect(api.sent).toHaveLength(3);
  });

  it.each<[OutcomeName, string]>([
    ['refused', 'unauthorized'],
    ['invalid', 'bad_request'],
    ['throttled', 'throttled'],
    ['down for 60 s', 'server'],
    ['late', 'timeout'],
  ])('is not retried if it was %s', async (ending, reason) => {
    const api = scriptApi(inTurn(ending, 'good'));
    expect(await api.outcome()).toBe(reason);
    await pass(api, 10 * SECOND);
    expect(api.sent).toHaveLength(1);
  });

  it('is retried at once if the server had closed an idle connection', async () => {
    const api = scriptApi(inTurn('reset of an idle connection', 'good'));
    expect(await api.outcome()).toBe('good');
    expect(api.sent.map(({ at }) => at)).toEqual([0, 0]);
  });

  it('waits for its retry without a slot', async () => {
    const api = scriptApi(inTurn('fault', 'good'), { concurrency: 1 });
    const first = api.outcome('/first');
    expect(await api.outcome('/second')).toBe('good');
    await pass(api, 250);
    expect(await first).toBe('good');
    expect(api.sent.map(({ path }) => path)).toEqual(['/first', '/second', '/first']);
  });

  it('is aborted at once by its caller, also while it waits', async () => {
    const api = scriptApi(inTurn('fault'));
    const caller = new AbortController();
    const outcome = api.outcome('/', caller.signal);
    await settle();
    caller.abort('enough');
    expect(await outcome).toBe('enough');
    await pass(api, 10 * SECOND);
    expect(api.sent).toHaveLength(1);
  });

  it('is not retried if the API requested a backoff in the meantime', async () => {
    const api = scriptApi(inTurn('fault', 'throttled for 60 s', 'good'));
    const outcome = api.outcome();
    await settle();
    expect(await api.outcome()).toBe('throttled');
    await pass(api, 250);
    expect(await outcome).toBe('throttled');
    expect(api.sent).toHaveLength(2);
  });
});

/** Seconds of backoff that are left, as the error of a rejected request tells them. */
async function secondsLeft(api: ScriptedApi): Promise<number> {
  const problem = await api.request().then(String, String);
  return Number(/backoff, (\d+) s left/.exec(problem)?.[1]);
}

describe('a backoff', () => {
  it('grows with each further 429, and starts with the shortest length after a success', async () => {
    const api = scriptApi((index) => (index === 5 ? 'good' : 'throttled'), { random: () => 0 });
    const untils: number[] = [];
    for (let request = 0; request < 7; request += 1) {
      if ((await api.outcome()) === 'good') continue;
      const seconds = await secondsLeft(api);
      untils.push(seconds);
      api.clock.advance(seconds * SECOND);
    }
    expect(untils).toEqual([32, 63, 126, 252, 504, 32]);
  });

  it('is one backoff, the longest, when several requests are throttled together', async () => {
    const api = scriptApi(() => undefined, { random: () => 0 });
    const outcomes = [api.outcome(), api.outcome()];
    await settle();
    api.sent[0]?.end('throttled');
    api.sent[1]?.end('throttled for 60 s');
    await Promise.all(outcomes);
    expect(await secondsLeft(api)).toBe(63);
  });

  it('is not changed by steps of the wall clock', async () => {
    const api = scriptApi(inTurn('throttled for 60 s', 'good'), { random: () => 0 });
    await api.outcome();
    api.clock.step(24 * 3_600 * SECOND);
    expect(await api.outcome()).toBe('throttled');
    api.clock.step(-48 * 3_600 * SECOND);
    api.clock.advance(63 * SECOND);
    expect(await api.outcome()).toBe('good');
  });

  it('rejects requests that wait for a slot as well', async () => {
    const api = scriptApi(() => undefined, { concurrency: 2 });
    const outcomes = Array.from({ length: 1_000 }, (_, index) => api.outcome(`/${index}`));
    await settle();
    api.sent[0]?.end('throttled for 60 s');
    await settle();
    api.sent[1]?.end('good');
    expect(await Promise.all(outcomes.slice(0, 3))).toEqual(['throttled', 'good', 'throttled']);
    expect(new Set(await Promise.all(outcomes.slice(2)))).toEqual(new Set(['throttled']));
    expect(api.sent).toHaveLength(2);
  });

  it('rejects requests that wait for the rate limit at once', async () => {
    const api = scriptApi(inTurn('throttled for 60 s'), { requestsPerSecond: 1 });
    const outcomes = Array.from({ length: 1_000 }, () => api.outcome());
    await pass(api, SECOND);
    await Promise.all(outcomes);
    expect(api.sent).toHaveLength(1);
  });

  it('is named in the error of rejected requests', async () => {
    const api = scriptApi(inTurn('throttled for 60 s'));
    await api.outcome();
    await expect(api.request()).rejects.toMatchObject({
      reason: 'throttled',
      rejected: true,
      message:
        'rejected: backoff, 65 s left. ' + 'Too many requests. Poll less often, or lower client.concurrency.',
    });
  });
});

describe('a refused key', () => {
  const MINUTE = 60 * SECOND;

  it('is not sent again by requests that were waiting when it was refused', async () => {
    const api = scriptApi(() => undefined, { concurrency: 2 });
    const outcomes = Array.from({ length: 1_000 }, () => api.outcome());
    await settle();
    api.sent[0]?.end('refused');
    api.sent[1]?.end('refused');
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['unauthorized']));
    expect(api.sent).toHaveLength(2);
    await expect(api.request()).rejects.toMatchObject({ code: 'INVALID_API_KEY', rejected: true });
  });

  it('stops the endpoint that refused it, and does not stop waiting requests of other endpoints', async () => {
    const api = scriptApi((index) => (index === 0 ? undefined : 'good'), { concurrency: 1 });
    const balance = api.outcome('/balance', undefined, 'balance');
    const devices = Array.from({ length: 100 }, () => api.outcome('/', undefined, 'devices'));
    await settle();
    api.sent[0]?.end('refused');
    expect(await balance).toBe('unauthorized');
    expect(new Set(await Promise.all(devices))).toEqual(new Set(['good']));
    expect([api.isRefused('balance'), api.isRefused('devices')]).toEqual([true, false]);
  });

  it('is tried again every five minutes, for as long as it is refused', async () => {
    const api = scriptApi(inTurn('refused'));
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await api.outcome();
      api.clock.advance(MINUTE);
    }
    expect(api.sent.map(({ at }) => at)).toEqual(
      Array.from({ length: 24 * 12 }, (_, index) => index * 5 * MINUTE),
    );
  });

  it('is tried again by a single request when several are waiting', async () => {
    const api = scriptApi((index) => (index === 0 ? 'refused' : undefined), { concurrency: 8 });
    await api.outcome();
    api.clock.advance(5 * MINUTE);
    const outcomes = Array.from({ length: 10 }, () => api.outcome());
    await settle();
    expect(api.sent).toHaveLength(2);
    api.sent[1]?.end('refused');
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['unauthorized']));
    expect(api.isRefused('devices')).toBe(true);
  });

  it('is tried at once when it is another key', async () => {
    const api = scriptApi(inTurn('refused', 'good'));
    await api.outcome();
    expect(api.isRefused('devices')).toBe(true);
    api.setKey('two');
    expect(api.isRefused('devices')).toBe(false);
    expect(await api.outcome()).toBe('good');
  });

  it('stops nothing if it was replaced before its refusal arrived', async () => {
    const api = scriptApi((index) => (index === 0 ? undefined : 'good'));
    const late = api.outcome();
    await settle();
    api.setKey('two');
    api.sent[0]?.end('refused');
    expect(await late).toBe('unauthorized');
    expect(api.isRefused('devices')).toBe(false);
    expect(await api.outcome()).toBe('good');
  });

  it('is tried at once at every endpoint when one of them accepts it again', async () => {
    const api = scriptApi(inTurn('refused', 'refused', 'good'));
    await api.outcome('/', undefined, 'devices');
    api.clock.advance(MINUTE);
    await api.outcome('/', undefined, 'balance');
    api.clock.advance(4 * MINUTE);
    expect([api.isRefused('devices'), api.isRefused('balance')]).toEqual([false, true]);
    expect(await api.outcome('/', undefined, 'devices')).toBe('good');
    expect(api.isRefused('balance')).toBe(false);
  });
});

describe('an API that is down', () => {
  it('gets no retries once three requests in a row failed', async () => {
    const api = scriptApi(inTurn('unreachable'));
    const first = api.outcome();
    await pass(api, 2 * SECOND, 250);
    expect(await first).toBe('connect');
    expect([api.sent.length, api.isFailing()]).toEqual([3, true]);
    expect(await api.outcome()).toBe('connect');
    expect(api.sent).toHaveLength(4);
  });

  it('gets one request at a time until one succeeds, and then as many as are allowed', async () => {
    const api = scriptApi((index) => (index < 3 ? 'invalid envelope' : undefined), { concurrency: 4 });
    for (let request = 0; request < 3; request += 1) expect(await api.outcome()).toBe('envelope');
    const outcomes = Array.from({ length: 8 }, () => api.outcome());
    await settle();
    expect(api.sent).toHaveLength(4);
    api.sent[3]?.end('invalid envelope');
    await settle();
    expect(api.sent).toHaveLength(5);
    api.sent[4]?.end('good');
    await settle();
    expect(api.sent).toHaveLength(9);
    for (let index = 5; index < 11; index += 1) {
      api.sent[index]?.end('good');
      await settle();
    }
    expect(await Promise.all(outcomes)).toEqual(['envelope', ...Array.from({ length: 7 }, () => 'good')]);
    expect(api.isFailing()).toBe(false);
  });

  it('is not an API that answers with one of its own codes', async () => {
    const api = scriptApi(inTurn('invalid'));
    for (let request = 0; request < 10; request += 1) await api.outcome();
    expect(api.isFailing()).toBe(false);
  });

  it('is not an API that fails for some tunnels', async () => {
    const api = scriptApi(inTurn('fault'));
    for (let request = 0; request < 10; request += 1)
      expect(await api.outcome('/', undefined, 'tunnel')).toBe('server');
    expect([api.sent.length, api.isFailing()]).toEqual([10, false]);
  });
});

describe('requests that wait for their turn', () => {
  it('are sent by importance: the balance, then the device list, then tunnels', async () => {
    const api = scriptApi(() => undefined, { concurrency: 1 });
    const outcomes = [api.outcome('/first')];
    await settle();
    for (const endpoint of ['tunnel', 'devices', 'balance', 'devices'] as const)
      outcomes.push(api.outcome(`/${endpoint}`, undefined, endpoint));
    for (let index = 0; index < 5; index += 1) {
      await settle();
      api.sent[index]?.end('good');
    }
    await Promise.all(outcomes);
    expect(api.sent.map(({ path }) => path)).toEqual([
      '/first',
      '/balance',
      '/devices',
      '/devices',
      '/tunnel',
    ]);
  });

  it('end at once when their caller aborts them', async () => {
    const api = scriptApi(() => undefined, { concurrency: 1 });
    const caller = new AbortController();
    const first = api.outcome('/first');
    const waiting = api.outcome('/', caller.signal);
    await settle();
    caller.abort('enough');
    expect(await waiting).toBe('enough');
    api.sent[0]?.end('good');
    expect(await first).toBe('good');
    expect(api.sent).toHaveLength(1);
  });
});

describe('a limit of requests per second', () => {
  it('spreads requests evenly, without a burst after idle time', async () => {
    const api = scriptApi(() => 'good', { requestsPerSecond: 4 });
    api.clock.advance(60 * SECOND);
    const outcomes = Array.from({ length: 6 }, () => api.outcome());
    await pass(api, 1_500, 50);
    await Promise.all(outcomes);
    expect(api.sent.map(({ at }) => at - 60 * SECOND)).toEqual([0, 250, 500, 750, 1_000, 1_250]);
  });

  it('leaves no gap for requests whose caller aborted them', async () => {
    const api = scriptApi(() => 'good', { requestsPerSecond: 1 });
    await api.outcome();
    const caller = new AbortController();
    const aborted = Array.from({ length: 100 }, () => api.outcome('/', caller.signal));
    const last = api.outcome();
    await settle();
    caller.abort('enough');
    expect(new Set(await Promise.all(aborted))).toEqual(new Set(['enough']));
    await pass(api, SECOND);
    expect(await last).toBe('good');
  });
});

describe('the length of a backoff', () => {
  const MINUTE = 60 * SECOND;
  const failure = (facts: Partial<ApiErrorFacts> = {}) =>
    new ApiError({ reason: 'throttled', endpoint: 'tunnel', got: 'HTTP 429', status: 429, ...facts });
  const asking = (seconds: number) => failure({ retryAfterMilliseconds: seconds * SECOND });
  const unavailable = { reason: 'server', status: 503 } as const;

  it.each([
    ['seconds', asking(120), 0, 120 * SECOND],
    ['no time', asking(0), 0, 0],
    ['a day', asking(86_400), 0, 10 * MINUTE],
    ['a billion seconds', asking(1e9), 0, 10 * MINUTE],
    ['nothing', failure(), 0, 30 * SECOND],
    ['nothing, again', failure(), 1, 60 * SECOND],
    ['nothing, once more', failure(), 2, 120 * SECOND],
    ['nothing, all day', failure(), 1_100, 10 * MINUTE],
    ['seconds, again', asking(5), 3, 5 * SECOND],
    ['503 with a time', failure({ ...unavailable, retryAfterMilliseconds: 120 * SECOND }), 0, 120 * SECOND],
    [
      '503 with a long time',
      failure({ ...unavailable, retryAfterMilliseconds: 3_600 * SECOND }),
      0,
      5 * MINUTE,
    ],
    ['503 without a time', failure(unavailable), 0, undefined],
    ['500 with a time', failure({ reason: 'server', status: 500, retryAfterMilliseconds: 1 }), 0, undefined],
    ['403', failure({ reason: 'unauthorized', status: 403 }), 0, undefined],
  ])('without jitter, when the API responds with %s', (_, error, before, expected) => {
    expect(backoffMilliseconds(error, before, () => -1)).toBe(expected);
  });

  it.each([
    [1, 0, 1_500],
    [1, 0.999, 1_999.5],
    [0, 0, 500],
    [120, 0, 126_000],
    [120, 0.999, 131_994],
    [900, 0, 585_000],
    [900, 0.999, 570_015],
  ])('of %i s with the random number %d is %d ms', (seconds, random, expected) => {
    expect(backoffMilliseconds(asking(seconds), 0, () => random)).toBeCloseTo(expected, 6);
  });
});
