import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type LabelValues,
  type Metric,
  Registry,
} from 'prom-client';
import type { ApiEvents } from '../model/api-events.ts';
import {
  CIRCUIT_STATES,
  type CircuitState,
  CLOCK_DIRECTIONS,
  type ClockDirection,
  COLLECTORS,
  type Collector,
  ENDPOINTS,
  ENUM_FIELDS,
  type Endpoint,
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

/** Name, help, type and labels of a family of prom-client, for documents and checks. */
type ExporterFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
};

/** The running program: shown as `hoster_exporter_build_info`. */
export type Build = { readonly version: string; readonly revision: string; readonly nodeVersion: string };

/** The counters of one account; the API client and the poller report to them. */
export type AccountMetrics = Omit<ApiEvents, 'access' | 'concurrencyLimit'> & {
  /** A connection was opened: the counters of the account exist from now on, and its circuits are closed. */
  readonly connected: () => void;
  readonly pollScheduled: (collector: Collector, intervalSeconds: number) => void;
  readonly pollEnded: (collector: Collector, seconds: number, failure: FailureReason | undefined) => void;
  readonly pollSkipped: (collector: Collector, reason: SkipReason) => void;
  readonly keyFileError: () => void;
  readonly listInconsistent: (kind: ListInconsistency, count: number) => void;
  readonly devicesRemoved: (count: number) => void;
};

/** The exporter's own metrics. Every instance has a registry of its own, so that tests don't share one. */
export type ExporterMetrics = {
  readonly forAccount: (account: string) => AccountMetrics;
  /** Removes every series of an account that is not configured any more. */
  readonly forget: (account: string) => Promise<void>;
  readonly pageRendered: (page: Page, seconds: number) => void;
  readonly httpAnswered: (path: string, code: number) => void;
  readonly httpRefused: (reason: RefusalReason) => void;
  readonly logLineDropped: () => void;
  readonly clockStepped: (direction: ClockDirection) => void;
  /** The configuration was read, at the start or again; `at` is in milliseconds since 1970. */
  readonly reloaded: (success: boolean, at: number) => void;
  /** The address that people open, without a slash at its end; undefined where none is configured. */
  readonly externalUrl: (url: string | undefined) => void;
  readonly stateLoaded: (success: boolean) => void;
  /** The state file was written; `at` is in milliseconds since 1970. */
  readonly stateSaved: (success: boolean, at: number) => void;
  /** Returns the exposition of these metrics and of prom-client's process and Node metrics as of now. */
  readonly text: () => Promise<string>;
  /** The families that are declared here; the `process_*` and `nodejs_*` of prom-client come on top. */
  readonly families: readonly ExporterFamily[];
};

/** Upper bounds in seconds: a fleet that is polled quickly, and one that takes nearly as long as its interval. */
const POLL_BUCKETS = [2, 20];

/** Upper bounds in seconds: usual, slow, and much of the longest time that a request may take. */
const REQUEST_BUCKETS = [0.2, 1, 5];

