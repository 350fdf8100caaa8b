import type { ApiClient } from '../api/client.ts';
import { type Clock, every } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics, SkipReason } from '../metrics/self.ts';
import type { Collector } from '../model/endpoint.ts';
import { collectorsOf, type Shard } from '../model/shard.ts';
import { type Access, createAccess } from './access.ts';
import { balanceCollector } from './collectors/balance.ts';
import type { CollectorTask } from './collectors/collector.ts';
import { devicesCollector } from './collectors/devices.ts';
import { tunnelsCollector } from './collectors/tunnels.ts';
import { createPoll, type Poll } from './poll.ts';
import { PROBE } from './refusals.ts';
import type { Schedule, Scheduler } from './schedule.ts';
import type { Store } from './store.ts';

/** A poll may take this share of its interval, so that it has ended when the next one is due. */
export const DEADLINE_SHARE = 0.8;

/** How often data is looked at whether it is too old by now, in milliseconds. */
const EXPIRY_MILLISECONDS = 1_000;

export type PollerOptions = {
  readonly account: string;
  readonly client: ApiClient;
  /** Most requests at once. */
  readonly concurrency: number;
  /** Reads the key again; whether it is another than before. */
  readonly refreshKey: () => boolean;
  readonly store: Store;
  readonly shard: Shard;
  /** Cron expressions with seconds, UTC. */
  readonly schedules: Readonly<Record<Collector, string>>;
  readonly staleAfterMilliseconds: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** Gives the event loop back between two slices of work. */
  readonly pause: () => Promise<void>;
  readonly metrics: AccountMetrics;
  readonly log: Log;
};

/** Keeps the readings of one account up to date. */
export type Poller = {
  /** Polls everything once; resolves when all of it has ended, well or badly. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on, and lets what is not renewed expire. */
  readonly start: () => void;
  /** Starts no further poll and aborts those in flight. */
  readonly stop: () => void;
};

export function createPoller(options: PollerOptions): Poller {
  const { client, clock, metrics } = options;
  const account = () => options.store.account(options.account);
  const access = createAccess(options.refreshKey, clock);
  const tunnelsTask = tunnelsCollector({ ...options, account, now: clock.now });

  const heard: PollerOptions = { ...options, metrics: { ...metrics, pollEnded: hear(access, metrics) } };
  const devices = schedulePoll(
    heard,
    devicesCollector({ ...options, longestGapMilliseconds: options.staleAfterMilliseconds }),
    () => due('devices').then(askNewcomers),
  );
  const tunnels = schedulePoll(heard, tunnelsTask, () => due('tunnels'));
  // None where another shard polls it.
  const balance = collectorsOf(options.shard).includes('balance')
    ? [schedulePoll(heard, balanceCollector(client), () => due('balance'))]
    : [];
  const runs = {
    devices: devices.poll.run,
    tunnels: tunnels.poll.run,
    balance: () => Promise.all(balance.map(({ poll }) => poll.run())),
  };

  const obstacleOf = (collector: Collector): SkipReason | undefined => {
    if (!access.mayPoll(collector)) return 'refused_key';
    // Which tunnels there are to ask for, only the device list can tell.
    return collector === 'tunnels' && account().devices.data === undefined ? 'no_fleet' : undefined;
  };

  /** Polls, unless something is in the way. A tick of any collector is an occasion to try a refused key again. */
  const due = async (collector: Collector): Promise<void> => {
    const obstacle = obstacleOf(collector);
    if (obstacle === undefined) {
      await runs[collector]();
      return;
    }
    metrics.pollSkipped(collector, obstacle);
    if (access.isProbeDue()) await runs[PROBE]();
  };

  /** Phones that were just rented need not wait for the next round of tunnels. */
  const askNewcomers = async (): Promise<void> => {
    if (!tunnelsTask.hasNewcomers()) return;
    if (account().tunnels.data === undefined) await due('tunnels');
    else if (obstacleOf('tunnels') === undefined) await tunnels.poll.supplement(tunnelsTask.askNewcomers);
  };

  /**
   * Side by side, as on schedule, where the last list tells which tunnels there are to ask for. After a failure one by
   * one: the phones find out whether the API is back, and the tunnels need not wait for the next round.
   */
  const pollFleet = async (): Promise<void> => {
    const { data, failure } = account().devices;
    if (data === undefined || failure !== undefined) {
      await due('devices');
      await due('tunnels');
    } else {
      await Promise.all([due('devices').then(askNewcomers), due('tunnels')]);
    }
  };

  return {
    pollAll: async () => {
      await Promise.all([pollFleet(), ...balance.map(() => due('balance'))]);
    },
    ...together([devices, tunnels, ...balance], clock),
  };
}

/** A poll that ended says something of the key, and is counted. */
function hear(access: Access, metrics: AccountMetrics): AccountMetrics['pollEnded'] {
  return (collector, seconds, failure) => {
    access.pollEnded(collector, failure);
    metrics.pollEnded(collector, seconds, failure);
  };
}

type Scheduled = { readonly schedule: Schedule; readonly poll: Pick<Poll<unknown>, 'expire' | 'stop'> };

function together(all: readonly Scheduled[], clock: Clock): Pick<Poller, 'start' | 'stop'> {
  let stopExpiry = (): void => {};
  return {
    start: () => {
      for (const { schedule } of all) schedule.start();
      stopExpiry = every(clock, EXPIRY_MILLISECONDS, () => {
        for (const { poll } of all) poll.expire();
      });
    },
    stop: () => {
      stopExpiry();
      for (const { schedule, poll } of all) {
        schedule.stop();
        poll.stop();
      }
    },
  };
}

type ScheduledPoll<Data> = { readonly schedule: Schedule; readonly poll: Poll<Data> };

function schedulePoll<Data>(
  options: PollerOptions,
  task: CollectorTask<Data>,
  onTick: () => Promise<void>,
): ScheduledPoll<Data> {
  const { metrics } = options;
  const schedule = options.scheduler(options.schedules[task.name], (cause) => {
    if (cause === 'overdue') metrics.watchdogFired(task.name);
    void onTick();
  });
  const intervalMilliseconds = schedule.intervalSeconds * 1000;
  const deadlineMilliseconds = intervalMilliseconds * DEADLINE_SHARE;
  metrics.pollScheduled(task.name, schedule.intervalSeconds);
  return {
    schedule,
    poll: createPoll({ ...options, task, intervalMilliseconds, deadlineMilliseconds }),
  };
}
