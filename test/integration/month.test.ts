import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTimeZone } from '../../src/base/time-zone.ts';
import type { PhoneDay } from '../../src/features/month/files.ts';
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

const month = (...flags: readonly string[]) =>
  runCommand(['month', `--directory=${folder}`, '--month=2026-10', ...flags]);

describe('hoster-exporter month', () => {
  it('prints the month of each phone by its last name, the one that was offline most first', async () => {
    const { code, out } = await month();
    expect(code).toBe(0);
    const [, first = '', second = ''] = out.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'));
    expect(first).toBe('rack-2/b|main|12.0|12.0|0.0|0.0|0.0|0.0|0.0|100.00 %|50.00 %|3');
    expect(second).toBe('=new, "1"|main|23.0|0.0|0.0|2.0|0.0|0.0|0.0|91.99 %|100.00 %|1');
  });

  it('tells a folder that does not exist from one without days', async () => {
    const nowhere = join(folder, 'nowhere');
    const [none, empty] = await Promise.all(
      [nowhere, folder].map((each) => runCommand(['month', `--directory=${each}`, '--month=2025-01'])),
    );
    expect(none).toMatchObject({ code: 1, error: `hoster-exporter: ${nowhere}: no such folder\n` });
    expect(empty).toMatchObject({ code: 1, error: expect.stringContaining('has no days of 2025-01') });
  });

  it('adds the phones of a model up as JSON', async () => {
    const { out } = await month('--by=model', '--format=json');
    expect(JSON.parse(out).rows).toEqual([
      expect.objectContaining({ name: 'Pixel 6', phones: 2, sold_online: 125_940, interruptions: 4 }),
    ]);
  });

  it('has each day of all phones in its JSON, whatever is added up', async () => {
    const { out } = await month('--by=group', '--format=json');
    const none = { maintenance_seconds: 0, self_rented_seconds: 0, other_seconds: 0 };
    expect(JSON.parse(out).days).toEqual([
      {
        date: '2026-10-01',
        ...none,
        sold_online_seconds: 3600,
        sold_offline_seconds: 0,
        idle_seconds: 0,
        unknown_seconds: 0,
      },
      {
        date: '2026-10-02',
        ...none,
        sold_online_seconds: 122_340,
        sold_offline_seconds: 43_200,
        idle_seconds: 7_200,
        unknown_seconds: 60,
      },
    ]);
  });

  it('prints CSV in which no name is a formula', async () => {
    const { out } = await month('--format=csv');
    expect(out.split('\n')[2]).toBe(`"'=new, ""1""",main,a,82740,0,0,7200,0,0,60,1`);
  });

  it('prints CSV with a byte order mark and semicolons', async () => {
    const { out } = await month('--format=csv', '--separator=semicolon');
    expect(out).toMatch(/^\uFEFFname;account;/);
    expect(out.split('\n')[2]).toBe(`"'=new, ""1""";main;a;82740;0;0;7200;0;0;60;1`);
  });

  it('says that a month has no day', async () => {
    const { code, error } = await runCommand(['month', `--directory=${folder}`, '--month=2026-09']);
    expect(code).toBe(1);
    expect(error).toContain('has no days of 2026-09');
  });

  it('says of a tag that only the running exporter knows it', async () => {
    const { code, error } = await month('--by=tag:carrier');
    expect(code).toBe(2);
    expect(error).toContain('only the running exporter knows tags');
  });
});

describe('hoster-exporter month and a running exporter', () => {
  exporterTest('prints the day that runs, as a table, CSV and JSON', async ({ run, onTestFinished }) => {
    const marketplace = await startMarketplace(12);
    onTestFinished(() => marketplace.close());
    const state = mkdtempSync(join(tmpdir(), 'hoster-month-'));
    const exporter = await run({
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

  it('says that none responds, and that files can be read', async () => {
    const { code, error } = await runCommand(['month', '--url=http://127.0.0.1:1']);
    expect(code).toBe(1);
    expect(error).toMatch(/did not respond .*use --directory to read the month files/);
  });
});
