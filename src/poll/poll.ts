import { setMaxListeners } from 'node:events';
import { ApiError } from '../api/errors.ts';
import type { Clock } from '../base/clock.ts';
import { type Log, limitLog } from '../base/log.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import { type Collector, ENDPOINT_OF, type FailureReason, type SkipReason } from '../model/enums.ts';
import type { Observation } from '../model/observation.ts';
import type { PollState } from '../model/reading.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { afterFailedPoll, afterSuccessfulPoll, withAge } from './freshness.ts';
import type { Judge } from './judge.ts';
import type { Schedule } from './schedule.ts';
import type { Store } from './store.ts';

export type CollectorTask = {
  readonly name: Collector;
  /** Throws an ApiError if nothing could be learned. Undefined if the poll succeeded but showed nothing new. */
  readonly collect: (
    account: AccountSnapshot,
    signal: AbortSignal,
    timing: PollTiming,
  ) => Promise<Observation | undefined>;
};

/** Times of a poll, in whole milliseconds. */
export type PollTiming = {
  readonly dueIn: number;
  /** Shortest time between two polls. */
  readonly slack: number;
  /** The poll is aborted after this time. */
  readonly deadline: number;
  /** Returns the time since the last observation in this process; undefined before the first one. */
  readonly sinceObserved: () => number | undefined;
};

export type Poll = {
  /** Polls once and stores what was learned. Never rejects; does nothing while a poll is in flight. */
  readonly run: () => Promise<void>;
  /** Counts a poll that was due but is not started. */
  readonly skip: (reason: SkipReason) => void;
  /** Returns when a poll last ended or was skipped on purpose, by the monotonic clock; at first, its creation. */
  readonly attemptedAt: () => number;
  /** Fetches something between two polls. Never rejects: whatever could not be fetched is left to the next poll. */
  readonly supplement: (fetch: (signal: AbortSignal) => Promise<Observation>) => Promise<void>;
  /** Updates the state of the polls to their current age. */
  readonly updateAge: () => void;
  /** Aborts whatever is in flight, and starts nothing more. */
  readonly stop: () => void;
};

/** Share of the time until the next poll that a poll may take at most. */
export const DEADLINE_SHARE = 0.8;

type PollOptions = {
  readonly account: string;
  readonly task: CollectorTask;
  readonly schedule: Pick<Schedule, 'untilNext' | 'shortestGap' | 'intervalSeconds'>;
  readonly store: Pick<Store, 'account' | 'takePoll'>;
  readonly judge: Judge;
  readonly staleAfterMilliseconds: number;
  readonly clock: Clock;
  readonly apiTime: () => number;
  readonly metrics: Pick<AccountMetrics, 'on' | 'pollAttempted' | 'pollEnded' | 'pollSkipped'>;
  readonly log: Log;
};

