import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listDevices } from '../../src/api/device-list.ts';
import { type Harness, INTERVAL, startHarness } from '../faults/harness.ts';
import { runInVirtualTime } from '../faults/virtual-time.ts';
import { clientOf, closeAll, closeLater, listen } from '../integration/api-client.ts';
import { never } from '../never.ts';
import { success, wireBalance, wireDevice, wirePage } from '../unit/api/wire-fixtures.ts';

afterEach(closeAll);

const MINUTE = 60_000;
const PAGES = 300;
const PAGE_MILLISECONDS = 400;

/** An API whose every response takes 400 ms: a list of 300 pages, and a balance. */
async function serveSlowly() {
  const connection = clientOf('http://127.0.0.1:1', { concurrency: 8 });
  const { clock } = connection;
  let served = 0;
  const server = createServer(({ url = '' }, response) => {
    const page = Number(/page=(\d+)/.exec(url)?.[1] ?? 0);
    const list = { items: [wireDevice({ deviceId: `phone-${page}` })], total: PAGES, limit: 1, page };
    served += 1;
    clock.after(PAGE_MILLISECONDS, () => {
      response.setHeader('content-type', 'application/json');
      response.end(success(page > 0 ? wirePage({ ...list, totalPages: PAGES }) : wireBalance()));
      served += 1;
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { clock, client: clientOf(url, { concurrency: 8, clock }).client, served: () => served };
}

it('a balance is read within two responses during a list of 300 pages, in 5 of 5 polls', async () => {
  const { clock, client, served } = await serveSlowly();
  const poll = async () => {
    const startedAt = clock.monotonic();
    const list = listDevices(client, never, {
      expectedPages: PAGES,
      budgetMilliseconds: MINUTE,
      clock,
      inconsistent: () => {},
    });
    await client.balance(never);
    const balanceAfter = clock.monotonic() - startedAt;
    expect((await list).value.devices.size).toBe(PAGES);
    return balanceAfter;
  };
  for (let count = 0; count < 5; count += 1) {
    const balanceAfter = await runInVirtualTime(poll(), clock, served, {
      idleRounds: 3,
      leapMilliseconds: PAGE_MILLISECONDS,
    });
    expect(balanceAfter).toBeLessThanOrEqual(2 * PAGE_MILLISECONDS);
  }
});

const requestsTo = ({ simulator }: Harness) =>
  Object.values(simulator.counts()).reduce((sum, count) => sum + count, 0);

async function startAt(phones: number, tunnels: number): Promise<Harness> {
  const harness = await startHarness({ phones, tunnels, staleAfterMilliseconds: 15 * MINUTE });
  closeLater(harness.close);
  return harness;
}

describe('an outage of ten minutes', () => {
  it('is over at the next poll, which reads 40 of 40 tunnels', async () => {
    const harness = await startAt(104, 40);
    await harness.poll();
    harness.simulator.faults.on('all', 'internal-error');
    for (let passed = 0; passed < 10 * MINUTE; passed += INTERVAL) {
      harness.clock.advance(INTERVAL);
      await harness.poll();
    }
    harness.simulator.faults.off();
    harness.clock.advance(INTERVAL);
    await harness.poll();
    const { devices, tunnels, balance } = harness.monitor.snapshot().accounts[0] ?? {};
    expect([devices?.state, tunnels?.state, balance?.state]).toEqual(['fresh', 'fresh', 'fresh']);
    expect([...(tunnels?.data?.values() ?? [])].filter(({ isStale }) => !isStale)).toHaveLength(40);
  });

  it.each(['internal-error', 'close-before-headers', 'unknown-error-page', 'not-found-html', 'hang'])(
    'gets at most 20 requests a minute, at 2,000 phones and 100 tunnels: %s',
    async (fault) => {
      const harness = await startAt(2_000, 100);
      await harness.poll();
      harness.simulator.faults.on('all', fault);
      for (let passed = 0; passed < 10 * MINUTE; passed += MINUTE) {
        const before = requestsTo(harness);
        for (let polls = 0; polls < MINUTE / INTERVAL; polls += 1) {
          harness.clock.advance(INTERVAL);
          await harness.poll();
        }
        expect(requestsTo(harness) - before).toBeLessThanOrEqual(20);
      }
    },
  );
});
