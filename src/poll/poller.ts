import type { ApiClient } from '../api/client.ts';
import { type Clock, every } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import { COLLECTORS, type Collector, ENDPOINT_OF, type SkipReason } from '../model/enums.ts';
import type { Fleet } from '../model/fleet.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { balanceCollector } from './collectors/balance.ts';
import { devicesCollector } from './collectors/devices.ts';
import { tunnelsCollector } from './collectors/tunnels.ts';
import type { Judge } from './judge.ts';
import { createPoll } from './poll.ts';
import type { Scheduler } from './schedule.ts';
import type { Store } from './store.ts';

/** Time between two updates of the readings' age. */
const AGE_MILLISECONDS = 1_000;

export type PollerOptions = {
  readonly account: string;
  readonly client: ApiClient;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  readonly refreshKey: () => Promise<void>;
  readonly store: Pick<Store, 'account' | 'takePoll'>;
  /** Takes what polls have learned. */
  readonly judge: Judge;
  /** Cron expressions with seconds, UTC. */
  readonly schedules: Readonly<Record<Collector, string>>;
  readonly staleAfterMilliseconds: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly metrics: AccountMetrics;
  readonly log: Log;
};

/** Keeps the readings of one account up to date. */
export type Poller = {
  /** Reports the schedules. Call it once, before anything is polled. */
  readonly announce: () => void;
  /** Polls everything once; resolves when all polls have ended, successfully or not. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on, and lets readings expire if they are not renewed. */
  readonly start: () => void;
  /** Starts no further poll and aborts those in flight. */
  readonly stop: () => void;
  /** Returns a sentence for each collector whose polls have stopped. A request may take up to the timeout. */
  readonly stalled: (timeoutMilliseconds: number) => readonly string[];
};

/** A collector is stalled after this many intervals plus a request timeout without an attempt. */
const MAX_INTERVALS = 3;

export function createPoller(options: PollerOptions): Poller {
  const { client, clock, metrics, refreshKey, schedules, scheduler, store, log } = options;
  let stopped = false;
  /** Returns the current account; undefined once this poller is stopped, since the account may be gone. */
  const account = (): AccountSnapshot | undefined => (stopped ? undefined : store.account(options.account));
  const tunnelsTask = tunnelsCollector({ ...options, account });
  const scheduleOf = {
    devices: scheduler(schedules.devices, () => void pollDue('devices').then(pollNewRentals)),
    tunnels: scheduler(schedules.tunnels, () => void pollDue('tunnels')),
    balance: scheduler(schedules.balance, () => void pollDue('balance')),
  };
  const common = { ...options, apiTime: client.apiTime };
  const pollOf = {
    devices: createPoll({ ...common, task: devicesCollector(options), schedule: scheduleOf.devices }),
    tunnels: createPoll({ ...common, task: tunnelsTask, schedule: scheduleOf.tunnels }),
    balance: createPoll({ ...common, task: balanceCollector(client), schedule: scheduleOf.balance }),
  };

  const skipReason = (collector: Collector): SkipReason | undefined => {
    if (client.isRefused(ENDPOINT_OF[collector])) return 'refused_key';
    // The device list says which devices have tunnels.
    return collector === 'tunnels' && account()?.devices.data === undefined ? 'no_fleet' : undefined;
  };

  const pollDue = async (collector: Collector): Promise<void> => {
    await refreshKey();
    if (stopped) return;
    const reason = skipReason(collector);
    if (reason !== undefined) {
      pollOf[collector].skip(reason);
      return;
    }
    const before = account()?.devices.data;
    await pollOf[collector].run();
    if (collector === 'devices') logSuspectLoss(before, account()?.devices.data, log);
  };

  /** Polls the tunnels of devices that were just rented, without waiting for the next round. */
  const pollNewRentals = async (): Promise<void> => {
    if (!tunnelsTask.hasNewRentals()) return;
    if (account()?.tunnels.data === undefined) await pollDue('tunnels');
    else if (skipReason('tunnels') === undefined)
      await pollOf.tunnels.supplement(tunnelsTask.collectNewRentals);
  };

  /**
   * Polls devices and tunnels in parallel if the last list shows which tunnels exist. After a failure, polls them one
   * after the other: the device list shows whether the API is back, and the tunnels do not wait for the next round.
   */
  const pollFleet = async (): Promise<void> => {
    const reading = account()?.devices;
    if (reading?.data === undefined || reading.failure !== undefined) {
      await pollDue('devices');
      await pollDue('tunnels');
    } else {
      await Promise.all([pollDue('devices').then(pollNewRentals), pollDue('tunnels')]);
    }
  };

  let stopAging = (): void => {};
  return {
    pollAll: async () => {
      await Promise.all([pollFleet(), pollDue('balance')]);
    },
    announce: () => {
      for (const collector of COLLECTORS) {
        metrics.pollScheduled(collector, scheduleOf[collector].intervalSeconds);
        metrics.pollAttempted(collector, clock.now());
      }
    },
    start: () => {
      for (const collector of COLLECTORS) scheduleOf[collector].start();
      stopAging = every(clock, AGE_MILLISECONDS, () => {
        for (const collector of COLLECTORS) pollOf[collector].updateAge();
      });
    },
    stalled: (timeoutMilliseconds) =>
      COLLECTORS.flatMap((collector) => {
        const { intervalSeconds } = scheduleOf[collector];
        const age = clock.monotonic() - pollOf[collector].attemptedAt();
        if (age <= MAX_INTERVALS * intervalSeconds * 1000 + timeoutMilliseconds) return [];
        const seconds = Math.round(age / 1000);
        return `no poll of the ${collector} of ${options.account} has ended for ${seconds} s`;
      }),
    stop: () => {
      stopped = true;
      stopAging();
      for (const collector of COLLECTORS) {
        scheduleOf[collector].stop();
        pollOf[collector].stop();
      }
    },
  };
}

/** Logs when a loss becomes suspect, and when it is confirmed or disproved. */
function logSuspectLoss(before: Fleet | undefined, after: Fleet | undefined, log: Log): void {
  const wasSuspect = before?.listing.suspect === true;
  if (after === undefined || after === before || after.listing.suspect === wasSuspect) return;
  if (after.listing.suspect) {
    const facts = { absent: after.absent.size, known: after.devices.size };
    log.warn(facts, 'many phones are missing from the device list at once; they stay until it is confirmed');
    return;
  }
  const removed = [...after.left.keys()].filter((id) => before?.devices.has(id)).length;
  if (removed > 0)
    log.info({ removed }, 'the missing phones were removed: several listings in a row did not include them');
  else log.info({}, 'the missing phones are listed again');
}
