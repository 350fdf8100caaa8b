import type { ApiClient } from '../../api/client.ts';
import { listDevices } from '../../api/listing.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { AccountMetrics } from '../../metrics/self.ts';
import type { Device, Devices } from '../../model/device.ts';
import type { Fleet, Neighbour, Reading } from '../../model/reading.ts';
import { isOwn, type Shard } from '../../model/shard.ts';
import { inSlices, SLICE_STEPS, type SlicedWork } from '../../slices.ts';
import { phonesAfter, recallFleet } from '../memory.ts';
import { type ListedFleet, settleFleet } from '../settle-fleet.ts';
import type { CollectorTask } from './collector.ts';

export type DevicesOptions = {
  readonly client: Pick<ApiClient, 'devicePage'>;
  readonly shard: Shard;
  /** Time without a sight of a phone after which nobody can vouch for what it does. */
  readonly longestGapMilliseconds: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Gives the event loop back between two slices of work. */
  readonly pause: () => Promise<void>;
  readonly metrics: Pick<AccountMetrics, 'devicesRemoved' | 'listInconsistent'>;
  readonly log: Log;
};

/** Lists the devices, and settles the list with the fleet as it was known. */
export function devicesCollector(options: DevicesOptions): CollectorTask<Fleet> {
  const { client, shard, longestGapMilliseconds, clock, pause, metrics, log } = options;
  return {
    name: 'devices',
    reading: (account) => account.devices,
    withReading: ({ memory, ...account }, devices) => ({
      ...account,
      devices,
      memory: { ...memory, phones: phonesAfter(devices.data, memory.phones) },
    }),
    collect: async (account, signal, deadlineMilliseconds) => {
      const previous = account.devices.data;
      const { value, apiTime } = await listDevices(client, signal, {
        known: previous?.devices,
        expectedPages: expectedPages(account.devices),
        budgetMilliseconds: deadlineMilliseconds,
        clock,
        pause,
        inconsistent: metrics.listInconsistent,
      });
      const { total, pages, passes, complete } = value;
      const divided = await inSlices(divide(value.devices, shard), pause);
      const listed = { ...divided, reported: total, listing: { pages, passes, complete } };
      const { fleet, removed } = await inSlices(
        settleFleet(previous, listed, apiTime, longestGapMilliseconds),
        pause,
      );
      metrics.devicesRemoved(removed);
      logSuspicion(previous, fleet, removed, log);
      return inSlices(recallFleet(fleet, previous, account.memory.phones), pause);
    },
  };
}

/** The phones that this shard looks after, and the others; both in the order of their ids. */
function* divide(devices: Devices, shard: Shard): SlicedWork<Pick<ListedFleet, 'devices' | 'neighbours'>> {
  if (shard.total === 1) return { devices, neighbours: [] };
  const own: Device[] = [];
  const neighbours: Neighbour[] = [];
  for (let index = 0; index < devices.length; index += 1) {
    const device = devices.at(index);
    if (device !== undefined && isOwn(shard, device.id)) own.push(device);
    else if (device !== undefined) neighbours.push(device);
    if (index % SLICE_STEPS === 0) yield;
  }
  return { devices: own, neighbours };
}

/**
 * As many pages as last time can be asked for together with the first one. After a failure nothing is guessed: an API
 * may refuse a page beyond the end of a list that has become shorter.
 */
function expectedPages({ data, failure }: Reading<Fleet>): number {
  return data === undefined || failure !== undefined ? 1 : data.listing.pages;
}

/** One line when a loss becomes suspect, and one when it is no more: confirmed, or not true. */
function logSuspicion(previous: Fleet | undefined, fleet: Fleet, removed: number, log: Log): void {
  const wasSuspect = previous?.listing.suspect === true;
  if (fleet.listing.suspect === wasSuspect) return;
  if (fleet.listing.suspect) {
    const facts = { absent: fleet.absent.size, known: fleet.devices.length + fleet.neighbours.length };
    log.warn(facts, 'many phones are missing from the device list at once; they stay until it is confirmed');
  } else if (removed > 0) {
    log.info({ removed }, 'the missing phones left the fleet: listing after listing lacks them');
  } else {
    log.info({}, 'the missing phones are listed again');
  }
}
