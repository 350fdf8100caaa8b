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
  /** The same with an account for each API. */
  readonly runAccounts: (apis: Readonly<Record<string, StandInApi>>) => Promise<Exporter>;
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
  runAccounts: async ({ run, folder, file }, use) => {
    await use((apis) =>
      run({
        apiUrl: undefined,
        parameters: [`--state.file=${file}`, `--config.file=${writeConfig(folder, apis)}`, ...EACH_SECOND],
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

/** Writes a configuration file with an account for each API, and returns its path. */
function writeConfig(folder: string, apis: Readonly<Record<string, StandInApi>>): string {
  const key = join(folder, 'key');
  writeFileSync(key, KEY, { mode: 0o600 });
  const accounts = Object.entries(apis).map(([name, { url }]) => ({ name, api_url: url, api_key_file: key }));
  const config = join(folder, 'hoster.yml');
  writeFileSync(config, JSON.stringify({ accounts }));
  return config;
}

const SAVES_AND_LOGS = { HOSTER_STATE_INTERVAL: '1s', HOSTER_LOG_EVENTS: 'true' };

/** Series of a family, by their labels. */
function seriesOf(family: string, page: string): ReadonlyMap<string, number> {
  const samples = page.matchAll(new RegExp(`^${family}(\\{.*\\}) (.*)$`, 'gm'));
  return new Map(Array.from(samples, ([, labels = '', value]) => [labels, Number(value)]));
}

/** Waits until the text of the state file meets a condition. */
async function saved(file: string, meets: (text: string) => boolean): Promise<string> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (meets(text)) return text;
    await setTimeout(50);
  }
}

const hasPhones =
  (count: number) =>
  (text: string): boolean =>
    text.split('"rentalStatusSince"').length > count;

/** Matches a page on which the last polls of so many accounts were successful. */
const allUp = (accounts: number): RegExp => new RegExp(`(?:^hoster_up\\{.*\\} 1\n){${accounts}}`, 'm');

const UP = allUp(1);
const SINCE = 'hoster_device_rental_status_since_timestamp_seconds';
const HOUR = 3_600_000;
const CAUSE = /^hoster_common_cause_devices\{.*value="rack-01"\} 8$/m;

describe.concurrent('a restart with a state file', () => {
  it('keeps after kill -9 since when each phone has its status, whatever the API says of the time', async ({
    file,
    startApi,
    runAccounts,
  }) => {
    const headers: Readonly<Record<string, StandInAnswers['headers']>> = {
      dated: () => ({ date: new Date().toUTCString() }),
      undated: () => ({}),
      cached: () => ({ date: new Date().toUTCString(), age: '7' }),
      year_ahead: () => ({ date: new Date(Date.now() + 8_760 * HOUR).toUTCString() }),
    };
    const apis: Record<string, StandInApi> = {};
    for (const [name, each] of Object.entries(headers))
      apis[name] = await startApi({ phones: phonesOf(12), headers: each });
    const killed = await runAccounts(apis);
    const since = seriesOf(SINCE, await killed.shows(allUp(4)));
    expect(await saved(file, hasPhones(48))).not.toContain(KEY);
    await killed.end('SIGKILL');

    const again = await runAccounts(apis);
    const page = await again.shows(allUp(4));
    expect(page).toMatch(/^hoster_exporter_state_load_successful 1$/m);
    expect(seriesOf(SINCE, page)).toEqual(since);
    expect([since.size, again.output()]).toEqual([48, expect.not.stringContaining('state file')]);
  });

  it('loses nothing where the first list is empty, or has half of the phones', async ({
    file,
    startApi,
    runAccounts,
  }) => {
    const empty = await startApi({ phones: phonesOf(12) });
    const half = await startApi({ phones: phonesOf(12) });
    const first = await runAccounts({ empty, half });
    const since = seriesOf(SINCE, await first.shows(allUp(2)));
    await saved(file, hasPhones(24));
    await first.end('SIGTERM');

    empty.phones = [];
    half.phones = phonesOf(6);
    const again = await runAccounts({ empty, half });
    expect(seriesOf(SINCE, await again.shows(allUp(2)))).toEqual(since);
    empty.phones = phonesOf(12);
    half.phones = phonesOf(12);
    await Promise.all([empty.listed(2), half.listed(2)]);
    expect(seriesOf(SINCE, await again.shows(allUp(2)))).toEqual(since);
    expect(again.output()).not.toMatch(/device joined|problem=left/);
  });

  it('alerts for a phone that left while the exporter was off', async ({ file, startApi, runWithState }) => {
    const api = await startApi({ phones: phonesOf(12) });
    const first = await runWithState(api);
    await first.shows(UP);
    await saved(file, hasPhones(12));
    await first.end('SIGTERM');

    api.phones = phonesOf(11);
    const again = await runWithState(api);
    expect((await again.waitForOutput(/incident opened.*problem=left.*/))[0]).toContain('device_id=phone-12');
    expect(again.output()).not.toContain('device joined');
  });

  it('alerts once for a common cause and offline phones, and resolves no cause of an account that is removed', async ({
    folder,
    file,
    startApi,
    runWithConfig,
  }) => {
    const failedAt = Date.now() - HOUR / 2;
    const heartbeatAt = (id: string) => (id < 'phone-09' ? failedAt : Date.now());
    const ill = await startApi({
      phones: [...phonesOf(8), ...phonesOf(16, 'rack-02').slice(8)],
      heartbeatAt,
    });
    const well = await startApi({ phones: phonesOf(3, 'rack-03') });
    const config = writeConfig(folder, { ill, well });

    const first = await runWithConfig(config);
    await first.shows(CAUSE);
    await saved(file, (text) => /"list":\[\{"kind"/.test(text));
    await first.end('SIGKILL');

    const again = await runWithConfig(config);
    await again.shows(CAUSE);
    writeConfig(folder, { well });
    again.child.kill('SIGHUP');
    await again.waitForOutput(/configuration reloaded/);
    await well.listed(1);
    expect(again.output()).not.toMatch(/incident (opened|ended)/);
  });

  it('starts without a state file that is truncated, and keeps that file aside', async ({
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

  it('serves without state if the folder is missing, and warns once', async ({
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
    const problem = /cannot write the state file: its folder does not exist/g;
    expect(daemon.output().match(problem)).toHaveLength(1);
  });

  it('of a second daemon while the first one runs is said, and the file is always whole', async ({
    file,
    startApi,
    runWithState,
  }) => {
    const api = await startApi({ phones: phonesOf(12) });
    const first = await runWithState(api);
    await saved(file, hasPhones(12));
    const second = await runWithState(api);
    await second.waitForOutput(
      /another process writes this state file too.*give each process its own state\.file/,
    );
    // Each of both writes it once a second.
    const texts = new Set<string>();
    while (texts.size < 4) {
      const text = await saved(file, (each) => !texts.has(each));
      expect(decodeState(text)).toHaveProperty('accounts');
      texts.add(text);
    }
    expect([await first.end('SIGTERM'), await second.end('SIGTERM')]).toMatchObject([
      { code: 0 },
      { code: 0 },
    ]);
  });
});

describe.concurrent('an account that a reload removes', () => {
  it('has what was known of it when the next reload brings it back', async ({
    folder,
    startApi,
    runAccounts,
  }) => {
    const [one, two] = [await startApi({ phones: phonesOf(2) }), await startApi({ phones: phonesOf(3) })];
    const exporter = await runAccounts({ one, two });
    const since = seriesOf(SINCE, await exporter.shows(allUp(2)));
    const reload = async (apis: Readonly<Record<string, StandInApi>>): Promise<void> => {
      writeConfig(folder, apis);
      exporter.child.kill('SIGHUP');
      const count = Object.keys(apis).length;
      await exporter.waitForOutput(new RegExp(`configuration reloaded.*accounts=${count}`));
    };
    await reload({ one });
    expect((await exporter.get('/metrics')).body).not.toContain('account="two"');
    await reload({ one, two });
    expect(seriesOf(SINCE, await exporter.shows(allUp(2)))).toEqual(since);
  });
});

describe.concurrent('the age of a heartbeat', () => {
  it('is measured when its own page was read, however long the whole list takes', async ({
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
