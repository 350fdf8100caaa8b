import { Counter, collectDefaultMetrics, Gauge, Histogram, type LabelValues, Registry } from 'prom-client';
import type { ApiEvents } from '../model/api-events.ts';
import {
  COLLECTORS,
  type Collector,
  ENDPOINTS,
  ENUM_FIELDS,
  FAILURE_REASONS,
  type FailureReason,
  LIST_INCONSISTENCIES,
  type ListInconsistency,
  REFUSAL_REASONS,
  REJECTION_REASONS,
  type RefusalReason,
  SKIP_REASONS,
  type SkipReason,
} from '../model/enums.ts';
import type { Page } from './page.ts';

/** A family of prom-client, for documents and checks. All of them are stable. */
type ExporterFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
  readonly stability: 'stable';
};

/** The running program: shown as `hoster_exporter_build_info`. */
export type Build = { readonly version: string; readonly revision: string; readonly nodeVersion: string };

/** The counters of one account; the API client and the poller report to them. */
export type AccountMetrics = Omit<ApiEvents, 'access'> & {
  /** A connection was opened: the counters of the account exist from now on. */
  readonly connected: () => void;
  readonly pollScheduled: (collector: Collector, intervalSeconds: number) => void;
  readonly pollEnded: (collector: Collector, failure: FailureReason | undefined) => void;
  readonly pollSkipped: (collector: Collector, reason: SkipReason) => void;
  readonly keyFileError: () => void;
  readonly listInconsistent: (kind: ListInconsistency, count: number) => void;
};

/** What a time zone is called at an instant, and by how many seconds it is ahead of UTC. */
export type ZoneOffset = { readonly abbreviation: string; readonly seconds: number };

/** The exporter's own metrics. Every instance has a registry of its own, so that tests don't share one. */
export type ExporterMetrics = {
  readonly forAccount: (account: string) => AccountMetrics;
  /** Removes every series of an account that is not configured any more. */
  readonly forget: (account: string) => Promise<void>;
  readonly pageRendered: (page: Pick<Page, 'series'>) => void;
  readonly httpAnswered: (path: string, code: number) => void;
  readonly httpRefused: (reason: RefusalReason) => void;
  /** The configuration was read, at the start or again. */
  readonly reloaded: (success: boolean) => void;
  /** The address that people open, without a slash at its end; undefined where none is configured. */
  readonly externalUrl: (url: string | undefined) => void;
  /** The owner's time zone, and its offset now. */
  readonly timeZone: (zone: string, offset: ZoneOffset) => void;
  readonly stateLoaded: (success: boolean) => void;
  readonly stateSaved: (success: boolean) => void;
  /** Returns the exposition of these metrics and of prom-client's process and Node metrics as of now. */
  readonly text: () => Promise<string>;
  /** The families that are declared here; the `process_*` and `nodejs_*` of prom-client come on top. */
  readonly families: readonly ExporterFamily[];
};

/** Upper bounds in seconds: usual, slow, and much of the longest time that a request may take. */
const REQUEST_BUCKETS = [0.2, 1, 5];

/**
 * Default metrics of prom-client that are removed: gauges with the name of a counter, which promtool refuses, and quantiles
 * as gauges, which nobody can aggregate (prometheus.io/docs/practices/histograms).
 */
const REMOVED = [
  ...['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'],
  ...['p50', 'p90', 'p99'].map((quantile) => `nodejs_eventloop_lag_${quantile}_seconds`),
];

export function createExporterMetrics({ version, revision, nodeVersion }: Build): ExporterMetrics {
  const registry = new Registry();
  const { metrics, families, begin, forget } = declareMetrics(registry);
  collectDefaultMetrics({ register: registry });
  for (const name of REMOVED) registry.removeSingleMetric(name);
  begin(undefined);
  metrics.buildInfo.set({ version, revision, node_version: nodeVersion }, 1);
  return {
    forAccount: (account) => accountMetrics(metrics, account, () => begin(account)),
    forget,
    pageRendered: ({ series }) => metrics.seriesExposed.set(series),
    httpAnswered: (path, code) => metrics.httpRequests.inc({ path, code }),
    httpRefused: (reason) => metrics.httpRefusals.inc({ reason }),
    reloaded: (success) => metrics.reloadSuccessful.set(Number(success)),
    externalUrl: (url) => {
      metrics.externalUrl.reset();
      if (url !== undefined) metrics.externalUrl.set({ url }, 1);
    },
    timeZone: (zone, { abbreviation, seconds }) => {
      metrics.timeZoneOffset.reset();
      metrics.timeZoneOffset.set({ time_zone: zone, abbreviation }, seconds);
    },
    stateLoaded: (success) => metrics.stateLoadSuccessful.set(Number(success)),
    stateSaved: (success) => metrics.stateSaveSuccessful.set(Number(success)),
    text: () => registry.metrics(),
    families,
  };
}

