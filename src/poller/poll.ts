import { setMaxListeners } from 'node:events';
import { ApiError } from '../api/errors.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import { type Collector, ENDPOINT_OF, type FailureReason, type SkipReason } from '../model/enums.ts';
import type { Reading } from '../model/reading.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { afterFailedPoll, afterSuccessfulPoll, lifetimeOf, withAge } from './freshness.ts';
import type { Judge } from './judge.ts';
import type { Store } from './store.ts';

/** A collector: the place of its reading in an account's snapshot, and how to fetch a new one. */
export type CollectorTask<Data> = {
  readonly name: Collector;
  readonly reading: (account: AccountSnapshot) => Reading<Data>;
  readonly withReading: (account: AccountSnapshot, reading: Reading<Data>) => AccountSnapshot;
  /**
   * Fetches from the API. Returns a function that settles the result with what is known of the account by then. Throws an
   * ApiError if nothing could be learned.
   */
  readonly collect: (
    account: AccountSnapshot,
    signal: AbortSignal,
    limits: PollLimits,
  ) => Promise<(account: AccountSnapshot) => Data>;
};

/** Times that bound a poll, in milliseconds. */
export type PollLimits = {
  /** The poll is aborted after this time. */
  readonly deadline: number;
  /** Time for which the data of the poll before is shown; nothing is known of a longer time between the two. */
  readonly lifetime: number;
  /** Time since the poll before that is no outage of the API: polls are late, and one may fail. */
  readonly freshFor: number;
  /** The same as `lifetime` where polls fail (`poll.stale_after`). */
  readonly staleAfter: number;
};

/** The polls of one collector of one account. */
export type Poll<Data> = {
  /**
   * Polls once and stores the reading. Never rejects; does nothing while a poll is in flight.
   *
   * @param gap milliseconds until the next poll
   */
  readonly run: (gap: number) => Promise<void>;
  /** Counts a poll that was due and is not started. */
  readonly skip: (reason: SkipReason) => void;
  /** Returns when a poll last ended or was skipped, by the monotonic clock; at first, when this was created. */
  readonly attemptedAt: () => number;
  /**
   * Fetches something between two polls, and changes the data with it. Never rejects: what could not be fetched is left
   * to the next poll.
   */
  readonly supplement: (
    fetch: (signal: AbortSignal) => Promise<(known: Data | undefined) => Data>,
  ) => Promise<void>;
  /** Updates the state of the reading to its present age. */
  readonly updateAge: () => void;
  /** Aborts what is in flight, and starts nothing more. */
  readonly stop: () => void;
};

/** Maximum share of the time until the next poll that a poll may take. */
export const DEADLINE_SHARE = 0.8;

/** An outage begins after this many gaps without a successful poll. */
const OUTAGE_GAPS = 2.5;

type PollOptions<Data> = {
  readonly account: string;
  readonly task: CollectorTask<Data>;
  readonly store: Pick<Store, 'account' | 'update'>;
  readonly judge: Judge;
  /** Longest time between two polls: the gap after a poll of an earlier poller, in milliseconds. */
  readonly longestGap: number;
  readonly staleAfterMilliseconds: number;
  readonly clock: Clock;
  readonly metrics: Pick<AccountMetrics, 'failed' | 'pollEnded' | 'pollSkipped'>;
  readonly log: Log;
};

