import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { get, MAIN, start } from '../process.ts';

const PHONES = 20;
const FLAGS = [`--phones=${PHONES}`, '--history=1h', '--currency=EUR'];

function runHistory(flags: readonly string[]) {
  return spawnSync(process.execPath, ['packaging/demo-history.mjs', ...flags], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
}

/** Returns the history up to an instant, in seconds since 1970. */
function historyUntil(until: number): string {
  const child = runHistory([...FLAGS, '--instance=exporter:9823', `--until=${until}`]);
  expect([child.status, child.stderr]).toEqual([0, '']);
  return child.stdout;
}

/** Series that rarely change within minutes. */
const STABLE = /^hoster_(?:device_(?:info|rental_status|marketplace_status|setup_status)|account_info)\{/;

describe('the demo history', () => {
  let page = '';
  let until = 0;
  let history = '';

  beforeAll(async () => {
    const demo = start(process.execPath, [MAIN, 'demo', ...FLAGS, '--web.listen-address=127.0.0.1:0']);
    const url = (await demo.waitForOutput(/Metrics\s+(\S+)/))[1] ?? '';
    until = Math.floor(systemClock.now() / 1000);
    page = (await get(url)).body;
    await demo.stop();
    history = historyUntil(until);
  });

  it('is the same each time for the same flags, and is written into a file that does not exist yet', ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-history-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'demo.om');
    const write = (end: number) => runHistory([...FLAGS, `--until=${end}`, `--output=${file}`]);
    expect(write(until)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(write(until + 60).status).toBe(0);
    expect(history.endsWith('# EOF\n')).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(history);
    expect(readdirSync(folder)).toEqual(['demo.om']);
  });

  it('reports each invalid flag', () => {
    const { status, stdout, stderr } = runHistory(['--until=yesterday', '--phones=x', '--curency=EUR']);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`--curency: unknown flag. Did you mean --currency?
--phones: got "x", expected a whole number from 0 to 1000000
--until: got "yesterday", expected seconds since 1970
`);
  });

  it('ends with the phones, states and labels that the demo begins with', () => {
    const present = page.split('\n').filter((line) => STABLE.test(line));
    const past = history
      .split('\n')
      .filter((line) => STABLE.test(line) && line.endsWith(` ${until}`))
      .map((line) => line.replace(',instance="exporter:9823",job="hoster"', '').replace(/ \d+$/, ''));
    expect(past.length).toBe(present.length);
    expect(past.length).toBeGreaterThanOrEqual(PHONES * 4);
    // A phone may change in the second between the two.
    expect(past.filter((line) => !present.includes(line)).length).toBeLessThanOrEqual(2);
  });
});
