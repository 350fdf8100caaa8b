import fc from 'fast-check';
import { createTask } from 'node-cron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { cronScheduler } from '../../src/poll/schedule.ts';
import { NOON } from '../builders.ts';
import { createFakeClock } from '../fake-clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const OUR_ZONE = process.env['TZ'];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});

afterEach(() => {
  vi.useRealTimers();
  if (OUR_ZONE === undefined) delete process.env['TZ'];
  else process.env['TZ'] = OUR_ZONE;
});

/** Differences between neighbours. */
function gapsOf(moments: readonly number[]): readonly number[] {
  return moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
}

let fake = createFakeClock();
let drawn = 0;

/** The clock of the present run. node-cron asks the system, which gets the time whenever a schedule reads it. */
const clock: Clock = {
  now: () => {
    vi.setSystemTime(fake.now());
    return fake.now();
  },
  monotonic: () => fake.monotonic(),
  uptime: () => fake.uptime(),
  after: (milliseconds, callback) => fake.after(milliseconds, callback),
};

const scheduler = cronScheduler(clock, () => drawn);

/** A schedule that runs from a moment on, and its ticks by the monotonic clock, which stands at 0 then. */
function follow(expression: string, startAt: number, jitter: number) {
  fake = createFakeClock();
  fake.step(startAt - NOON);
  clock.now();
  drawn = jitter;
  const ticks: number[] = [];
  const schedule = scheduler(expression, () => {
    ticks.push(fake.monotonic());
  });
  schedule.start();
  return {
    ...fake,
    interval: schedule.intervalSeconds * SECOND,
    ticks: () => ticks,
    /** Times without a tick from the start until now. */
    gaps: () => gapsOf([0, ...ticks, fake.monotonic()]),
  };
}

/** Every change of the offset of the zone that `process.env.TZ` names, within five years, to the minute. */
function edgesOfZone(): readonly number[] {
  const offsetAt = (time: number) => new Date(time).getTimezoneOffset();
  const edges: number[] = [];
  for (let from = Date.UTC(2025, 0); from < Date.UTC(2030, 0); from += 7 * DAY) {
    if (offsetAt(from) === offsetAt(from + 7 * DAY)) continue;
    let [before, after] = [from, from + 7 * DAY];
    while (after - before > MINUTE) {
      const middle = (before + after) / 2;
      if (offsetAt(middle) === offsetAt(from)) before = middle;
      else after = middle;
    }
    edges.push(Math.floor(after / MINUTE) * MINUTE);
  }
  return edges;
}

describe('at every change of summer time', () => {
  it('a schedule keeps its interval, in every time zone of Node over five years', () => {
    let edges = 0;
    let zones = 0;
    // Zones with the same offsets are one.
    const seen = new Set<string>();
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      process.env['TZ'] = zone;
      zones += 1;
      for (const edge of edgesOfZone()) {
        edges += 1;
        const offsets = [edge - HOUR, edge + HOUR].map((time) => new Date(time).getTimezoneOffset());
        if (seen.has(`${edge} ${offsets}`)) continue;
        seen.add(`${edge} ${offsets}`);
        // An hour that local time has twice, or lacks, comes after the change.
        const run = follow('0 */5 * * * *', Math.floor((edge - 10 * MINUTE) / (5 * MINUTE)) * 5 * MINUTE, 0);
        run.advance(75 * MINUTE);
        expect([zone, new Set(run.gaps())]).toEqual([zone, new Set([5 * MINUTE, 0])]);
      }
    }
    expect(zones).toBeGreaterThan(400);
    expect(edges).toBeGreaterThan(1_000);
  });

  it('node-cron in local time would lose an hour', () => {
    process.env['TZ'] = 'Europe/Berlin';
    vi.setSystemTime(Date.UTC(2026, 9, 24, 23, 30));
    const ticks = createTask('0 */5 * * * *', () => {}).getNextRuns(30);
    expect(Math.max(...gapsOf(ticks.map((tick) => tick.getTime())))).toBeGreaterThan(HOUR);
  });
});

/** Times, in intervals, with a clock that is right; then it is set by up to a day, or the machine sleeps for up to 30. */
const troubles = fc.array(
  fc.record({
    awake: fc.double({ min: 0, max: 3, noNaN: true }),
    step: fc.oneof(
      fc.integer({ min: -DAY, max: DAY }),
      fc.integer({ min: -MINUTE, max: MINUTE }),
      fc.integer({ min: 0, max: 30 * DAY }),
    ),
  }),
  { maxLength: 10 },
);

const schedules = fc.constantFrom(
  '* * * * * *',
  '*/10 * * * * *',
  '*/30 * * * * *',
  '0 * * * * *',
  '5,15,50 * * * * *',
  '0 */5 * * * *',
);

describe('with clocks that are set and machines that sleep', () => {
  it('no gap between polls is longer than two intervals, and no burst of polls follows', () => {
    let longest = 0;
    fc.assert(
      fc.property(
        schedules,
        troubles,
        fc.nat(DAY),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (expression, events, startAt, jitter) => {
          const run = follow(expression, NOON + startAt, jitter);
          for (const { awake, step } of events) {
            run.advance(awake * run.interval);
            run.step(step);
          }
          run.advance(2 * run.interval);
          const gaps = run.gaps();
          longest = Math.max(longest, ...gaps.map((gap) => gap / run.interval));
          expect(longest).toBeLessThanOrEqual(2);
          expect(Math.min(...gapsOf(run.ticks()))).toBeGreaterThanOrEqual(500);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['the first second after noon', 1],
    ['an hour', HOUR / SECOND],
    ['a week', (7 * DAY) / SECOND],
    ['30 days', (30 * DAY) / SECOND],
  ])('a suspend of %s becomes one poll, at once', (_, seconds) => {
    for (const expression of ['* * * * * *', '*/30 * * * * *', '0 * * * * *', '0 0 * * * *']) {
      const run = follow(expression, NOON, 0);
      run.advance(400);
      run.step(seconds * SECOND);
      run.advance(Math.min(run.interval, 5 * SECOND) - 1);
      const missed = seconds * SECOND + 400 >= run.interval ? 1 : 0;
      expect([expression, run.ticks().length]).toEqual([expression, missed]);
    }
  });
});
