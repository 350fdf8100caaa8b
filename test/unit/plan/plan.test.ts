import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../src/plan/advice.ts';
import { MEMORY } from '../../../src/plan/measured.ts';
import { planFor, type Question } from '../../../src/plan/plan.ts';
import { load } from '../config/sources.ts';

/** Ten thousand phones with the defaults of the product; `flags` are settings. */
function question(own: Partial<Question> = {}, flags: Readonly<Record<string, string>> = {}): Question {
  return {
    phones: 10_000,
    selfRented: 1_500,
    accounts: 1,
    replicas: 1,
    latencyMilliseconds: 100,
    scrapeSeconds: 30,
    intervalSeconds: { devices: 30, tunnels: 30, balance: 60 },
    config: load({ flags }).config,
    ...own,
  };
}

describe('the requests', () => {
  it.each<[string, Question, string]>([
    ['a page for a hundred phones, one for a tunnel', question(), '100 1500 1'],
    ['a page for a few phones', question({ phones: 5, selfRented: 0 }), '1 0 1'],
    ['a page even for none', question({ phones: 0, selfRented: 0 }), '1 0 1'],
    ['a page begun is a page', question({ phones: 10_001 }), '101 1500 1'],
    ['pages of each account', question({ accounts: 3 }), '102 1500 3'],
    ['pages for each shard, the balance for one', question({}, { 'shard.total': '4' }), '400 1500 1'],
    ['all of it for each replica', question({ replicas: 2 }, { 'shard.total': '4' }), '800 3000 2'],
  ])('are %s', (_, asked, expected) => {
    const { devices, tunnels, balance } = planFor(asked).requests;
    expect([devices, tunnels, balance].map(({ eachPoll }) => eachPoll).join(' ')).toBe(expected);
  });

  it('come as often as the polls', () => {
    const { devices, tunnels, balance } = planFor(question()).requests;
    expect([devices, tunnels, balance].map(({ eachMinute }) => eachMinute)).toEqual([200, 3_000, 1]);
  });
});

describe('the time of a poll', () => {
  const idealOf = (asked: Question) => {
    const { devices, tunnels, balance } = planFor(asked).durations;
    return [devices, tunnels, balance].map(({ ideal }) => Number(ideal.toFixed(2)));
  };

  it.each<[string, Question, number[]]>([
    ['rounds of as many requests as may be under way', question(), [1.3, 18.8, 0.1]],
    ['fewer rounds of more', question({}, { 'client.concurrency': '64' }), [0.2, 2.4, 0.1]],
    ['for a shard all pages and its own tunnels', question({}, { 'shard.total': '4' }), [1.3, 4.7, 0.1]],
    ['for an account its own phones', question({ accounts: 10 }), [0.2, 1.9, 0.1]],
    ['no shorter than the rate allows', question({}, { 'client.requests_per_second': '50' }), [2, 30, 0.1]],
  ])('is %s', (_, asked, expected) => {
    expect(idealOf(asked)).toEqual(expected);
  });

  it('may be four fifths of its interval', () => {
    const { devices, balance } = planFor(question()).durations;
    expect([devices.allowed, balance.allowed]).toEqual([24, 48]);
  });
});

describe('one process', () => {
  it('takes memory for its own phones, and less for those of others', () => {
    const { memoryBytes, phones } = planFor(question({}, { 'shard.total': '4' })).process;
    expect(phones).toBe(2_500);
    expect(memoryBytes).toBe(MEMORY.process + 2_500 * MEMORY.ownPhone + 7_500 * MEMORY.neighbour);
  });

  it('shows a share of the series, and Prometheus has all of them', () => {
    const [whole, shard] = [planFor(question()), planFor(question({}, { 'shard.total': '4' }))];
    expect(shard.process.series / whole.process.series).toBeCloseTo(0.25, 1);
    expect(shard.prometheus.series / whole.prometheus.series).toBeCloseTo(1, 1);
  });
});

describe('the advice', () => {
  const adviceFor = (asked: Question) => adviceOn(asked, planFor(asked));

  it('is none where everything fits', () => {
    expect(adviceFor(question())).toEqual([]);
  });

  it.each<[string, Question, string]>([
    [
      'a listing that does not fit',
      question({ phones: 200_000, selfRented: 0 }, { 'shard.total': '8' }),
      'A listing takes 25 s at best and has 24 s: it would always fail. Poll the devices more rarely (--poll.devices), or with more requests at once (--client.concurrency, now 8). More shards do not help, since each lists all phones.',
    ],
    [
      'tunnels that do not fit',
      question({ selfRented: 10_000 }),
      'The tunnels take 125 s at best and have 24 s: each is asked for in about one of 6 rounds. Poll them more rarely (--poll.tunnels), with more requests at once (--client.concurrency, now 8), or with more shards (--total-shards, now 1).',
    ],
    [
      'connections that have no rest',
      question({ selfRented: 1_900 }),
      'The connections are in use 84 % of the time, so devices and tunnels hold each other up. Poll one of them more rarely, or with more requests at once (--client.concurrency, now 8).',
    ],
    [
      'a page that takes Prometheus too long',
      question({ phones: 40_000, selfRented: 0 }),
      'A page of 1,040,389 series may take Prometheus longer than its default of 10 seconds: set scrape_timeout, or take more shards (--total-shards, now 1).',
    ],
    [
      'a list that is not read to its end',
      question({ phones: 1_000_001, selfRented: 0, latencyMilliseconds: 1 }, { 'shard.total': '100' }),
      'A list of more than 1,000,000 phones is not read: divide them among accounts.',
    ],
  ])('speaks of %s', (_, asked, expected) => {
    expect(adviceFor(asked)).toEqual([expected]);
  });
});
