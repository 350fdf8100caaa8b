import type { ApiClient } from '../api/client.ts';
import { type Clock, every } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import { type Collector, ENDPOINT_OF, type SkipReason } from '../model/enums.ts';
import type { GroupSettings } from '../model/group.ts';
import { balanceCollector } from './collectors/balance.ts';
import { devicesCollector } from './collectors/devices.ts';
import { tunnelsCollector } from './collectors/tunnels.ts';
import { type CollectorTask, createPoll, type Poll, type PollObserver } from './poll.ts';
import type { Schedule, Scheduler } from './schedule.ts';
import type { Store } from './store.ts';

/** Maximum share of its interval that a poll may take, so that it has ended when the next one is due. */
export const DEADLINE_SHARE = 0.8;

/** Time between two updates of the age of the readings. */
const AGE_MILLISECONDS = 1_000;

export type PollerOptions = {
  readonly account: string;
  readonly client: ApiClient;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /** Reads the key again. */
  readonly refreshKey: () => Promise<void>;
  readonly store: Store;
  readonly groups: GroupSettings;
  /** Cron expressions with seconds, UTC. */
  readonly schedules: Readonly<Record<Collector, string>>;
  readonly staleAfterMilliseconds: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly metrics: AccountMetrics;
  readonly observer: PollObserver;
  readonly log: Log;
};

/** Keeps the readings of one account up to date. */
export type Poller = {
  /** Polls everything once; resolves when all polls have ended, well or badly. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on, and lets readings expire that are not renewed. */
  readonly start: () => void;
  /** Starts no further poll and aborts those in flight. */
  readonly stop: () => void;
};

export function createPoller(options: PollerOptions): Poller {
  const { client, clock, metrics, observer, refreshKey, store } = options;
  const account = () => store.account(options.account);
  const tunnelsTask = tunnelsCollector({ ...options, account, now: clock.now });
  const devices = schedulePoll(options, devicesCollector(options), () =>
    pollDue('devices').then(pollNewRentals),
  );
  const tunnels = schedulePoll(options, tunnelsTask, () => pollDue('tunnels'));
  const balance = schedulePoll(options, balanceCollector(client), () => pollDue('balance'));
  const pollNow = {
    devices: devices.poll.run,
    tunnels: tunnels.poll.run,
    balance: balance.poll.run,
  };

  const skipReason = async (collector: Collector): Promise<SkipReason | undefined> => {
    await refreshKey();
    if (client.isRefused(ENDPOINT_OF[collector])) return 'refused_key';
    // Only the device list tells which tunnels there are.
    return collector === 'tunnels' && account().devices.data === undefined ? 'no_fleet' : undefined;
  };

  const pollDue = async (collector: Collector): Promise<void> => {
    const reason = await skipReason(collector);
    if (reason === undefined) {
      await pollNow[collector]();
      return;
    }
    metrics.pollSkipped(collector, reason);
    observer.attempted(collector);
  };

  /** Polls the tunnels of devices that were just rented, which need not wait for the next round. */
  const pollNewRentals = async (): Promise<void> => {
    if (!tunnelsTask.hasNewRentals()) return;
    if (account().tunnels.data === undefined) await pollDue('tunnels');
    else if ((await skipReason('tunnels')) === undefined)
      await tunnels.poll.supplement(tunnelsTask.collectNewRentals);
  };

  /**
   * Polls devices and tunnels in parallel where the last list tells which tunnels there are. After a failure one after
   * the other: the devices find out whether the API is back, and the tunnels need not wait for the next round.
   */
  const pollFleet = async (): Promise<void> => {
    const { data, failure } = account().devices;
    if (data === undefined || failure !== undefined) {
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
    start: () => {
      for (const { schedule } of all) schedule.start();
      stopAging = every(clock, AGE_MILLISECONDS, () => {
        for (const { poll } of all) poll.updateAge();
      });
    },
    stop: () => {
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
  onTick: () => Promise<void>,
): { readonly schedule: Schedule; readonly poll: Poll<Data> } {
  const { metrics, observer } = options;
  const schedule = options.scheduler(options.schedules[task.name], () => void onTick());
  const { intervalSeconds } = schedule;
  const intervalMilliseconds = intervalSeconds * 1000;
  const deadlineMilliseconds = intervalMilliseconds * DEADLINE_SHARE;
  metrics.pollScheduled(task.name, intervalSeconds);
  observer.scheduled(task.name, intervalSeconds);
  return {
    schedule,
    poll: createPoll({ ...options, task, intervalMilliseconds, deadlineMilliseconds }),
  };
}
