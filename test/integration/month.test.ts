import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTimeZone } from '../../src/base/time-zone.ts';
import type { PhoneDay } from '../../src/features/month/days.ts';
import { runCommand } from '../run-command.ts';
import { accountDay, phoneDay, writeDayFile } from '../unit/features/month/day-files.ts';
import { exporterTest, KEY, startMarketplace } from './exporter.ts';

const UTC = createTimeZone('UTC');
const folder = mkdtempSync(join(tmpdir(), 'hoster-month-'));
const write = (date: string, ...phones: readonly PhoneDay[]) =>
  writeDayFile(folder, date, [accountDay(date, UTC, phones)]);

beforeAll(() => {
  const firstListedAt = Date.UTC(2026, 9, 1, 23);
  const model = 'Pixel 6';
  write('2026-10-01', phoneDay('a', [3_600], { label: 'rack-1/old', model, firstListedAt }));
  write(
    '2026-10-02',
    phoneDay('a', [79_140, 0, 0, 7_200], { label: '=new, "1"', model, firstListedAt, interruptions: 1 }),
    phoneDay('b', [43_200, 43_200], {
      ...{ label: 'rack-2/b', group: 'rack-2', model, interruptions: 3 },
      firstListedAt: Date.UTC(2026, 9, 2),
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('hoster-exporter month', () => {
  exporterTest('prints a month by its files as a table, CSV and JSON', async ({ serve, onTestFinished }) => {
    const marketplace = await startMarketplace(1);
    onTestFinished(() => marketplace.close());
    const exporter = await serve({
      apiUrl: marketplace.url,
      parameters: [`--months.directory=${folder}`],
      environment: { HOSTER_API_KEY: KEY },
    });
    const month = async (...flags: readonly string[]) =>
      await runCommand(['month', `--url=${exporter.url}`, '--month=2026-10', ...flags]);
    const { code, out } = await month();
    expect(code).toBe(0);
    const [, first = '', second = ''] = out.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'));
    expect(first).toBe('rack-2/b|main|12.0|12.0|0.0|0.0|0.0|0.0|0.0|100.00%|50.00%|3');
    expect(second).toBe('=new, "1"|main|23.0|0.0|0.0|2.0|0.0|0.0|0.0|91.99%|100.00%|1');
    const csv = (await month('--format=csv')).out.split('\n');
    expect(csv[2]).toBe(`"'=new, ""1""",main,a,82740,0,0,7200,0,0,60,1`);
    const json = JSON.parse((await month('--by=model', '--format=json')).out);
    expect(json.rows).toEqual([
      expect.objectContaining({ name: 'Pixel 6', phones: 2, sold_online: 125_940, interruptions: 4 }),
    ]);
    expect(json.days).toMatchObject([
      { date: '2026-10-01', sold_online_seconds: 3600, unknown_seconds: 0 },
      { date: '2026-10-02', sold_online_seconds: 122_340, sold_offline_seconds: 43_200, unknown_seconds: 60 },
    ]);
  });
});

describe('hoster-exporter month and a running exporter', () => {
  exporterTest('prints the day that runs, as a table, CSV and JSON', async ({ serve, onTestFinished }) => {
    const marketplace = await startMarketplace(12);
    onTestFinished(() => marketplace.close());
    const state = mkdtempSync(join(tmpdir(), 'hoster-month-'));
    const exporter = await serve({
      apiUrl: marketplace.url,
      parameters: [`--state.file=${join(state, 'state.json')}`, '--poll.devices=* * * * * *'],
      environment: { HOSTER_API_KEY: KEY },
    });
    await expect
      .poll(async () => (await exporter.get('/api/v1/month?by=group')).body, { timeout: 20_000 })
      .toMatch(/"phones":10,.*"sold_online":[1-9]/);
    const printed = await Promise.all(
      ['table', 'csv', 'json'].map((format) =>
        runCommand([
          'month',
          `--url=${exporter.url}`,
          '--by=group',
          '--separator=semicolon',
          `--format=${format}`,
        ]),
      ),
    );
    expect(printed.map(({ code }) => code)).toEqual([0, 0, 0]);
    const [table, csv, json] = printed.map(({ out }) => out);
    expect(table).toMatch(/^name +account .*\nrack-01 +default /);
    expect(csv).toMatch(/^\uFEFFname;account;.*\nrack-01;default;;/);
    expect(JSON.parse(json ?? '')).toMatchObject({
      by: 'group',
      rows: [{ name: 'rack-01', phones: 10 }, { phones: 2 }],
    });
  });

  it('says that none responds', async () => {
    const { code, error } = await runCommand(['month', '--url=http://127.0.0.1:1']);
    expect(code).toBe(1);
    expect(error).toContain('did not respond');
  });
});
