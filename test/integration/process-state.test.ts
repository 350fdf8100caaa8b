import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { decodeState } from '../../src/state/codec.ts';
import { STATE, textOf } from '../unit/state/states.ts';
import { EACH_SECOND, type Exporter, exporterTest, KEY } from './exporter.ts';
import { phonesOf, type StandInAnswers, type StandInApi, startStandInApi } from './stand-in-api.ts';

/*
 * What the built program knows after a restart, by a stand-in of the marketplace over real sockets.
 */

type Fixture = {
  readonly folder: string;
  /** The state file in the folder. */
  readonly file: string;
  readonly startApi: (answers: Partial<StandInAnswers>) => Promise<StandInApi>;
  /** Starts an exporter with the state file, which polls each second and logs events. */
  readonly runWithState: (api: StandInApi) => Promise<Exporter>;
  /**
   * The same with the accounts of a configuration file. It polls each five seconds, of which a poll may take four: one that
   * fails on a busy machine would be an outage, after which silence is not judged for ten minutes.
   */
  readonly runWithConfig: (config: string) => Promise<Exporter>;
};

const it = exporterTest.extend<Fixture>({
  folder: async ({ onTestFinished }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await use(folder);
  },
  file: async ({ folder }, use) => {
    await use(join(folder, 'state.json'));
  },
  startApi: async ({ onTestFinished }, use) => {
    await use(async (answers) => {
      const api = await startStandInApi(answers);
      onTestFinished(api.close);
      return api;
    });
  },
  runWithState: async ({ run, file }, use) => {
    await use((api) =>
      run({
        apiUrl: api.url,
        parameters: [`--state.file=${file}`, ...EACH_SECOND],
        environment: SAVES_AND_LOGS,
      }),
    );
  },
  runWithConfig: async ({ run, file }, use) => {
    await use((config) =>
      run({
        apiUrl: undefined,
        parameters: [`--state.file=${file}`, '--poll.devices=*/5 * * * * *', `--config.file=${config}`],
        environment: SAVES_AND_LOGS,
      }),
    );
  },
});

const SAVES_AND_LOGS = { HOSTER_STATE_INTERVAL: '1s', HOSTER_LOG_EVENTS: 'true' };

/** Series of a family, by their labels. */
function seriesOf(family: string, page: string): ReadonlyMap<string, number> {
  const samples = page.matchAll(new RegExp(`^${family}(\\{.*\\}) (.*)$`, 'gm'));
  return new Map(Array.from(samples, ([, labels = '', value]) => [labels, Number(value)]));
}

/** Waits until the state file holds this. */
async function saved(file: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (pattern.test(text)) return text;
    await setTimeout(50);
  }
}

const UP = /hoster_up\{account="default"\} 1/;
const SINCE = 'hoster_device_rental_status_since_timestamp_seconds';
const HOUR = 3_600_000;
const KEPT = /"rentalStatusSince"/;
const CAUSE = /^hoster_common_cause_devices\{.*value="rack-01"\} 8$/m;

