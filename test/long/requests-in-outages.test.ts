import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CANARY } from '../canary.ts';
import { type Harness, INTERVAL, KEY, PHONES, startHarness, TUNNELS } from '../faults/harness.ts';
import { isUp, observe } from '../faults/invariants.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ROUNDS = HOUR / INTERVAL;

/** Requests of an hour in which all goes well: two pages, the tunnels, the balance. */
const NORMAL = ROUNDS * (Math.ceil(PHONES / 100) + TUNNELS + 1);

/** Figures of an hour with a fault. */
type Hour = {
  /** Requests that the marketplace got. */
  readonly requests: number;
  /** Rounds of polls after which all was well. */
  readonly good: number;
  /** Rounds of polls until all was well, once the fault was over. */
  readonly recovery: number;
};

const requestsTo = ({ simulator }: Harness) =>
  Object.values(simulator.counts()).reduce((sum, count) => sum + count, 0);

/** Polls for two good rounds, an hour with the fault, and until all is well. Checks every scrape. */
async function hourOf(
  harness: Harness,
  begin: (harness: Harness) => void,
  end: (harness: Harness) => void,
): Promise<Hour> {
  const round = async () => {
    await harness.poll();
    const seen = isUp(await observe(harness));
    harness.clock.advance(INTERVAL);
    return seen;
  };
  try {
    await round();
    await round();
    const before = requestsTo(harness);
    begin(harness);
    let good = 0;
    for (let count = 0; count < ROUNDS; count += 1) good += (await round()) ? 1 : 0;
    const requests = requestsTo(harness) - before;
    end(harness);
    let recovery = 1;
    while (!(await round())) recovery += 1;
    return { requests, good, recovery };
  } finally {
    await harness.close();
  }
}

const off = ({ simulator }: Harness) => simulator.faults.off();

describe.concurrent('the exporter', () => {
  it.each(['internal-error', 'hang'])(
    'sends few requests in an hour without the API and recovers by itself: %s',
    async (fault) => {
      // A shorter time limit needs fewer leaps of the clock.
      const harness = await startHarness({ client: { timeout: '1s' } });
      const hour = await hourOf(harness, ({ simulator }) => simulator.faults.on('all', fault), off);
      if (process.env['FIGURES']) console.log(fault, hour, NORMAL);
      expect(hour.good).toBe(0);
      expect(hour.requests).toBeLessThanOrEqual(20 * 60);
      expect(hour.recovery).toBe(1);
    },
    120_000,
  );

  it('sends a handful of requests in an hour with a refused key, and recovers at the next poll after the key was changed', async () => {
    let key = KEY;
    const harness = await startHarness({ key: () => key });
    const hour = await hourOf(
      harness,
      () => {
        key = `${CANARY.apiKey}refused`;
      },
      () => {
        key = KEY;
      },
    );
    if (process.env['FIGURES']) console.log('refused', hour, NORMAL);
    expect(hour.good).toBe(0);
    // A round of polls with the refused key, and then a single request to each endpoint each five minutes.
    expect(hour.requests).toBeLessThanOrEqual(NORMAL / ROUNDS + 12 * 3);
    expect(hour.recovery).toBe(1);
  }, 120_000);

  it('uses a key at the next poll although the refusal of the one before arrives after the change', async () => {
    let key = `${CANARY.apiKey}refused`;
    const harness = await startHarness({ key: () => key });
    try {
      harness.simulator.faults.on('all', 'late-refusal');
      const poll = harness.poll();
      while (requestsTo(harness) === 0) await setImmediate();
      key = KEY;
      await poll;
      harness.simulator.faults.off();
      expect(isUp(await observe(harness))).toBe(false);
      harness.clock.advance(INTERVAL);
      await harness.poll();
      expect(isUp(await observe(harness))).toBe(true);
    } finally {
      await harness.close();
    }
  });

  it('sends nothing during each backoff in an hour of 429 responses', async () => {
    const harness = await startHarness({ staleAfterMilliseconds: 15 * MINUTE });
    let since = 0;
    const hour = await hourOf(
      harness,
      ({ simulator, clock }) => {
        since = clock.now();
        simulator.faults.on('all', 'retry-after-seconds');
      },
      off,
    );
    if (process.env['FIGURES']) console.log('429', hour, NORMAL);
    expect(hour.good).toBe(0);
    // One pause of two minutes after the other, and in each what was under way when it began.
    expect(hour.requests).toBeLessThanOrEqual((HOUR / (2 * MINUTE)) * 3);
    expect(hour.recovery).toBeLessThanOrEqual((2 * MINUTE * 1.1) / INTERVAL + 1);
    expectPauses(harness, since, 2 * MINUTE);
  }, 120_000);

  it('keeps its data in an hour in which three in ten requests fail', async () => {
    const harness = await startHarness({ staleAfterMilliseconds: 15 * MINUTE });
    let expired = 0;
    const hour = await hourOf(
      harness,
      ({ simulator, clock, monitor }) => {
        simulator.faults.on('all', 'internal-error', { probability: 0.3 });
        const look = () => {
          if (monitor.snapshot().accounts[0]?.devices.state === 'expired') expired += 1;
          clock.after(INTERVAL, look);
        };
        look();
      },
      off,
    );
    if (process.env['FIGURES']) console.log('30 %', hour, NORMAL, { expired });
    // Each page and balance is retried twice, a tunnel comes again in the next round.
    expect(hour.requests).toBeLessThanOrEqual(1.2 * NORMAL);
    expect(hour.good).toBeGreaterThan(0.25 * ROUNDS);
    expect(expired).toBe(0);
    expect(hour.recovery).toBeLessThanOrEqual(2);
  }, 120_000);
});

/** Expects that long without a request after each 429. Those that were in flight at the same time do not count. */
function expectPauses({ simulator }: Harness, since: number, milliseconds: number): void {
  const times = simulator.requests().flatMap(({ at }) => (at < since ? [] : [at]));
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  // Each leap of the clock during a poll is a second.
  const between = gaps.filter((gap) => gap > 10_000);
  expect(Math.min(...between)).toBeGreaterThanOrEqual(milliseconds);
}
