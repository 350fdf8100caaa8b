import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/simulator/random.ts';
import { NOON } from '../../builders.ts';
import { type Ending, type ScriptedApi, scriptApi, settle } from './scripted-api.ts';

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
  (...endings: readonly Ending[]) =>
  (index: number) =>
    endings[Math.min(index, endings.length - 1)];

describe('a question whose try failed', () => {
  it('is asked again after a while', async () => {
    const api = scriptApi(inTurn('fault', 'reset', 'good'));
    const outcome = api.outcome();
    await pass(api, 250);
    await pass(api, 499);
    expect(api.arrived).toHaveLength(2);
    await pass(api, 1);
    expect(await outcome).toBe('good');
    expect(api.arrived.map(({ at }) => at)).toEqual([0, 250, 750]);
    expect(api.seen).toEqual([
      'answered tunnel 500',
      'failed tunnel server',
      'retried tunnel',
      'failed tunnel reset',
      'retried tunnel',
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
    expect(api.arrived).toHaveLength(3);
  });

  it.each<[Ending, string]>([
    ['refused', 'unauthorized'],
    ['invalid', 'bad_request'],
    ['throttled', 'throttled'],
    ['down for 60 s', 'server'],
    ['late', 'timeout'],
  ])('is not asked again if it was %s', async (ending, reason) => {
    const api = scriptApi(inTurn(ending, 'good'));
    expect(await api.outcome()).toBe(reason);
    await pass(api, 10 * SECOND);
    expect(api.arrived).toHaveLength(1);
  });

  it('is asked again at once if the server had closed an idle connection', async () => {
    const api = scriptApi(inTurn('reset of an idle connection', 'good'));
    expect(await api.outcome()).toBe('good');
    expect(api.arrived.map(({ at }) => at)).toEqual([0, 0]);
  });

  it('waits where it is in nobody’s way', async () => {
    const api = scriptApi(inTurn('fault', 'good'), { concurrency: 1 });
    const first = api.outcome('/first');
    expect(await api.outcome('/second')).toBe('good');
    await pass(api, 250);
    expect(await first).toBe('good');
    expect(api.arrived.map(({ path }) => path)).toEqual(['/first', '/second', '/first']);
  });

  it('is given up at once by its caller, also while it waits', async () => {
    const api = scriptApi(inTurn('fault'));
    const caller = new AbortController();
    const outcome = api.outcome('/', caller.signal);
    await settle();
    caller.abort('enough');
    expect(await outcome).toBe('enough');
    await pass(api, 10 * SECOND);
    expect(api.arrived).toHaveLength(1);
    expect(api.seen.at(-1)).toBe('retried tunnel');
  });

  it('is not asked again where the API asked for a pause meanwhile', async () => {
    const api = scriptApi(inTurn('fault', 'throttled for 60 s', 'good'));
    const outcome = api.outcome();
    await settle();
    expect(await api.outcome()).toBe('throttled');
    await pass(api, 250);
    expect(await outcome).toBe('throttled');
    expect(api.arrived).toHaveLength(2);
  });
});

describe('retries of an API with 30 % errors', () => {
  it('are at most a tenth of its requests', async () => {
    const chance = createRandom(7);
    const ending = (): Ending => (chance() < 0.3 ? 'fault' : 'good');
    const api = scriptApi(ending, { random: chance });
    for (let question = 0; question < 2_000; question += 1) {
      const outcome = api.outcome();
      await pass(api, 2 * SECOND);
      await outcome;
    }
    const retries = api.seen.filter((line) => line === 'retried tunnel').length;
    expect(retries / api.arrived.length).toBeLessThanOrEqual(0.1);
    expect(retries / api.arrived.length).toBeGreaterThan(0.05);
  });
});

describe('a pause', () => {
  it('stops every question of the account until it is over', async () => {
    const api = scriptApi(inTurn('throttled for 60 s', 'good'), { random: () => 0 });
    expect(await api.outcome()).toBe('throttled');
    expect(api.seen).toContain(`throttledUntil ${NOON + 63 * SECOND}`);
    for (let second = 0; second < 63; second += 1) {
      expect(await api.outcome()).toBe('throttled');
      await pass(api, SECOND);
    }
    expect(api.arrived).toHaveLength(1);
    expect(await api.outcome()).toBe('good');
  });

  it('stops those that wait for their turn as well', async () => {
    const api = scriptApi(() => undefined, { concurrency: 2 });
    const outcomes = Array.from({ length: 1_000 }, (_, index) => api.outcome(`/${index}`));
    await settle();
    api.arrived[0]?.end('throttled for 60 s');
    await settle();
    api.arrived[1]?.end('good');
    expect(await Promise.all(outcomes.slice(0, 3))).toEqual(['throttled', 'good', 'throttled']);
    expect(new Set(await Promise.all(outcomes.slice(2)))).toEqual(new Set(['throttled']));
    expect(api.arrived).toHaveLength(2);
  });

  it('is not waited for turn by turn where there is a pace', async () => {
    const api = scriptApi(inTurn('throttled for 60 s'), { requestsPerSecond: 1 });
    const outcomes = Array.from({ length: 1_000 }, () => api.outcome());
    await pass(api, SECOND);
    await Promise.all(outcomes);
    expect(api.arrived).toHaveLength(1);
  });

  it('says so to those it stops', async () => {
    const api = scriptApi(inTurn('throttled for 60 s'));
    await api.outcome();
    await expect(api.ask()).rejects.toMatchObject({
      reason: 'throttled',
      withheld: true,
      message:
        'not sent in the pause that the API asked for (65 s left). ' +
        'The API asks for fewer requests. Poll less often or lower client.concurrency.',
    });
  });
});

describe('a refused key', () => {
  it('is not sent by those that were waiting when it was refused', async () => {
    const api = scriptApi(() => undefined, { concurrency: 2 });
    const outcomes = Array.from({ length: 1_000 }, () => api.outcome());
    await settle();
    api.arrived[0]?.end('refused');
    api.arrived[1]?.end('refused');
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['unauthorized']));
    expect(api.arrived).toHaveLength(2);
  });

  it('tells them the code as well', async () => {
    const api = scriptApi(() => undefined, { concurrency: 1 });
    const first = api.outcome();
    const second = api.ask();
    await settle();
    api.arrived[0]?.end('refused');
    await expect(second).rejects.toMatchObject({ code: 'INVALID_API_KEY', withheld: true });
    await first;
  });

  it('is tried by whoever asks later', async () => {
    const api = scriptApi(inTurn('refused', 'good'));
    expect(await api.outcome()).toBe('unauthorized');
    expect(await api.outcome()).toBe('good');
  });
});

