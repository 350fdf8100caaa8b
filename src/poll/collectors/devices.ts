import type { ApiClient } from '../../api/client.ts';
import { listDevices } from '../../api/device-list.ts';
import { ApiError } from '../../api/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { isStaleCopy } from '../../judge/absence.ts';
import type { AccountMetrics } from '../../metrics/exporter-metrics.ts';
import { staleFor, toleratedFor } from '../../model/due.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import type { CollectorTask } from '../poll.ts';

type DevicesCollectorOptions = {
  readonly client: Pick<ApiClient, 'devicePage'>;
  readonly staleAfterMilliseconds: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: Pick<AccountMetrics, 'listInconsistent'>;
};

/** Creates the collector that lists the devices. */
export function devicesCollector(options: DevicesCollectorOptions): CollectorTask {
  const { client, clock, metrics, staleAfterMilliseconds } = options;
  return {
    name: 'devices',
    collect: async (account, signal, { deadline, dueIn, slack, sinceObserved }) => {
      const { value, apiTime } = await listDevices(client, signal, {
        expectedPages: expectedPages(account),
        budgetMilliseconds: deadline,
        clock,
        expectedApiTime: () => expectedApiTime(account, sinceObserved()),
        inconsistent: metrics.listInconsistent,
      });
      const elapsed = sinceObserved();
      const known = account.devices.data;
      if (
        known !== undefined &&
        isStaleCopy(known, value.devices, apiTime + known.clockShift, staleFor(known, staleAfterMilliseconds))
      ) {
        metrics.listInconsistent('stale', 1);
        // A single old copy is ignored. If all lists are old copies, the state of the devices is unknown.
        if (elapsed !== undefined && elapsed <= toleratedFor(known)) return undefined;
        throw new ApiError({
          reason: 'inconsistent',
          endpoint: 'devices',
          got: 'the device list is an old copy',
        });
      }
      const { devices, total, ...listing } = value;
      const times = { elapsed, dueIn, slack };
      return { kind: 'list', times, devices, reported: total, apiTime, listing };
    },
  };
}

/** Returns the time that the API should show, by the list before and the time since; undefined for the first list. */
function expectedApiTime(
  { devices: { data } }: AccountSnapshot,
  elapsed: number | undefined,
): number | undefined {
  return data === undefined || elapsed === undefined ? undefined : data.apiTime + elapsed;
}

/**
 * Returns the number of pages to request together with the first one. After a failure nothing is guessed: an API may
 * refuse a page beyond the end of a list that has become shorter.
 */
function expectedPages({ devices: { data, failure, lastSuccessAt } }: AccountSnapshot): number {
  return data === undefined || failure !== undefined || lastSuccessAt === undefined ? 1 : data.listing.pages;
}
