import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline } from './stories/pipeline.ts';
import { stageOf } from './stories/stage.ts';
import { STORIES } from './stories/stories.ts';
import type { Story } from './stories/story.ts';
import type { Told } from './stories/told.ts';

/** The exporter of this account is killed, which must not be the end of the other stories. */
const LONELY = ['killed'];

/** After the last story: longer than anything that was kept quiet could still take to be told. */
const AFTERWARDS_MILLISECONDS = 6_000;

let pipeline: Pipeline;

/** Whom a message concerns; an exporter that is gone is no account's. */
function accountOf({ labels }: Told): string | undefined {
  const exporters = STORIES.filter(({ account }) => LONELY.includes(account));
  const own = exporters.find((story) => pipeline.exporterOf(story).instance === labels['instance']);
  return labels['account'] ?? own?.account;
}

/** What the hoster of a story was told. */
function toldIn(story: Story): readonly string[] {
  const { instance } = pipeline.exporterOf(story);
  return pipeline
    .told()
    .filter((told) => accountOf(told) === story.account)
    .map(({ text }) => text.replace(instance, `<exporter of ${story.account}>`));
}

/** Waits until a fleet is seen whole, then lets the story happen. A story that gets stuck shows in what was told. */
async function play(story: Story): Promise<void> {
  const { prometheus, sceneOf, exporterOf } = pipeline;
  const stage = stageOf(story, sceneOf(story), exporterOf(story), prometheus, () => toldIn(story));
  await prometheus.sees(`hoster:devices:count{account="${story.account}"} == ${story.phones.length}`);
  await prometheus.sees(`hoster:tunnels:count{account="${story.account}"} > 0`);
  await story.happens(stage);
}

function summaryOf(story: Story): string {
  const told = toldIn(story);
  return [`${story.title}: ${told.length} messages`, ...told.map((text) => `    ${text}`)].join('\n');
}

let endings: readonly PromiseSettledResult<void>[];

beforeAll(async () => {
  pipeline = await openPipeline(STORIES, LONELY);
  endings = await Promise.allSettled(STORIES.map(play));
  await wait(AFTERWARDS_MILLISECONDS);
  for (const story of STORIES) process.stdout.write(`${summaryOf(story)}\n`);
}, 170_000);

afterAll(async () => {
  await pipeline?.stop();
});

describe('from the marketplace to the hoster', () => {
  it.each(STORIES.map((story, index) => [story.title, story.told.length, story, index] as const))(
    '%s: %i messages',
    (_title, _count, story, index) => {
      expect(toldIn(story)).toEqual(story.told);
      expect(endings[index]).toEqual({ status: 'fulfilled', value: undefined });
    },
  );

  it('sends at most three messages for a site with 500 phones', () => {
    const site = STORIES.find(({ phones }) => phones.length === 500);
    expect(site?.told.length).toBeLessThanOrEqual(3);
  });

  it('says nothing that belongs to no story', () => {
    const accounts = STORIES.map(({ account }) => account);
    const strange = pipeline.told().filter((told) => !accounts.includes(accountOf(told) ?? ''));
    expect(strange.map(({ text }) => text)).toEqual([]);
  });
});
