import { describe, expect, it } from 'vitest';
import { adviceOn, type Costs, costsOf, MEMORY, type PlanInput, planFor } from '../../src/plan.ts';
import { ALL_FEATURES, USUAL_FEATURES } from '../features.ts';
import { MEASURED_MEMORY } from '../measured-memory.ts';
import { load } from './config/sources.ts';

/** Each series of a phone takes memory and disk of every Prometheus. */
const MAX_PHONE_SERIES = 12;

/** Costs that no new metric changes. */
const COSTS: Costs = {
  account: { series: 50, textBytes: 4_000 },
  phone: { series: 25, textBytes: 2_500 },
  selfRent: { series: 10, textBytes: 1_000 },
  process: 100,
  ownAccount: 250,
};

/** Ten thousand phones with default settings, except `flags`. */
function inputOf(changes: Partial<PlanInput> = {}, flags: Readonly<Record<string, string>> = {}): PlanInput {
  return {
    phones: 10_000,
    selfRented: 1_500,
    accounts: 1,
    replicas: 1,
    latencyMilliseconds: 100,
    scrapeSeconds: 30,
    intervalSeconds: { devices: 30, tunnels: 30, balance: 60 },
    config: load({ flags }).config,
    ...changes,
  };
}

describe('planFor counts requests', () => {
  it.each<[string, PlanInput, string]>([
    ['a page for a hundred phones and one for each tunnel', inputOf(), '100 1500 1'],
    ['a page for a few phones', inputOf({ phones: 5, selfRented: 0 }), '1 0 1'],
    ['one page without phones', inputOf({ phones: 0, selfRented: 0 }), '1 0 1'],
    ['one more page for one phone more', inputOf({ phones: 10_001 }), '101 1500 1'],
    ['pages for each account', inputOf({ accounts: 3 }), '102 1500 3'],
    ['everything again for each replica', inputOf({ replicas: 2 }), '200 3000 2'],
  ])('as %s', (_, input, expected) => {
    const { devices, tunnels, balance } = planFor(input, COSTS).requests;
    expect([devices, tunnels, balance].map(({ eachPoll }) => eachPoll).join(' ')).toBe(expected);
  });

  it('counts the requests of a minute by the intervals of the polls', () => {
    const { devices, tunnels, balance } = planFor(inputOf(), COSTS).requests;
    expect([devices, tunnels, balance].map(({ eachMinute }) => eachMinute)).toEqual([200, 3_000, 1]);
  });
});

describe('planFor computes the shortest time of a poll', () => {
  const idealOf = (input: PlanInput) => {
    const { devices, tunnels, balance } = planFor(input, COSTS).durations;
    return [devices, tunnels, balance].map(({ ideal }) => Number(ideal.toFixed(2)));
  };

  it.each<[string, PlanInput, number[]]>([
    ['rounds of concurrent requests', inputOf(), [1.3, 18.8, 0.1]],
    ['fewer rounds at a higher concurrency', inputOf({}, { 'client.concurrency': '64' }), [0.2, 2.4, 0.1]],
    ['the phones of one account of several', inputOf({ accounts: 10 }), [0.2, 1.9, 0.1]],
    ['the rate limit', inputOf({}, { 'client.requests_per_second': '50' }), [2, 30, 0.1]],
  ])('from %s', (_, input, expected) => {
    expect(idealOf(input)).toEqual(expected);
  });

  it('allows a poll four fifths of its interval', () => {
    const { devices, balance } = planFor(inputOf(), COSTS).durations;
    expect([devices.allowed, balance.allowed]).toEqual([24, 48]);
  });
});

describe('planFor', () => {
  it('allows for more memory than was measured, and for twice as much at most', () => {
    expect([...MEASURED_MEMORY.keys()]).toEqual([40, 1_000, 10_000, 100_000]);
    for (const [phones, bytes] of MEASURED_MEMORY) {
      const { memoryBytes } = planFor({ ...inputOf(), phones }, COSTS).process;
      expect(memoryBytes).toBeGreaterThan(bytes);
      expect(memoryBytes).toBeLessThan(2 * bytes);
    }
  });

  it('counts memory for a process and for each phone', () => {
    const { memoryBytes } = planFor(inputOf(), COSTS).process;
    expect(memoryBytes).toBe(MEMORY.process + 10_000 * MEMORY.phone);
  });

  it('counts the series of all replicas for Prometheus', () => {
    const { process, prometheus } = planFor(inputOf({ replicas: 2 }), COSTS);
    expect(prometheus.series).toBe(2 * process.series);
  });
});

describe('adviceOn', () => {
  const adviceFor = (input: PlanInput) => adviceOn(input, planFor(input, COSTS));

  it('gives no advice if everything fits', () => {
    expect(adviceFor(inputOf())).toEqual([]);
  });

  it.each<[string, PlanInput, string, string?]>([
    [
      'a listing that does not fit',
      inputOf({ phones: 30_000, selfRented: 0, latencyMilliseconds: 660 }),
      'A listing takes 25 s at best and has 24 s: it would always fail. Poll the devices more rarely (--poll.devices), or with more requests at once (--client.concurrency, now 8).',
    ],
    [
      'tunnels that do not fit',
      inputOf({ selfRented: 10_000 }),
      'The tunnels take 125 s at best and have 24 s: each tunnel is polled in about one of 6 rounds. Poll them more rarely (--poll.tunnels), or with more requests at once (--client.concurrency, now 8).',
    ],
    [
      'connections that are always busy',
      inputOf({ selfRented: 1_900 }),
      'The connections are in use 84 % of the time, so polls of devices and tunnels wait for each other. Poll one of them more rarely, or with more requests at once (--client.concurrency, now 8).',
    ],
    [
      'a page that Prometheus may need too long for',
      inputOf({ phones: 40_000, selfRented: 0 }),
      'A page of 1,000,400 series may take Prometheus longer than its default of 10 seconds: set scrape_timeout.',
    ],
    [
      'a page of several accounts',
      inputOf({ phones: 40_000, selfRented: 0, accounts: 2 }),
      'A page of 1,000,700 series may take Prometheus longer than its default of 10 seconds: set scrape_timeout, or divide the accounts among several exporters.',
    ],
    [
      'a list that is too long to be read',
      inputOf({ phones: 1_000_001, selfRented: 0, latencyMilliseconds: 1 }),
      'A list of more than 1,000,000 phones is not read: divide them among accounts.',
      'A page of 25,000,425 series may take Prometheus longer than its default of 10 seconds: set scrape_timeout.',
    ],
  ])('describes %s', (_, input, ...expected) => {
    expect(adviceFor(input)).toEqual(expected);
  });
});

describe('costsOf', () => {
  it(`counts at most ${MAX_PHONE_SERIES} series for a phone that is not self-rented, and 130 of the exporter for an account`, async () => {
    const costs = await costsOf(USUAL_FEATURES);
    expect(costs.phone.series, 'the budget; CONTRIBUTING.md says when to raise it').toBeLessThanOrEqual(
      MAX_PHONE_SERIES,
    );
    // Rejected requests, the configuration and the page are there once for the process.
    expect(costs.ownAccount).toBeLessThanOrEqual(130);
  });

  it('counts the series of more features for a self-rent, and no others', async () => {
    const [usual, all] = [await costsOf(USUAL_FEATURES), await costsOf(ALL_FEATURES)];
    expect(all.selfRent.series - usual.selfRent.series).toBe(2);
    expect(all.phone).toEqual(usual.phone);
  });
});
