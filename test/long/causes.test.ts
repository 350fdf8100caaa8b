import { describe, expect, it } from 'vitest';
import { playQuietDays, playStory } from '../play.ts';
import { STORY_NAMES } from '../stories.ts';
import { addScore, emptyScore, precisionOf, recallOf } from '../story-score.ts';

describe('the search of causes', () => {
  /** Fleets, and fleets of two accounts that both number their racks from 1. */
  const FLEETS = [
    { size: 50, seeds: 2, options: {} },
    { size: 250, seeds: 1, options: {} },
    { size: 150, seeds: 1, options: { accounts: 2, sharedNames: true } },
    { size: 250, seeds: 1, options: { accounts: 2, sharedNames: true } },
  ] as const;

  it.each(['mixed', 'halls'] as const)(
    'reaches its precision and recall in stories of %s fleets, in a part of which accounts share names',
    async (style) => {
      const score = emptyScore();
      for (const name of STORY_NAMES)
        for (const { size, seeds, options } of FLEETS)
          for (let seed = 0; seed < seeds; seed += 1)
            addScore(score, await playStory(name, size, 1_000 + seed, style, options));
      expect(score.violations).toBe(0);
      expect(score.takeovers).toBeLessThanOrEqual(1);
      expect(precisionOf(score), score.wrong.join()).toBeGreaterThanOrEqual(0.98);
      expect(recallOf(score), score.missed.join()).toBeGreaterThanOrEqual(0.98);
    },
  );

  it.each([1, 2, 3, 4])(
    'names nothing on the quiet day %i, on which phones fail by themselves',
    async (seed) => {
      expect(await playQuietDays('alone', 200, 1, seed)).toEqual([]);
      expect(await playQuietDays('restarting', 200, 1, seed)).toEqual([]);
    },
  );
});
