import { expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { tunnelsCollector } from '../../src/poll/collectors/tunnels.ts';
import { accountOf, bareDevice, fleetDevice, fleetOf, freshReading } from '../builders.ts';
import { clientOf } from '../integration/api-client.ts';

const TUNNELS = 100;

/** The collector of a hundred tunnels, with a client whose transport answers from memory. */
function setUp() {
  const broken = new Set<string>();
  const answered: string[] = [];
  const ids = Array.from({ length: TUNNELS }, (_, index) => `phone-${String(index).padStart(3, '0')}`);
  const http: HttpClient = {
    get: async (path) => {
      const id = ids.find((each) => path.includes(each)) ?? '';
      if (!broken.has(id)) answered.push(id);
      const status = broken.has(id) ? 500 : 200;
      const body = Buffer.from(JSON.stringify({ success: true, data: { tunnelId: `of ${id}` } }));
      return { status, headers: {}, body };
    },
    close: async () => {},
  };
  const { client, clock } = clientOf('http://127.0.0.1:1', { http, concurrency: 8 });
  const devices = ids.map((id) => fleetDevice(bareDevice({ id, rentalStatus: 'self_rented' })));
  const account = accountOf({ devices: freshReading(fleetOf(...devices)) });
  const collector = tunnelsCollector({
    client,
    account: () => account,
    concurrency: 8,
  });
  return {
    ids,
    /** Polls all tunnels once while these are broken. Returns the healthy ones that got no answer. */
    missedWith: async (ofThese: readonly string[]): Promise<readonly string[]> => {
      broken.clear();
      for (const id of ofThese) broken.add(id);
      answered.length = 0;
      await collector.collect(account, new AbortController().signal, {
        dueIn: 30_000,
        slack: 30_000,
        deadline: 24_000,
        sinceObserved: () => undefined,
      });
      clock.advance(30_000);
      return ids.filter((id) => !broken.has(id) && !answered.includes(id));
    },
  };
}

it.for([1, 2, 5, 20, 40, 60])(
  '%d broken tunnels of 100 in a block let every healthy one be polled, at any position of the list',
  async (size) => {
    const { ids, missedWith } = setUp();
    for (let start = 0; start + size <= TUNNELS; start += 1) {
      expect(await missedWith(ids.slice(start, start + size)), `from ${start}`).toEqual([]);
    }
  },
);
