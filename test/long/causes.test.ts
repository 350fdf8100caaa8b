import { describe, expect, it } from 'vitest';
import {
  addTold,
  nothingTold,
  playStory,
  precisionOfTold,
  recallOfTold,
  STORY_NAMES,
} from '../cause-stories.ts';
import {
  addOutcome,
  emptyScore,
  KIND_NAMES,
  playIncident,
  playQuietDay,
  precisionOf,
  recallOf,
} from '../incidents.ts';

describe('the search of causes', () => {
  it('reaches its precision and recall in simulated incidents', () => {
    const score = emptyScore();
    for (const kind of KIND_NAMES)
      for (const size of [50, 250])
        for (let seed = 1_000; seed < 1_002; seed += 1) addOutcome(score, playIncident(kind, size, seed));
    expect(score.violations).toBe(0);
    expect(precisionOf(score)).toBeGreaterThanOrEqual(0.98);
    expect(recallOf(score)).toBeGreaterThanOrEqual(0.95);
  });

  it('reaches its precision and recall in stories of another generator, list by list', () => {
    const told = nothingTold();
    for (const name of STORY_NAMES) for (const size of [40, 300]) addTold(told, playStory(name, size, 2_000));
    expect([told.violations, told.valueChanges]).toEqual([0, 0]);
    expect(told.takeovers).toBeLessThanOrEqual(1);
    expect(precisionOfTold(told)).toBeGreaterThanOrEqual(0.98);
    expect(recallOfTold(told)).toBeGreaterThanOrEqual(0.95);
  });

  it('names nothing on days on which devices fail by themselves', () => {
    expect([1, 2, 3, 4].map((seed) => playQuietDay(200, seed))).toEqual([0, 0, 0, 0]);
  });
});
