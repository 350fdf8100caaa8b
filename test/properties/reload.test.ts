import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { KeyError } from '../../src/base/api-key.ts';
import { Secret } from '../../src/base/secret.ts';
import type { LoadedConfig } from '../../src/daemon/accounts.ts';
import { createMonitor } from '../../src/daemon/monitor.ts';
import { cronScheduler } from '../../src/poll/schedule.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { success, wireBalance, wireDevice, wirePage, wireTunnel } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

/*
 * A reload at each moment at which a poll waits for something: a key, a response, a turn of the event loop.
 */

const accountLine = (name: string, host = 'api.example.com') =>
  `  - { name: ${name}, api_url: "https://${host}", api_key_env: KEY }`;

const fileOf = (accounts: readonly string[], sections = '') =>
  `accounts:\n${accounts.join('\n')}\n${sections}\n`;

const TWO = [accountLine('a'), accountLine('b')];

/** Each other configuration that a reload may bring. */
const RELOADS: Readonly<Record<string, string>> = {
  'an account goes': fileOf([accountLine('a')]),
  'an account is added': fileOf([...TWO, accountLine('c')]),
  'an account is renamed': fileOf([accountLine('a'), accountLine('d')]),
  'all accounts are renamed': fileOf([accountLine('e'), accountLine('f')]),
  'an account has another address': fileOf([accountLine('a'), accountLine('b', 'other.example.com')]),
  'the client is another one': fileOf(TWO, 'client: { concurrency: 3 }'),
  'the schedules are others': fileOf(TWO, 'poll: { devices: "0 * * * * *", stale_after: 1m }'),
  'the groups are others': fileOf(TWO, 'groups: { separator: "-" }'),
  'all of it changes': fileOf(
    [accountLine('b', 'other.example.com'), accountLine('c')],
    'client: { concurrency: 3 }\npoll: { tunnels: "0 * * * * *" }\ngroups: { separator: "-" }',
  ),
};

type OnAwait = () => void;

/** A monitor of these accounts; each poll of the device list finds another phone rented. */
function setUp(accounts = TWO) {
  const clock = createFakeClock();
  let onAwait: OnAwait = () => {};
  let lists = 0;
  const api = { status: 200, phones: 0, requests: 0, inFlight: 0, mostInFlight: 0 };
  const pass = async (): Promise<void> => {
    onAwait();
    await Promise.resolve();
  };
  const bodyOf = (path: string): unknown => {
    if (path.includes('/self-rent/')) return wireTunnel();
    if (path.includes('/balance')) return wireBalance();
    lists += 1;
    const ids = Array.from({ length: api.phones || 3 + (lists % 9) }, (_, index) => `phone-${index}`);
    return wirePage({ items: ids.map((deviceId) => wireDevice({ deviceId })), total: ids.length });
  };
  const http: HttpClient = {
    get: async (path, _, signal) => {
      api.requests += 1;
      api.inFlight += 1;
      api.mostInFlight = Math.max(api.mostInFlight, api.inFlight);
      await pass();
      const body = Buffer.from(success(bodyOf(path)));
      await pass();
      api.inFlight -= 1;
      signal.throwIfAborted();
      const date = new Date(clock.now()).toUTCString();
      return { status: api.status, headers: { date, 'retry-after': '600' }, body };
    },
    close: async () => {},
  };
  const network: LoadedConfig['network'] = { authorities: undefined, proxies: undefined, http };
  const setupOf = (file: string): LoadedConfig => ({
    config: load({ file, environment: { KEY: 'secret' } }).config,
    network,
  });
  const refused = new Set<string>();
  const monitor = createMonitor(
    setupOf(fileOf(accounts)).config,
    dependenciesOf({
      clock,
      scheduler: cronScheduler(clock, () => 0),
      network,
      key: ({ name }) => {
        if (refused.has(name)) throw new KeyError(`no key for ${name}`);
        return new Secret('secret');
      },
      refreshKey: pass,
      yieldToEventLoop: pass,
    }),
  );
  const page = async (): Promise<string> => {
    clock.advance(1_000);
    return gunzipSync(Buffer.concat((await monitor.scrape()).chunks)).toString();
  };
  return {
    monitor,
    clock,
    api,
    setupOf,
    refused,
    page,
    onEachAwait: (listener: OnAwait) => {
      onAwait = listener;
    },
  };
}

