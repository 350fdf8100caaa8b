import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { readKey } from '../../src/base/api-key.ts';
import { systemClock } from '../../src/base/clock.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createMonitor, type Monitor } from '../../src/daemon/monitor.ts';
import { createMarketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { CONFIG_SCHEMA } from '../../src/features.ts';
import { NOON } from '../builders.ts';
import { dependenciesOf } from '../dependencies.ts';
import { startFaultySimulator } from '../faults/simulated/faults.ts';
import type { Simulator } from '../simulator.ts';

const MINUTE = 60_000;

let simulator: Simulator;
let monitor: Monitor;

afterEach(async () => {
  await monitor.stop();
  await simulator.close();
});

/** A monitor whose key lies in a file, at a marketplace that takes the key `second`. Time passes as the test says. */
async function setUp(first: string) {
  simulator = await startFaultySimulator({
    accounts: [
      {
        name: 'main',
        key: 'second',
        marketplace: createMarketplace({
          seed: 1,
          phones: createFleet({ seed: 1, size: 20 }),
          startAt: NOON,
        }),
      },
    ],
    clock: { ...systemClock, now: () => NOON },
  });
  const { config } = loadConfig({
    schema: CONFIG_SCHEMA,
    flags: new Map([
      ['accounts[].api_url', simulator.url],
      ['accounts[].api_key_file', '/run/key'],
    ]),
    environment: {},
    readFile: () => '',
    accounts: 'required',
  });
  let file: string | undefined = first;
  let passed = 0;
  const readFile = () => {
    if (file === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    return file;
  };
  monitor = createMonitor(
    config,
    dependenciesOf({
      key: ({ key }) => readKey(key, readFile, {}),
      clock: { ...systemClock, monotonic: () => systemClock.monotonic() + passed },
    }),
  );
  return {
    write: (text: string | undefined) => {
      file = text;
    },
    /** Polls every minute for so many minutes, and counts the requests that this leads to. */
    requestsIn: async (minutes: number) => {
      const before = total();
      for (let minute = 0; minute < minutes; minute += 1) {
        passed += MINUTE;
        await monitor.pollAll();
      }
      return total() - before;
    },
  };
}

function total(): number {
  return Object.values(simulator.counts()).reduce((sum, count) => sum + count, 0);
}

async function samplesOf(family: string): Promise<readonly string[]> {
  const { chunks } = await monitor.scrape();
  const lines = gunzipSync(Buffer.concat(chunks)).toString().split('\n');
  return lines.filter((line) => line.startsWith(family) && !line.endsWith(' 0'));
}

it('a refused key costs a request each five minutes at each endpoint, and the key that replaces it is used at once', async () => {
  const { write, requestsIn } = await setUp('first');
  // Of the device list and of the balance.
  expect(await requestsIn(24 * 60)).toBe(2 * 24 * 12);
  expect(await samplesOf('hoster_account_api_access')).toEqual([
    'hoster_account_api_access{account="default",state="invalid_key"} 1',
  ]);
  write('second\n');
  await requestsIn(1);
  expect(await samplesOf('hoster_up')).toEqual(['hoster_up{account="default"} 1']);
});

it('a key file that was deleted leaves its last key in use', async () => {
  const { write, requestsIn } = await setUp('second');
  await requestsIn(1);
  write(undefined);
  await requestsIn(2);
  expect(await samplesOf('hoster_up')).toEqual(['hoster_up{account="default"} 1']);
  expect(await samplesOf('hoster_exporter_key_file_errors_total')).toEqual([
    'hoster_exporter_key_file_errors_total{account="default"} 6',
  ]);
});
