import type { Registry } from 'prom-client';
import { apiInstruments } from './api-instruments.ts';
import { createInstrumentKit, type InstrumentEvents } from './instrument-kit.ts';

/** Seconds: from a balance to the tunnels of a large fleet. */
const POLL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];

/** Seconds: from a handful of phones to a hundred thousand. */
const RENDER_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export type Instruments = ReturnType<typeof createInstruments>;

/**
 * What we count and time about ourselves while it happens: each instrument with its name, help and labels, once. Facts
 * that follow from the snapshot are rows (`rows/poll.ts`) instead, so that they cannot contradict it.
 */
export function createInstruments(registry: Registry, events: InstrumentEvents) {
  const kit = createInstrumentKit(registry, events);
  const { counter, gauge, histogram, forget } = kit;
  return {
    forget,
    buildInfo: gauge(
      'build_info',
      'Always 1; the version and revision of this exporter and the Node.js that runs it.',
      'version',
      'revision',
      'node_version',
    ),
    shards: gauge(
      'shards',
      'Number of shards that the phones of every account are divided among; the label is the one that this process looks after, from 0. Absent where they are not divided.',
      'shard',
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
    ...apiInstruments(kit),
    watchdogFires: counter(
      'watchdog_fires_total',
      'Number of polls that the watchdog started, since the clock was set back and would have kept them waiting.',
      'account',
      'collector',
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
      'Number of times that a device list contradicted itself or what was asked for, by kind.',
      'account',
      'kind',
    ),
    devicesRemoved: counter(
      'devices_removed_total',
      'Number of phones that left the fleet, whichever shard looked after them.',
      'account',
    ),
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
    httpRefusals: counter(
      'http_rejected_total',
      'Number of HTTP requests that were refused and of connections that were cut off, to keep the listener within its limits, by reason.',
      'reason',
    ),
    reloadSuccessful: gauge(
      'config_last_reload_successful',
      'Whether the configuration was good when it was last read (1), or the one from before stays in force (0).',
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
    logLinesDropped: counter(
      'log_lines_dropped_total',
      'Number of log lines that were dropped because nobody read the log fast enough.',
    ),
  };
}
