import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { openHttpInbox, openMailInbox } from '../../rules/inbox.ts';
import { PROMETHEUS_FILE, RULES_FILE, shippedText } from '../../rules/shipped.ts';
import { readShortened, shortenDurations } from '../../rules/shorten.ts';
import { type Alertmanager, startAlertmanager } from '../alertmanager.ts';
import { type Prometheus, startPrometheus } from '../prometheus.ts';
import { buildScene, type Scene } from './context.ts';
import { createExporter, type Exporter } from './exporter.ts';
import { type ReceivedMessage, receivedMessages } from './messages.ts';
import type { Story } from './story.ts';

/** Everything from the marketplaces to the hoster: one Prometheus and one Alertmanager for all stories. */
export type Pipeline = {
  readonly prometheus: Prometheus;
  readonly sceneOf: (story: Story) => Scene;
  readonly exporterOf: (story: Story) => Exporter;
  /** Messages to the hosters, in order. */
  readonly messages: () => readonly ReceivedMessage[];
  readonly stop: () => Promise<void>;
};

/** @param lonely accounts that have an exporter to themselves; the others share one */
export async function openPipeline(stories: readonly Story[], lonely: readonly string[]): Promise<Pipeline> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-stories-'));
  const scenes = new Map<string, Scene>();
  for (const story of stories) scenes.set(story.account, await buildScene(story, folder));
  const sharing = stories.map(({ account }) => account).filter((account) => !lonely.includes(account));
  const exporters = new Map<string, Exporter>();
  for (const accounts of [sharing, ...lonely.map((account) => [account])]) {
    const watched = accounts.flatMap((account) => scenes.get(account)?.watched ?? []);
    const exporter = await createExporter(folder, watched);
    await exporter.start();
    for (const account of accounts) exporters.set(account, exporter);
  }
  const inboxes = { http: await openHttpInbox(), mail: await openMailInbox() };
  const alertmanager = await startAlertmanager(join(folder, 'alertmanager'), inboxes);
  const distinct = [...new Set(exporters.values())];
  const prometheus = await watch(join(folder, 'prometheus'), distinct, alertmanager);
  return {
    prometheus,
    sceneOf: ({ account }) => known(scenes, account),
    exporterOf: ({ account }) => known(exporters, account),
    messages: () => receivedMessages(inboxes.http.messages),
    stop: async () => {
      await prometheus.stop();
      await Promise.all([alertmanager.stop(), ...distinct.map((exporter) => exporter.stop())]);
      await Promise.all([...scenes.values()].map(({ simulator }) => simulator.close()));
      await Promise.all([inboxes.http.close(), inboxes.mail.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Prometheus with the configuration and rules as shipped, shortened, with addresses of this test. */
async function watch(
  folder: string,
  exporters: readonly Exporter[],
  alertmanager: Alertmanager,
): Promise<Prometheus> {
  const shortened = readShortened();
  mkdirSync(folder);
  const rulesFile = join(folder, 'hoster.rules.yml');
  writeFileSync(rulesFile, '');
  const targets = exporters.map(({ instance }) => `'${instance}'`).join(', ');
  const configuration = shortenDurations(shippedText(PROMETHEUS_FILE), shortened)
    .replace("'exporter:9823'", targets)
    .replace("'alertmanager:9093'", `'${new URL(alertmanager.url).host}'`);
  const prometheus = await startPrometheus(folder, configuration);
  // Prometheus scrapes first after five seconds, longer than the shortened time after which no target is an alert.
  await prometheus.waitForSamples(`count(up) == ${exporters.length}`);
  writeFileSync(rulesFile, shortenDurations(shippedText(RULES_FILE), shortened));
  prometheus.child.kill('SIGHUP');
  // A reload forgets Alertmanager until it is discovered again, and reads the rules last.
  await prometheus.waitForSamples('ALERTS{alertname="HosterWatchdog"}');
  await untilAlertmanagerIsKnown(prometheus);
  return prometheus;
}

const Alertmanagers = z.object({ data: z.object({ activeAlertmanagers: z.array(z.unknown()) }) });

/** An alert that fires before Prometheus has found its Alertmanager is sent a minute later. */
async function untilAlertmanagerIsKnown({ url }: Prometheus): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const answer = await fetch(`${url}/api/v1/alertmanagers`);
    if (Alertmanagers.parse(await answer.json()).data.activeAlertmanagers.length > 0) return;
    await wait(250);
  }
  throw new Error('Prometheus never found Alertmanager.');
}

function known<Value>(byAccount: ReadonlyMap<string, Value>, account: string): Value {
  const value = byAccount.get(account);
  if (value === undefined) throw new Error(`There is no account ${account}.`);
  return value;
}
