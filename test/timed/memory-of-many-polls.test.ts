import { expect, it } from 'vitest';
import { type Harness, INTERVAL, startHarness } from '../faults/harness.ts';
import { textOf } from '../faults/invariants.ts';
import { measureResources } from '../faults/resource-usage.ts';

/** Polls over real sockets, three to a round. `SOAK_POLLS=100000` takes some minutes. */
const POLLS = Number(process.env['SOAK_POLLS'] ?? 600);
const POLLS_PER_ROUND = 3;

/** Rounds between two scrapes. */
const SCRAPE_EVERY = 10;

/** Bytes that a process may keep of a poll, and noise of the heap size. */
const BYTES_PER_POLL = 10;
const NOISE_BYTES = 4_000_000;

async function pollRounds(harness: Harness, count: number): Promise<void> {
  for (let round = 1; round <= count; round += 1) {
    // Nothing goes wrong here, and so nobody waits for the clock.
    await harness.monitor.pollAll();
    if (round % SCRAPE_EVERY === 0) textOf(await harness.scrape());
    harness.clock.advance(INTERVAL);
  }
}

it(`${POLLS} polls leave neither memory nor descriptors behind`, async () => {
  const harness = await startHarness({ phones: 120, tunnels: 2 });
  const rounds = Math.ceil(POLLS / POLLS_PER_ROUND);
  await pollRounds(harness, Math.ceil(rounds / 4));
  const before = await measureResources();
  const startedAt = performance.now();
  await pollRounds(harness, rounds);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await measureResources();
  if (process.env['FIGURES']) console.log({ polls: rounds * POLLS_PER_ROUND, seconds, before, after });
  await harness.close();
  expect(after.heapBytes - before.heapBytes).toBeLessThan(NOISE_BYTES + BYTES_PER_POLL * POLLS);
  expect(after.descriptors - before.descriptors).toBeLessThanOrEqual(2);
  expect(after.resources - before.resources).toBeLessThanOrEqual(4);
}, 3_600_000);
