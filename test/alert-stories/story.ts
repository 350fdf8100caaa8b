import { describe, expect, it } from 'vitest';
import { type WatchedFarm, watchFarm } from './farm.ts';
import { judge } from './judge.ts';

/** A story that the daemon's own code watches, and the alerts of the shipped rules. */
export type Story = {
  readonly name: string;
  readonly farm: Parameters<typeof watchFarm>[0];
  /** Names of alerts have labels behind them; a count is 1 unless it is said. */
  readonly play: (farm: WatchedFarm) => Promise<void>;
};

export const quiet = (farm: WatchedFarm, ...names: readonly string[]): void => {
  for (const name of names) farm.fires(name, 0);
};

/** Declares a test for each story. */
export function playStories(stories: readonly Story[]): void {
  describe('the daemon and the shipped rules', () => {
    it.each(stories.map((story) => [story.name, story] as const))('%s', async (_, { farm, play }) => {
      const watched = await watchFarm(farm);
      await play(watched);
      expect(await judge(watched.recording())).toBe('');
    });
  });
}
