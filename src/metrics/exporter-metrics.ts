import { Counter, collectDefaultMetrics, Gauge, Histogram, type LabelValues, Registry } from 'prom-client';
import type { ApiEvent } from '../model/api-events.ts';
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
import { PROBLEMS } from '../model/problem.ts';
import type { Page } from './page.ts';

/** A family of prom-client, for documents and checks. */
type ExporterFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
  readonly stability: 'stable';
};

/** The running program, as in `hoster_exporter_build_info`. */
export type Build = { readonly version: string; readonly revision: string; readonly nodeVersion: string };

export type AccountMetrics = {
  readonly on: (event: Exclude<ApiEvent, { readonly kind: 'access' }>) => void;
  /** Creates the account's counters. */
  readonly connected: () => void;
  readonly pollScheduled: (collector: Collector, intervalSeconds: number) => void;
  /** @param at milliseconds since 1970 */
  readonly pollAttempted: (collector: Collector, at: number) => void;
  readonly pollEnded: (collector: Collector, failure: FailureReason | undefined) => void;
  readonly pollSkipped: (collector: Collector, reason: SkipReason) => void;
  readonly keyFileError: () => void;
  readonly listInconsistent: (kind: ListInconsistency, count: number) => void;
};

type ZoneOffset = { readonly abbreviation: string; readonly seconds: number };

/** The exporter's own metrics. Each instance has its own registry. */
export type ExporterMetrics = {
  readonly forAccount: (account: string) => AccountMetrics;
  /** Removes all series of an account that is no longer configured. */
  readonly forget: (account: string) => Promise<void>;
  readonly pageRendered: (page: Pick<Page, 'series'>) => void;
  readonly httpResponded: (path: string, code: number) => void;
  readonly httpRefused: (reason: RefusalReason) => void;
  readonly reloaded: (success: boolean) => void;
  readonly externalUrl: (url: string | undefined) => void;
  readonly timeZone: (zone: string, offset: ZoneOffset) => void;
  readonly stateLoaded: (success: boolean) => void;
  readonly stateSaved: (success: boolean) => void;
  /** @param file a short name for files that a feature writes */
  readonly filesWritten: (file: string, success: boolean) => void;
  /** Returns the exposition of these metrics and of prom-client's default metrics. */
  readonly text: () => Promise<string>;
  /** The families declared here, without prom-client's default metrics. */
  readonly families: readonly ExporterFamily[];
};

/** Upper bounds of request durations in seconds: usual, slow, and near the timeout. */
const REQUEST_BUCKETS = [0.2, 1, 5];

/**
 * Default metrics of prom-client to remove: gauges named like counters, which promtool rejects, and quantiles as gauges, which
 * cannot be aggregated (prometheus.io/docs/practices/histograms).
 */
const REMOVED = ['handles', 'requests', 'resources']
  .map((what) => `nodejs_active_${what}_total`)
  .concat(['p50', 'p90', 'p99'].map((quantile) => `nodejs_eventloop_lag_${quantile}_seconds`));

export function createExporterMetrics({ version, revision, nodeVersion }: Build): ExporterMetrics {
  const registry = new Registry();
  const { metrics, families, start, forget } = declareMetrics(registry);
  collectDefaultMetrics({ register: registry });
  for (const name of REMOVED) registry.removeSingleMetric(name);
  start(undefined);
  for (const [index, problem] of PROBLEMS.entries()) metrics.problemRank.set({ problem }, index + 1);
  metrics.buildInfo.set({ version, revision, node_version: nodeVersion }, 1);
  return {
    forAccount: (account) => accountMetrics(metrics, account, () => start(account)),
    forget,
    pageRendered: ({ series }) => metrics.seriesExposed.set(series),
    httpResponded: (path, code) => metrics.httpRequests.inc({ path, code }),
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
    filesWritten: (file, success) => metrics.filesWritable.set({ file }, Number(success)),
    text: () => registry.metrics(),
    families,
  };
}

/** Label values for which a counter exists from the first scrape; none if they cannot be known in advance. */
type Labels = Readonly<Record<string, readonly (string | number)[]>>;

/** Values of the label `account`. They are known once an account is connected. */
const ACCOUNT: readonly string[] = [];

/**
 * Declares the metrics that count events. Facts in the snapshot are rows instead (`rows/poll.ts`).
 *
 * A counter that appears with its first event hides that event from `increase()`, so counters start at 0 with all their
 * label values. Failures start at 0 only for the device list, which saves 38 series per account.
 */
