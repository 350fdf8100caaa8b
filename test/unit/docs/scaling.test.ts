import { describe, expect, it } from 'vitest';
import { adviceOn, costsOf, planFor } from '../../../src/plan.ts';
import { load } from '../config/sources.ts';
import { inputOf, SIZES, scalingDocument } from './scaling.ts';

const costs = await costsOf(load({}).config.features);

describe('docs/SCALING.md', () => {
  it('is current: run `npm run docs` after a change of the figures', async () => {
    await expect(scalingDocument(costs)).toMatchFileSnapshot('../../../docs/SCALING.md');
  });

  it.each(SIZES.map((size) => [size.phones, size] as const))(
    'recommends settings that fit %i phones',
    (_, size) => {
      const input = inputOf(size);
      const plan = planFor(input, costs);
      // The page says so in words.
      const isLarge = plan.process.series > 900_000;
      expect(adviceOn(input, plan)).toEqual(
        isLarge ? [expect.stringMatching(/: set scrape_timeout\.$/)] : [],
      );
    },
  );
});