const accountsOn = (page: string): readonly string[] =>
  [...new Set(Array.from(page.matchAll(/account="(\w+)"/g), (match) => match[1] ?? ''))].toSorted();

/** Number of moments at which the second round of polls waits. */
async function countAwaits(): Promise<number> {
  const { monitor, onEachAwait } = setUp();
  await monitor.pollAll();
  let count = 0;
  onEachAwait(() => {
    count += 1;
  });
  await monitor.pollAll();
  return count;
}

describe('a reload at each await of a poll', async () => {
  const awaits = await countAwaits();

  it.each(Object.entries(RELOADS))('leaves the accounts of its configuration where %s', async (_, file) => {
    expect(awaits).toBeGreaterThan(30);
    const { monitor, setupOf, onEachAwait, page } = setUp();
    const [first, next] = [setupOf(fileOf(TWO)), setupOf(file)];
    const names = next.config.accounts.map(({ name }) => name).toSorted();
    for (let at = 0; at < awaits; at += 1) {
      await monitor.replace(first);
      await monitor.pollAll();
      let passed = 0;
      let reloaded: Promise<void> | undefined;
      onEachAwait(() => {
        if (passed === at) reloaded = monitor.replace(next);
        passed += 1;
      });
      await monitor.pollAll();
      await reloaded;
      onEachAwait(() => {});
      await monitor.pollAll();
      expect(accountsOn(await page()), `at ${at}`).toEqual(names);
      for (const { name, devices, tunnels, balance } of monitor.snapshot().accounts) {
        const states = [devices.state, tunnels.state, balance.state];
        expect(states, `${name} at ${at}`).toEqual(['fresh', 'fresh', 'fresh']);
        expect(tunnels.data?.size, `tunnels of ${name} at ${at}`).toBe(devices.data?.devices.size);
      }
    }
    await monitor.stop();
  });
});

it('a reload that fails at any account changes nothing', async () => {
  const { monitor, setupOf, refused, page } = setUp();
  await monitor.pollAll();
  const before = await page();
  refused.add('d');
  const next = setupOf(fileOf([accountLine('c'), accountLine('d')], 'client: { concurrency: 3 }'));
  await expect(monitor.replace(next)).rejects.toThrow('no key for d');
  const isOurs = (line: string): boolean => /account=/.test(line);
  expect((await page()).split('\n').filter(isOurs)).toEqual(before.split('\n').filter(isOurs));
  await monitor.pollAll();
  expect(accountsOn(await page())).toEqual(['a', 'b']);
  expect(monitor.stalled()).toEqual([]);
});

it('a reload that moves the key to another source keeps since when a phone has its rental status', async () => {
  const { monitor, clock, setupOf } = setUp();
  await monitor.pollAll();
  const since = () => monitor.snapshot().accounts[0]?.devices.data?.devices.get('phone-0')?.rentalStatusSince;
  const began = since();
  clock.advance(60_000);
  await monitor.replace(setupOf(fileOf(TWO).replace('api_key_env: KEY', 'api_key_file: /run/key')));
  await monitor.pollAll();
  expect([since(), monitor.snapshot().events]).toEqual([began, monitor.snapshot().events]);
  expect((monitor.snapshot().events ?? []).filter(({ event }) => event !== 'device joined')).toEqual([]);
});

const ONE = [accountLine('a')];

/** Lets time pass until a promise is fulfilled, and returns the seconds that it took. */
async function passing(clock: FakeClock, promise: Promise<unknown>): Promise<number> {
  let ended = false;
  void promise.then(() => {
    ended = true;
  });
  for (let seconds = 0; ; seconds += 0.5) {
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    if (ended) return seconds;
    clock.advance(500);
  }
}

