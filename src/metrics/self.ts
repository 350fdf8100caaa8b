import { Registry } from 'prom-client';
import { type ApiEvents, ENUM_FIELDS, REJECTION_REASONS, TEXT_LABELS } from '../model/api-events.ts';
import { CIRCUIT_STATES, type CircuitState } from '../model/circuit.ts';
import { COLLECTORS, type Collector, ENDPOINTS, type Endpoint } from '../model/endpoint.ts';
import { FAILURE_REASONS, type FailureReason } from '../model/failure.ts';
import { LIST_INCONSISTENCIES, type ListInconsistency } from '../model/inconsistency.ts';
import { REFUSAL_REASONS, type RefusalReason } from '../model/refusal.ts';
import { type Shard, WHOLE } from '../model/shard.ts';
import type { SelfFamily } from './instrument-kit.ts';
import { createInstruments, type Instruments } from './instruments.ts';
import { createOwnPage, textsOf } from './own-page.ts';
import type { Page } from './page.ts';
import { createProcessLook, processOrigin } from './process-look.ts';
import { createProcessPage } from './process-page.ts';
import { type Stretch, store } from './stretch.ts';
import { type UpkeepMetrics, upkeepMetrics } from './upkeep.ts';

/** Why a poll that was due was not started. */
export const SKIP_REASONS = ['overlap', 'no_fleet', 'refused_key'] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

/** Where the wall clock can step to. */
export const CLOCK_DIRECTIONS = ['forward', 'backward'] as const;

export type ClockDirection = (typeof CLOCK_DIRECTIONS)[number];

/** The instrument that every scrape prints anew, since the one before it has changed it. */
const CHANGED_BY_SCRAPES = 'hoster_exporter_http_requests_total';

/** What runs: shown as `hoster_exporter_build_info`. */
export type Build = { readonly version: string; readonly revision: string; readonly nodeVersion: string };

/** What is counted of one account; the API client and the poller report to it. */
export type AccountMetrics = Omit<ApiEvents, 'access'> & {
  readonly pollScheduled: (collector: Collector, intervalSeconds: number) => void;
  readonly pollEnded: (collector: Collector, seconds: number, failure: FailureReason | undefined) => void;
  readonly pollSkipped: (collector: Collector, reason: SkipReason) => void;
  readonly watchdogFired: (collector: Collector) => void;
  readonly keyFileError: () => void;
  readonly listInconsistent: (kind: ListInconsistency, count: number) => void;
  readonly devicesRemoved: (count: number) => void;
};

/** The exporter's own metrics. Every instance has a registry of its own, so that tests don't share one. */
export type SelfMetrics = UpkeepMetrics & {
  readonly forAccount: (account: string) => AccountMetrics;
  readonly pageRendered: (page: Page, seconds: number) => void;
  readonly httpAnswered: (path: string, code: number) => void;
  readonly httpRefused: (reason: RefusalReason) => void;
  readonly logLineDropped: () => void;
  readonly clockStepped: (direction: ClockDirection) => void;
  /** The exposition of these metrics as of now. */
  readonly stretches: () => Promise<readonly Stretch[]>;
  /** Does work of the next `stretches` ahead of it, and pauses in between. */
  readonly refresh: (pause: () => Promise<void>) => Promise<void>;
  /** What we declare ourselves, for documents and checks; the `process_*` and `nodejs_*` of prom-client come on top. */
  readonly families: readonly SelfFamily[];
};

/** @param httpPaths the paths by which answers are counted */
export function createSelfMetrics(
  build: Build,
  httpPaths: readonly string[],
  { index, total }: Shard = WHOLE,
): SelfMetrics {
  const processPage = createProcessPage(processOrigin(), createProcessLook());
  const registry = new Registry();
  const families: SelfFamily[] = [];
  const instruments = createInstruments(registry, {
    declare: (family) => families.push(family),
    changed: (name) => page.changed(name),
  });
  const page = createOwnPage(
    registry,
    families.filter(({ name }) => name !== CHANGED_BY_SCRAPES),
  );
  const observeRender = instruments.renderDuration.observer({});
  const restless = families.filter(({ name }) => name === CHANGED_BY_SCRAPES);
  instruments.buildInfo.set(
    { version: build.version, revision: build.revision, node_version: build.nodeVersion },
    1,
  );
  if (total > 1) instruments.shards.set({ shard: index }, total);
  for (const direction of CLOCK_DIRECTIONS) instruments.clockSteps.inc({ direction }, 0);
  for (const path of httpPaths) instruments.httpRequests.inc({ path, code: 200 }, 0);
  for (const reason of REFUSAL_REASONS) instruments.httpRefusals.inc({ reason }, 0);
  return {
    ...upkeepMetrics(instruments),
    forAccount: (account) => {
      initialise(instruments, account);
      return accountMetrics(instruments, account);
    },
    pageRendered: ({ series, run }, seconds) => {
      observeRender(seconds);
      instruments.seriesExposed.set({}, series);
      instruments.pageBytes.set({ encoding: 'identity' }, run.textBytes);
      instruments.pageBytes.set({ encoding: 'gzip' }, run.deflatedBytes);
    },
    httpAnswered: (path, code) => instruments.httpRequests.inc({ path, code }),
    httpRefused: (reason) => instruments.httpRefusals.inc({ reason }),
    logLineDropped: () => instruments.logLinesDropped.inc({}),
    clockStepped: (direction) => instruments.clockSteps.inc({ direction }),
    stretches: async () => {
      const texts = await Promise.all(restless.map((family) => textsOf(registry, family)));
      return [await page.stretch(), store(texts.flat().join('') + processPage())];
    },
    refresh: page.refresh,
    families,
  };
}

