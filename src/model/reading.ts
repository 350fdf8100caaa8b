import type { DataState, FailureReason } from './enums.ts';

/** State of an account's polls by one collector in this process. Instants are milliseconds since 1970 by our clock. */
export type PollState = {
  readonly state: DataState;
  readonly lastSuccessAt: number | undefined;
  /** The same by the machine's uptime, in milliseconds, to compute its age. */
  readonly lastSuccessUptime: number | undefined;
  readonly lastAttemptAt: number | undefined;
  /** Reason of the last failure; undefined after a success and before the first poll. */
  readonly failure: FailureReason | undefined;
};

/** The data and the polls of one collector. A failed poll keeps `data`. */
export type Reading<Data> = PollState & {
  /** Undefined before the first success ever. An expired reading still contains it. */
  readonly data: Data | undefined;
};

/** Returns the data of a reading unless it has expired. */
export function shownData<Data>({ data, state }: Reading<Data>): Data | undefined {
  return state === 'expired' ? undefined : data;
}