/** Default metrics of prom-client that are gauges with the name of a counter, which promtool refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export function createExporterMetrics(build: Build): ExporterMetrics {
  const registry = new Registry();
  const { metrics, families } = declareMetrics(registry);
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  metrics.buildInfo.set(
    { version: build.version, revision: build.revision, node_version: build.nodeVersion },
    1,
  );
  for (const direction of CLOCK_DIRECTIONS) metrics.clockSteps.inc({ direction }, 0);
  for (const reason of REFUSAL_REASONS) metrics.httpRefusals.inc({ reason }, 0);
  return {
    forAccount: (account) => accountMetrics(metrics, account),
    forget: async (account) => {
      const labelled = families.filter(({ labels }) => labels.includes('account'));
      for (const { name } of labelled) await removeAccount(registry.getSingleMetric(name), account);
    },
    pageRendered: ({ series, textBytes, deflatedBytes }, seconds) => {
      metrics.renderDuration.set(seconds);
      metrics.seriesExposed.set(series);
      metrics.pageBytes.set({ encoding: 'identity' }, textBytes);
      metrics.pageBytes.set({ encoding: 'gzip' }, deflatedBytes);
    },
    httpAnswered: (path, code) => metrics.httpRequests.inc({ path, code }),
    httpRefused: (reason) => metrics.httpRefusals.inc({ reason }),
    logLineDropped: () => metrics.logLinesDropped.inc(),
    clockStepped: (direction) => metrics.clockSteps.inc({ direction }),
    reloaded: (success, at) => {
      metrics.reloadSuccessful.set(Number(success));
      if (success) metrics.reloadSuccessAt.set(at / 1000);
    },
    externalUrl: (url) => {
      metrics.externalUrl.reset();
      if (url !== undefined) metrics.externalUrl.set({ url }, 1);
    },
    stateLoaded: (success) => metrics.stateLoadSuccessful.set(Number(success)),
    stateSaved: (success, at) => {
      metrics.stateSaveSuccessful.set(Number(success));
      if (success) metrics.stateSaveSuccessAt.set(at / 1000);
    },
    text: () => registry.metrics(),
    families,
  };
}

/**
 * Declares what is counted and timed while it happens: each metric with its name, help and labels, once. Facts that follow
 * from the snapshot are rows (`rows/poll.ts`) instead, so that they cannot contradict it.
 */
