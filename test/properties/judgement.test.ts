import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { between, createRandom, pick, type Random } from '../../src/base/random.ts';
import { createMonitor } from '../../src/daemon/monitor.ts';
import { buildFleetDocument } from '../../src/fleet/build.ts';
import type { CoreDocument, FleetPhone } from '../../src/fleet/document.ts';
import { isOnline, PROBLEMS } from '../../src/model/problem.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { success, wireBalance, wireDevice, wirePage, wireTunnel } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

/*
 * A day in racks of phones: power cuts, outages of the API, rentals that begin and end, poll by poll. What page, JSON and
 * metrics say is compared with each other and with the truth at every poll.
 */

const POLL = 30_000;
const RACKS = 8;
const PHONES = 160;

/** A phone of the marketplace. Instants are milliseconds since 1970. */
type Phone = {
  readonly deviceId: string;
  readonly label: string;
  readonly setupStatus: string;
  /** Time between two heartbeats. */
  readonly beat: number;
  rentalStatus: string;
  lastHeartbeatAt: number;
  poweredOff: boolean;
};

type World = { readonly phones: Phone[]; apiDown: boolean; readonly cut: Set<number> };

function createWorld(clock: FakeClock, random: Random): World {
  const phones = Array.from({ length: PHONES }, (_, index) => ({
    deviceId: `phone-${index}`,
    label: `rack-${Math.floor(index / (PHONES / RACKS))}/slot-${index}`,
    setupStatus: random() < 0.05 ? 'draft' : 'complete',
    beat: pick(random, [15_000, 60_000, 60_000, 120_000]),
    rentalStatus: pick(random, ['sold', 'sold', 'idle', 'self_rented']),
    lastHeartbeatAt: clock.now() - between(random, 0, 60_000),
    poweredOff: false,
  }));
  return { phones, apiDown: false, cut: new Set() };
}

/** Lets the phones report that can; nothing can while the marketplace is down. */
function beat({ phones, apiDown }: World, now: number): void {
  if (apiDown) return;
  for (const phone of phones) {
    if (!phone.poweredOff && now - phone.lastHeartbeatAt >= phone.beat) phone.lastHeartbeatAt = now;
  }
}

function happen({ phones, cut }: World, random: Random): void {
  if (random() < 0.01) {
    const rack = between(random, 0, RACKS - 1);
    const isBack = cut.delete(rack);
    if (!isBack) cut.add(rack);
    for (const phone of phones)
      if (phone.label.startsWith(`rack-${rack}/`)) phone.poweredOff = !isBack && random() < 0.95;
  }
  for (const phone of phones) {
    if (random() < 0.0005) phone.rentalStatus = pick(random, ['sold', 'idle', 'self_rented']);
    if (random() < 0.0002) phone.poweredOff = !phone.poweredOff;
  }
}

function apiOf(world: World, clock: FakeClock): HttpClient {
  const bodyOf = (path: string): unknown => {
    if (path.includes('/self-rent/')) return wireTunnel();
    if (path.includes('/balance')) return wireBalance();
    const page = Number(/page=(\d+)/.exec(path)?.[1]);
    const items = world.phones.slice((page - 1) * 100, page * 100).map((phone) =>
      wireDevice({
        deviceId: phone.deviceId,
        label: phone.label,
        setupStatus: phone.setupStatus,
        rentalStatus: phone.rentalStatus,
        selfRent: undefined,
        lastHeartbeatAt: new Date(phone.lastHeartbeatAt).toISOString(),
      }),
    );
    return wirePage({ items, total: PHONES, page, totalPages: Math.ceil(PHONES / 100) });
  };
  return {
    get: async (path) => ({
      status: world.apiDown ? 403 : 200,
      headers: { date: new Date(clock.now()).toUTCString() },
      body: Buffer.from(world.apiDown ? '<html>' : success(bodyOf(path))),
    }),
    close: async () => {},
  };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);

/** Numbers of phones by problem in the metrics, and the phones that have one. */
function metricsOf(page: string) {
  const counts = new Map(
    Array.from(
      page.matchAll(/^hoster_devices_with_problem\{account="default",problem="(\w+)"\} (\d+)$/gm),
      ([, problem = '', count]) => [problem, Number(count)] as const,
    ),
  );
  const problems = Array.from(
    page.matchAll(
      /^hoster_device_problem_since_timestamp_seconds\{account="default",device_id="([\w-]+)",problem="(\w+)"\}/gm,
    ),
    ([, id = '', problem = '']) => `${id} ${problem}`,
  );
  const causes = Array.from(
    page.matchAll(
      /^hoster_device_common_cause\{account="default",device_id="([\w-]+)",kind="(\w+)",value="([^"]*)"\}/gm,
    ),
    ([, id = '', kind, value]) => [id, `${kind}:${value}`] as const,
  );
  const named = Array.from(
    page.matchAll(/^hoster_common_cause_devices\{account="default",kind="(\w+)",value="([^"]*)"\} (\d+)$/gm),
    ([, kind, value, count]) => [`${kind}:${value}`, Number(count)] as const,
  );
  const online = Number(/^hoster_devices_online\{account="default"\} (\d+)$/m.exec(page)?.[1]);
  return { counts, problems, causes, named, online };
}

