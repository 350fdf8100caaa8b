import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorFacts } from '../../../src/api/errors.ts';
import { createPause, pauseFor } from '../../../src/api/pause.ts';
import { NOON } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

const failure = (facts: Partial<ApiErrorFacts> = {}) =>
  new ApiError({ reason: 'throttled', endpoint: 'tunnel', got: 'HTTP 429', status: 429, ...facts });

const asking = (seconds: number) => failure({ retryAfterMilliseconds: seconds * SECOND });

const down = (seconds?: number) =>
  failure({
    reason: 'server',
    status: 503,
    retryAfterMilliseconds: seconds === undefined ? undefined : seconds * SECOND,
  });

/** The pause without jitter: what is left of it when chance draws -1. */
const bare = (error: ApiError, before = 0) => pauseFor(error, before, () => -1);

describe('the length of a pause', () => {
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
    ['503 with a time', down(120), 0, 120 * SECOND],
    ['503 with a long time', down(3_600), 0, 5 * MINUTE],
    ['503 without', down(), 0, undefined],
    ['500 with a time', failure({ reason: 'server', status: 500, retryAfterMilliseconds: 1 }), 0, undefined],
    ['a refusal', failure({ reason: 'unauthorized', status: 403 }), 0, undefined],
  ])('where the API says %s', (_, error, before, expected) => {
    expect(bare(error, before)).toBe(expected);
  });

  it.each([
    [1, 0, 1_500],
    [1, 0.999, 1_999.5],
    [0, 0, 500],
    [120, 0, 126_000],
    [120, 0.999, 131_994],
    [900, 0, 945_000],
  ])('of %i s, by chance %d, is %d ms: jitter only adds', (seconds, random, expected) => {
    expect(pauseFor(asking(seconds), 0, () => random)).toBeCloseTo(expected, 6);
  });
});

function setUp() {
  const clock = createFakeClock();
  const told: number[] = [];
  const pause = createPause(
    clock,
    () => 0,
    (until) => told.push(until - NOON),
  );
  return { clock, pause, told };
}

describe('a pause', () => {
  it('is over when its time is', () => {
    const { clock, pause, told } = setUp();
    expect(pause.refusal()).toBeUndefined();
    pause.failed(asking(100));
    expect(told).toEqual([105 * SECOND]);
    clock.advance(104_999);
    expect(pause.refusal()).toEqual({
      reason: 'throttled',
      got: 'not sent in the pause that the API asked for (1 s left)',
    });
    clock.advance(1);
    expect(pause.refusal()).toBeUndefined();
  });

  it('does not care for steps of the wall clock', () => {
    const { clock, pause } = setUp();
    pause.failed(asking(100));
    clock.step(24 * 60 * MINUTE);
    expect(pause.refusal()).toBeDefined();
    clock.step(-48 * 60 * MINUTE);
    clock.advance(105 * SECOND);
    expect(pause.refusal()).toBeUndefined();
  });

  it('has the reason of the answer that began it', () => {
    const { pause } = setUp();
    pause.failed(down(60));
    expect(pause.refusal()?.reason).toBe('server');
  });

  it('is one pause, the longest, where several requests were refused together', () => {
    const { clock, pause, told } = setUp();
    for (const error of [failure(), failure(), asking(100), asking(1), failure()]) pause.failed(error);
    expect(told).toEqual([31.5 * SECOND, 105 * SECOND]);
    clock.advance(105 * SECOND);
    pause.failed(failure());
    expect(told.at(-1)).toBe(105 * SECOND + 63 * SECOND);
  });

  it('grows while it is not enough, and starts anew after a success', () => {
    const { clock, pause, told } = setUp();
    const lengths = [31.5, 63, 126, 252, 504, 945, 945].map((seconds) => seconds * SECOND);
    let now = 0;
    for (const length of lengths) {
      pause.failed(failure());
      expect(told.at(-1)).toBe(now + length);
      clock.advance(length);
      now += length;
    }
    pause.succeeded();
    pause.failed(failure());
    expect(told.at(-1)).toBe(now + 31.5 * SECOND);
  });

  it('is not ended by an answer to what was sent before it', () => {
    const { clock, pause, told } = setUp();
    pause.failed(failure());
    pause.succeeded();
    expect(pause.refusal()).toBeDefined();
    clock.advance(31.5 * SECOND);
    pause.failed(failure());
    expect(told.at(-1)).toBe(31.5 * SECOND + 63 * SECOND);
  });

  it.each(['server', 'timeout', 'unauthorized', 'reset'] as const)('is nothing that %s begins', (reason) => {
    const { pause, told } = setUp();
    pause.failed(failure({ reason, status: undefined }));
    expect(pause.refusal()).toBeUndefined();
    expect(told).toEqual([]);
  });
});
