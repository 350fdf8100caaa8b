import type { Endpoint, FailureReason } from '../../../src/model/enums.ts';

/** The same at all endpoints, or something else at each. */
export type At<Value> = Value | Readonly<Partial<Record<Endpoint, Value>>>;

/** Effects of a fault. */
export type Effect = {
  /** Why requests fail, or polls whose requests did not; by endpoint where they differ. Absent: nothing fails. */
  readonly reason?: At<FailureReason>;
  /** Why a request may fail, too, if it was on its way at that moment. It is tried again. */
  readonly chance?: FailureReason;
  /** The family that grows where no request fails. */
  readonly counter?: At<string>;
  /** Most requests in a round of polls, where it is more than usual. */
  readonly budget?: number;
  readonly pace?: Pace;
};

/**
 * Pace of a scenario that depends on real time: `slow` is busy for long without a request, `real` waits for a
 * time limit that no test can move, and `restful` needs rounds apart for as long as idle connections are kept.
 */
export type Pace = 'slow' | 'real' | 'patient' | 'restful';

/** Faults that look alike to an operator, and need the same action. */
export type FaultGroup = {
  readonly title: string;
  readonly effects: Readonly<Record<string, Effect>>;
  /** What is served in the meantime, in addition to the last good data of what fails. */
  readonly served?: string;
  /** Where it shows, in addition to the reason for failed requests. */
  readonly shown?: string;
  /** Alerts that fire if it lasts. */
  readonly alerts: readonly string[];
  readonly action: string;
  /** When all is well again, once the fault is over. */
  readonly recovery: string;
  /** The same as a number of rounds of polls, each of 30 seconds. By default two. */
  readonly rounds?: number;
  /** The API demands a backoff, so other collectors send nothing either. */
  readonly pauses?: true;
};
