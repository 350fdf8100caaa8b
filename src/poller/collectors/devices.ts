import type { ApiClient } from '../../api/client.ts';
import { listDevices } from '../../api/device-list.ts';
import { ApiError } from '../../api/errors.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { AccountMetrics } from '../../metrics/exporter-metrics.ts';
import type { Fleet } from '../../model/fleet.ts';
import type { GroupSettings } from '../../model/group.ts';
import type { Reading } from '../../model/reading.ts';
import { type Memory, NO_MEMORY } from '../../model/snapshot.ts';
import { isStaleCopy, mergeFleet } from '../merge-fleet.ts';
import type { CollectorTask } from '../poll.ts';

type DevicesCollectorOptions = {
  readonly client: Pick<ApiClient, 'devicePage'>;
  readonly groups: GroupSettings;
  /** Heartbeat age above which each device is silent; undefined where each has its learned limit. */
  readonly silentAfterSeconds: number | undefined;
  readonly clock: Pick<Clock, 'monotonic' | 'uptime'>;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly metrics: Pick<AccountMetrics, 'listInconsistent'>;
  readonly log: Log;
};

/** Creates the collector that lists the devices, and settles the list with the fleet as it was known. */
export function devicesCollector(options: DevicesCollectorOptions): CollectorTask<Fleet> {
  const { client, clock, metrics, log } = options;
  return {
    name: 'devices',
    reading: (account) => account.devices,
    withReading: ({ memory, ...account }, devices) => ({
      ...account,
      devices,
      // A complete listing says which of the remembered devices still exist; the others are forgotten.
      memory: memoryAfter(devices.data, memory),
    }),
    collect: async ({ devices, memory }, signal, { deadline, freshFor, lifetime, staleAfter }) => {
      const { value, apiTime } = await listDevices(client, signal, {
        expectedPages: expectedPages(devices),
        budgetMilliseconds: deadline,
        clock,
        inconsistent: metrics.listInconsistent,
      });
      const previous = devices.data;
      const uptime = clock.uptime();
      const unlisted = previous === undefined ? Number.POSITIVE_INFINITY : uptime - previous.uptime;
      // A list that is older for longer is no copy: what is known was wrong.
      if (previous !== undefined && unlisted <= lifetime && isStaleCopy(previous, value.devices)) {
        metrics.listInconsistent('stale', 1);
        // A single one changes nothing. Where all are old, nobody knows how the devices are.
        if (unlisted <= freshFor) return () => previous;
        throw new ApiError({
          reason: 'inconsistent',
          endpoint: 'devices',
          got: 'the device list is an old copy',
        });
      }
      const { total, pages, passes, complete } = value;
      const listed = {
        devices: value.devices,
        reported: total,
        apiTime,
        uptime,
        listing: { pages, passes, complete },
      };
      const { fleet, removed } = await mergeFleet(previous, listed, memory, {
        groups: options.groups,
        silentAfterSeconds: options.silentAfterSeconds,
        freshFor,
        beganInOutage: devices.failure !== undefined,
        lifetime,
        staleAfter,
        yieldToEventLoop: options.yieldToEventLoop,
      });
      logSuspectLoss(previous, fleet, removed, log);
      return () => fleet;
    },
  };
}

function memoryAfter(fleet: Fleet | undefined, memory: Memory): Memory {
  if (fleet === undefined) return memory;
  const devices = fleet.listing.complete ? NO_MEMORY.devices : memory.devices;
  return { ...memory, devices, left: NO_MEMORY.left };
}

/**
 * Returns the number of pages to request together with the first one. After a failure nothing is guessed: an API may
 * refuse a page beyond the end of a list that has become shorter.
 */
function expectedPages({ data, failure }: Reading<Fleet>): number {
  return data === undefined || failure !== undefined ? 1 : data.listing.pages;
}

/** Logs one line when a loss becomes suspect, and one when it is confirmed or was not true. */
function logSuspectLoss(previous: Fleet | undefined, fleet: Fleet, removed: number, log: Log): void {
  const wasSuspect = previous?.listing.suspect === true;
  if (fleet.listing.suspect === wasSuspect) return;
  if (fleet.listing.suspect) {
    const facts = { absent: fleet.absent.size, known: fleet.devices.size };
    log.warn(facts, 'many phones are missing from the device list at once; they stay until it is confirmed');
  } else if (removed > 0) {
    log.info({ removed }, 'the missing phones were removed: several listings in a row do not have them');
  } else {
    log.info({}, 'the missing phones are listed again');
  }
}
