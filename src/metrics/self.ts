import { collectDefaultMetrics, Registry } from 'prom-client';
import { COLLECTORS, type Collector, ENDPOINTS, type Endpoint } from '../model/endpoint.ts';
import { FAILURE_REASONS, type FailureReason } from '../model/failure.ts';
import { createInstruments, type Instruments, type SelfFamily } from './instruments.ts';
import type { Page } from './page.ts';
import { createCompressor, type Stretch } from './stretch.ts';

/** Why a poll that was due was not started. */
export const SKIP_REASONS = ['overlap', 'no_fleet'] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

/** The closed lists of label values that are known elsewhere, so that their series exist at 0 from the first scrape. */
export type Vocabulary = {
  readonly rejectionReasons: readonly string[];
  readonly enumFields: readonly string[];
  readonly sanitizedLabels: readonly string[];
  readonly httpPaths: readonly string[];
};

/** What runs: shown as `hoster_exporter_build_info`. */
export type Build = { readonly version: string; readonly revision: string; readonly nodeVersion: string };

/** What is counted of one account; the API client and the poller report to it. */
export type AccountMetrics = {
  readonly answered: (endpoint: Endpoint, status: number, seconds: number) => void;
  readonly failed: (endpoint: Endpoint, reason: FailureReason) => void;
  readonly clockSkew: (seconds: number) => void;
  readonly itemRejected: (collector: Collector, reason: string) => void;
  readonly schemaViolation: (endpoint: Endpoint) => void;
  readonly unknownEnum: (field: string) => void;
  readonly labelSanitized: (label: string) => void;
  readonly pollScheduled: (collector: Collector, intervalSeconds: number) => void;
  readonly pollEnded: (collector: Collector, seconds: number, failure: FailureReason | undefined) => void;
  readonly pollSkipped: (collector: Collector, reason: SkipReason) => void;
  readonly devicesRemoved: (count: number) => void;
};

/** The exporter's own metrics. Every instance has a registry of its own, so that tests don't share one. */
export type SelfMetrics = {
  readonly forAccount: (account: string) => AccountMetrics;
  readonly pageRendered: (page: Page, seconds: number) => void;
  readonly httpAnswered: (path: string, code: number) => void;
  readonly logLineDropped: () => void;
  /** The exposition of these metrics as of now. */
  readonly stretches: () => Promise<readonly Stretch[]>;
  /** What we declare ourselves, for documents and checks; the `process_*` and `nodejs_*` of prom-client come on top. */
  readonly families: readonly SelfFamily[];
};

export function createSelfMetrics(build: Build, vocabulary: Vocabulary): SelfMetrics {
  const processRegistry = createProcessRegistry();
  const registry = new Registry();
  const compress = createCompressor();
  const compressMetrics = (text: string): Stretch => compress([text, '\n']);
  const families: SelfFamily[] = [];
  // Most of our own series stand still between two scrapes, and printing all of them would cost more than the fleet.
  const rendered = new Map<string, Promise<Stretch>>();
  const instruments = createInstruments(registry, {
    declare: (family) => families.push(family),
    changed: (name) => rendered.delete(name),
  });
  const render = (name: string): Promise<Stretch> => {
    const stretch = rendered.get(name) ?? registry.getSingleMetricAsString(name).then(compressMetrics);
    rendered.set(name, stretch);
    return stretch;
  };
  instruments.buildInfo.set(
    { version: build.version, revision: build.revision, node_version: build.nodeVersion },
    1,
  );
  for (const path of vocabulary.httpPaths) instruments.httpRequests.inc({ path, code: 200 }, 0);
  return {
    forAccount: (account) => {
      initialise(instruments, vocabulary, account);
      return accountMetrics(instruments, account);
    },
    pageRendered: (page, seconds) => {
      instruments.renderDuration.observe({}, seconds);
      instruments.seriesExposed.set({}, page.series);
      instruments.pageBytes.set({ encoding: 'identity' }, page.textBytes);
      instruments.pageBytes.set({ encoding: 'gzip' }, page.deflatedBytes);
    },
    httpAnswered: (path, code) => instruments.httpRequests.inc({ path, code }),
    logLineDropped: () => instruments.logLinesDropped.inc({}),
    stretches: () =>
      Promise.all([
        ...families.map(({ name }) => render(name)),
        processRegistry.metrics().then(compressMetrics),
      ]),
    families,
  };
}

/** Gauges of prom-client that are named like counters, which the linter of Prometheus refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

function accountMetrics(instruments: Instruments, account: string): AccountMetrics {
  return {
    answered: (endpoint, status, seconds) => {
      instruments.requests.inc({ account, endpoint, code: status });
      instruments.requestDuration.observe({ account, endpoint }, seconds);
    },
    failed: (endpoint, reason) => instruments.requestFailures.inc({ account, endpoint, reason }),
    clockSkew: (seconds) => instruments.clockSkew.set({ account }, seconds),
    itemRejected: (collector, reason) => instruments.itemsRejected.inc({ account, collector, reason }),
    schemaViolation: (endpoint) => instruments.schemaViolations.inc({ account, endpoint }),
    unknownEnum: (field) => instruments.unknownEnumValues.inc({ account, field }),
    labelSanitized: (label) => instruments.labelsSanitized.inc({ account, label }),
    pollScheduled: (collector, seconds) => instruments.pollInterval.set({ account, collector }, seconds),
    pollEnded: (collector, seconds, failure) => {
      instruments.polls.inc({ account, collector });
      instruments.pollDuration.observe({ account, collector }, seconds);
      if (failure !== undefined) instruments.pollFailures.inc({ account, collector, reason: failure });
    },
    pollSkipped: (collector, reason) => instruments.pollsSkipped.inc({ account, collector, reason }),
    devicesRemoved: (count) => instruments.devicesRemoved.inc({ account }, count),
  };
}

/** A counter that appears with its first event hides that event from `increase()`; so all of them begin at 0. */
function initialise(instruments: Instruments, vocabulary: Vocabulary, account: string): void {
  instruments.devicesRemoved.inc({ account }, 0);
  for (const field of vocabulary.enumFields) instruments.unknownEnumValues.inc({ account, field }, 0);
  for (const label of vocabulary.sanitizedLabels) instruments.labelsSanitized.inc({ account, label }, 0);
  for (const collector of COLLECTORS) {
    instruments.polls.inc({ account, collector }, 0);
    instruments.pollDuration.zero({ account, collector });
    for (const reason of FAILURE_REASONS) instruments.pollFailures.inc({ account, collector, reason }, 0);
    for (const reason of SKIP_REASONS) instruments.pollsSkipped.inc({ account, collector, reason }, 0);
    for (const reason of vocabulary.rejectionReasons)
      instruments.itemsRejected.inc({ account, collector, reason }, 0);
  }
  for (const endpoint of ENDPOINTS) {
    instruments.requests.inc({ account, endpoint, code: 200 }, 0);
    instruments.requestDuration.zero({ account, endpoint });
    instruments.schemaViolations.inc({ account, endpoint }, 0);
    for (const reason of FAILURE_REASONS) instruments.requestFailures.inc({ account, endpoint, reason }, 0);
  }
}
