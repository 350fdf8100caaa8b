import { describe, expect, it } from 'vitest';
import { type Harness, INTERVAL, startHarness } from '../faults/harness.ts';
import { observe, series } from '../faults/invariants.ts';

const TUNNELS = 20;

/** Polls once. Returns the paths of the tunnels that were requested, and the number of those without an answer. */
async function roundOf(harness: Harness) {
  const { simulator, clock } = harness;
  const before = simulator.counts().tunnel;
  await harness.poll();
  const { page, requests } = await observe(harness);
  clock.advance(INTERVAL);
  const requested = simulator.requests().filter(({ endpoint }) => endpoint === 'tunnel');
  return {
    paths: requested.slice(before - requests.tunnel).map(({ path }) => path),
    unanswered: page.value(series('hoster_exporter_tunnels_unanswered')),
  };
}

describe.concurrent('a block of broken tunnels', () => {
  it.for([1, 4, 8, 12])(
    'lets every healthy tunnel be polled in each round, at any position of the list: %d of 20',
    { timeout: 60_000 },
    async (size) => {
      const harness = await startHarness({ phones: TUNNELS, tunnels: TUNNELS });
      const ids = harness.marketplace.phones().map(({ deviceId }) => deviceId);
      try {
        for (let start = 0; start + size <= TUNNELS; start += 1) {
          const broken = ids.slice(start, start + size);
          harness.marketplace.edit(ids, { tunnel: 'up' });
          harness.marketplace.edit(broken, { tunnel: 'broken' });
          const { paths, unanswered } = await roundOf(harness);
          const healthy = ids.filter((id) => !broken.includes(id));
          const missed = healthy.filter((id) => !paths.some((path) => path.includes(id)));
          expect({ start, missed, unanswered }).toEqual({ start, missed: [], unanswered: size });
        }
      } finally {
        await harness.close();
      }
    },
  );
});
