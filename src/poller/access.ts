import type { Clock } from '../clock.ts';
import type { Collector } from '../model/endpoint.ts';
import type { FailureReason } from '../model/failure.ts';
import { afterPoll, isProbeDue, mayPoll, NO_REFUSALS } from './refusals.ts';

/** Whether the key of one account may be used, as far as its polls have told. */
export type Access = {
  /** Reads the key again first: another key ends every pause. */
  readonly mayPoll: (collector: Collector) => boolean;
  /** Whether it is time for the probe to try a key that was refused. */
  readonly isProbeDue: () => boolean;
  readonly pollEnded: (collector: Collector, failure: FailureReason | undefined) => void;
};

/** @param refreshKey reads the key again, and says whether it is another than before */
export function createAccess(refreshKey: () => boolean, clock: Clock): Access {
  let refusals = NO_REFUSALS;
  return {
    mayPoll: (collector) => {
      if (refreshKey()) refusals = NO_REFUSALS;
      return mayPoll(refusals, collector, clock.monotonic());
    },
    isProbeDue: () => isProbeDue(refusals, clock.monotonic()),
    pollEnded: (collector, failure) => {
      refusals = afterPoll(refusals, collector, failure, clock.monotonic());
    },
  };
}