/** Settings that a reload applies, each with a file that changes it and what is seen of it afterwards. */
type Applied = {
  readonly setting: string;
  readonly file: string;
  readonly seen: (world: ReturnType<typeof setUp>) => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
};

const countOf = (page: string, pattern: RegExp): number => page.match(pattern)?.length ?? 0;

const intervalOf =
  (collector: string) =>
  async ({ page }: ReturnType<typeof setUp>): Promise<unknown> =>
    new RegExp(`poll_interval_seconds\\{account="a",collector="${collector}"\\} (\\d+)`).exec(
      await page(),
    )?.[1];

/** Seconds after which the phones of the account `a` are withdrawn while the API is down. */
async function expiryOf({ monitor, clock, api }: ReturnType<typeof setUp>): Promise<number> {
  api.status = 500;
  monitor.start();
  await passing(clock, monitor.pollAll());
  let seconds = 0;
  while (monitor.snapshot().accounts[0]?.devices.state !== 'expired' && seconds < 3_600) {
    clock.advance(1_000);
    seconds += 1;
  }
  return seconds;
}

/** Number of seconds in which thirty tunnels are polled. */
async function durationOf({ monitor, clock, api }: ReturnType<typeof setUp>): Promise<number> {
  api.phones = 30;
  return passing(clock, monitor.pollAll());
}

const APPLIED: readonly Applied[] = [
  {
    setting: 'accounts[].currency',
    file: fileOf(ONE).replaceAll('name: a', 'currency: EUR, name: a'),
    seen: async ({ page }) => countOf(await page(), /hoster_account_info\{account="a",currency="EUR"\} 1/g),
    before: 0,
    after: 1,
  },
  ...['devices', 'tunnels', 'balance'].map((collector) => ({
    setting: `poll.${collector}`,
    file: fileOf(ONE, `poll: { ${collector}: "0 * 8-20 * * *" }`),
    seen: intervalOf(collector),
    before: collector === 'balance' ? '60' : '30',
    after: `${11 * 3_600 + 60}`,
  })),
  {
    setting: 'poll.stale_after, for what is shown',
    file: fileOf(ONE, 'poll: { stale_after: 1m }'),
    seen: expiryOf,
    before: 15 * 60 + 1,
    after: 61,
  },
  {
    setting: 'client.concurrency',
    file: fileOf(ONE, 'client: { concurrency: 1 }'),
    seen: async ({ monitor, api }) => {
      api.phones = 60;
      api.mostInFlight = 0;
      await monitor.pollAll();
      return api.mostInFlight;
    },
    before: 8,
    after: 1,
  },
  {
    setting: 'client.requests_per_second',
    file: fileOf(ONE, 'client: { requests_per_second: 2 }'),
    seen: durationOf,
    before: 0,
    after: 15.5,
  },
  {
    setting: 'groups.separator',
    file: fileOf(ONE, 'groups: { separator: " " }'),
    seen: async ({ monitor, page }) => {
      await monitor.pollAll();
      return /group="([^"]*)"/.exec(await page())?.[1];
    },
    before: 'Rack A',
    after: 'Rack',
  },
  {
    setting: 'features.tunnel_endpoints',
    file: fileOf(ONE, 'features: { tunnel_endpoints: true }'),
    seen: async ({ page }) => countOf(await page(), /^hoster_tunnel_info\{account="a",/gm) > 0,
    before: false,
    after: true,
  },
  {
    setting: 'features.rental_ids',
    file: fileOf(ONE, 'features: { rental_ids: true }'),
    seen: async ({ page }) => countOf(await page(), /^hoster_device_self_rent_info\{account="a",/gm) > 0,
    before: false,
    after: true,
  },
];

describe('a setting that a reload applies is in force after it', () => {
  it.each(APPLIED)('$setting', async ({ file, seen, before, after }) => {
    for (const [isReloaded, expected] of [
      [false, before],
      [true, after],
    ] as const) {
      const world = setUp(ONE);
      await world.monitor.pollAll();
      if (isReloaded) await world.monitor.replace(world.setupOf(file));
      expect(await seen(world)).toBe(expected);
      await world.monitor.stop();
    }
  });
});
