import type { ApiClient } from '../api/client.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics, SkipReason } from '../metrics/self.ts';
import type { Collector } from '../model/endpoint.ts';
import { balanceCollector } from './collectors/balance.ts';
import type { CollectorTask } from './collectors/collector.ts';
import { devicesCollector } from './collectors/devices.ts';
import { tunnelsCollector } from './collectors/tunnels.ts';
import { createPoll } from './poll.ts';
import type { Scheduler } from './schedule.ts';
import type { Store } from './store.ts';

/** A poll may take this share of its interval, so that it has ended when the next one is due. */
const DEADLINE_SHARE = 0.8;

export type PollerOptions = {
  readonly account: string;
  readonly client: ApiClient;
  readonly store: Store;
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
  /** Polls everything once; resolves when all of it has ended, well or badly. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  /** Starts no further poll and aborts those in flight. */
  readonly stop: () => void;
};

export function createPoller(options: PollerOptions): Poller {
  const { client, staleAfterMilliseconds, clock, metrics } = options;
  const devices = scheduledPoll(
    options,
    devicesCollector(client, staleAfterMilliseconds, metrics.devicesRemoved),
  );
  const balance = scheduledPoll(options, balanceCollector(client));
  const tunnels = scheduledPoll(options, tunnelsCollector(client, staleAfterMilliseconds, clock.now), () =>
    // Which tunnels there are to ask for, only the device list can tell.
    options.store.account(options.account).devices.data === undefined ? 'no_fleet' : undefined,
  );
  const all = [devices, tunnels, balance];
  return {
    pollAll: async () => {
      await Promise.all([devices.run().then(tunnels.run), balance.run()]);
    },
    start: () => {
      for (const each of all) each.start();
    },
    stop: () => {
      for (const each of all) each.stop();
    },
  };
}

type ScheduledPoll = {
  readonly run: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => void;
};

function scheduledPoll<Data>(
  options: PollerOptions,
  task: CollectorTask<Data>,
  obstacle: () => SkipReason | undefined = () => undefined,
): ScheduledPoll {
  const { metrics } = options;
  const schedule = options.scheduler(options.schedules[task.name], () => void run());
  const deadlineMilliseconds = schedule.intervalSeconds * 1000 * DEADLINE_SHARE;
  const poll = createPoll({ ...options, task, deadlineMilliseconds });
  const run = async (): Promise<void> => {
    const reason = obstacle();
    if (reason === undefined) await poll.run();
    else metrics.pollSkipped(task.name, reason);
  };
  metrics.pollScheduled(task.name, schedule.intervalSeconds);
  return {
    run,
    start: schedule.start,
    stop: () => {
      schedule.stop();
      poll.stop();
    },
  };
}
