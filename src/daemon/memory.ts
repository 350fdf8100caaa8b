import { createTimeZone, type TimeZone } from '../base/time-zone.ts';
import type { Config } from '../config/schema.ts';
import { NONE_MUTED } from '../judge/problems.ts';
import type { SavedState } from '../model/account.ts';
import type { FleetEvent } from '../model/event.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { createJudge, type Judge, type JudgeSettings } from '../poll/judge.ts';
import { createStore, type Store } from '../poll/store.ts';
import type { DaemonFeature, FeatureContext, ProcessContext, RunningFeature } from './feature.ts';

/** The state of the daemon without polling and outputs: the store, the judge and the features. */
export type Memory = {
  readonly store: Store;
  readonly judge: Judge;
  readonly features: readonly RunningFeature[];
  /** Returns the configuration in use. */
  readonly config: () => Config;
  readonly timeZone: () => TimeZone;
  /** Resolves when the features are ready for the first configuration. */
  readonly configured: Promise<void>;
  /** Prepares for a configuration. The returned function applies it, and returns true if it changes judgements. */
  readonly configure: (next: Config) => Promise<() => boolean>;
  readonly saved: () => SavedState;
};

type MemoryDependencies = ProcessContext & { readonly features: readonly DaemonFeature[] };

type MemoryOptions = Pick<FeatureContext, 'save'> & {
  /** Does nothing by default. */
  readonly reportFiles?: FeatureContext['reportFiles'];
  readonly earlier: SavedState;
  readonly onChange: (snapshot: Snapshot) => void;
  readonly onEvents: (events: readonly FleetEvent[]) => void;
  /** Resolves when all outputs show the last change. */
  readonly settled: () => Promise<void>;
};

export function createMemory(
  config: Config,
  dependencies: MemoryDependencies,
  { earlier, save, reportFiles = () => {}, onChange, onEvents, settled }: MemoryOptions,
): Memory {
  const { clock, yieldToEventLoop } = dependencies;
  const store = createStore(config.accounts, earlier, clock.now, onChange);
  let inUse = config;
  let timeZone = createTimeZone(config.time_zone);
  const settings = (account: string): JudgeSettings => {
    const brought = features.map((feature) => feature.judgement?.(account) ?? {});
    return {
      ...settingsOf(inUse),
      propertiesOf: brought.find(({ propertiesOf }) => propertiesOf !== undefined)?.propertiesOf,
      mutedSinceOf:
        brought.find(({ mutedSinceOf }) => mutedSinceOf !== undefined)?.mutedSinceOf ?? (() => NONE_MUTED),
      parts: brought.flatMap(({ parts = [] }) => parts),
    };
  };
  const judge = createJudge({
    ...{ store, settings, onEvents, yieldToEventLoop, clock },
    onRenamed: (account, earlier) =>
      dependencies.log.info({ account, earlier }, 'this account was renamed: its state is kept'),
  });
  const context: FeatureContext = {
    ...dependencies,
    config: () => inUse,
    snapshot: store.snapshot,
    now: () => latestOf(store.snapshot()) ?? clock.now(),
    timeZone: () => timeZone,
    observe: async (name, observation) => {
      await judge.observe({ name, observation, poll: undefined });
      await settled();
    },
    save,
    reportFiles,
    removed: store.removed,
    propertiesOf: (account) => settings(account).propertiesOf,
  };
  const features = dependencies.features.flatMap((feature) => feature.create?.(context) ?? []);
  const configure: Memory['configure'] = async (next) => {
    const changes = await Promise.all(features.map((feature) => feature.configure?.(next)));
    return () => {
      inUse = next;
      timeZone = createTimeZone(next.time_zone);
      return changes.map((change) => change?.() ?? false).includes(true);
    };
  };
  return {
    store,
    judge,
    features,
    config: () => inUse,
    timeZone: () => timeZone,
    configured: configure(config).then((change) => void change()),
    configure,
    saved: () => features.reduce((state, { saved }) => saved?.(state) ?? state, store.saved()),
  };
}

/** Returns the latest instant of all accounts by the API's clock. */
function latestOf({ accounts }: Snapshot): number | undefined {
  const instants = accounts.flatMap(({ known }) => known.at ?? []);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

function settingsOf({ groups, offline, problems, poll }: Config) {
  return {
    groups,
    offlineAfterSeconds: offline.after === undefined ? undefined : offline.after / 1000,
    problems: {
      idleAfterSeconds: problems.idle_after / 1000,
      givenUpAfterSeconds: problems.given_up_after / 1000,
    },
    staleAfterMilliseconds: poll.stale_after,
  };
}
