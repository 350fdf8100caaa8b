import { setMaxListeners } from 'node:events';
import { ApiError } from '../api/errors.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/self.ts';
import type { FailureReason } from '../model/failure.ts';
import type { Reading } from '../model/reading.ts';
import type { CollectorTask } from './collectors/collector.ts';
import { failed, succeeded } from './settle.ts';
import type { Store } from './store.ts';

/** Repeated polls of one collector of one account. */
export type Poll = {
  /** Polls once and puts the reading into the store. Never rejects; does nothing while a poll is in flight. */
  readonly run: () => Promise<void>;
  /** Aborts the poll in flight, if any, and starts no other. */
  readonly stop: () => void;
};

export type PollOptions<Data> = {
  readonly account: string;
  readonly task: CollectorTask<Data>;
  readonly store: Store;
  readonly staleAfterMilliseconds: number;
  /** Longest time that one poll may take, in milliseconds. */
  readonly deadlineMilliseconds: number;
  readonly clock: Clock;
  readonly metrics: Pick<AccountMetrics, 'pollEnded' | 'pollSkipped'>;
  readonly log: Log;
};

/** Why a poll in flight is aborted: the reason of its signal. */
const STOPPED = 'stopped';
const DEADLINE = 'deadline';

export function createPoll<Data>(options: PollOptions<Data>): Poll {
  const { task, metrics } = options;
  let inFlight: AbortController | undefined;
  let stopped = false;
  return {
    run: async () => {
      if (stopped) return;
      if (inFlight !== undefined) {
        metrics.pollSkipped(task.name, 'overlap');
        return;
      }
      const controller = new AbortController();
      // Every request of the poll listens to it; Node takes more than ten for a leak.
      setMaxListeners(0, controller.signal);
      inFlight = controller;
      await pollOnce(options, controller);
      inFlight = undefined;
    },
    stop: () => {
      stopped = true;
      inFlight?.abort(STOPPED);
    },
  };
}

/** Polls to the end or to the deadline, keeps the result, and tells why it failed. A stopped poll leaves no trace. */
async function pollOnce<Data>(options: PollOptions<Data>, controller: AbortController): Promise<void> {
  const { task, clock, metrics } = options;
  const startedAt = clock.monotonic();
  const cancelDeadline = clock.after(options.deadlineMilliseconds, () => controller.abort(DEADLINE));
  const outcome = await collect(options, controller.signal);
  cancelDeadline();
  if (controller.signal.reason === STOPPED) return;
  metrics.pollEnded(task.name, (clock.monotonic() - startedAt) / 1000, outcome.failure);
  keep(options, outcome);
}

type Outcome<Data> =
  | { readonly data: Data; readonly failure: undefined }
  | { readonly failure: FailureReason; readonly error: unknown };

async function collect<Data>(options: PollOptions<Data>, signal: AbortSignal): Promise<Outcome<Data>> {
  try {
    const data = await options.task.collect(options.store.account(options.account), signal);
    return { data, failure: undefined };
  } catch (error) {
    return { failure: reasonOf(error), error };
  }
}

/** A call whose signal aborted rejects with the reason of the signal. */
function reasonOf(error: unknown): FailureReason {
  if (error === DEADLINE) return 'timeout';
  return error instanceof ApiError ? error.reason : 'internal';
}

function keep<Data>(options: PollOptions<Data>, outcome: Outcome<Data>): void {
  const { account, task, store, clock, staleAfterMilliseconds } = options;
  const before = task.reading(store.account(account));
  const after =
    outcome.failure === undefined
      ? succeeded(outcome.data, clock.now())
      : failed(before, outcome.failure, clock.now(), staleAfterMilliseconds);
  store.update(account, (known) => task.withReading(known, after));
  logTransition(options, before, outcome);
}

/** One line when a collector begins to fail, fails otherwise or works again; nothing while things stay as they are. */
function logTransition<Data>(
  options: PollOptions<Data>,
  before: Reading<Data>,
  outcome: Outcome<Data>,
): void {
  const { task, log } = options;
  const collector = task.name;
  if (outcome.failure === undefined) {
    if (before.failure !== undefined) log.info({ collector, after: before.failure }, 'poll succeeds again');
    else if (before.lastSuccessAt === undefined) log.info({ collector }, 'first poll succeeded');
  } else if (outcome.failure !== before.failure) {
    log.warn({ collector, reason: outcome.failure, error: outcome.error }, 'poll failed');
  }
}