function declareMetrics(registry: Registry) {
  const families: ExporterFamily[] = [];
  const forgetting: ((account: string) => Promise<void>)[] = [];
  const starts: {
    readonly labels: Labels;
    readonly start: (labels: LabelValues<string>) => void;
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
    starts.push({ labels, start: (values) => metric.inc(values, 0) });
    forgetAccount(metric);
    return metric;
  };
  const gauge = (suffix: string, help: string, labels: Labels = {}) => {
    const metric = new Gauge(declare('gauge', suffix, help, labels));
    // A gauge without labels would be 0 until it is set.
    if (Object.keys(labels).length === 0) metric.remove();
    forgetAccount(metric);
    return metric;
  };
  const histogram = (suffix: string, help: string, buckets: number[], labels: Labels) => {
    const metric = new Histogram({ ...declare('histogram', suffix, help, labels), buckets });
    starts.push({ labels, start: (values) => metric.zero(values) });
    forgetAccount(metric);
    return metric;
  };

  const metrics = {
    buildInfo: gauge(
      'build_info',
      'Always 1; version and revision of this exporter, and the version of Node.js.',
      { version: [], revision: [], node_version: [] },
    ),
    polls: counter('polls_total', 'Number of finished polls, successful or not.', {
      account: ACCOUNT,
      collector: COLLECTORS,
    }),
    pollFailures: counter(
      'poll_failures_total',
      'Number of failed polls. For reasons, see hoster_exporter_api_request_failures_total.',
      { account: ACCOUNT, collector: COLLECTORS },
    ),
    pollsSkipped: counter(
      'polls_skipped_total',
      'Number of polls that were due and not started, by reason.',
      { account: ACCOUNT, collector: COLLECTORS, reason: SKIP_REASONS },
    ),
    pollInterval: gauge(
      'poll_interval_seconds',
      'Longest interval between two polls of the schedule, in seconds.',
      { account: ACCOUNT, collector: COLLECTORS },
    ),
    pollLastAttempt: gauge(
      'poll_last_attempt_timestamp_seconds',
      'Time of the last poll that ended, successful or not, or was skipped on purpose, in seconds since 1970; at first the start.',
      { account: ACCOUNT, collector: COLLECTORS },
    ),
    requests: counter('api_requests_total', 'Number of API responses, by HTTP status code.', {
      account: ACCOUNT,
      api: ENDPOINTS,
      code: [200],
    }),
    requestFailures: counter(
      'api_request_failures_total',
      'Number of failures, by reason: of requests without a usable response, of requests that were rejected locally after an earlier failure, and of polls that failed for a reason of their own, such as their deadline or an inconsistent list.',
      { account: ACCOUNT, api: ['devices'], reason: FAILURE_REASONS },
    ),
    requestDuration: histogram(
      'api_request_duration_seconds',
      'Time from sending a request to the last byte of its response, in seconds.',
      REQUEST_BUCKETS,
      { account: ACCOUNT, api: ENDPOINTS },
    ),
    clockSkew: gauge(
      'api_clock_skew_seconds',
      "Seconds by which the API's clock (Date header) is ahead of ours.",
      { account: ACCOUNT },
    ),
    itemsRejected: counter(
      'items_rejected_total',
      'Number of items in responses that were dropped because they have no usable ID, by reason.',
      { account: ACCOUNT, collector: ['devices'], reason: REJECTION_REASONS },
    ),
    unknownEnumValues: counter(
      'unknown_enum_values_total',
      'Number of values that the API document does not list for their field. They are shown as other.',
      { account: ACCOUNT, field: ENUM_FIELDS },
    ),
    schemaViolations: counter(
      'schema_violations_total',
      'Number of items with a field of a wrong type. The field is dropped, the item kept.',
      { account: ACCOUNT, api: ENDPOINTS },
    ),
    labelsSanitized: counter(
      'labels_sanitized_total',
      'Number of texts that were cut or had characters replaced before they became a label.',
      { account: ACCOUNT },
    ),
    keyFileErrors: counter(
      'key_file_errors_total',
      'Number of failed attempts to read the API key again. The last good key stays in use.',
      { account: ACCOUNT },
    ),
    listInconsistencies: counter(
      'list_inconsistencies_total',
      'Number of times that a device list contradicted itself or the request, by kind.',
      { account: ACCOUNT, kind: LIST_INCONSISTENCIES },
    ),
    seriesExposed: gauge(
      'series_exposed',
      "Number of series on the page, without the exporter's own metrics.",
    ),
    httpRequests: counter(
      'http_requests_total',
      'Number of HTTP responses, by path (other for unknown paths) and status code.',
      { path: [], code: [] },
    ),
    httpRefusals: counter(
      'http_rejected_total',
      'Number of HTTP requests and connections that were rejected or closed to stay within limits, by reason.',
      { reason: REFUSAL_REASONS },
    ),
    reloadSuccessful: gauge(
      'config_last_reload_successful',
      '1 if the configuration was valid when it was last read, 0 if the previous one stays active.',
    ),
    stateLoadSuccessful: gauge(
      'state_load_successful',
      '1 if the state file was valid or missing at the start, 0 if it was rejected. Absent without a state file configured.',
    ),
    stateSaveSuccessful: gauge(
      'state_last_save_successful',
      '1 if the last save of the state file succeeded, 0 if it failed. Absent without a state file configured.',
    ),
    filesWritable: gauge(
      'files_last_write_successful',
      '1 if the files with this name (incident, month) could be written at the last attempt, 0 if not. Absent without a folder for them.',
      { file: [] },
    ),
    timeZoneOffset: gauge(
      'time_zone_offset_seconds',
      'Present offset of the configured time zone (time_zone) from UTC, in seconds. The abbreviation is the one of the season.',
      { time_zone: [], abbreviation: [] },
    ),
    problemRank: gauge('problem_rank', 'Order of the problems of phones by their cost: 1 is the costliest.', {
      problem: PROBLEMS,
    }),
    externalUrl: gauge(
      'external_url_info',
      'Always 1; the address of this exporter for links in alerts (web.external_url). Absent if not configured.',
      { url: [] },
    ),
  };
  return {
    metrics,
    families,
    /** Starts at 0 an account's counters, or those without an account. */
    start: (account: string | undefined): void => {
      for (const { labels, start } of starts) {
        if ('account' in labels !== (account !== undefined)) continue;
        const values = account === undefined ? labels : { ...labels, account: [account] };
        for (const combination of combinationsOf(values)) start(combination);
      }
    },
    forget: async (account: string): Promise<void> => {
      for (const forget of forgetting) await forget(account);
    },
  };
}

