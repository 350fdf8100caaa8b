import { Counter, Gauge, Histogram, type LabelValues, type Registry } from 'prom-client';

/** Seconds: from an answer of a neighbour to the longest time that a request may take. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Seconds: from a balance to the tunnels of a large fleet. */
const POLL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];

/** Seconds: from a handful of phones to a hundred thousand. */
const RENDER_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What an instrument is called and means, for documents and checks. */
export type SelfFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly labels: readonly string[];
};

export type Instruments = ReturnType<typeof createInstruments>;

/** Told of each instrument as it is made, and by name whenever one of its values changes. */
export type InstrumentEvents = {
  readonly declare: (family: SelfFamily) => void;
  readonly changed: (name: string) => void;
};

/**
 * What we count and time about ourselves while it happens: each instrument with its name, help and labels, once. Facts
 * that follow from the snapshot are rows (`rows/poll.ts`) instead, so that they cannot contradict it.
 */
export function createInstruments(registry: Registry, { declare, changed }: InstrumentEvents) {
  const declared = <Label extends string>(
    type: SelfFamily['type'],
    suffix: string,
    help: string,
    labels: Label[],
  ) => {
    const name = `hoster_exporter_${suffix}`;
    declare({ name, help, type, labels });
    return { name, help, labelNames: labels, registers: [registry] };
  };
  const counter = <Label extends string>(suffix: string, help: string, ...labels: Label[]) => {
    const options = declared('counter', suffix, help, labels);
    const metric = new Counter(options);
    return {
      inc: (values: LabelValues<Label>, by = 1) => {
        metric.inc(values, by);
        changed(options.name);
      },
    };
  };
  const gauge = <Label extends string>(suffix: string, help: string, ...labels: Label[]) => {
    const options = declared('gauge', suffix, help, labels);
    const metric = new Gauge(options);
    return {
      set: (values: LabelValues<Label>, value: number) => {
        metric.set(values, value);
        changed(options.name);
      },
    };
  };
  const histogram = <Label extends string>(
    suffix: string,
    help: string,
    buckets: number[],
    ...labels: Label[]
  ) => {
    const options = declared('histogram', suffix, help, labels);
    const metric = new Histogram({ ...options, buckets });
    return {
      zero: (values: LabelValues<Label>) => {
        metric.zero(values);
        changed(options.name);
      },
      observe: (values: LabelValues<Label>, seconds: number) => {
        metric.observe(values, seconds);
        changed(options.name);
      },
    };
  };
  return {
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
      'Number of polls that failed, by the reason of the first failure in each.',
      'account',
      'collector',
      'reason',
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
      'Longest number of seconds between two polls that the schedule asks for.',
      'account',
      'collector',
    ),
    requests: counter(
      'api_requests_total',
      'Number of requests that the API answered, by HTTP status code.',
      'account',
      'endpoint',
      'code',
    ),
    requestFailures: counter(
      'api_request_failures_total',
      'Number of requests that brought no usable answer, by reason.',
      'account',
      'endpoint',
      'reason',
    ),
    requestDuration: histogram(
      'api_request_duration_seconds',
      'Seconds from sending a request to the last byte of its answer.',
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
      'Number of items in answers that were left out because they could not be identified, by reason.',
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
      'label',
    ),
    devicesRemoved: counter('devices_removed_total', 'Number of phones that left the fleet.', 'account'),
    seriesExposed: gauge(
      'series_exposed',
      "Number of series on the page, without the exporter's own counters.",
    ),
    renderDuration: histogram(
      'page_render_duration_seconds',
      'Seconds from a new snapshot to the page that shows it.',
      RENDER_BUCKETS,
    ),
    pageBytes: gauge(
      'page_bytes',
      "Size of the page in bytes, without the exporter's own counters, by encoding.",
      'encoding',
    ),
    httpRequests: counter(
      'http_requests_total',
      'Number of HTTP requests that were answered, by path (other where it is none of ours) and status code.',
      'path',
      'code',
    ),
    logLinesDropped: counter(
      'log_lines_dropped_total',
      'Number of log lines that were dropped because nobody read the log fast enough.',
    ),
  };
}