/** Checks that JSON and metrics say the same, that no phone counts twice, and that no cause has a phone that is online. */
function expectOneTruth(document: CoreDocument, page: string, place: string): void {
  const [{ totals, readings } = {}] = document.accounts;
  if (totals === undefined) return;
  const { phones } = document;
  const metrics = metricsOf(page);
  const byProblem = (problem: string): number => phones.filter((phone) => phone.problem === problem).length;
  for (const problem of PROBLEMS) {
    expect(totals.problems[problem], `${problem} ${place}`).toBe(byProblem(problem));
    expect(metrics.counts.get(problem), `${problem} ${place}`).toBe(byProblem(problem));
  }
  const notOnline = PROBLEMS.filter((problem) => !isOnline(problem));
  expect(totals.online + sum(notOnline.map(byProblem)), place).toBe(totals.phones);
  // Series of phones are withdrawn from data that has expired, in which page and JSON show what was last known.
  const isWithdrawn = readings?.devices.state === 'expired';
  expect([totals.online, metrics.online], place).toEqual([
    phones.filter(({ online }) => online).length,
    isWithdrawn ? Number.NaN : totals.online,
  ]);
  expect(metrics.problems.toSorted(), place).toEqual(
    phones.flatMap(({ id, problem }) => (problem === undefined ? [] : [`${id} ${problem}`])).toSorted(),
  );
  const caused = phones.filter(({ cause }) => cause !== undefined);
  expect(
    caused.filter(({ online }) => online),
    place,
  ).toEqual([]);
  expect(new Map(metrics.causes), place).toEqual(new Map(caused.map(({ id, cause }) => [id, cause])));
  expect(metrics.causes.length, `each phone has one cause ${place}`).toBe(new Map(metrics.causes).size);
  expect(new Set(metrics.named.map(([id]) => id)).size, `each cause once ${place}`).toBe(
    metrics.named.length,
  );
  for (const [id, count] of metrics.named)
    expect(count, `${id} ${place}`).toBe(caused.filter(({ cause }) => cause === id).length);
}

function isOffline({ problem }: FleetPhone): boolean {
  return ['sold_offline', 'self_rented_offline', 'offline', 'given_up'].includes(problem ?? '');
}

describe('the judgement', () => {
  it.each([1, 2])(
    'is one truth on the page, in the JSON and in the metrics, at every poll of day %i',
    async (seed) => {
      const random = createRandom(seed);
      const clock = createFakeClock();
      const world = createWorld(clock, random);
      const http = apiOf(world, clock);
      const { config } = load({
        flags: { 'accounts[].api_url': 'https://api.example.com' },
        environment: { HOSTER_API_KEY: 'secret' },
      });
      const network = { authorities: undefined, proxies: undefined, http };
      const monitor = createMonitor(config, dependenciesOf({ clock, network }));
      let before: CoreDocument | undefined;
      let [lastGood, offlinePhones, named] = [clock.now(), 0, 0];
      for (let poll = 0; poll < 450; poll += 1) {
        const place = `at poll ${poll}`;
        happen(world, random);
        if (random() < 0.01) world.apiDown = !world.apiDown;
        beat(world, clock.now());
        await monitor.pollAll();
        const document = await buildFleetDocument(
          monitor.snapshot(),
          {
            version: '0',
            pollSeconds: { devices: 30, tunnels: 30, balance: 3_600 },
            allowsChanges: false,
            timeZone: 'Europe/Kyiv',
            grafanaUrl: undefined,
          },
          async () => {},
        );
        const page = gunzipSync(Buffer.concat((await monitor.scrape()).chunks)).toString();
        expectOneTruth(document, page, place);
        if (world.apiDown) {
          // What is missing is neither bad nor good.
          const problems = ({ phones }: CoreDocument) => phones.map(({ id, problem }) => `${id} ${problem}`);
          if (before !== undefined && document.phones.length > 0)
            expect(problems(document), place).toEqual(problems(before));
        } else {
          const isAfterOutage = clock.now() - lastGood > 2.5 * POLL;
          for (const phone of document.phones) {
            const { heartbeatAgeSeconds: age = 0, offlineAfterSeconds: limit, setupStatus } = phone;
            const truth = age > limit && setupStatus !== 'draft';
            // After an outage a phone has its own limit of time, which the next test follows.
            if (isOffline(phone)) expect(truth, `${phone.id} ${place}`).toBe(true);
            if (truth && !isOffline(phone) && !isAfterOutage)
              expect(document.accounts[0]?.gracePeriodEndsAt, `${phone.id} ${place}`).toBeDefined();
            if (isOffline(phone)) offlinePhones += 1;
          }
          lastGood = clock.now();
          before = document;
        }
        named += document.causes.length;
        clock.advance(POLL);
      }
      expect(offlinePhones).toBeGreaterThan(50);
      expect(named).toBeGreaterThan(5);
      await monitor.stop();
    },
  );
});