/** Lets one question after another fail until the circuit opens. */
async function breakCircuit(api: ScriptedApi): Promise<void> {
  while (api.seen.at(-1) !== 'circuit tunnel open') {
    const outcome = api.outcome();
    await pass(api, 2 * SECOND, 500);
    await outcome;
  }
}

describe('an API that is down', () => {
  it('is asked five questions and two retries, and then rests', async () => {
    const api = scriptApi(inTurn('unreachable'));
    await breakCircuit(api);
    expect(api.arrived).toHaveLength(7);
    for (let question = 0; question < 100; question += 1) expect(await api.outcome()).toBe('connect');
    expect(api.arrived).toHaveLength(7);
  });

  it('is tried by one question, without retries, while the others fail', async () => {
    const api = scriptApi((index) => (index < 7 ? 'unreachable' : undefined));
    await breakCircuit(api);
    await pass(api, 30 * SECOND);
    const outcomes = Array.from({ length: 50 }, () => api.outcome());
    await pass(api, SECOND);
    expect(await Promise.all(outcomes.slice(1))).toEqual(Array.from({ length: 49 }, () => 'connect'));
    expect(api.arrived).toHaveLength(8);
    api.arrived[7]?.end('reset');
    expect(await outcomes[0]).toBe('reset');
    await pass(api, 29 * SECOND);
    expect(await api.outcome()).toBe('reset');
    expect(api.arrived).toHaveLength(8);
  });

  it('is asked everything again once the probe succeeded', async () => {
    const api = scriptApi((index) => (index < 7 ? 'unreachable' : 'good'));
    await breakCircuit(api);
    await pass(api, 30 * SECOND);
    expect(await api.outcome()).toBe('good');
    const outcomes = Array.from({ length: 50 }, () => api.outcome());
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['good']));
    expect(api.seen.filter((line) => line.startsWith('circuit'))).toEqual([
      'circuit tunnel open',
      'circuit tunnel half_open',
      'circuit tunnel closed',
    ]);
  });

  it('is tried by the next question where the caller of the probe gave up', async () => {
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

  it('is asked once a minute at most within an hour of polls, and tried again within three polls after it', async () => {
    const HOUR = 3_600 * SECOND;
    let down = true;
    const api = scriptApi(() => (down ? 'unreachable' : 'good'));
    const poll = async () => {
      const outcome = api.outcome();
      await pass(api, 30 * SECOND, 500);
      return outcome;
    };
    while (api.clock.monotonic() < HOUR) await poll();
    expect(api.arrived.length).toBeLessThan(75);
    down = false;
    while ((await poll()) !== 'good');
    expect(api.clock.monotonic() - HOUR).toBeLessThanOrEqual(90 * SECOND);
  });

  it.each(['invalid', 'refused'] as const)('is not what an API is that answers %s', async (ending) => {
    const api = scriptApi(inTurn(ending));
    for (let question = 0; question < 50; question += 1) await api.outcome();
    expect(api.arrived).toHaveLength(50);
  });
});

