import { expect, it } from 'vitest';
import { matchState, statesOf } from '../../src/app/state.ts';
import type { AccountConfig } from '../../src/config/schema.ts';
import { familiesOf } from '../../src/metrics/families.ts';
import { RENTAL_STATUSES, type RentalStatus } from '../../src/model/device.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import { balanceCollector } from '../../src/poller/collectors/balance.ts';
import { devicesCollector } from '../../src/poller/collectors/devices.ts';
import { afterSuccessfulPoll } from '../../src/poller/freshness.ts';
import type { CollectorTask } from '../../src/poller/poll.ts';
import { createStore } from '../../src/poller/store.ts';
import { between, createRandom, pick, type Random } from '../../src/simulator/random.ts';
import { createStateKeeper } from '../../src/state/keeper.ts';
import { accountIn, healthyDevice } from '../builders.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { USUAL_FEATURES } from '../features.ts';
import { silentLog } from '../silent-log.ts';

/*
 * A night in which the process is killed again and again, and Prometheus adds up what it scraped. The state file lies on a
 * disk that is full at times.
 */

/** `KILLS=10000` takes some seconds. */
const KILLS = Number(process.env['KILLS'] ?? 500);

const PHONES = 5;
const ACCOUNT: AccountConfig = {
  name: 'main',
  apiUrl: new URL('https://api.example.com'),
  key: { environment: 'KEY' },
  currency: undefined,
  balanceLowCents: undefined,
};
const COUNTERS = familiesOf(USUAL_FEATURES).filter(({ name }) =>
  /^hoster_(device_rental_status_seconds|balance_observed_(in|de)crease_cents)_total$/.test(name),
);

/** The marketplace: phones that change hands, and a balance that grows. */
function createMarketplace(random: Random, clock: FakeClock) {
  const statuses: RentalStatus[] = Array.from({ length: PHONES }, () => pick(random, RENTAL_STATUSES));
  let cents = 0;
  let lastRead = 0;
  return {
    /** The last amount that a process could read. */
    lastRead: () => lastRead,
    live: (): void => {
      clock.advance(between(random, 1, 60) * 1_000);
      if (random() < 0.5) statuses[Math.floor(random() * PHONES)] = pick(random, RENTAL_STATUSES);
      cents += between(random, 0, 500);
    },
    client: {
      devicePage: async () => {
        const devices = statuses.map((rentalStatus, index) =>
          healthyDevice({ id: `phone-${index}`, rentalStatus }),
        );
        const page = { devices, rejected: 0, total: PHONES, page: 1, limit: 100, totalPages: 1 };
        return { value: page, apiTime: clock.now() };
      },
      balance: async () => {
        // Now and then the amount can't be read.
        const availableCents = random() < 0.1 ? undefined : cents;
        lastRead = availableCents ?? lastRead;
        return {
          value: { availableCents, pendingCents: 0, totalCents: undefined },
          apiTime: clock.now(),
        };
      },
    },
  };
}

/** A disk in memory with one file, which is replaced whole or, while the disk is full, not at all. */
function createDisk() {
  let text: string | undefined;
  const disk = {
    full: false,
    files: {
      readWhole: async () => text,
      replaceWhole: async (_: string, pieces: Iterable<string>) => {
        if (disk.full) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        text = [...pieces].join('');
      },
      renameAside: async () => {
        throw new Error('a state of ours was refused');
      },
      remove: async () => {
        text = undefined;
      },
    },
  };
  return disk;
}

