import type { ApiClient } from '../../api/client.ts';
import { listDevices } from '../../api/device-list.ts';
import { ApiError } from '../../api/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { isStaleCopy, otherIds } from '../../judge/absence.ts';
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

export function devicesCollector(options: DevicesCollectorOptions): CollectorTask {
  const { client, clock, metrics, staleAfterMilliseconds } = options;
  /** New ids in the last list, which another list has to confirm. */
  let unconfirmed: ReadonlySet<string> = new Set();
  return {
    name: 'devices',
    collect: async (account, signal, { deadline, dueIn, slack, sinceObserved }) => {
      const { value, apiTime } = await listDevices(client, signal, {
        expectedPages: expectedPages(account),
        budgetMilliseconds: deadline,
        clock,
        inconsistent: metrics.listInconsistent,
      });
      const elapsed = sinceObserved();
      const known = account.devices.data;
      if (
        known !== undefined &&
        isStaleCopy(known, value.devices, apiTime + known.clockShift, staleFor(known, staleAfterMilliseconds))
      ) {
        metrics.listInconsistent('stale', 1);
        // A single old copy is ignored. If all lists are old copies, the devices' state is unknown.
        if (elapsed !== undefined && elapsed <= toleratedFor(known)) return undefined;
        throw new ApiError({
          reason: 'inconsistent',
          endpoint: 'devices',
          got: 'the device list is an old copy',
        });
      }
      const others = known === undefined ? new Set<string>() : otherIds(known, value.devices);
      const isConfirmed = [...others].every((id) => unconfirmed.has(id));
      unconfirmed = others;
      if (!isConfirmed) {
        metrics.listInconsistent('renumbered', 1);
        throw new ApiError({
          reason: 'inconsistent',
          endpoint: 'devices',
          got: `${others.size} phones have another ID than in the list before`,
        });
      }
      const { devices, total, ...listing } = value;
      const times = { elapsed, dueIn, slack };
      return { kind: 'list', times, devices, reported: total, apiTime, listing };
    },
  };
}

/**
 * Returns the number of pages to request together with the first one. After a failure, makes no guess: an API may
 * refuse a page past the end of a list that has become shorter.
 */
function expectedPages({ devices: { data, failure, lastSuccessAt } }: AccountSnapshot): number {
  return data === undefined || failure !== undefined || lastSuccessAt === undefined ? 1 : data.listing.pages;
}