describe('a restart with a state file', () => {
  it.concurrent.for<[string, StandInAnswers['headers']]>([
    ['whose responses have a date', () => ({ date: new Date().toUTCString() })],
    ['whose responses have none', () => ({})],
    ['behind a cache', () => ({ date: new Date().toUTCString(), age: '7' })],
    ['whose clock is a year ahead', () => ({ date: new Date(Date.now() + 8_760 * HOUR).toUTCString() })],
  ])(
    'keeps after kill -9 since when each phone has its status, with an API %s',
    async ([, headers], { file, startApi, runWithState }) => {
      const api = await startApi({ phones: phonesOf(12), headers });
      const killed = await runWithState(api);
      const since = seriesOf(SINCE, await killed.shows(UP));
      expect(await saved(file, KEPT)).not.toContain(KEY);
      await killed.end('SIGKILL');

      const again = await runWithState(api);
      const page = await again.shows(UP);
      expect(page).toMatch(/^hoster_exporter_state_load_successful 1$/m);
      expect(seriesOf(SINCE, page)).toEqual(since);
      expect([since.size, again.output()]).toEqual([12, expect.not.stringContaining('state file')]);
    },
  );

  it.concurrent.for([
    ['an empty list', 0],
    ['half a list', 6],
  ] as const)('that begins with %s loses nothing', async ([, count], { file, startApi, runWithState }) => {
    const api = await startApi({ phones: phonesOf(12) });
    const first = await runWithState(api);
    const since = seriesOf(SINCE, await first.shows(UP));
    await saved(file, KEPT);
    await first.end('SIGTERM');

    api.phones = phonesOf(count);
    const again = await runWithState(api);
    expect(seriesOf(SINCE, await again.shows(UP))).toEqual(since);
    api.phones = phonesOf(12);
    await api.listed(2);
    expect(seriesOf(SINCE, await again.shows(UP))).toEqual(since);
    expect(again.output()).not.toMatch(/device joined|problem=left/);
  });

  it.concurrent('tells of a phone that left while the exporter was off', async ({
    file,
    startApi,
    runWithState,
  }) => {
    const api = await startApi({ phones: phonesOf(12) });
    const first = await runWithState(api);
    await first.shows(UP);
    await saved(file, KEPT);
    await first.end('SIGTERM');

    api.phones = phonesOf(11);
    const again = await runWithState(api);
    expect((await again.waitForOutput(/incident opened.*problem=left.*/))[0]).toContain('device_id=phone-12');
    expect(again.output()).not.toContain('device joined');
  });

  it.concurrent('tells a common cause and the silence of phones once, and no end of a cause of an account that is removed', async ({
    folder,
    file,
    startApi,
    runWithConfig,
  }) => {
    const failedAt = Date.now() - HOUR / 2;
    const heartbeatAt = (id: string) => (id < 'phone-09' ? failedAt : Date.now());
    const api = await startApi({
      phones: [...phonesOf(8), ...phonesOf(16, 'rack-02').slice(8)],
      heartbeatAt,
    });
    const healthy = await startApi({ phones: phonesOf(3, 'rack-03') });
    const config = join(folder, 'hoster.yml');
    const accountsOf = (...apis: readonly StandInApi[]) =>
      apis.map(({ url }) => ({
        name: url === api.url ? 'ill' : 'well',
        api_url: url,
        api_key_file: join(folder, 'key'),
      }));
    const write = (...apis: readonly StandInApi[]) =>
      writeFileSync(config, JSON.stringify({ accounts: accountsOf(...apis) }));
    writeFileSync(join(folder, 'key'), KEY, { mode: 0o600 });
    write(api, healthy);

    const first = await runWithConfig(config);
    await first.shows(CAUSE);
    await saved(file, /"list":\[\{"kind"/);
    await first.end('SIGKILL');

    const again = await runWithConfig(config);
    await again.shows(CAUSE);
    write(healthy);
    again.child.kill('SIGHUP');
    await again.waitForOutput(/the configuration was reloaded/);
    await healthy.listed(1);
    expect(again.output()).not.toMatch(/incident (opened|ended)/);
  });

  it.concurrent('starts without a state file that is truncated, and keeps that file aside', async ({
    file,
    startApi,
    runWithState,
  }) => {
    writeFileSync(file, textOf(STATE));
    truncateSync(file, Math.floor(statSync(file).size / 2));
    const damaged = readFileSync(file, 'utf8');

    const again = await runWithState(await startApi({ phones: phonesOf(2) }));
    expect(await again.shows(UP)).toMatch(/^hoster_exporter_state_load_successful 0$/m);
    await again.waitForOutput(/the state file is invalid: got .*kept_as=.*state\.json\.damaged-1/);
    expect(readFileSync(`${file}.damaged-1`, 'utf8')).toBe(damaged);
    await again.end('SIGTERM');
    expect(decodeState(readFileSync(file, 'utf8'))).toHaveProperty('accounts');
  });

  it.concurrent('serves without state if the folder is missing, and warns once', async ({
    folder,
    startApi,
    runWithState,
  }) => {
    rmSync(folder, { recursive: true });
    const api = await startApi({ phones: phonesOf(2) });
    const daemon = await runWithState(api);
    await api.listed(3);
    await daemon.shows(/^hoster_exporter_state_last_save_successful 0$/m);
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
    const problem = /the state file cannot be written: there is no such folder/g;
    expect(daemon.output().match(problem)).toHaveLength(1);
  });

  it.concurrent('of a second daemon while the first one runs is said, and the file is always whole', async ({
    file,
    startApi,
    runWithState,
  }) => {
    const api = await startApi({ phones: phonesOf(12) });
    const first = await runWithState(api);
    await saved(file, KEPT);
    const second = await runWithState(api);
    await second.waitForOutput(/another process writes this state file too.*give each its own state\.file/);
    for (let reading = 0; reading < 20; reading += 1) {
      expect(decodeState(readFileSync(file, 'utf8'))).toHaveProperty('accounts');
      await setTimeout(100);
    }
    expect([await first.end('SIGTERM'), await second.end('SIGTERM')]).toMatchObject([
      { code: 0 },
      { code: 0 },
    ]);
  });
});

describe('a reload of half a configuration', () => {
  it.concurrent('that somebody still writes loses no account, and one that stays as it is does', async ({
    folder,
    startApi,
    runWithConfig,
  }) => {
    const [one, two] = [await startApi({ phones: phonesOf(2) }), await startApi({ phones: phonesOf(3) })];
    const config = join(folder, 'hoster.yml');
    writeFileSync(join(folder, 'key'), KEY, { mode: 0o600 });
    const write = (...apis: readonly StandInApi[]) => {
      const accounts = apis.map(({ url }) => ({
        name: url === one.url ? 'one' : 'two',
        api_url: url,
        api_key_file: 'key',
      }));
      writeFileSync(config, JSON.stringify({ accounts }));
    };
    write(one, two);
    const exporter = await runWithConfig(config);
    await exporter.shows(/hoster_devices_reported\{account="two"\} 3/);

    write(one);
    exporter.child.kill('SIGHUP');
    await setTimeout(500);
    write(one, two);
    await exporter.waitForOutput(/the configuration was reloaded.*accounts=2/);
    expect((await exporter.get('/metrics')).body).toMatch(/hoster_devices_reported\{account="two"\} 3/);

    write(one);
    exporter.child.kill('SIGHUP');
    await exporter.waitForOutput(/the configuration was reloaded.*accounts=1/);
  });
});

describe('the age of a heartbeat', () => {
  it.concurrent('is measured when its own page was read, however long the whole list takes', async ({
    startApi,
    run,
  }) => {
    const api = await startApi({ phones: phonesOf(40), pageSize: 4, pageMilliseconds: 400 });
    const exporter = await run({ apiUrl: api.url, parameters: ['--client.concurrency=1'] });
    const page = await exporter.shows(UP);
    const ages = [...seriesOf('hoster_device_heartbeat_age_seconds', page).values()];
    expect(ages).toHaveLength(40);
    expect(Math.max(...ages)).toBeLessThan(2);
  });
});
