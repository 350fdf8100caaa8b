import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { describe, expect, it, vi } from 'vitest';
import { CANARY } from '../canary.ts';
import {
  accountOf,
  files,
  KEYS,
  lines,
  phonesOf,
  reload,
  scrape,
  send,
  shown,
  simulator,
  start,
  useReloadHarness,
  write,
} from './reload-harness.ts';

useReloadHarness();

describe('a reload', () => {
  it('of the same configuration sends no request to the API', async () => {
    write([accountOf('main')]);
    await start();
    const before = simulator.counts();
    expect(await reload()).toEqual({ status: 200, body: 'reloaded\n' });
    expect(phonesOf('main', await scrape())).toBe(120);
    expect(simulator.counts()).toEqual(before);
  });

  it('with other schedules keeps the readings', async () => {
    write([accountOf('main')]);
    await start();
    write([{ ...accountOf('main'), currency: 'EUR' }], {
      poll: { devices: '0 0 * * * *', stale_after: '2h' },
    });
    expect((await reload()).status).toBe(200);
    const page = await shown(/hoster_account_info\{account="main",currency="EUR"\} 1/);
    expect(phonesOf('main', page)).toBe(120);
  });

  it('with an additional account polls it at once, and leaves the other account unchanged', async () => {
    write([accountOf('main')]);
    await start();
    const before = simulator.counts().devices;
    write([accountOf('other'), accountOf('main')]);
    expect((await reload()).status).toBe(200);
    const page = await shown(/hoster_up\{account="other"\} 1/);
    expect([phonesOf('main', page), phonesOf('other', page)]).toEqual([120, 5]);
    expect(simulator.counts().devices - before).toBe(1);
  });

  it('warns of a window and a price that name a group without phones, as a start does', async () => {
    const sections = {
      maintenance: [{ name: 'nightly', groups: ['rack-99'], schedule: '0 4 * * *', duration: '15m' }],
      prices: [{ group: 'rack-98', cents_per_day: 250 }],
    };
    write([accountOf('main')]);
    await start();
    expect(lines.filter((line) => line.includes('names a group that has no phone'))).toEqual([]);
    write([accountOf('main')], sections);
    expect((await reload()).status).toBe(200);
    const warnings = lines.filter((line) => line.includes('names a group that has no phone'));
    expect(warnings).toEqual([
      expect.stringMatching(/a maintenance window names a group that has no phone.*rack-99/),
      expect.stringMatching(/a price names a group that has no phone.*rack-98/),
    ]);
  });

  it('names the maintenance that covers no phone from now on, in its answer and in the log', async () => {
    const web = { listen_address: '127.0.0.1:0', enable_lifecycle: true, enable_changes: true };
    write([accountOf('main')], { web });
    await start();
    const { body } = await send('/api/v1/maintenance', 'POST', { groups: ['rack-01'], for: '2h' });
    const { id } = JSON.parse(body);
    expect((await reload()).body).toBe('reloaded\n');
    const warning = /this maintenance no longer covers any phone/;
    for (const changed of [
      { accounts: [accountOf('main')], sections: { web, groups: { separator: '+' } } },
      { accounts: [{ ...accountOf('main'), name: 'renamed' }], sections: { web } },
    ]) {
      lines.length = 0;
      write(changed.accounts, changed.sections);
      expect((await reload()).body).toBe(
        `reloaded\nthis maintenance no longer covers any phone: ${id}, rack-01\n`,
      );
      expect(lines.filter((line) => warning.test(line))).toHaveLength(1);
      write([accountOf('main')], { web });
      await reload();
      await shown(/^hoster_devices_in_maintenance\{account="main"\} [1-9]/m);
    }
  });

  it('warns of a name in web.change_users that no user has, as a start does', async ({ onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'web.yml');
    const content = `basic_auth_users: { anna: ${JSON.stringify(hashSync('test', 4))} }\n`;
    // Read as configuration, and watched on the disk.
    files.set(file, content);
    writeFileSync(file, content);
    const web = { listen_address: '127.0.0.1:0', enable_lifecycle: true, config_file: file };
    write([accountOf('main')], { web: { ...web, change_users: 'ana,anna' } });
    const daemon = await start();
    const warnings = () => lines.filter((line) => /this user of web.change_users .*: ana"$/m.test(line));
    await vi.waitFor(() => expect(warnings()).toHaveLength(1));
    expect((await daemon.reload()).warnings).toEqual([
      'this user of web.change_users is not in web.config_file: ana',
    ]);
    expect(warnings()).toHaveLength(2);
  });

  it('without an account leaves no series of it', async () => {
    write([accountOf('main'), accountOf('other')]);
    await start();
    write([accountOf('main')]);
    expect((await reload()).status).toBe(200);
    const page = await scrape();
    expect(lines.filter((line) => /no longer configured.*accounts=other/.test(line))).toHaveLength(1);
    expect(page).not.toContain('account="other"');
    expect(phonesOf('main', page)).toBe(120);
  });

  it('with another address discards the data of the account', async () => {
    write([accountOf('main')]);
    await start();
    write([{ ...accountOf('main'), api_url: `${simulator.url}/elsewhere` }]);
    expect((await reload()).status).toBe(200);
    expect(phonesOf('main', await shown(/hoster_up\{account="main"\} 0/))).toBe(0);
  });

  it('with a feature shows its families', async () => {
    write([accountOf('main')]);
    await start();
    expect(await scrape()).not.toContain('hoster_tunnel_info');
    write([accountOf('main')], { features: { tunnel_endpoints: true } });
    expect((await reload()).status).toBe(200);
    const page = await scrape();
    expect([phonesOf('main', page), /^hoster_tunnel_info\{/m.test(page)]).toEqual([120, true]);
    write([accountOf('main')]);
    await reload();
    const without = await scrape();
    expect([phonesOf('main', without), without.includes('hoster_tunnel_info')]).toEqual([120, false]);
  });

  it('tries a refused key again at once', async () => {
    files.set('/etc/main.key', `${CANARY.apiKey}wrong`);
    write([accountOf('main')]);
    await start();
    await shown(/hoster_account_api_access\{account="main",state="invalid_key"\} 1/);
    files.set('/etc/main.key', KEYS.main);
    expect((await reload()).status).toBe(200);
    expect(phonesOf('main', await shown(/hoster_up\{account="main"\} 1/))).toBe(120);
  });

  it('changes the level of the log', async () => {
    write([accountOf('main')], { log: { level: 'error' } });
    await start();
    expect(lines).toEqual([]);
    write([accountOf('main')], { log: { level: 'info' } });
    await reload();
    expect(lines.at(-1)).toMatch(/level=info msg="configuration reloaded"/);
  });

  it('reports the settings that need a restart', async () => {
    write([accountOf('main')]);
    await start();
    write([accountOf('main')], {
      log: { format: 'json' },
      web: { listen_address: '127.0.0.1:1', enable_lifecycle: true },
    });
    expect(await reload()).toEqual({
      status: 200,
      body: 'reloaded\nweb.listen_address: needs a restart\nlog.format: needs a restart\n',
    });
    expect(lines.at(-1)).toMatch(/settings="\[\\"web.listen_address\\",\\"log.format\\"\]"/);
    expect((await send('/-/healthy', 'GET')).status).toBe(200);
  });
});

const SUCCESS = /^hoster_exporter_config_last_reload_successful 1$/m;
const FAILURE = /^hoster_exporter_config_last_reload_successful 0$/m;

describe('a reload of a configuration', () => {
  const faults: readonly (readonly [string, () => void, RegExp])[] = [
    [
      'that is not valid YAML',
      () => files.set('/etc/hoster.yml', `accounts:\n  - api_kee: ${KEYS.main}\n    x: ]\n`),
      /hoster\.yml:3:8: unexpected text/,
    ],
    [
      'whose keys are gone',
      () => {
        write([accountOf('main'), { ...accountOf('other'), api_key_file: '/etc/none.key' }]);
        files.set('/etc/main.key', '');
      },
      /main\.key is empty.*\n.*none\.key \(ENOENT\)/,
    ],
  ];

  it.each(faults)('%s changes nothing, and is logged and counted', async (_, spoil, problems) => {
    write([accountOf('main')]);
    await start();
    const good = await scrape();
    expect(good).toMatch(SUCCESS);
    spoil();
    const answer = await reload();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatch(/^not reloaded: the previous configuration stays active\n/);
    expect(answer.body).toMatch(problems);
    const page = await scrape();
    expect([phonesOf('main', page), FAILURE.test(page)]).toEqual([120, true]);
    expect(lines.filter((line) => line.includes('reload failed'))).toHaveLength(
      answer.body.trimEnd().split('\n').length - 1,
    );
    expect(answer.body + lines.join('')).not.toContain('canary');
  });

  it('that is valid again is applied', async () => {
    write([accountOf('main')]);
    await start();
    files.delete('/etc/hoster.yml');
    await reload();
    write([accountOf('main')]);
    expect((await reload()).status).toBe(200);
    expect(await scrape()).toMatch(SUCCESS);
  });
});
