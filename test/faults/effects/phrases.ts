import type { FailureReason } from '../../../src/model/enums.ts';
import type { Effect } from './fault-group.ts';

/** Sentences and lists that several symptoms share. */
export const NEXT_POLL = 'At the next poll.';

export const failing = (
  reason: FailureReason,
  ...faults: readonly string[]
): Readonly<Record<string, Effect>> => Object.fromEntries(faults.map((fault) => [fault, { reason }]));

export const harmless = (...faults: readonly string[]): Readonly<Record<string, Effect>> =>
  Object.fromEntries(faults.map((fault) => [fault, {}]));

export const UNAVAILABLE = ['HosterApiUnavailable'] as const;
