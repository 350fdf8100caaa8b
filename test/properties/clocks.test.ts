import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { createMonitor } from '../../src/daemon/monitor.ts';
import { NOON } from '../builders.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
import { success, wireBalance, wireDevice, wirePage } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

/*
 * Clocks that differ, step or are missing. What happened is always the same: one phone, sold, that reports at each poll.
 */

const POLL = 10_000;
const POLLS = 60;

type World = ReturnType<typeof createFakeClock>;

/** The headers of the nth response, at an instant of the true time. */
type Headers = (now: number, index: number) => Readonly<Record<string, string>>;

/** The response shows the fleet as it was so many milliseconds before. */
type Age = (index: number) => number;

const dated = (instant: number) => ({ date: new Date(instant).toUTCString() });
const MINUTE = 60_000;

/** Polls for ten minutes; returns the seconds that count as sold and the events after the first list. */
async function soldSeconds(
  headers: Headers,
  disturb: (clock: World, poll: number) => void = () => {},
  age: Age = () => 0,
  dead = 0,
) {
  const clock = createFakeClock();
  /** The true time, which nobody sets. */
  const trueTime = () => NOON + clock.uptime();
  let responses = 0;
  const http: HttpClient = {
    get: async (path) => {
      responses += 1;
      const beats = Math.floor((trueTime() - age(responses)) / MINUTE) * MINUTE;
      const items = Array.from({ length: 10 }, (_, index) =>
        wireDevice({
          deviceId: `phone-${index}`,
          label: `rack/${index}`,
          // It was idle before the test.
          rentalStatus: age(responses) === 0 ? 'sold' : 'idle',
          selfRent: undefined,
          lastHeartbeatAt: new Date(
            index >= 10 - dead ? NOON - 3_600_000 : beats + index * 1_000 - MINUTE,
          ).toISOString(),
        }),
      );
      const body = path.includes('balance') ? wireBalance() : wirePage({ items, total: items.length });
      return { status: 200, headers: headers(trueTime(), responses), body: Buffer.from(success(body)) };
    },
    close: async () => {},
  };
  const network = { authorities: undefined, proxies: undefined, http };
  const { config } = load({
    flags: { 'accounts[].api_url': 'https://x.example' },
    environment: { HOSTER_API_KEY: 'k' },
  });
  const monitor = createMonitor(config, dependenciesOf({ clock, network }));
  const ages: number[] = [];
  for (let poll = 0; poll <= POLLS; poll += 1) {
    await monitor.pollAll();
    const phone = monitor.snapshot().accounts[0]?.devices.data?.devices.get('phone-0');
    ages.push(phone?.heartbeatAgeSeconds ?? 0);
    disturb(clock, poll);
    if (poll < POLLS) clock.advance(POLL);
  }
  const { accounts, events = [] } = monitor.snapshot();
  const fleet = accounts[0]?.devices.data;
  await monitor.stop();
  return {
    /** The most by which the age of a heartbeat changed from one poll to the next, in seconds. */
    jump: Math.max(...ages.slice(1).map((age, index) => Math.abs(age - (ages[index] ?? 0)))),
    sold: fleet?.devices.get('phone-0')?.times.milliseconds.sold_online,
    events: events.map(({ event }) => event).filter((event) => event !== 'device joined'),
  };
}

const TRUTH = { sold: POLLS * POLL, events: [] };

/** Heartbeats come each minute, and the clocks of two servers differ by as much. */
const MAX_JUMP = 125;

describe('seconds and events stay true, and ages do not jump', () => {
  it.each<[string, Headers]>([
    [
      'two servers of the API have clocks that differ by a minute',
      (now, index) => dated(now + (index % 4 > 1 ? MINUTE : 0)),
    ],
    ['each second response has no date', (now, index) => (index % 4 > 1 ? {} : dated(now + 5 * MINUTE))],
    [
      'each second response is from a cache',
      (now, index) => ({ ...dated(now), ...(index % 4 > 1 && { age: '300' }) }),
    ],
    ['no response has a date', () => ({})],
  ])('where %s', async (_, headers) => {
    const { jump, ...seen } = await soldSeconds(headers);
    expect(seen).toEqual(TRUTH);
    expect(jump).toBeLessThan(MAX_JUMP);
  });

  it.each([5 * MINUTE, 60 * MINUTE, -60 * MINUTE, 24 * 60 * MINUTE])(
    'where our clock is set by %i ms and no response has a date',
    async (step) => {
      const set = (clock: World, poll: number) => (poll === POLLS / 2 ? clock.step(step) : undefined);
      const { jump, ...seen } = await soldSeconds(() => ({}), set);
      expect(seen).toEqual(TRUTH);
      expect(jump).toBeLessThan(MAX_JUMP);
    },
  );

  it('where the machine is suspended for a minute', async () => {
    const sleep = (clock: World, poll: number) => (poll === POLLS / 2 ? clock.suspend(MINUTE) : undefined);
    expect(await soldSeconds(dated, sleep)).toMatchObject({
      sold: POLLS * POLL + MINUTE,
      events: [],
    });
  });

  it('where each second list is a copy that is 20 minutes old, and most phones are dead', async () => {
    const copies: Age = (index) => (index % 4 > 1 ? 20 * MINUTE : 0);
    const events = ['incident opened'];
    expect(await soldSeconds(dated, undefined, copies, 7)).toMatchObject({ ...TRUTH, events });
  });

  it('where each second list is a copy that is 20 minutes old', async () => {
    expect(await soldSeconds(dated, undefined, (index) => (index % 4 > 1 ? 20 * MINUTE : 0))).toMatchObject(
      TRUTH,
    );
  });
});
