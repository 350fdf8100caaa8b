import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../src/plan/advice.ts';
import { planFor } from '../../../src/plan/plan.ts';
import { questionOf, SIZES, scalingDocument } from './scaling.ts';

describe('docs/SCALING.md', () => {
  it('says what is computed', async () => {
    await expect(scalingDocument()).toMatchFileSnapshot('../../../docs/SCALING.md');
  });

  it.each(SIZES.map((size) => [size.phones, size] as const))('recommends what fits %i phones', (_, size) => {
    const question = questionOf(size);
    expect(adviceOn(question, planFor(question))).toEqual([]);
  });
});
