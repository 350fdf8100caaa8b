import { expect, it } from 'vitest';
import { expectationOf } from '../../faults/effects/fault-groups.ts';
import { startHarness } from '../../faults/harness.ts';
import { IDLE_DESCRIPTORS, measureResources } from '../../faults/resource-usage.ts';
import { FAULTS } from '../../faults/simulated/faults.ts';

/** Faults that do something to connections and their buffers. */
const ROUGH = FAULTS.filter(
  ({ name, kind, endpoints }) =>
    ['framing', 'body', 'socket'].includes(kind) &&
    endpoints.includes('balance') &&
    expectationOf(name, 'balance').pace === undefined,
);

const POLLS_OF_EACH = 2;

it('faults of connections leave neither memory nor descriptors behind', { timeout: 120_000 }, async () => {
  const harness = await startHarness({ tunnels: 1 });
  const sufferAll = async () => {
    for (const { name } of ROUGH) {
      harness.simulator.faults.on('all', name);
      for (let count = 0; count < POLLS_OF_EACH; count += 1) await harness.poll();
      harness.simulator.faults.off();
      // By then any backoff and any refusal of the key is over.
      harness.clock.advance(600_000);
      await harness.poll();
    }
  };
  await sufferAll();
  const before = await measureResources();
  await sufferAll();
  const after = await measureResources();
  await harness.close();
  expect(ROUGH.length).toBeGreaterThan(20);
  expect(after.heapBytes - before.heapBytes).toBeLessThan(4_000_000);
  expect(Math.abs(after.descriptors - before.descriptors)).toBeLessThanOrEqual(IDLE_DESCRIPTORS);
});
