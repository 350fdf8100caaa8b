import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { KeyError } from '../../src/api-key.ts';
import type { Setup } from '../../src/app/accounts.ts';
import { createMonitor } from '../../src/app/monitor.ts';
import { Secret } from '../../src/secret.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
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

/** A monitor of the accounts `a` and `b`; each poll of the device list finds another phone rented. */
function setUp() {
  const clock = createFakeClock();
  let onAwait: OnAwait = () => {};
  let lists = 0;
  const pass = async (): Promise<void> => {
    onAwait();
    await Promise.resolve();
  };
  const bodyOf = (path: string): unknown => {
    if (path.includes('/self-rent/')) return wireTunnel();
    if (path.includes('/balance')) return wireBalance();
    lists += 1;
    const ids = Array.from({ length: 3 + lists }, (_, index) => `phone-${index}`);
    return wirePage({ items: ids.map((deviceId) => wireDevice({ deviceId })), total: ids.length });
  };
  const http: HttpClient = {
    get: async (path, _, signal) => {
      await pass();
      signal.throwIfAborted();
      const body = Buffer.from(success(bodyOf(path)));
      await pass();
      signal.throwIfAborted();
      return { status: 200, headers: { date: new Date(clock.now()).toUTCString() }, body };
    },
    close: async () => {},
  };
  const network: Setup['network'] = { authorities: undefined, proxies: undefined, http };
  const setupOf = (file: string): Setup => ({
    config: load({ file, environment: { KEY: 'secret' } }).config,
    network,
  });
  const refused = new Set<string>();
  const monitor = createMonitor(
    setupOf(fileOf(TWO)).config,
    dependenciesOf({
      clock,
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
    for (let at = 0; at < awaits; at += 1) {
      const { monitor, setupOf, onEachAwait, page } = setUp();
      const next = setupOf(file);
      const names = next.config.accounts.map(({ name }) => name).toSorted();
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
      await monitor.stop();
    }
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
