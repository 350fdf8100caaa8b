import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/self.ts';
import type { Reading } from '../model/reading.ts';
import { type Attempt, attempt, type Outcome } from './attempt.ts';
import type { CollectorTask, Supplement } from './collectors/collector.ts';
import { expire, type Patience } from './expiry.ts';
import { ageOf, type Moment, momentOf } from './moment.ts';
import { failed, succeeded } from './settle.ts';
import type { Store } from './store.ts';

/** Repeated polls of one collector of one account. */
export type Poll<Data> = {
  /** Polls once and puts the reading into the store. Never rejects; does nothing while a poll is in flight. */
  readonly run: () => Promise<void>;
  /**
   * Learns something between two polls and adds it to the data; what is said about the data stays, as this is no poll.
   * Never rejects: what could not be learned is left to the next poll.
   */
  readonly supplement: (ask: Supplement<Data>) => Promise<void>;
  /** Lets the reading grow old. */
  readonly expire: () => void;
  /** Aborts what is in flight, and starts nothing more. */
  readonly stop: () => void;
};

export type PollOptions<Data> = Patience & {
  readonly account: string;
  readonly task: CollectorTask<Data>;
  readonly store: Store;
  /** Longest time that one poll may take, in milliseconds. */
  readonly deadlineMilliseconds: number;
  readonly clock: Clock;
  readonly metrics: Pick<AccountMetrics, 'pollEnded' | 'pollSkipped'>;
  readonly log: Log;
};

export function createPoll<Data>(options: PollOptions<Data>): Poll<Data> {
  const { account, task, store, clock, metrics, deadlineMilliseconds } = options;
  const underWay = new Set<Attempt<unknown>>();
  let polling = false;
  let stopped = false;
  let succeededAt: Moment | undefined;

  const bounded = async <Value>(work: (signal: AbortSignal) => Promise<Value>) => {
    const begun = attempt(work, deadlineMilliseconds, clock);
    underWay.add(begun);
    const outcome = await begun.outcome;
    underWay.delete(begun);
    return outcome;
  };
  const replace = (change: (reading: Reading<Data>) => Reading<Data>) => {
    const known = store.account(account);
    const before = task.reading(known);
    const now = momentOf(clock);
    // A reading that was there before us is as old as the wall clock says.
    succeededAt ??= momentOfReading(before, now);
    const changed = change(before);
    const after = succeededAt === undefined ? changed : expire(changed, ageOf(succeededAt, now), options);
    if (after !== before) store.update(account, (current) => task.withReading(current, after));
  };

  return {
    run: async () => {
      if (stopped) return;
      if (polling) {
        metrics.pollSkipped(task.name, 'overlap');
        return;
      }
      polling = true;
      const startedAt = clock.monotonic();
      const outcome = await bounded((signal) =>
        task.collect(store.account(account), signal, deadlineMilliseconds),
      );
      polling = false;
      if (outcome === undefined) return;
      if (outcome.failure === undefined) succeededAt = momentOf(clock);
      metrics.pollEnded(task.name, (clock.monotonic() - startedAt) / 1000, outcome.failure);
      logTransition(options, task.reading(store.account(account)), outcome);
      replace((before) => readingAfter(before, outcome, options));
    },
    supplement: async (ask) => {
      if (stopped) return;
      const outcome = await bounded(ask);
      if (outcome === undefined || outcome.failure !== undefined) return;
      replace((before) => ({ ...before, data: outcome.value(before.data) }));
    },
    expire: () => replace((before) => before),
    stop: () => {
      stopped = true;
      for (const each of underWay) each.stop();
    },
  };
}

function momentOfReading({ lastSuccessAt }: Reading<unknown>, now: Moment): Moment | undefined {
  return lastSuccessAt === undefined ? undefined : { ...now, wall: lastSuccessAt };
}

function readingAfter<Data>(
  before: Reading<Data>,
  outcome: Outcome<Data>,
  { clock, staleAfterMilliseconds }: PollOptions<Data>,
): Reading<Data> {
  return outcome.failure === undefined
    ? succeeded(outcome.value, clock.now())
    : failed(before, outcome.failure, clock.now(), staleAfterMilliseconds);
}

/** One line when a collector begins to fail, fails otherwise or works again; nothing while things stay as they are. */
function logTransition<Data>(
  { task, log }: PollOptions<Data>,
  before: Reading<Data>,
  outcome: Outcome<Data>,
): void {
  const collector = task.name;
  if (outcome.failure === undefined) {
    if (before.failure !== undefined) log.info({ collector, after: before.failure }, 'poll succeeds again');
    else if (before.lastSuccessAt === undefined) log.info({ collector }, 'first poll succeeded');
  } else if (outcome.failure !== before.failure) {
    log.warn({ collector, reason: outcome.failure, error: outcome.error }, 'poll failed');
  }
}
