import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { createMonitor } from '../../src/daemon/monitor.ts';
import { HISTORY } from '../../src/features/history/history.ts';
import { DAYS } from '../../src/features/month/days.ts';
import { NOTHING_KNOWN } from '../../src/model/account.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
import { success, wireBalance, wireDevice, wirePage } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

/*
 * A wrong `Date` changes nothing that was known: the same life is played without it and with it. In this life a phone leaves,
 * a phone is offline for a while, a local day ends, and the exporter restarts twice.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const POLLS = 90;
const INTERVAL = 10 * MINUTE;
const RESTARTS: readonly number[] = [30, 60];

type Wrong = {
  /** The first response that is wrong, and the number of wrong ones. */
  readonly from: number;
  readonly count: number;
  /** Milliseconds by which its date is wrong. */
  readonly by: number;
};

/** Plays the life, and returns what is known at its end. */
async function play(wrong: Wrong, start: number, isOurs: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'wrong-date-'));
  const clock = createFakeClock();
  clock.step(start - clock.now());
  let responses = 0;
  let poll = 0;
  const http: HttpClient = {
    get: async (path) => {
      responses += 1;
      const now = start + clock.uptime();
      const isWrong = !isOurs && responses > wrong.from && responses <= wrong.from + wrong.count;
      const items = Array.from({ length: 8 }, (_, index) =>
        wireDevice({
          deviceId: `phone-${index}`,
          label: `rack/${index}`,
          selfRent: undefined,
          lastHeartbeatAt: new Date(
            index === 1 && poll > 40 && poll < 55 ? start + 40 * INTERVAL : now - index * 1_000,
          ).toISOString(),
        }),
      ).filter((_, index) => index > 0 || poll < 20);
      const body = path.includes('balance')
        ? wireBalance({ availableCents: 1_000 + 7 * poll })
        : wirePage({ items, total: items.length });
      const headers = { date: new Date(now + (isWrong ? wrong.by : 0)).toUTCString() };
      return { status: 200, headers, body: Buffer.from(success(body)) };
    },
    close: async () => {},
  };
  const { config } = load({
    flags: { 'accounts[].api_url': 'https://x.example', 'state.file': join(folder, 'state.json') },
    environment: { HOSTER_API_KEY: 'k' },
  });
  const network = { authorities: undefined, proxies: undefined, http };
  const begin = (earlier: Parameters<typeof createMonitor>[2]) =>
    createMonitor(config, dependenciesOf({ clock, network }), earlier);
  let monitor = begin(NOTHING_KNOWN);
  for (; poll < POLLS; poll += 1) {
    if (RESTARTS.includes(poll)) {
      await monitor.stop();
      monitor = begin(structuredClone(monitor.saved()));
    }
    const isStepped = isOurs && poll > wrong.from && poll <= wrong.from + wrong.count;
    if (isStepped) clock.step(wrong.by);
    await monitor.pollAll();
    for (const { work } of monitor.features) await work?.run();
    if (isStepped) clock.step(-wrong.by);
    clock.advance(INTERVAL);
  }
  const account = monitor.saved().accounts[0]?.account;
  await monitor.stop();
  if (account === undefined) throw new Error('the account is gone');
  const files = ['months', 'incidents'].flatMap((name) => readdirSync(join(folder, name)));
  rmSync(folder, { recursive: true });
  return {
    history: HISTORY.of(account).map(([at, ...values]) => [new Date(at).toISOString(), ...values]),
    ended: account.incidents.ended.map(({ problem, reason }) => [problem, reason]),
    open: account.incidents.open.map(({ problem }) => problem),
    departed: [...(account.fleet?.departed.keys() ?? [])],
    left: [...(account.fleet?.left.keys() ?? [])],
    days: DAYS.of(account).map(({ date }) => date),
    seconds: Array.from(account.fleet?.devices.values() ?? [], ({ device, times }) => [
      device.id,
      Math.round((times.milliseconds.sold_online ?? 0) / MINUTE),
    ]),
    files,
  };
}

const days = fc.constantFrom(-400, -40, -3, 3, 40, 370);

/** The last hour of a month, so that its end is in this life. */
const START = Date.UTC(2026, 1, 28, 20);

it.each([
  ['of the API, in one response', 1, false],
  ['of our own clock, in one poll', 1, true],
  ['of our own clock, for an hour', 6, true],
])(
  'a date that is wrong %s changes nothing that was known',
  { timeout: 60_000 },
  async (_, count, isOurs) => {
    const truth = await play({ from: 1e9, count: 0, by: 0 }, START, isOurs);
    expect(truth).toMatchObject({ departed: ['phone-0'], open: [], days: ['2026-03-01'] });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 2 * POLLS - 8 }), days, async (from, by) => {
        const seen = await play({ from: isOurs ? from % POLLS : from, count, by: by * DAY }, START, isOurs);
        expect(seen).toEqual(truth);
      }),
      {
        numRuns: 15,
        // The first responses after a restart.
        examples: [
          [60, 40],
          [61, 40],
          [70, 40],
        ],
      },
    );
  },
);