export function createPoll(options: PollOptions): Poll {
  const { account: name, task, schedule, store, judge, clock, metrics } = options;
  const { name: collector } = task;
  const slack = schedule.shortestGap;
  const inFlight = new Set<Attempt<unknown>>();
  let polling = false;
  let stopped = false;
  let attemptedAt = clock.monotonic();
  const sinceObserved = createElapsed(clock);
  const sinceAttempt = createElapsed(clock);
  // Before the first poll, this is the longest gap in the schedule.
  let dueIn = schedule.intervalSeconds * 1000;
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
  /** Returns the current account; undefined once this poll is stopped, since another one may have taken its place. */
  const present = (): AccountSnapshot | undefined => (stopped ? undefined : store.account(name));
  /** Returns the state of the polls at their current age. */
  const aged = (polled: PollState): PollState =>
    withAge(polled, clock.uptime(), { dueIn, slack, staleAfter: options.staleAfterMilliseconds });
  const observe = (observation: Observation, polled: PollState): Promise<void> =>
    judge.observe({ name, observation, poll: { name, collector, polled } });

  const skip = (reason: SkipReason): void => {
    metrics.pollSkipped(collector, reason);
    // A poll that never ends would overlap with all later ones.
    if (reason === 'overlap') return;
    metrics.pollAttempted(collector, clock.now());
    attemptedAt = clock.monotonic();
  };

  const pollOnce = async (known: AccountSnapshot): Promise<void> => {
    const timing = { ...timingOf(schedule), sinceObserved: sinceObserved.read };
    const outcome = await withDeadline(timing.deadline, (signal) => task.collect(known, signal, timing));
    const before = present();
    if (outcome === undefined || before === undefined) return;
    const { failure } = outcome;
    const elapsed = sinceAttempt.read();
    sinceAttempt.restart();
    if (failure === undefined) {
      ({ dueIn } = timing);
      const polled = afterSuccessfulPoll(clock.now(), clock.uptime());
      if (outcome.value === undefined) store.takePoll({ name, collector, polled });
      else {
        const observedAt = clock.uptime();
        await observe(outcome.value, polled);
        sinceObserved.restart(observedAt);
      }
    } else {
      const polled = aged(afterFailedPoll(before[collector], failure, clock.now()));
      const at = Math.round(options.apiTime());
      await observe({ kind: 'failure', collector, reason: failure, elapsed, at }, polled);
    }
    if (stopped) return;
    metrics.pollEnded(collector, failure);
    metrics.pollAttempted(collector, clock.now());
    if (failure !== undefined && !isOfRequest(outcome.error))
      metrics.on({ kind: 'failed', endpoint: ENDPOINT_OF[collector], reason: failure });
    logTransition(before[collector], outcome);
  };
  /** Records that an observation could not be processed. The known data stays until the next poll. */
  const judgementFailed = (error: unknown): void => {
    if (stopped) return;
    metrics.pollEnded(collector, 'internal');
    metrics.on({ kind: 'failed', endpoint: ENDPOINT_OF[collector], reason: 'internal' });
    options.log.error(
      { collector, error },
      'the result of a poll could not be processed: please report this',
    );
  };

  return {
    skip,
    attemptedAt: () => attemptedAt,
    run: async () => {
      const known = present();
      if (known === undefined) return;
      if (polling) {
        skip('overlap');
        return;
      }
      polling = true;
      await pollOnce(known).catch(judgementFailed);
      polling = false;
      attemptedAt = clock.monotonic();
    },
    supplement: async (fetch) => {
      if (stopped) return;
      const outcome = await withDeadline(timingOf(schedule).deadline, fetch);
      if (outcome === undefined || outcome.failure !== undefined || stopped) return;
      await judge.observe({ name, observation: outcome.value, poll: undefined }).catch(judgementFailed);
    },
    updateAge: () => {
      const before = present()?.[collector];
      if (before === undefined) return;
      const polled = aged(before);
      if (polled !== before) store.takePoll({ name, collector, polled });
    },
    stop: () => {
      stopped = true;
      for (const attempt of inFlight) attempt.stop();
    },
  };
}

/** Measures time by the machine's uptime: time while it is suspended counts, and setting the clock does not. */
function createElapsed(clock: Pick<Clock, 'uptime'>) {
  let startedAt: number | undefined;
  return {
    /** Returns whole milliseconds since the last restart; undefined before the first one. */
    read: (): number | undefined =>
      startedAt === undefined ? undefined : Math.round(clock.uptime() - startedAt),
    restart: (at = clock.uptime()): void => {
      startedAt = at;
    },
  };
}

function timingOf({ untilNext, shortestGap }: PollOptions['schedule']): Omit<PollTiming, 'sinceObserved'> {
  const dueIn = Math.round(untilNext());
  return { dueIn, slack: shortestGap, deadline: DEADLINE_SHARE * Math.max(dueIn, shortestGap) };
}

/** Maximum number of log lines per collector and minute, however often it fails and recovers. */
const MAX_LINES = 3;

/** Returns a function that logs when a collector starts to fail, fails for another reason, or recovers. */
function transitionLog({ task: { name: collector }, clock, log: unlimited }: PollOptions) {
  const log = limitLog(unlimited, clock, MAX_LINES);
  return ({ failure: after, lastSuccessAt }: PollState, outcome: Outcome<unknown>): void => {
    const { failure } = outcome;
    if (failure === undefined) {
      if (after !== undefined) log.info({ collector, after }, 'polls succeed again');
      else if (lastSuccessAt === undefined) log.info({ collector }, 'first poll succeeded');
    } else if (failure !== after) {
      log.warn({ collector, reason: failure, error: outcome.error }, 'poll failed');
    }
  };
}

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

/** Share of the deadline that aborted work gets to return what it has. */
const GRACE_SHARE = 1 / 8;

/**
 * Starts work that is aborted at its deadline, in milliseconds. If it ignores its signal, it is abandoned an eighth of
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

/** Reports whether a request failed, which is counted where it fails; other failures are the poll's own. */
function isOfRequest(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  // A list of several responses has no status.
  return error.reason !== 'inconsistent' && !(error.reason === 'schema' && error.status === undefined);
}

/** Returns the reason of a failure. A request whose signal aborted rejects with the reason of the signal. */
function reasonOf(error: unknown): FailureReason {
  if (error === DEADLINE_PASSED) return 'timeout';
  return error instanceof ApiError ? error.reason : 'internal';
}
