import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { get, MAIN, start } from '../process.ts';

const PHONES = 20;
const FLAGS = [`--phones=${PHONES}`, '--history=1h', '--currency=EUR'];

/** The past up to a moment, in seconds since 1970. */
function historyUntil(until: number): string {
  const flags = [...FLAGS, '--instance=exporter:9823', `--until=${until}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'demo-history', ...flags], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** Facts that stand still for minutes, most of them. */
const STANDING = /^hoster_(?:device_(?:info|rental_status|marketplace_status|setup_status)|account_info)\{/;

describe('demo-history', () => {
  it('tells the same past each time', () => {
    const until = 1_790_000_000;
    const text = historyUntil(until);
    expect(text.endsWith('# EOF\n')).toBe(true);
    expect(historyUntil(until)).toBe(text);
  });

  it('ends where the demo begins: the same phones, in the same states, with the same labels', async () => {
    const demo = start(process.execPath, [MAIN, 'demo', ...FLAGS, '--web.listen-address=127.0.0.1:0']);
    const url = (await demo.hears(/Metrics\s+(\S+)/))[1] ?? '';
    const until = Math.floor(systemClock.now() / 1000);
    const { body } = await get(url);
    await demo.stop();
    const present = body.split('\n').filter((line) => STANDING.test(line));
    const past = historyUntil(until)
      .split('\n')
      .filter((line) => STANDING.test(line) && line.endsWith(` ${until}`))
      .map((line) => line.replace(',instance="exporter:9823",job="hoster"', '').replace(/ \d+$/, ''));
    expect(past.length).toBe(present.length);
    expect(past.length).toBeGreaterThan(PHONES * 10);
    // A phone may change in the second between the two.
    expect(past.filter((line) => !present.includes(line)).length).toBeLessThanOrEqual(2);
  });

  it('says what is wrong with its flags', () => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'demo-history', '--until=yesterday'], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain('--until: got "yesterday", expected seconds since 1970');
  });
});