/** The values of a label that a counter has from its first scrape on; none for values that nobody knows before. */
type Labels = Readonly<Record<string, readonly (string | number)[]>>;

/** An account is known once it is connected. */
const ACCOUNT: readonly string[] = [];

/**
 * Declares what is counted and timed while it happens: each metric with its name, help and labels, once. Facts that follow
 * from the snapshot are rows (`rows/poll.ts`) instead, so that they cannot contradict it.
 *
 * A counter that appears with its first event hides that event from `increase()`, so each begins at 0 with all values of
 * its labels. Reasons of failures begin for the device list alone, which every account polls; those of the other endpoints
 * appear with their first failure, which spares 38 series an account.
 */
function declareMetrics(registry: Registry) {
  const families: ExporterFamily[] = [];
  const forgetting: ((account: string) => Promise<void>)[] = [];
  const beginnings: {
    readonly labels: Labels;
    readonly begin: (labels: LabelValues<string>) => void;
  }[] = [];

  const declare = (type: ExporterFamily['type'], suffix: string, help: string, labels: Labels) => {
    const name = `hoster_exporter_${suffix}`;
    families.push({ name, help, type, labels: Object.keys(labels), stability: 'stable' });
    return { name, help, labelNames: Object.keys(labels), registers: [registry] };
  };
  const forgetAccount = (metric: Counter | Gauge | Histogram) => {
    forgetting.push(async (account) => {
      for (const { labels } of (await metric.get()).values) {
        const { le: _, ...own }: LabelValues<string> = labels;
        if (own['account'] === account) metric.remove(own);
      }
    });
  };
  const counter = (suffix: string, help: string, labels: Labels) => {
    const metric = new Counter(declare('counter', suffix, help, labels));
    beginnings.push({ labels, begin: (values) => metric.inc(values, 0) });
    forgetAccount(metric);
    return metric;
  };
  const gauge = (suffix: string, help: string, labels: Labels = {}) => {
    const metric = new Gauge(declare('gauge', suffix, help, labels));
    // A gauge without labels would be there at 0 before anybody set it.
    if (Object.keys(labels).length === 0) metric.remove();
    forgetAccount(metric);
    return metric;
  };
  const histogram = (suffix: string, help: string, buckets: number[], labels: Labels) => {
    const metric = new Histogram({ ...declare('histogram', suffix, help, labels), buckets });
    beginnings.push({ labels, begin: (values) => metric.zero(values) });
    forgetAccount(metric);
    return metric;
  };

  const metrics = {
    buildInfo: gauge(
      'build_info',
      'Always 1; the version and revision of this exporter and the Node.js that runs it.',
      { version: [], revision: [], node_version: [] },
    ),
    polls: counter('polls_total', 'Number of polls that ended, well or badly.', {
      account: ACCOUNT,
      collector: COLLECTORS,
    }),
    pollFailures: counter(
      'poll_failures_total',
      'Number of polls that failed; api_request_failures_total tells the reasons.',
      { account: ACCOUNT, collector: COLLECTORS },
    ),
    pollsSkipped: counter(
      'polls_skipped_total',
      'Number of polls that were due and not started, by reason.',
      { account: ACCOUNT, collector: COLLECTORS, reason: SKIP_REASONS },
    ),
    pollInterval: gauge(
      'poll_interval_seconds',
      'Longest number of seconds between two polls of the schedule.',
      { account: ACCOUNT, collector: COLLECTORS },
    ),
    requests: counter('api_requests_total', 'Number of responses of the API, by HTTP status code.', {
      account: ACCOUNT,
      api: ENDPOINTS,
      code: [200],
    }),
    requestFailures: counter(
      'api_request_failures_total',
      'Number of requests that brought no usable response or were not sent because of an earlier one, and of polls that failed for a reason of their own (the deadline, a list that contradicts itself), by reason.',
      { account: ACCOUNT, api: ['devices'], reason: FAILURE_REASONS },
    ),
    requestDuration: histogram(
      'api_request_duration_seconds',
      'Seconds from sending a request to the last byte of its response.',
      REQUEST_BUCKETS,
      { account: ACCOUNT, api: ENDPOINTS },
    ),
    clockSkew: gauge(
      'api_clock_skew_seconds',
      'Seconds by which the clock of the API, as its Date header tells it, is ahead of ours.',
      { account: ACCOUNT },
    ),
    itemsRejected: counter(
      'items_rejected_total',
      'Number of items in responses that were left out because they could not be identified, by reason.',
      { account: ACCOUNT, collector: ['devices'], reason: REJECTION_REASONS },
    ),
    unknownEnumValues: counter(
      'unknown_enum_values_total',
      'Number of values that the API document does not list for their field; they are shown as other.',
      { account: ACCOUNT, field: ENUM_FIELDS },
    ),
    schemaViolations: counter(
      'schema_violations_total',
      'Number of items with a field of a wrong type; the field was left out, the item kept.',
      { account: ACCOUNT, api: ENDPOINTS },
    ),
    labelsSanitized: counter(
      'labels_sanitized_total',
      'Number of texts that were cut or had characters replaced before they became a label.',
      { account: ACCOUNT },
    ),
    keyFileErrors: counter(
      'key_file_errors_total',
      'Number of times that the API key could not be read again; the last good one stays in use.',
      { account: ACCOUNT },
    ),
    listInconsistencies: counter(
      'list_inconsistencies_total',
      'Number of times that a device list contradicted itself or the request, by kind.',
      { account: ACCOUNT, kind: LIST_INCONSISTENCIES },
    ),
    seriesExposed: gauge(
      'series_exposed',
      "Number of series on the page, without the exporter's own counters.",
    ),
    httpRequests: counter(
      'http_requests_total',
      'Number of HTTP responses, by path (other for unknown paths) and status code.',
      { path: [], code: [] },
    ),
    httpRefusals: counter(
      'http_rejected_total',
      'Number of HTTP requests that were refused and of connections that were closed, to keep the listener within its limits, by reason.',
      { reason: REFUSAL_REASONS },
    ),
    reloadSuccessful: gauge(
      'config_last_reload_successful',
      'Whether the configuration was valid when it was last read (1), or the previous one stays active (0).',
    ),
    stateLoadSuccessful: gauge(
      'state_load_successful',
      'Whether the state file was good at the start, or there was none yet (1), or it was refused (0). Absent where no state is kept.',
    ),
    stateSaveSuccessful: gauge(
      'state_last_save_successful',
      'Whether the state file could be written the last time (1) or not (0). Absent where no state is kept.',
    ),
    timeZoneOffset: gauge(
      'time_zone_offset_seconds',
      'By how much the time of the owner (time_zone) is ahead of UTC now. The abbreviation is that of the present season.',
      { time_zone: [], abbreviation: [] },
    ),
    externalUrl: gauge(
      'external_url_info',
      'Always 1; the address of this exporter that alerts link to (web.external_url). Absent where none is configured.',
      { url: [] },
    ),
  };
  return {
    metrics,
    families,
    /** Sets the counters of an account to 0, or those that belong to none. */
    begin: (account: string | undefined): void => {
      for (const { labels, begin } of beginnings) {
        if ('account' in labels !== (account !== undefined)) continue;
        const values = account === undefined ? labels : { ...labels, account: [account] };
        for (const combination of combinationsOf(values)) begin(combination);
      }
    },
    forget: async (account: string): Promise<void> => {
      for (const forget of forgetting) await forget(account);
    },
  };
}

