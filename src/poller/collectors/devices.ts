import type { ApiClient } from '../../api/client.ts';
import { listDevices } from '../../api/listing.ts';
import type { Fleet } from '../../model/reading.ts';
import { countRemoved, settleFleet } from '../settle.ts';
import type { CollectorTask } from './collector.ts';

/**
 * @param longestGapMilliseconds time between two polls above which nobody knows what a phone did in between
 * @param onRemoved is told how many phones left the fleet
 */
export function devicesCollector(
  client: ApiClient,
  longestGapMilliseconds: number,
  onRemoved: (count: number) => void,
): CollectorTask<Fleet> {
  return {
    name: 'devices',
    reading: (account) => account.devices,
    withReading: (account, devices) => ({ ...account, devices }),
    collect: async (account, signal) => {
      const { value, apiTime } = await listDevices(client, signal);
      const { devices, total, pages, passes, complete } = value;
      const previous = account.devices.data;
      const listed = { devices, reported: total, listing: { pages, passes, complete } };
      const fleet = settleFleet(previous, listed, apiTime, longestGapMilliseconds);
      onRemoved(countRemoved(previous, fleet));
      return fleet;
    },
  };
}
