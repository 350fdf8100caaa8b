import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type OutcomeName,
  type ScriptedApi,
  type Sent,
  scriptApi,
  settle,
} from '../unit/api/scripted-api.ts';

const ending = fc.constantFrom<OutcomeName>(
  ...([
    'good',
    'good',
    'good',
    'good',
    'fault',
    'refused',
    'invalid',
    'throttled',
    'throttled for 60 s',
  ] as const),
  ...(['down for 60 s', 'reset', 'reset of an idle connection', 'unreachable', 'late'] as const),
);

type Step =
  | { readonly ask: number }
  | { readonly end: OutcomeName; readonly which: number }
  | { readonly wait: number }
  | { readonly giveUp: true };

/** Events of a client: requests, responses, passing time, and callers that abort. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ask: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 8, arbitrary: fc.record({ end: ending, which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ wait: fc.oneof(fc.nat(1_000), fc.nat(400_000)) }) },
  { weight: 1, arbitrary: fc.record({ giveUp: fc.constant<true>(true) }) },
);

/** Someone who asks, and the other side. */
function play(api: ScriptedApi) {
  let caller = new AbortController();
  let open: readonly Sent[] = [];
  let looked = 0;
  const outcomes: Promise<string>[] = [];
  return {
    outcomes,
    /** Requests that arrived and have neither a response nor an abort. */
    open: () => {
      open = [...open, ...api.sent.slice(looked)];
      looked = api.sent.length;
      return open;
    },
    take: (one: Step) => {
      if ('ask' in one) {
        for (let times = 0; times < one.ask; times += 1) outcomes.push(api.outcome('/', caller.signal));
      } else if ('wait' in one) api.clock.advance(one.wait);
      else if ('end' in one) {
        const request = open[one.which % open.length];
        open = open.filter((other) => other !== request);
        request?.end(one.end);
      } else {
        caller.abort('enough');
        caller = new AbortController();
        open = [];
      }
    },
  };
}

describe('the request policy', () => {
  it('keeps concurrency, retries and backoff whatever the API responds, and whenever', async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 150, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 8 }), async (sequence, concurrency) => {
        const api = scriptApi(() => undefined, { concurrency });
        const game = play(api);
        let free = 0;
        for (const one of sequence) {
          const sent = api.sent.length;
          const pausedUntil = pauseOf(api);
          game.take(one);
          await settle();
          if (api.clock.monotonic() < pausedUntil) expect(api.sent.length).toBe(sent);
          expect(game.open().length).toBeLessThanOrEqual(concurrency);
          // Those of idle connections are free.
          if ('end' in one && one.end === 'reset of an idle connection') free += 1;
          const retries = api.sent.length - game.outcomes.length;
          expect(retries).toBeLessThanOrEqual(2 * game.outcomes.length + free);
        }
        game.take({ giveUp: true });
        await Promise.all(game.outcomes);
      }),
      { numRuns: 80 },
    );
  });
});

/** Until when the last pause lasts, by the monotonic clock. */
function pauseOf({ seen, clock }: ScriptedApi): number {
  const until = Number(seen.findLast((line) => line.startsWith('throttledUntil'))?.split(' ')[1] ?? 0);
  return clock.monotonic() + until - clock.now();
}
