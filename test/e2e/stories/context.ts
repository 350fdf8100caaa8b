import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { createMarketplace, type Marketplace } from '../../../src/features/demo/marketplace.ts';
import { type FaultySimulator, startFaultySimulator } from '../../faults/simulated/faults.ts';
import type { Prometheus } from '../prometheus.ts';
import type { Exporter, WatchedAccount } from './exporter.ts';
import type { Story } from './story.ts';

/** A marketplace of its own for one account, over real HTTP. */
export type Scene = {
  readonly marketplace: Marketplace;
  readonly simulator: FaultySimulator;
  /** Address and key file for the exporter. */
  readonly watched: WatchedAccount;
  /** From now on the marketplace takes this key and no other. */
  readonly accept: (key: string) => void;
  /** Writes the key file of the exporter. */
  readonly writeKey: (key: string) => void;
  /** Sets the cents that are available. */
  readonly setBalance: (availableCents: number) => void;
};

/** Actions and waits of a story. */
export type StoryContext = Pick<Scene, 'marketplace' | 'accept' | 'writeKey' | 'setBalance'> & {
  readonly faults: FaultySimulator['faults'];
  readonly exporter: Exporter;
  /** Resolves when the hoster got a message that contains this text. */
  readonly waitForMessage: (text: string) => Promise<void>;
  /** Resolves when Prometheus has an answer to this, narrowed to the account of the story. */
  readonly waitForSamples: (selector: string) => Promise<void>;
};

/** @param folder where the file with the key is kept */
export async function buildScene({ account, phones }: Story, folder: string): Promise<Scene> {
  const simulated = createMarketplace({ seed: 1, startAt: systemClock.now(), phones, lively: false });
  let balance = simulated.balance();
  const marketplace = { ...simulated, balance: () => balance };
  const keyFile = join(folder, `${account}.key`);
  const writeKey = (key: string): void => writeFileSync(keyFile, key);
  let accepted = `the-key-of-${account}`;
  writeKey(accepted);
  const hoster = {
    name: account,
    get key() {
      return accepted;
    },
    marketplace,
  };
  const simulator = await startFaultySimulator({ accounts: [hoster], clock: systemClock });
  return {
    marketplace,
    simulator,
    watched: { name: account, apiUrl: simulator.url, keyFile },
    accept: (key) => {
      accepted = key;
    },
    writeKey,
    setBalance: (availableCents) => {
      balance = { ...balance, availableCents };
    },
  };
}

/** @param messages returns the messages that the hoster got so far */
export function contextOf(
  { account }: Story,
  { marketplace, simulator, accept, writeKey, setBalance }: Scene,
  exporter: Exporter,
  prometheus: Prometheus,
  messages: () => readonly string[],
): StoryContext {
  return {
    marketplace,
    accept,
    writeKey,
    setBalance,
    faults: simulator.faults,
    exporter,
    waitForMessage: async (text) => {
      for (let tries = 0; tries < 600; tries += 1) {
        if (messages().some((each) => each.includes(text))) return;
        await wait(250);
      }
      throw new Error(`No message contains "${text}". Messages: ${messages().join('; ') || 'nothing'}.`);
    },
    waitForSamples: async (selector) => {
      await prometheus.waitForSamples(selector.replace('{', `{account="${account}", `));
    },
  };
}