function declareMetrics(registry: Registry) {
  const families: ExporterFamily[] = [];
  const declare = <Label extends string>(
    type: ExporterFamily['type'],
    suffix: string,
    help: string,
    labels: Label[],
  ) => {
    const name = `hoster_exporter_${suffix}`;
    families.push({ name, help, type, labels });
    return { name, help, labelNames: labels, registers: [registry] };
  };
  const counter = <Label extends string>(suffix: string, help: string, ...labels: Label[]) =>
    new Counter(declare('counter', suffix, help, labels));
  const gauge = <Label extends string>(suffix: string, help: string, ...labels: Label[]) => {
    const metric = new Gauge(declare('gauge', suffix, help, labels));
    // A gauge without labels would be there at 0 before anybody set it.
    if (labels.length === 0) metric.remove();
    return metric;
  };
  const histogram = <Label extends string>(
    suffix: string,
    help: string,
    buckets: number[],
    ...labels: Label[]
  ) => new Histogram({ ...declare('histogram', suffix, help, labels), buckets });
  const metrics = {
    buildInfo: gauge(
      'build_info',
      'Always 1; the version and revision of this exporter and the Node.js that runs it.',
      'version',
      'revision',
      'node_version',
    ),
    polls: counter('polls_total', 'Number of polls that ended, well or badly.', 'account', 'collector'),
    pollFailures: counter(
      'poll_failures_total',
      'Number of polls that failed; api_request_failures_total tells the reasons.',
      'account',
      'collector',
    ),
    pollsSkipped: counter(
      'polls_skipped_total',
      'Number of polls that were due and not started, by reason.',
      'account',
      'collector',
      'reason',
    ),
    pollDuration: histogram(
      'poll_duration_seconds',
      'Seconds that a poll took, well or badly.',
      POLL_BUCKETS,
      'account',
      'collector',
    ),
    pollInterval: gauge(
      'poll_interval_seconds',
      'Longest number of seconds between two polls of the schedule.',
      'account',
      'collector',
    ),
    requests: counter(
      'api_requests_total',
      'Number of responses of the API, by HTTP status code.',
      'account',
      'endpoint',
      'code',
    ),
    requestFailures: counter(
      'api_request_failures_total',
      'Number of requests that brought no usable response or were not sent because of an earlier one, and of polls that failed for a reason of their own (the deadline, a list that contradicts itself), by reason.',
      'account',
      'endpoint',
      'reason',
    ),
    retries: counter(
      'api_retries_total',
      'Number of requests that were sent again after a failure.',
      'account',
      'endpoint',
    ),
    throttledUntil: gauge(
      'api_throttled_until_timestamp_seconds',
      'End of the backoff after a 429 or 503, in seconds since 1970. Absent before the first backoff.',
      'account',
    ),
    circuit: gauge(
      'api_circuit_state',
      'Always 1; the label is the present state of the circuit: requests are sent (closed), rejected because the endpoint is down (open), or one of them tests whether it is back (half_open).',
      'account',
      'endpoint',
      'state',
    ),
    requestDuration: histogram(
      'api_request_duration_seconds',
      'Seconds from sending a request to the last byte of its response.',
      REQUEST_BUCKETS,
      'account',
      'endpoint',
    ),
    clockSkew: gauge(
      'api_clock_skew_seconds',
      'Seconds by which the clock of the API, as its Date header tells it, is ahead of ours.',
      'account',
    ),
    itemsRejected: counter(
      'items_rejected_total',
      'Number of items in responses that were left out because they could not be identified, by reason.',
      'account',
      'collector',
      'reason',
    ),
    unknownEnumValues: counter(
      'unknown_enum_values_total',
      'Number of values that the API document does not list for their field; they are shown as other.',
      'account',
      'field',
    ),
    schemaViolations: counter(
      'schema_violations_total',
      'Number of items with a field of a wrong type; the field was left out, the item kept.',
      'account',
      'endpoint',
    ),
    labelsSanitized: counter(
      'labels_sanitized_total',
      'Number of texts that were cut or had characters replaced before they became a label.',
      'account',
    ),
    keyFileErrors: counter(
      'key_file_errors_total',
      'Number of times that the API key could not be read again; the last good one stays in use.',
      'account',
    ),
    clockSteps: counter(
      'clock_steps_total',
      'Number of steps of the wall clock by a second or more, by direction; waking from a suspend is a step forward.',
      'direction',
    ),
    listInconsistencies: counter(
      'list_inconsistencies_total',
      'Number of times that a device list contradicted itself or the request, by kind.',
      'account',
      'kind',
    ),
    devicesRemoved: counter('devices_removed_total', 'Number of phones that left the fleet.', 'account'),
    seriesExposed: gauge(
      'series_exposed',
      "Number of series on the page, without the exporter's own counters.",
    ),
    renderDuration: gauge(
      'page_render_duration_seconds',
      'Seconds from the last snapshot to the page that shows it.',
    ),
    pageBytes: gauge(
      'page_bytes',
      "Size of the page in bytes, without the exporter's own counters, by encoding.",
      'encoding',
    ),
    httpRequests: counter(
      'http_requests_total',
      'Number of HTTP responses, by path (other for unknown paths) and status code.',
      'path',
      'code',
    ),
    httpRefusals: counter(
      'http_rejected_total',
      'Number of HTTP requests that were refused and of connections that were closed, to keep the listener within its limits, by reason.',
      'reason',
    ),
    reloadSuccessful: gauge(
      'config_last_reload_successful',
      'Whether the configuration was valid when it was last read (1), or the previous one stays active (0).',
    ),
    reloadSuccessAt: gauge(
      'config_last_reload_success_timestamp_seconds',
      'When the configuration in force was read, in seconds since 1970.',
    ),
    stateLoadSuccessful: gauge(
      'state_load_successful',
      'Whether the state file was good at the start, or there was none yet (1), or it was refused (0). Absent where no state is kept.',
    ),
    stateSaveSuccessful: gauge(
      'state_last_save_successful',
      'Whether the state file could be written the last time (1) or not (0). Absent where no state is kept.',
    ),
    stateSaveSuccessAt: gauge(
      'state_last_save_success_timestamp_seconds',
      'When the state file was last written, in seconds since 1970. Absent where it never was.',
    ),
    externalUrl: gauge(
      'external_url_info',
      'Always 1; the address of this exporter that alerts link to (web.external_url). Absent where none is configured.',
      'url',
    ),
    logLinesDropped: counter(
      'log_lines_dropped_total',
      'Number of log lines that were dropped because nobody read the log fast enough.',
    ),
  };
  return { metrics, families };
}

type Metrics = ReturnType<typeof declareMetrics>['metrics'];

