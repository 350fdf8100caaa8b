import type { Collector } from '../../model/endpoint.ts';
import type { Reading } from '../../model/reading.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';

/** One thing that is polled: where its reading stands in an account's snapshot, and how to bring a new one. */
export type CollectorTask<Data> = {
  readonly name: Collector;
  readonly reading: (account: AccountSnapshot) => Reading<Data>;
  readonly withReading: (account: AccountSnapshot, reading: Reading<Data>) => AccountSnapshot;
  /**
   * Asks the API and settles the answers with what the account is known to be. Throws an ApiError if nothing could be
   * learned; what was known before is then kept by the caller. It is aborted after `deadlineMilliseconds`.
   */
  readonly collect: (
    account: AccountSnapshot,
    signal: AbortSignal,
    deadlineMilliseconds: number,
  ) => Promise<Data>;
};

/** Asks for some of the data between two polls, and brings back how the answers join what is known by then. */
export type Supplement<Data> = (signal: AbortSignal) => Promise<(known: Data | undefined) => Data>;
