import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { exporterTest, KEY, startMarketplace } from './exporter.ts';

const FILE = `date,account,device_id,label,group,model,sold_reporting,sold_silent,self_rented,idle,other,planned,unknown,interruptions
2026-10-01,main,a,rack-1/old,rack-1,Pixel 6,3600,0,0,0,0,0,0,0
2026-10-02,main,a,"'=new, ""1""",rack-1,Pixel 6,3600,0,0,3600,0,0,60,1
2026-10-02,main,b,"rack-2/b",rack-2,Pixel 6,1800,1800,0,0,0,0,0,3
2026-10-02,main,b,"rack-2/`;

const folder = mkdtempSync(join(tmpdir(), 'hoster-month-'));
beforeAll(() => writeFileSync(join(folder, '2026-10.csv'), FILE));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const month = (...flags: readonly string[]) =>
  runCommand(['month', `--directory=${folder}`, '--month=2026-10', ...flags]);

describe('hoster-exporter month', () => {
  it('prints the month of each phone by its last name, the one that was silent most first', async () => {
    const { code, out } = await month();
    expect(code).toBe(0);
    const [, first = '', second = ''] = out.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'));
    expect(first).toBe('rack-2/b|main|0.5|0.5|0.0|0.0|0.0|0.0|0.0|100.00 %|50.00 %|3');
    expect(second).toBe('=new, "1"|main|2.0|0.0|0.0|1.0|0.0|0.0|0.0|66.67 %|100.00 %|1');
  });

  it('adds the phones of a model up as JSON', async () => {
    const { out } = await month('--by=model', '--format=json');
    expect(JSON.parse(out).rows).toEqual([
      expect.objectContaining({ name: 'Pixel 6', phones: 2, sold_reporting: 9000, interruptions: 4 }),
    ]);
  });

  it('has each day of all phones in its JSON, whatever is added up', async () => {
    const { out } = await month('--by=group', '--format=json');
    const none = { planned_seconds: 0, self_rented_seconds: 0, other_seconds: 0 };
    expect(JSON.parse(out).days).toEqual([
      {
        date: '2026-10-01',
        ...none,
        sold_reporting_seconds: 3600,
        sold_silent_seconds: 0,
        idle_seconds: 0,
        unknown_seconds: 0,
      },
      {
        date: '2026-10-02',
        ...none,
        sold_reporting_seconds: 5400,
        sold_silent_seconds: 1800,
        idle_seconds: 3600,
        unknown_seconds: 60,
      },
    ]);
  });

  it('prints CSV in which no name is a formula', async () => {
    const { out } = await month('--format=csv');
    expect(out.split('\n')[2]).toBe(`"'=new, ""1""",main,a,7200,0,0,3600,0,0,60,1`);
  });

  it('prints CSV with a byte order mark and semicolons', async () => {
    const { out } = await month('--format=csv', '--separator=semicolon');
    expect(out).toMatch(/^\uFEFFname;account;/);
    expect(out.split('\n')[2]).toBe(`"'=new, ""1""";main;a;7200;0;0;3600;0;0;60;1`);
  });

  it('says which file is missing', async () => {
    const { code, error } = await runCommand(['month', `--directory=${folder}`, '--month=2026-09']);
    expect(code).toBe(1);
    expect(error).toContain('2026-09.csv: there is no such file');
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
      .toMatch(/"phones":10,.*"sold_reporting":[1-9]/);
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
    expect(error).toMatch(/did not respond .*--directory reads the month files/);
  });
});