function accountMetrics(metrics: Metrics, account: string): AccountMetrics {
  return {
    connected: () => {
      initialise(metrics, account);
      metrics.throttledUntil.remove({ account });
    },
    answered: (endpoint, status, seconds) => {
      metrics.requests.inc({ account, endpoint, code: status });
      metrics.requestDuration.observe({ account, endpoint }, seconds);
    },
    failed: (endpoint, reason) => metrics.requestFailures.inc({ account, endpoint, reason }),
    retried: (endpoint) => metrics.retries.inc({ account, endpoint }),
    throttledUntil: (until) => metrics.throttledUntil.set({ account }, until / 1000),
    circuit: (endpoint, state) => setCircuit(metrics, account, endpoint, state),
    clockSkew: (seconds) => metrics.clockSkew.set({ account }, seconds),
    itemRejected: (collector, reason) => metrics.itemsRejected.inc({ account, collector, reason }),
    schemaViolation: (endpoint) => metrics.schemaViolations.inc({ account, endpoint }),
    unknownEnum: (field) => metrics.unknownEnumValues.inc({ account, field }),
    labelSanitized: () => metrics.labelsSanitized.inc({ account }),
    pollScheduled: (collector, seconds) => metrics.pollInterval.set({ account, collector }, seconds),
    pollEnded: (collector, seconds, failure) => {
      metrics.polls.inc({ account, collector });
      metrics.pollDuration.observe({ account, collector }, seconds);
      if (failure !== undefined) metrics.pollFailures.inc({ account, collector });
    },
    pollSkipped: (collector, reason) => metrics.pollsSkipped.inc({ account, collector, reason }),
    keyFileError: () => metrics.keyFileErrors.inc({ account }),
    listInconsistent: (kind, count) => metrics.listInconsistencies.inc({ account, kind }, count),
    devicesRemoved: (count) => metrics.devicesRemoved.inc({ account }, count),
  };
}

function setCircuit({ circuit }: Metrics, account: string, endpoint: Endpoint, present: CircuitState): void {
  for (const state of CIRCUIT_STATES) circuit.remove({ account, endpoint, state });
  circuit.set({ account, endpoint, state: present }, 1);
}

/**
 * Sets the counters of an account to 0: a counter that appears with its first event hides that event from `increase()`.
 * Reasons of failures begin at 0 for the device list, which every account polls; those of the other endpoints appear with
 * their first failure, which spares 38 series an account.
 */
function initialise(metrics: Metrics, account: string): void {
  metrics.devicesRemoved.inc({ account }, 0);
  for (const kind of LIST_INCONSISTENCIES) metrics.listInconsistencies.inc({ account, kind }, 0);
  metrics.keyFileErrors.inc({ account }, 0);
  for (const field of ENUM_FIELDS) metrics.unknownEnumValues.inc({ account, field }, 0);
  metrics.labelsSanitized.inc({ account }, 0);
  for (const collector of COLLECTORS) {
    metrics.polls.inc({ account, collector }, 0);
    metrics.pollDuration.zero({ account, collector });
    metrics.pollFailures.inc({ account, collector }, 0);
    for (const reason of SKIP_REASONS) metrics.pollsSkipped.inc({ account, collector, reason }, 0);
  }
  for (const reason of REJECTION_REASONS)
    metrics.itemsRejected.inc({ account, collector: 'devices', reason }, 0);
  for (const reason of FAILURE_REASONS)
    metrics.requestFailures.inc({ account, endpoint: 'devices', reason }, 0);
  for (const endpoint of ENDPOINTS) {
    metrics.requests.inc({ account, endpoint, code: 200 }, 0);
    metrics.requestDuration.zero({ account, endpoint });
    metrics.retries.inc({ account, endpoint }, 0);
    setCircuit(metrics, account, endpoint, 'closed');
    metrics.schemaViolations.inc({ account, endpoint }, 0);
  }
}

async function removeAccount(metric: Metric | undefined, account: string): Promise<void> {
  const values = (await metric?.get())?.values ?? [];
  for (const { labels } of values) {
    const { le: _, ...own }: LabelValues<string> = labels;
    if (own['account'] === account) metric?.remove(own);
  }
}