function accountMetrics(instruments: Instruments, account: string): AccountMetrics {
  const observers = {
    request: new Map(
      ENDPOINTS.map((endpoint) => [endpoint, instruments.requestDuration.observer({ account, endpoint })]),
    ),
    poll: new Map(
      COLLECTORS.map((collector) => [collector, instruments.pollDuration.observer({ account, collector })]),
    ),
  };
  return {
    answered: (endpoint, status, seconds) => {
      instruments.requests.inc({ account, endpoint, code: status });
      observers.request.get(endpoint)?.(seconds);
    },
    failed: (endpoint, reason) => instruments.requestFailures.inc({ account, endpoint, reason }),
    retried: (endpoint) => instruments.retries.inc({ account, endpoint }),
    throttledUntil: (until) => instruments.throttledUntil.set({ account }, until / 1000),
    circuit: (endpoint, state) => showCircuit(instruments, account, endpoint, state),
    concurrencyLimit: (limit) => instruments.concurrencyLimit.set({ account }, limit),
    clockSkew: (seconds) => instruments.clockSkew.set({ account }, seconds),
    itemRejected: (collector, reason) => instruments.itemsRejected.inc({ account, collector, reason }),
    schemaViolation: (endpoint) => instruments.schemaViolations.inc({ account, endpoint }),
    unknownEnum: (field) => instruments.unknownEnumValues.inc({ account, field }),
    labelSanitized: (label) => instruments.labelsSanitized.inc({ account, label }),
    pollScheduled: (collector, seconds) => instruments.pollInterval.set({ account, collector }, seconds),
    pollEnded: (collector, seconds, failure) => {
      instruments.polls.inc({ account, collector });
      observers.poll.get(collector)?.(seconds);
      if (failure !== undefined) instruments.pollFailures.inc({ account, collector, reason: failure });
    },
    pollSkipped: (collector, reason) => instruments.pollsSkipped.inc({ account, collector, reason }),
    watchdogFired: (collector) => instruments.watchdogFires.inc({ account, collector }),
    keyFileError: () => instruments.keyFileErrors.inc({ account }),
    listInconsistent: (kind, count) => instruments.listInconsistencies.inc({ account, kind }, count),
    devicesRemoved: (count) => instruments.devicesRemoved.inc({ account }, count),
  };
}

function showCircuit(
  { circuit }: Instruments,
  account: string,
  endpoint: Endpoint,
  present: CircuitState,
): void {
  for (const state of CIRCUIT_STATES) circuit.set({ account, endpoint, state }, state === present ? 1 : 0);
}

/** A counter that appears with its first event hides that event from `increase()`; so all of them begin at 0. */
function initialise(instruments: Instruments, account: string): void {
  instruments.devicesRemoved.inc({ account }, 0);
  for (const kind of LIST_INCONSISTENCIES) instruments.listInconsistencies.inc({ account, kind }, 0);
  instruments.keyFileErrors.inc({ account }, 0);
  for (const field of ENUM_FIELDS) instruments.unknownEnumValues.inc({ account, field }, 0);
  for (const label of TEXT_LABELS) instruments.labelsSanitized.inc({ account, label }, 0);
  for (const collector of COLLECTORS) {
    instruments.polls.inc({ account, collector }, 0);
    instruments.watchdogFires.inc({ account, collector }, 0);
    instruments.pollDuration.zero({ account, collector });
    for (const reason of FAILURE_REASONS) instruments.pollFailures.inc({ account, collector, reason }, 0);
    for (const reason of SKIP_REASONS) instruments.pollsSkipped.inc({ account, collector, reason }, 0);
    for (const reason of REJECTION_REASONS) instruments.itemsRejected.inc({ account, collector, reason }, 0);
  }
  for (const endpoint of ENDPOINTS) {
    instruments.requests.inc({ account, endpoint, code: 200 }, 0);
    instruments.requestDuration.zero({ account, endpoint });
    instruments.retries.inc({ account, endpoint }, 0);
    showCircuit(instruments, account, endpoint, 'closed');
    instruments.schemaViolations.inc({ account, endpoint }, 0);
    for (const reason of FAILURE_REASONS) instruments.requestFailures.inc({ account, endpoint, reason }, 0);
  }
}