function combinationsOf(labels: Labels): readonly LabelValues<string>[] {
  return Object.entries(labels).reduce<readonly LabelValues<string>[]>(
    (combinations, [label, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [label]: value }))),
    [{}],
  );
}

type Metrics = ReturnType<typeof declareMetrics>['metrics'];

function accountMetrics(metrics: Metrics, account: string, start: () => void): AccountMetrics {
  return {
    connected: start,
    on: (event) => {
      switch (event.kind) {
        case 'responded':
          metrics.requests.inc({ account, api: event.endpoint, code: event.status });
          metrics.requestDuration.observe({ account, api: event.endpoint }, event.seconds);
          break;
        case 'failed':
          metrics.requestFailures.inc({ account, api: event.endpoint, reason: event.reason });
          break;
        case 'clockSkew':
          metrics.clockSkew.set({ account }, event.seconds);
          break;
        case 'itemRejected':
          metrics.itemsRejected.inc({ account, collector: event.collector, reason: event.reason });
          break;
        case 'schemaViolation':
          metrics.schemaViolations.inc({ account, api: event.endpoint });
          break;
        case 'unknownEnum':
          metrics.unknownEnumValues.inc({ account, field: event.field });
          break;
        case 'labelSanitized':
          metrics.labelsSanitized.inc({ account });
      }
    },
    pollScheduled: (collector, seconds) => metrics.pollInterval.set({ account, collector }, seconds),
    pollAttempted: (collector, at) => metrics.pollLastAttempt.set({ account, collector }, at / 1000),
    pollEnded: (collector, failure) => {
      metrics.polls.inc({ account, collector });
      if (failure !== undefined) metrics.pollFailures.inc({ account, collector });
    },
    pollSkipped: (collector, reason) => metrics.pollsSkipped.inc({ account, collector, reason }),
    keyFileError: () => metrics.keyFileErrors.inc({ account }),
    listInconsistent: (kind, count) => metrics.listInconsistencies.inc({ account, kind }, count),
  };
}
