import type { AccountMetrics } from '../metrics/self.ts';
import { COLLECTORS, type Collector } from '../model/endpoint.ts';

/** Tells when polls stopped happening at all, whatever came of those that did. */
export type DeadMan = {
  /** The same metrics; what they are told of an account's polls is a sign of life. */
  readonly watch: (account: string, metrics: AccountMetrics) => AccountMetrics;
  /**
   * A sentence for each collector of these accounts of which no sign came for three of its intervals and the time that a
   * request may take; none while all is well.
   */
  readonly silences: (accounts: readonly string[], timeoutMilliseconds: number) => readonly string[];
};

const PATIENCE_INTERVALS = 3;

/** What is known of a collector. Times are in milliseconds. */
type Watched = { readonly interval: number; readonly signAt: number };

/**
 * A poll that ended, well or badly, is a sign, and so is one that was due and not started for a reason, such as a key that
 * was refused. Each tick of a schedule comes to one of them before the next tick, so nothing of the API's can keep them
 * from coming.
 *
 * @param elapsed milliseconds of time that counts. Polls that are overdue because the process stood still must be made,
 * and not be a reason to end it.
 */
export function createDeadMan(elapsed: () => number): DeadMan {
  const accounts = new Map<string, Map<Collector, Watched>>();

  const watch: DeadMan['watch'] = (account, metrics) => {
    const collectors = new Map<Collector, Watched>();
    accounts.set(account, collectors);
    const sign = (collector: Collector): void => {
      const interval = collectors.get(collector)?.interval;
      if (interval !== undefined) collectors.set(collector, { interval, signAt: elapsed() });
    };
    return {
      ...metrics,
      pollScheduled: (collector, intervalSeconds) => {
        metrics.pollScheduled(collector, intervalSeconds);
        collectors.set(collector, { interval: intervalSeconds * 1000, signAt: elapsed() });
      },
      pollEnded: (collector, seconds, failure) => {
        metrics.pollEnded(collector, seconds, failure);
        sign(collector);
      },
      pollSkipped: (collector, reason) => {
        metrics.pollSkipped(collector, reason);
        sign(collector);
      },
    };
  };

  const silences: DeadMan['silences'] = (names, timeoutMilliseconds) =>
    names.flatMap((account) =>
      COLLECTORS.flatMap((collector) => {
        const known = accounts.get(account)?.get(collector);
        if (known === undefined) return [];
        const silent = elapsed() - known.signAt;
        if (silent <= PATIENCE_INTERVALS * known.interval + timeoutMilliseconds) return [];
        return `no poll of the ${collector} of ${account} began or ended for ${Math.round(silent / 1000)} s`;
      }),
    );

  return { watch, silences };
}
