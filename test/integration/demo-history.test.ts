import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { get, MAIN, start } from '../process.ts';
import { runCommand } from '../run-command.ts';

const PHONES = 20;
const FLAGS = [`--phones=${PHONES}`, '--history=1h', '--currency=EUR'];

/** Returns the history up to an instant, in seconds since 1970. */
async function historyUntil(until: number): Promise<string> {
  const flags = [...FLAGS, '--instance=exporter:9823', `--until=${until}`];
  const { code, out, error } = await runCommand(['demo-history', ...flags]);
  expect([code, error]).toEqual([0, '']);
  return out;
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
    history = await historyUntil(until);
  });

  it('is the same each time for the same flags', async () => {
    expect(history.endsWith('# EOF\n')).toBe(true);
    expect(await historyUntil(until)).toBe(history);
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

  it('reports an invalid flag', async () => {
    const { code, error } = await runCommand(['demo-history', '--until=yesterday']);
    expect(code).toBe(2);
    expect(error).toContain('--until: got "yesterday", expected seconds since 1970');
  });
});
