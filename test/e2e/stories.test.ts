import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf } from './stories/context.ts';
import type { ReceivedMessage } from './stories/messages.ts';
import { openPipeline, type Pipeline } from './stories/pipeline.ts';
import { STORIES } from './stories/stories.ts';
import type { Story } from './stories/story.ts';

/** The exporter of this account is killed, which must not be the end of the other stories. */
const LONELY = ['killed'];

/** Time after the last story: longer than an inhibited alert could still take to be sent. */
const AFTERWARDS_MILLISECONDS = 6_000;

let pipeline: Pipeline;

/** Returns the account of a message; the alert on a missing exporter has no account label. */
function accountOf({ labels }: ReceivedMessage): string | undefined {
  const exporters = STORIES.filter(({ account }) => LONELY.includes(account));
  const own = exporters.find((story) => pipeline.exporterOf(story).instance === labels['instance']);
  return labels['account'] ?? own?.account;
}

/** Messages to the hoster of a story. */
function messagesOf(story: Story): readonly string[] {
  const { instance } = pipeline.exporterOf(story);
  return pipeline
    .messages()
    .filter((message) => accountOf(message) === story.account)
    .map(({ text }) => text.replace(instance, `<exporter of ${story.account}>`));
}

/** Waits until the whole fleet is in Prometheus, then plays the story. A story that gets stuck shows in its messages. */
async function play(story: Story): Promise<void> {
  const { prometheus, sceneOf, exporterOf } = pipeline;
  const context = contextOf(story, sceneOf(story), exporterOf(story), prometheus, () => messagesOf(story));
  await prometheus.waitForSamples(
    `sum(hoster_devices{account="${story.account}"}) == ${story.phones.length}`,
  );
  await prometheus.waitForSamples(`hoster_tunnel_up{account="${story.account}"} == 1`);
  await story.happens(context);
}

function summaryOf(story: Story): string {
  const messages = messagesOf(story);
  return [`${story.title}: ${messages.length} messages`, ...messages.map((text) => `    ${text}`)].join('\n');
}

let endings: readonly PromiseSettledResult<void>[];

beforeAll(async () => {
  pipeline = await openPipeline(STORIES, LONELY);
  endings = await Promise.allSettled(STORIES.map(play));
  await wait(AFTERWARDS_MILLISECONDS);
  for (const story of STORIES) process.stdout.write(`${summaryOf(story)}\n`);
}, 290_000);

afterAll(async () => {
  await pipeline?.stop();
});

describe('the messages of a simulated incident', () => {
  it.each(STORIES.map((story, index) => [story.title, story.messages.length, story, index] as const))(
    'are as expected for "%s": %i messages',
    (_title, _count, story, index) => {
      expect(messagesOf(story)).toEqual(story.messages);
      expect(endings[index]).toEqual({ status: 'fulfilled', value: undefined });
    },
  );

  it('are at most three for a site with 500 phones', () => {
    const site = STORIES.find(({ account }) => account === 'site');
    expect(site?.messages.length).toBeLessThanOrEqual(3);
  });

  it('all belong to an expected incident', () => {
    const accounts = STORIES.map(({ account }) => account);
    const strange = pipeline.messages().filter((message) => !accounts.includes(accountOf(message) ?? ''));
    expect(strange.map(({ text }) => text)).toEqual([]);
  });
});
