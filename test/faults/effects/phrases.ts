import type { FailureReason } from '../../../src/model/enums.ts';
import type { Effect } from './fault-group.ts';

/** Sentences and lists that several symptoms share. */
export const HELD =
  'The last good reading of the failing collectors, as `held`. After `poll.stale_after` it is `expired` and its series are withdrawn.';

export const HELD_ALONE = `${HELD} The other collectors continue.`;

export const FAILED =
  '`hoster_up` and `hoster_exporter_poll_success` are 0. `hoster_exporter_poll_failures_total` counts the poll, and `hoster_exporter_api_request_failures_total` the reason above.';

export const NEXT_POLL = 'At the next poll.';

export const AFTER_REST = 'At the next poll. If the circuit is open, after 30 to 60 s.';

export const failing = (
  reason: FailureReason,
  ...faults: readonly string[]
): Readonly<Record<string, Effect>> => Object.fromEntries(faults.map((fault) => [fault, { reason }]));

export const harmless = (...faults: readonly string[]): Readonly<Record<string, Effect>> =>
  Object.fromEntries(faults.map((fault) => [fault, {}]));

export const UNAVAILABLE = ['HosterApiUnavailable'] as const;
