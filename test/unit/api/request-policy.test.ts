import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorFacts } from '../../../src/api/errors.ts';
import { backoffMilliseconds } from '../../../src/api/request-policy.ts';
import { createRandom } from '../../../src/simulator/random.ts';
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
      'answered tunnel 500',
      'failed tunnel server',
      'failed tunnel reset',
      'answered tunnel 200',
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

describe('retries of an API with 30 % errors', () => {
  it('are at most a tenth of its requests', async () => {
    const chance = createRandom(7);
    const ending = (): OutcomeName => (chance() < 0.3 ? 'fault' : 'good');
    const api = scriptApi(ending, { random: chance });
    for (let question = 0; question < 2_000; question += 1) {
      const outcome = api.outcome();
      await pass(api, 2 * SECOND);
      await outcome;
    }
    const retries = api.sent.length - 2_000;
    expect(retries / api.sent.length).toBeLessThanOrEqual(0.1);
    expect(retries / api.sent.length).toBeGreaterThan(0.05);
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

  it('rejects every request of the account until it is over', async () => {
    const api = scriptApi(inTurn('throttled for 60 s', 'good'), { random: () => 0 });
    expect(await api.outcome()).toBe('throttled');
    for (let second = 0; second < 63; second += 1) {
      expect(await api.outcome()).toBe('throttled');
      await pass(api, SECOND);
    }
    expect(api.sent).toHaveLength(1);
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
        'rejected: backoff, 65 s left. ' +
        'The API asks for fewer requests. Poll less often or lower client.concurrency.',
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
  });

  it('rejects waiting requests with the code of the refusal', async () => {
    const api = scriptApi(() => undefined, { concurrency: 1 });
    const first = api.outcome();
    const second = api.request();
    await settle();
    api.sent[0]?.end('refused');
    await expect(second).rejects.toMatchObject({ code: 'INVALID_API_KEY', rejected: true });
    await first;
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
    expect(api.isRefused('tunnel')).toBe(true);
  });

  it('is tried at once when it is another key', async () => {
    const api = scriptApi(inTurn('refused', 'good'));
    await api.outcome();
    expect(api.isRefused('tunnel')).toBe(true);
    api.setKey('two');
    expect(api.isRefused('tunnel')).toBe(false);
    expect(await api.outcome()).toBe('good');
  });

  it('stops nothing if it was replaced before its refusal arrived', async () => {
    const api = scriptApi((index) => (index === 0 ? undefined : 'good'));
    const late = api.outcome();
    await settle();
    api.setKey('two');
    api.sent[0]?.end('refused');
    expect(await late).toBe('unauthorized');
    expect(api.isRefused('tunnel')).toBe(false);
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

  it('is tried at once after a reload', async () => {
    const api = scriptApi(inTurn('refused', 'good'));
    await api.outcome();
    api.forgetRefusals();
    expect(await api.outcome()).toBe('good');
  });
});

/** Lets one request after another fail until the circuit opens: after five of them. */
async function breakCircuit(api: ScriptedApi): Promise<void> {
  for (let request = 0; request < 5; request += 1) {
    const outcome = api.outcome();
    await pass(api, 2 * SECOND, 500);
    await outcome;
  }
}

describe('an API that is down', () => {
  it('gets five requests and two retries, and then none', async () => {
    const api = scriptApi(inTurn('unreachable'));
    await breakCircuit(api);
    expect(api.sent).toHaveLength(7);
    for (let question = 0; question < 100; question += 1) expect(await api.outcome()).toBe('connect');
    expect(api.sent).toHaveLength(7);
  });

  it('is probed by one request, without retries, while the others are rejected', async () => {
    const api = scriptApi((index) => (index < 7 ? 'unreachable' : undefined));
    await breakCircuit(api);
    await pass(api, 30 * SECOND);
    const outcomes = Array.from({ length: 50 }, () => api.outcome());
    await pass(api, SECOND);
    expect(await Promise.all(outcomes.slice(1))).toEqual(Array.from({ length: 49 }, () => 'connect'));
    expect(api.sent).toHaveLength(8);
    api.sent[7]?.end('reset');
    expect(await outcomes[0]).toBe('reset');
    await pass(api, 29 * SECOND);
    expect(await api.outcome()).toBe('reset');
    expect(api.sent).toHaveLength(8);
  });

  it('gets all requests again once the probe succeeded', async () => {
    const api = scriptApi((index) => (index < 7 ? 'unreachable' : 'good'));
    await breakCircuit(api);
    await pass(api, 30 * SECOND);
    expect(await api.outcome()).toBe('good');
    const outcomes = Array.from({ length: 50 }, () => api.outcome());
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['good']));
  });

  it('is probed by the next request when the probe was aborted', async () => {
    const api = scriptApi((index) => (index < 7 ? 'unreachable' : index === 7 ? undefined : 'good'));
    await breakCircuit(api);
    await pass(api, 30 * SECOND);
    const caller = new AbortController();
    const probe = api.outcome('/', caller.signal);
    await settle();
    caller.abort('deadline');
    expect(await probe).toBe('deadline');
    expect(await api.outcome()).toBe('good');
  });

  it('gets at most one request a minute, and is used again within three polls after it is back', async () => {
    const HOUR = 3_600 * SECOND;
    let down = true;
    const api = scriptApi(() => (down ? 'unreachable' : 'good'));
    const poll = async () => {
      const outcome = api.outcome();
      await pass(api, 30 * SECOND, 500);
      return outcome;
    };
    while (api.clock.monotonic() < HOUR) await poll();
    expect(api.sent.length).toBeLessThan(75);
    down = false;
    while ((await poll()) !== 'good');
    expect(api.clock.monotonic() - HOUR).toBeLessThanOrEqual(90 * SECOND);
  });

  it('does not include an API that responds with 400', async () => {
    const api = scriptApi(inTurn('invalid'));
    for (let request = 0; request < 50; request += 1) await api.outcome();
    expect(api.sent).toHaveLength(50);
  });
});

describe('the number of requests at once', () => {
  it('grows with successes to the configured limit', async () => {
    const api = scriptApi(() => undefined, { concurrency: 4 });
    const outcomes = Array.from({ length: 100 }, () => api.outcome());
    const widths: number[] = [];
    for (let done = 0; done < 100; ) {
      await settle();
      const open = api.sent.slice(done);
      widths.push(open.length);
      done += open.length;
      for (const { end } of open) end('good');
    }
    await Promise.all(outcomes);
    expect(widths.slice(0, 5)).toEqual([2, 3, 4, 4, 4]);
  });

  it.each([
    [1, 1],
    [2, 2],
    [8, 2],
    [64, 2],
  ])('of at most %i starts at %i', (concurrency, first) => {
    expect(scriptApi(() => 'good', { concurrency }).limits).toEqual([first]);
  });

  it('grows by one with as many successes in a row as it is', async () => {
    const api = scriptApi(() => 'good');
    for (let request = 0; request < 27; request += 1) await api.outcome();
    expect(api.limits).toEqual([2, 3, 4, 5, 6, 7, 8]);
    const mixed = scriptApi((index) => (index % 2 === 0 ? 'good' : 'invalid'));
    for (let request = 0; request < 50; request += 1) await mixed.outcome();
    expect(mixed.limits).toEqual([2]);
  });

  it.each(['late', 'throttled'] as const)(
    'is halved once for requests that were %s together',
    async (name) => {
      const api = scriptApi((index) => (index < 27 ? 'good' : undefined));
      for (let request = 0; request < 27; request += 1) await api.outcome();
      const outcomes = Array.from({ length: 8 }, () => api.outcome());
      await settle();
      for (const { end } of api.sent.slice(27)) end(name);
      await Promise.all(outcomes);
      expect(api.limits.slice(6)).toEqual([8, 4]);
    },
  );

  it('is halved down to one', async () => {
    const api = scriptApi(() => 'late');
    for (let request = 0; request < 4; request += 1) await api.outcome();
    expect(api.limits).toEqual([2, 1]);
  });

  it.each(['fault', 'invalid', 'refused', 'reset'] as const)(
    'is not halved by a request that was %s',
    async (name) => {
      const api = scriptApi(inTurn(name));
      const outcome = api.outcome();
      await pass(api, 2 * SECOND, 250);
      await outcome;
      expect(api.limits).toEqual([2]);
    },
  );
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
  const unavailable = (seconds?: number) =>
    failure({
      reason: 'server',
      status: 503,
      retryAfterMilliseconds: seconds === undefined ? undefined : seconds * SECOND,
    });

  it.each([
    ['seconds', asking(120), 0, 120 * SECOND],
    ['no time', asking(0), 0, 0],
    ['a day', asking(86_400), 0, 15 * MINUTE],
    ['a billion seconds', asking(1e9), 0, 15 * MINUTE],
    ['nothing', failure(), 0, 30 * SECOND],
    ['nothing, again', failure(), 1, 60 * SECOND],
    ['nothing, once more', failure(), 2, 120 * SECOND],
    ['nothing, all day', failure(), 1_100, 15 * MINUTE],
    ['seconds, again', asking(5), 3, 5 * SECOND],
    ['503 with a time', unavailable(120), 0, 120 * SECOND],
    ['503 with a long time', unavailable(3_600), 0, 5 * MINUTE],
    ['503 without a time', unavailable(), 0, undefined],
    ['500 with a time', failure({ reason: 'server', status: 500, retryAfterMilliseconds: 1 }), 0, undefined],
    ['403', failure({ reason: 'unauthorized', status: 403 }), 0, undefined],
  ])('without jitter, when the API responds with %s', (_, error, before, expected) => {
    expect(backoffMilliseconds(error, before, 60 * MINUTE, () => -1)).toBe(expected);
  });

  it.each([
    [1, 0, 1_500],
    [1, 0.999, 1_999.5],
    [0, 0, 500],
    [120, 0, 126_000],
    [120, 0.999, 131_994],
    [900, 0, 877_500],
    [900, 0.999, 855_022.5],
  ])('of %i s with the random number %d is %d ms', (seconds, random, expected) => {
    expect(backoffMilliseconds(asking(seconds), 0, 60 * MINUTE, () => random)).toBeCloseTo(expected, 6);
  });

  it.each([0, 0.5, 0.999])(
    'ends before data expires, jitter included, with the random number %d',
    (random) => {
      const staleAfter = 2 * MINUTE;
      for (const error of [asking(1_000), asking(119), unavailable(600), failure()]) {
        const milliseconds = backoffMilliseconds(error, 5, staleAfter, () => random) ?? 0;
        expect(milliseconds).toBeGreaterThan(60 * SECOND);
        expect(milliseconds).toBeLessThan(staleAfter);
      }
    },
  );
});

describe('the signal of a caller', () => {
  it('has no listener of the policy afterwards', async () => {
    const api = scriptApi(inTurn('fault', 'good', 'reset of an idle connection', 'good', 'refused'));
    const caller = new AbortController();
    const outcomes = [1, 2, 3].map(() => api.outcome('/', caller.signal));
    await pass(api, 2 * SECOND, 250);
    await Promise.all(outcomes);
    // The scripted network itself listens once for each request.
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(api.sent.length);
  });

  it('causes no request if it was aborted before', async () => {
    const api = scriptApi(inTurn('good'));
    expect(await api.outcome('/', AbortSignal.abort('late'))).toBe('late');
    expect(api.sent).toEqual([]);
  });
});