export function createPoll<Data>(options: PollOptions<Data>): Poll<Data> {
  const { account, task, store, judge, clock, metrics } = options;
  const inFlight = new Set<Attempt<unknown>>();
  let polling = false;
  let stopped = false;
  let attemptedAt = clock.monotonic();
  let staleness = { gap: options.longestGap, staleAfter: options.staleAfterMilliseconds };
  const logTransition = transitionLog(options);

  const withDeadline = async <Value>(
    deadline: number,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Outcome<Value> | undefined> => {
    const attempt = startAttempt(work, deadline, clock);
    inFlight.add(attempt);
    const outcome = await attempt.outcome;
    inFlight.delete(attempt);
    return outcome;
  };
  /** Returns the account as it is now; undefined once this poll was stopped, since another one may have taken its place. */
  const present = (): AccountSnapshot | undefined => (stopped ? undefined : store.account(account));
  /** Changes the reading, and its state as its age demands. */
  const update = (change: (reading: Reading<Data>) => Reading<Data>): void => {
    const known = present();
    if (known === undefined) return;
    const before = task.reading(known);
    const after = withAge(change(before), clock.uptime(), staleness);
    if (after !== before) store.update(account, (current) => task.withReading(current, after));
  };
  /** Changes the reading to one with new data, which is judged. The data is settled once, with what is known then. */
  const storeData = (
    settle: (account: AccountSnapshot) => Data,
    readingOf: (before: Reading<Data>, data: Data) => Reading<Data>,
  ): Promise<void> => {
    let settled: { readonly data: Data } | undefined;
    return judge.submit(account, (current) => {
      if (stopped) return current;
      settled ??= { data: settle(current) };
      return task.withReading(current, readingOf(task.reading(current), settled.data));
    });
  };
  const storeSuccess = async (settle: (account: AccountSnapshot) => Data, gap: number): Promise<void> => {
    const [now, uptime] = [clock.now(), clock.uptime()];
    await storeData(settle, (_, data) => afterSuccessfulPoll(data, now, uptime));
    staleness = { ...staleness, gap };
  };

  const skip = (reason: SkipReason): void => {
    metrics.pollSkipped(task.name, reason);
    attemptedAt = clock.monotonic();
  };

  return {
    skip,
    attemptedAt: () => attemptedAt,
    run: async (gap) => {
      const known = present();
      if (known === undefined) return;
      if (polling) {
        skip('overlap');
        return;
      }
      polling = true;
      const limits = {
        deadline: DEADLINE_SHARE * gap,
        lifetime: lifetimeOf(task.reading(known), staleness),
        freshFor: OUTAGE_GAPS * staleness.gap,
        staleAfter: staleness.staleAfter,
      };
      const outcome = await withDeadline(limits.deadline, (signal) => task.collect(known, signal, limits));
      const before = present();
      if (outcome === undefined || before === undefined) return;
      if (outcome.failure === undefined) await storeSuccess(outcome.value, gap);
      polling = false;
      if (stopped) return;
      metrics.pollEnded(task.name, outcome.failure);
      if (outcome.failure !== undefined && !isOfRequest(outcome.error))
        metrics.failed(ENDPOINT_OF[task.name], outcome.failure);
      attemptedAt = clock.monotonic();
      logTransition(task.reading(before), outcome);
      const { failure } = outcome;
      if (failure !== undefined) update((reading) => afterFailedPoll(reading, failure, clock.now()));
    },
    supplement: async (fetch) => {
      if (stopped) return;
      const outcome = await withDeadline(DEADLINE_SHARE * staleness.gap, fetch);
      if (outcome === undefined || outcome.failure !== undefined) return;
      await storeData(
        (current) => outcome.value(task.reading(current).data),
        (before, data) => ({ ...before, data }),
      );
    },
    updateAge: () => update((before) => before),
    stop: () => {
      stopped = true;
      for (const attempt of inFlight) attempt.stop();
    },
  };
}

/** Maximum number of log lines of a collector in a minute, however often it fails and works again. */
const MAX_LINES = 3;
const MINUTE = 60_000;

/** Returns a function that logs a line when a collector begins to fail, fails for another reason or works again. */
function transitionLog<Data>({ task, clock, log }: PollOptions<Data>) {
  const collector = task.name;
  let loggedAt: readonly number[] = [];
  const isQuiet = (): boolean => {
    const now = clock.monotonic();
    loggedAt = loggedAt.filter((at) => now - at < MINUTE);
    if (loggedAt.length >= MAX_LINES) return true;
    loggedAt = [...loggedAt, now];
    return false;
  };
  return (before: Reading<Data>, outcome: Outcome<unknown>): void => {
    if (outcome.failure === undefined) {
      const { failure: after, lastSuccessAt } = before;
      if (after === undefined && lastSuccessAt !== undefined) return;
      if (isQuiet()) return;
      if (after === undefined) log.info({ collector }, 'first poll succeeded');
      else log.info({ collector, after }, 'poll succeeds again');
    } else if (outcome.failure !== before.failure && !isQuiet()) {
      log.warn({ collector, reason: outcome.failure, error: outcome.error }, 'poll failed');
    }
  };
}

/** The outcome of work that could fail. */
type Outcome<Value> =
  | { readonly value: Value; readonly failure: undefined }
  | { readonly failure: FailureReason; readonly error: unknown };

/** Work in flight. */
type Attempt<Value> = {
  /** Never rejects; undefined if the attempt was stopped. */
  readonly outcome: Promise<Outcome<Value> | undefined>;
  readonly stop: () => void;
};

/** Reasons with which the signal of an attempt aborts. */
const STOPPED = 'stopped';
const DEADLINE_PASSED = 'deadline passed';

/** Share of the deadline that aborted work is given to return what it has. */
const GRACE_SHARE = 1 / 8;

/**
 * Starts work that is aborted at its deadline, in milliseconds. Work that ignores its signal is abandoned an eighth of
 * the deadline later.
 */
function startAttempt<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  deadlineMilliseconds: number,
  clock: Clock,
): Attempt<Value> {
  const controller = new AbortController();
  const { signal } = controller;
  // Each request of a poll listens to its signal.
  setMaxListeners(0, signal);
  let abandon = (_reason: string): void => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = reject;
  });
  let cancel = clock.after(deadlineMilliseconds, () => {
    controller.abort(DEADLINE_PASSED);
    cancel = clock.after(deadlineMilliseconds * GRACE_SHARE, () => abandon(DEADLINE_PASSED));
  });
  const run = async (): Promise<Outcome<Value> | undefined> => {
    try {
      const value = await Promise.race([work(signal), abandoned]);
      return signal.reason === STOPPED ? undefined : { value, failure: undefined };
    } catch (error) {
      return signal.reason === STOPPED ? undefined : { failure: reasonOf(error), error };
    } finally {
      cancel();
    }
  };
  return {
    outcome: run(),
    stop: () => {
      controller.abort(STOPPED);
      abandon(STOPPED);
    },
  };
}

/** Tells whether a request failed, which is counted where it fails; other failures are the poll's own. */
function isOfRequest(error: unknown): boolean {
  return error instanceof ApiError && error.reason !== 'inconsistent';
}

/** Returns the reason of a failure. A request whose signal aborted rejects with the reason of the signal. */
function reasonOf(error: unknown): FailureReason {
  if (error === DEADLINE_PASSED) return 'timeout';
  return error instanceof ApiError ? error.reason : 'internal';
}
