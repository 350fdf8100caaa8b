import { expect, it } from 'vitest';
import { liveAfternoon } from '../coverage.ts';

it.each(Array.from({ length: 10 }, (_, index) => 100 * index + 10))(
  'each offline phone in use has exactly one covering in a hundred afternoons from seed %i on',
  async (first) => {
    for (let seed = first; seed < first + 100; seed += 1) expect(await liveAfternoon(seed)).toEqual([]);
  },
);
