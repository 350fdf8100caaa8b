import type { ApiClient } from '../api/client.ts';
import { type Clock, every } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import { COLLECTORS, type Collector, ENDPOINT_OF, type SkipReason } from '../model/enums.ts';
import type { GroupSettings } from '../model/group.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { balanceCollector } from './collectors/balance.ts';
import { devicesCollector } from './collectors/devices.ts';
import { tunnelsCollector } from './collectors/tunnels.ts';
import type { Judge } from './judge.ts';
import { type CollectorTask, createPoll, type Poll } from './poll.ts';
import type { Schedule, Scheduler } from './schedule.ts';
import type { Store } from './store.ts';

/** Time between two updates of the age of the readings. */
const AGE_MILLISECONDS = 1_000;

export type PollerOptions = {
  readonly account: string;
  readonly client: ApiClient;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /** Reads the key again. */
  readonly refreshKey: () => Promise<void>;
  readonly store: Pick<Store, 'account' | 'update'>;
  /** Takes what polls learned. */
  readonly judge: Judge;
  /** Heartbeat age above which each device is silent; undefined where each has its learned limit. */
  readonly silentAfterSeconds: number | undefined;
  readonly groups: GroupSettings;
  /** Cron expressions with seconds, UTC. */
  readonly schedules: Readonly<Record<Collector, string>>;
  readonly staleAfterMilliseconds: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly metrics: AccountMetrics;
  readonly log: Log;
};

/** Keeps the readings of one account up to date. */
export type Poller = {
  /** Reports the schedules. To be called once, before anything is polled. */
  readonly announce: () => void;
  /** Polls everything once; resolves when all polls have ended, well or badly. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on, and lets readings expire that are not renewed. */
  readonly start: () => void;
  /** Starts no further poll and aborts those in flight. */
  readonly stop: () => void;
  /** Returns a sentence for each collector whose polls have stopped; a request may take so long. */
  readonly stalled: (timeoutMilliseconds: number) => readonly string[];
};

/** A collector is stalled after this many intervals without an attempt, and the time that a request may take. */
const MAX_INTERVALS = 3;

export function createPoller(options: PollerOptions): Poller {
  const { client, clock, metrics, refreshKey, store } = options;
  let stopped = false;
  /** Returns the account as it is now; undefined once this poller was stopped, since the account may be gone. */
  const account = (): AccountSnapshot | undefined => (stopped ? undefined : store.account(options.account));
  const tunnelsTask = tunnelsCollector({ ...options, account });
  const devices = schedulePoll(options, devicesCollector(options), (gap) =>
    pollDue('devices', gap).then(pollNewRentals),
  );
  const tunnels = schedulePoll(options, tunnelsTask, (gap) => pollDue('tunnels', gap));
  const balance = schedulePoll(options, balanceCollector(client), (gap) => pollDue('balance', gap));
  const scheduled = { devices, tunnels, balance };

  const skipReason = (collector: Collector): SkipReason | undefined => {
    if (client.isRefused(ENDPOINT_OF[collector])) return 'refused_key';
    // Only the device list tells which tunnels there are.
    return collector === 'tunnels' && account()?.devices.data === undefined ? 'no_fleet' : undefined;
  };

  const pollDue = async (
    collector: Collector,
    gap: number = scheduled[collector].schedule.nextGap(),
  ): Promise<void> => {
    await refreshKey();
    if (stopped) return;
    const reason = skipReason(collector);
    if (reason === undefined) {
      await scheduled[collector].poll.run(gap);
      return;
    }
    scheduled[collector].poll.skip(reason);
  };

  /** Polls the tunnels of devices that were just rented, which need not wait for the next round. */
  const pollNewRentals = async (): Promise<void> => {
    if (!tunnelsTask.hasNewRentals()) return;
    if (account()?.tunnels.data === undefined) await pollDue('tunnels');
    else if (skipReason('tunnels') === undefined)
      await tunnels.poll.supplement(tunnelsTask.collectNewRentals);
  };

  /**
   * Polls devices and tunnels in parallel where the last list tells which tunnels there are. After a failure one after
   * the other: the devices find out whether the API is back, and the tunnels need not wait for the next round.
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

  const all: readonly Scheduled[] = [devices, tunnels, balance];
  let stopAging = (): void => {};
  return {
    pollAll: async () => {
      await Promise.all([pollFleet(), pollDue('balance')]);
    },
    announce: () => {
      for (const collector of COLLECTORS) {
        metrics.pollScheduled(collector, scheduled[collector].schedule.intervalSeconds);
      }
    },
    start: () => {
      for (const { schedule } of all) schedule.start();
      stopAging = every(clock, AGE_MILLISECONDS, () => {
        for (const { poll } of all) poll.updateAge();
      });
    },
    stalled: (timeoutMilliseconds) =>
      COLLECTORS.flatMap((collector) => {
        const { schedule, poll } = scheduled[collector];
        const age = clock.monotonic() - poll.attemptedAt();
        if (age <= MAX_INTERVALS * schedule.intervalSeconds * 1000 + timeoutMilliseconds) return [];
        const seconds = Math.round(age / 1000);
        return `no poll of the ${collector} of ${options.account} began or ended for ${seconds} s`;
      }),
    stop: () => {
      stopped = true;
      stopAging();
      for (const { schedule, poll } of all) {
        schedule.stop();
        poll.stop();
      }
    },
  };
}

/** A poll with its schedule, whatever it collects. */
type Scheduled = {
  readonly schedule: Schedule;
  readonly poll: Pick<Poll<never>, 'updateAge' | 'stop'>;
};

function schedulePoll<Data>(
  options: PollerOptions,
  task: CollectorTask<Data>,
  onTick: (gap: number) => Promise<void>,
): { readonly schedule: Schedule; readonly poll: Poll<Data> } {
  const schedule = options.scheduler(options.schedules[task.name], (gap) => void onTick(gap));
  return { schedule, poll: createPoll({ ...options, task, longestGap: schedule.intervalSeconds * 1000 }) };
}
