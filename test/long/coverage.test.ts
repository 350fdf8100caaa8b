import { describe, expect, it } from 'vitest';
import { between, createRandom, pick } from '../../src/base/random.ts';
import { NOON } from '../builders.ts';
import { liveAfternoon, watchedFarm } from '../coverage.ts';
import { eachMinute, MINUTE, SECOND } from '../watch.ts';

it.each(Array.from({ length: 10 }, (_, index) => 100 * index + 2))(
  'each offline phone in use has exactly one covering in a hundred afternoons from seed %i on',
  async (first) => {
    for (let seed = first; seed < first + 100; seed += 1) expect(await liveAfternoon(seed)).toEqual([]);
  },
);

describe('a rack of any size without power', () => {
  it('is one incident, with the same id in a replica that polls up to 29 s earlier', async () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = createRandom(seed);
      const racks = { a: between(random, 3, 40), b: between(random, 10, 20), c: between(random, 3, 20) };
      const farm = await watchedFarm({
        racks,
        replica: between(random, 1, 29) * SECOND,
        status: () => pick(random, ['sold', 'self_rented', 'idle'] as const),
        facts: () => ({ model: `model ${between(random, 0, 2)}` }),
        beats: () => eachMinute(between(random, 0, 59) * SECOND),
      });
      await farm.pass(between(random, 1, 3) * 30 * SECOND);
      farm.stop('a');
      await farm.pass(10 * MINUTE);
      const ids = [0, 1].map((daemon) =>
        farm.snapshot(daemon).accounts.flatMap(({ known }) => known.incidents.open.map(({ id }) => id)),
      );
      expect(
        farm
          .notifications()
          .map((line) => line.replace(/^\S+ /, ''))
          .filter((line) => line.startsWith('+')),
        `seed ${seed}`,
      ).toEqual([expect.stringMatching(/^\+common_cause group a/)]);
      expect(ids[1], `seed ${seed}`).toEqual(ids[0]);
    }
  });
});

describe('a rack of 40 without power', () => {
  it('is one message within 5 minutes, and a sold phone of another rack gives one within 4, in 50 runs', async () => {
    for (let run = 0; run < 50; run += 1) {
      const phase = (index: number): number =>
        ((index * 7_001 + run * 1_013) % 60_000) - ((index * 7_001) % 1_000);
      const farm = await watchedFarm({
        racks: { a: 40, b: 12, c: 3 },
        beats: (index) => eachMinute(Math.abs(phase(index))),
      });
      const alone = run % 5 === 0 ? 'c-2' : 'b-3';
      const first = run % 2 === 0 ? ['a', alone] : [alone, 'a'];
      farm.stop(...first.slice(0, 1));
      await farm.pass((run % 3) * 30 * SECOND);
      farm.stop(...first.slice(1));
      const [phone] = farm.of(alone);
      const lastBeat = phone?.beats.before(phone.stoppedAt ?? 0) ?? 0;
      const cutAt = farm.of('a')[0]?.stoppedAt ?? 0;
      await farm.pass(20 * MINUTE);
      const notified = farm.notifications();
      const at = (text: string): number =>
        (Number(notified.find((line) => line.includes(text))?.split(' ')[0]) * MINUTE + NOON - lastBeat) /
        SECOND;
      expect(notified.map((line) => line.replace(/^\S+ /, '')).toSorted(), `run ${run}`).toEqual([
        expect.stringMatching(/^\+common_cause group a/),
        `+sold_offline ${alone}`,
      ]);
      expect(at(`+sold_offline ${alone}`), `run ${run}`).toBeLessThanOrEqual(230);
      expect((at('+common_cause') * SECOND + lastBeat - cutAt) / SECOND, `run ${run}`).toBeLessThanOrEqual(
        300,
      );
    }
  });
});
