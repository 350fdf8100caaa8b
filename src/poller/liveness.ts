import type { Clock } from '../clock.ts';
import { COLLECTORS, type Collector } from '../model/enums.ts';
import type { PollObserver } from './poll.ts';

/** Detects stalled collectors, for `/-/healthy`. */
type Liveness = {
  /** Returns the observer for the polls of an account. */
  readonly observe: (account: string) => PollObserver;
  /** Returns a sentence for each collector of these accounts whose polls have stopped. */
  readonly stalled: (accounts: readonly string[], timeoutMilliseconds: number) => readonly string[];
};

/** A collector is stalled after this many intervals without an attempt, and the time that a request may take. */
const MAX_INTERVALS = 3;

/**
 * Creates the liveness of all accounts. A poll that ended, well or badly, is an attempt, and so is one that was due and
 * skipped. Each tick of a schedule comes to one of them before the next tick, whatever the API does.
 */
export function createLiveness(clock: Pick<Clock, 'monotonic'>): Liveness {
  type LastAttempt = { readonly interval: number; readonly at: number };
  const accounts = new Map<string, Map<Collector, LastAttempt>>();
  return {
    observe: (account) => ({
      scheduled: (collector, intervalSeconds) => {
        const collectors = accounts.get(account) ?? new Map<Collector, LastAttempt>();
        accounts.set(account, collectors);
        collectors.set(collector, { interval: intervalSeconds * 1000, at: clock.monotonic() });
      },
      attempted: (collector) => {
        const collectors = accounts.get(account);
        const interval = collectors?.get(collector)?.interval;
        if (interval !== undefined) collectors?.set(collector, { interval, at: clock.monotonic() });
      },
    }),
    stalled: (names, timeoutMilliseconds) =>
      names.flatMap((account) =>
        COLLECTORS.flatMap((collector) => {
          const last = accounts.get(account)?.get(collector);
          if (last === undefined) return [];
          const age = clock.monotonic() - last.at;
          if (age <= MAX_INTERVALS * last.interval + timeoutMilliseconds) return [];
          return `no poll of the ${collector} of ${account} began or ended for ${Math.round(age / 1000)} s`;
        }),
      ),
  };
}
