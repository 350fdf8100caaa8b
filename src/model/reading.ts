import type { DataState, FailureReason } from './enums.ts';

/**
 * The latest result of one collector of one account. A failed poll replaces the facts about the attempt and keeps
 * `data`. Instants are milliseconds since 1970 of our own clock.
 */
export type Reading<Data> = {
  /** Undefined until the first success. An expired reading still holds it, for the time when the API returns. */
  readonly data: Data | undefined;
  readonly state: DataState;
  readonly lastSuccessAt: number | undefined;
  /** The same by the uptime of the machine, in milliseconds, from which its age is computed. */
  readonly lastSuccessUptime: number | undefined;
  readonly lastAttemptAt: number | undefined;
  /** Reason of the last failure; undefined after a success and before the first poll. */
  readonly failure: FailureReason | undefined;
};

/** Returns the data of a reading, if there is any that may still be shown. */
export function shownData<Data>({ data, state }: Reading<Data>): Data | undefined {
  return state === 'expired' ? undefined : data;
}