describe('the number of requests at once', () => {
  it('grows with successes to what is configured', async () => {
    const api = scriptApi(() => undefined, { concurrency: 4 });
    const outcomes = Array.from({ length: 100 }, () => api.outcome());
    const widths: number[] = [];
    for (let done = 0; done < 100; ) {
      await settle();
      const open = api.arrived.slice(done);
      widths.push(open.length);
      done += open.length;
      for (const { end } of open) end('good');
    }
    await Promise.all(outcomes);
    expect(widths.slice(0, 5)).toEqual([2, 3, 4, 4, 4]);
  });

  it('is halved by answers that do not come in time', async () => {
    const api = scriptApi((index) => (index < 28 ? 'good' : undefined));
    for (let question = 0; question < 28; question += 1) await api.outcome();
    const outcomes = Array.from({ length: 12 }, () => api.outcome());
    await settle();
    expect(api.arrived).toHaveLength(28 + 8);
    for (const { end } of api.arrived.slice(28, 32)) end('late');
    await settle();
    expect(api.arrived).toHaveLength(36);
    for (const { end } of api.arrived.slice(32)) end('good');
    await settle();
    expect(api.arrived).toHaveLength(40);
    for (const { end } of api.arrived.slice(36)) end('good');
    await Promise.all(outcomes);
  });
});

describe('the signal of a caller', () => {
  it('has no listener of ours afterwards', async () => {
    const api = scriptApi(inTurn('fault', 'good', 'reset of an idle connection', 'good', 'refused'));
    const caller = new AbortController();
    const outcomes = [1, 2, 3].map(() => api.outcome('/', caller.signal));
    await pass(api, 2 * SECOND, 250);
    await Promise.all(outcomes);
    // The scripted network itself listens once for each request.
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(api.arrived.length);
  });

  it('that aborted before sends nothing', async () => {
    const api = scriptApi(inTurn('good'));
    expect(await api.outcome('/', AbortSignal.abort('late'))).toBe('late');
    expect(api.arrived).toEqual([]);
  });
});
