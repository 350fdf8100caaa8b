import type { InstrumentKit } from './instrument-kit.ts';

/** Seconds: from an answer of a neighbour to the longest time that a request may take. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** What we count and time about the API: how requests went, and what was wrong with what it said. */
export function apiInstruments({ counter, gauge, histogram }: InstrumentKit) {
  return {
    requests: counter(
      'api_requests_total',
      'Number of requests that the API answered, by HTTP status code.',
      'account',
      'endpoint',
      'code',
    ),
    requestFailures: counter(
      'api_request_failures_total',
      'Number of tries that brought no usable answer or were not sent because of an earlier one, by reason.',
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
      'Until when nothing is sent because the API asked for a pause, in seconds since 1970. Absent before the first pause.',
      'account',
    ),
    circuit: gauge(
      'api_circuit_state',
      'Whether requests to the endpoint are sent (closed), kept back because it is down (open), or one of them tries whether it is back (half_open); 1 for the present state, 0 for the others.',
      'account',
      'endpoint',
      'state',
    ),
    concurrencyLimit: gauge(
      'api_concurrency_limit',
      'Number of requests that may be under way at one time; falls when the API shows signs of overload.',
      'account',
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
  };
}