/** Returns each combination of the values of some labels. */
function combinationsOf(labels: Labels): readonly LabelValues<string>[] {
  return Object.entries(labels).reduce<readonly LabelValues<string>[]>(
    (combinations, [label, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [label]: value }))),
    [{}],
  );
}

type Metrics = ReturnType<typeof declareMetrics>['metrics'];

function accountMetrics(metrics: Metrics, account: string, begin: () => void): AccountMetrics {
  return {
    connected: begin,
    answered: (endpoint, status, seconds) => {
      metrics.requests.inc({ account, api: endpoint, code: status });
      metrics.requestDuration.observe({ account, api: endpoint }, seconds);
    },
    failed: (endpoint, reason) => metrics.requestFailures.inc({ account, api: endpoint, reason }),
    clockSkew: (seconds) => metrics.clockSkew.set({ account }, seconds),
    itemRejected: (collector, reason) => metrics.itemsRejected.inc({ account, collector, reason }),
    schemaViolation: (endpoint) => metrics.schemaViolations.inc({ account, api: endpoint }),
    unknownEnum: (field) => metrics.unknownEnumValues.inc({ account, field }),
    labelSanitized: () => metrics.labelsSanitized.inc({ account }),
    pollScheduled: (collector, seconds) => metrics.pollInterval.set({ account, collector }, seconds),
    pollEnded: (collector, failure) => {
      metrics.polls.inc({ account, collector });
      if (failure !== undefined) metrics.pollFailures.inc({ account, collector });
    },
    pollSkipped: (collector, reason) => metrics.pollsSkipped.inc({ account, collector, reason }),
    keyFileError: () => metrics.keyFileErrors.inc({ account }),
    listInconsistent: (kind, count) => metrics.listInconsistencies.inc({ account, kind }, count),
  };
}