/** Adds up counters as `increase()` does: a value that is smaller than the one before began at 0. */
function createReader() {
  const last = new Map<string, number>();
  const sums = new Map<string, number>();
  return {
    scrape: ({ accounts }: Snapshot): void => {
      for (const account of accounts) {
        for (const { name, samples } of COUNTERS) {
          for (const { identity, samples: values } of samples(account)) {
            for (const [value, ...labels] of values) {
              const series = [name, identity, ...labels].join();
              const before = last.get(series) ?? 0;
              sums.set(series, (sums.get(series) ?? 0) + (value >= before ? value - before : value));
              last.set(series, value);
            }
          }
        }
      }
    },
    sumOf: (...parts: readonly string[]): number =>
      [...sums].reduce((sum, [series, value]) => {
        return parts.every((part) => series.includes(part)) ? sum + value : sum;
      }, 0),
  };
}

it(`counters of seconds and cents stay correct over ${KILLS} kills and restarts`, async () => {
  const random = createRandom(16);
  const clock = createFakeClock();
  const { live, lastRead, client } = createMarketplace(random, clock);
  const disk = createDisk();
  const reader = createReader();
  const beganAt = clock.now();

  const yieldToEventLoop = async (): Promise<void> => {};
  const devices = devicesCollector({
    client,
    groups: { separator: '/', levels: 1 },
    silentAfterSeconds: undefined,
    clock,
    yieldToEventLoop,
    metrics: { listInconsistent: () => {} },
    log: silentLog,
  });
  const balance = balanceCollector(client);

  const runProcess = async (): Promise<void> => {
    disk.full = random() < 0.3;
    let alive = true;
    const readBefore = lastRead();
    const after: typeof clock.after = (milliseconds, callback) =>
      clock.after(milliseconds, () => alive && callback());
    const keeper = createStateKeeper({
      file: 'state.json',
      intervalMilliseconds: 60_000,
      files: disk.files,
      clock: { ...clock, after },
      log: silentLog,
    });
    const { accounts } = await keeper.load();
    const memory = matchState([ACCOUNT], accounts).memories.get(ACCOUNT.name);
    const store = createStore([{ ...ACCOUNT, memory }], () => {});
    const poll = async <Data>({ collect, withReading }: CollectorTask<Data>): Promise<void> => {
      const limits = { deadline: 10_000, freshFor: 75_000, lifetime: 15 * 60_000, staleAfter: 15 * 60_000 };
      const settle = await collect(accountIn(store, ACCOUNT.name), new AbortController().signal, limits);
      store.update(ACCOUNT.name, (known) =>
        withReading(known, afterSuccessfulPoll(settle(known), clock.now(), clock.uptime())),
      );
    };
    keeper.start(
      (isLast) => ({
        snapshot: store.snapshot(),
        states: statesOf([ACCOUNT], store.snapshot(), isLast),
      }),
      () => {},
    );
    for (let polls = Math.floor(random() * 6); polls > 0; polls -= 1) {
      live();
      await poll(devices);
      if (random() < 0.7) await poll(balance);
      if (random() < 0.7) reader.scrape(store.snapshot());
      // What an earlier process has read, it has counted.
      const { available } = accountIn(store, ACCOUNT.name).balance.data?.observed ?? {};
      expect(available?.increaseCents ?? 0).toBeLessThanOrEqual(lastRead() - readBefore);
      if (random() < 0.2) disk.full = !disk.full;
    }
    // By SIGTERM it saves once more; by anything else it does not.
    if (random() < 0.5) await keeper.stop();
    alive = false;
    live();
  };
  for (let kill = 0; kill < KILLS; kill += 1) await runProcess();

  const passed = (clock.now() - beganAt) / 1000;
  for (let index = 0; index < PHONES; index += 1) {
    const seen = reader.sumOf('rental_status_seconds', `"phone-${index}"`);
    expect(seen).toBeLessThanOrEqual(passed);
    expect(seen).toBeGreaterThan(0.1 * passed);
  }
  expect(reader.sumOf('increase_cents', 'available')).toBeLessThanOrEqual(lastRead());
  expect(reader.sumOf('increase_cents', 'available')).toBeGreaterThan(0.1 * lastRead());
  expect(reader.sumOf('decrease_cents')).toBe(0);
}, 300_000);
