import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../src/base/random.ts';
import { INCIDENT_PROBLEMS, INCIDENTS } from '../../../src/model/incident.ts';
import { NOON } from '../../builders.ts';
import { type Beats, beatsEach } from '../../rhythms.ts';
import { createFarm, eachMinute, type Farm, HOUR, MINUTE, SECOND } from '../../watch.ts';

/** A phone that reports every minute, and every so many minutes from the instant on at which it falls asleep. */
function asleep(index: number, sleepsAt: number, every: number): Beats {
  const awake = eachMinute((index * 7 * SECOND) % MINUTE);
  const last = awake.before(sleepsAt);
  return {
    learned: awake.learned,
    before: (at) => (at <= sleepsAt ? awake.before(at) : beatsEach(every, last % every).before(at)),
  };
}

/** Lists the critical incidents that have opened. */
const criticalOf = (farm: Farm): readonly string[] =>
  farm.notifications().filter((line) => {
    const problem = INCIDENT_PROBLEMS.find((each) => line.includes(` +${each} `));
    return problem !== undefined && INCIDENTS[problem].severity === 'critical';
  });

const within = (random: Random, milliseconds: number): number => Math.round(random() * milliseconds);

describe('a first night', () => {
  it.each(
    [7, 8, 9, 10, 12, 15].flatMap((minutes) =>
      [{ a: 20 }, { a: 5, b: 5, c: 5, d: 5 }, { a: 12 }].map(
        (racks, seed) => [minutes, racks, seed] as const,
      ),
    ),
  )(
    'in which phones fall asleep one after the other, for %i minutes, alerts of two at most',
    async (minutes, racks, seed) => {
      const random = createRandom(minutes * 100 + seed);
      const farm = await createFarm({
        racks,
        before: HOUR,
        beats: (index) => asleep(index, NOON + within(random, 30 * MINUTE), minutes * MINUTE),
      });
      await farm.pass(2.5 * HOUR);
      expect(criticalOf(farm).length).toBeLessThan(3);
    },
  );
});

describe('on the first day', () => {
  it('a phone that stops after half an hour gives an alert within 6 min 45 s', async () => {
    const farm = await createFarm({ racks: { a: 20 }, before: HOUR / 2 });
    farm.stop('a-7');
    await farm.pass(6.75 * MINUTE);
    expect(criticalOf(farm)).toHaveLength(1);
  });

  it.each([
    [{ a: 20 }, 20],
    [{ a: 20, b: 20, c: 20 }, 20],
    [{ a: 5, b: 5, c: 5, d: 5 }, 5],
    [{ a: 200, b: 200 }, 200],
  ])('a rack that is cut is one outage of all its phones: %j', async (racks, phones) => {
    const farm = await createFarm({ racks, before: HOUR });
    farm.stop('a');
    await farm.pass(8 * MINUTE);
    expect(criticalOf(farm)).toHaveLength(1);
    expect(farm.open()).toMatchObject([{ problem: 'common_cause', devices: { sold: phones } }]);
  });

  it('a rack that is cut is an outage although two phones have fallen asleep before', async () => {
    const farm = await createFarm({
      racks: { a: 20, b: 20 },
      before: HOUR,
      beats: (index) => asleep(index, index > 37 ? NOON : Number.POSITIVE_INFINITY, 9 * MINUTE),
    });
    await farm.pass(20 * MINUTE);
    farm.notifications();
    farm.stop('a');
    await farm.pass(8 * MINUTE);
    expect(farm.open()).toMatchObject([{ problem: 'common_cause', devices: { sold: 20 } }]);
  });

  it('phones that stop one after the other for good give an alert each once the first has been silent for too long', async () => {
    const farm = await createFarm({ racks: { a: 40 }, before: HOUR });
    for (const id of ['a-3', 'a-13', 'a-23', 'a-33']) {
      farm.stop(id);
      await farm.pass(3 * MINUTE);
    }
    await farm.pass(6 * MINUTE);
    expect(criticalOf(farm)).toHaveLength(2);
    await farm.pass(12 * MINUTE);
    expect(criticalOf(farm)).toHaveLength(2);
  });
});
