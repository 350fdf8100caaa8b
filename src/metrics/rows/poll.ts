import { type Collector, DATA_STATES } from '../../model/enums.ts';
import type { ListingFacts } from '../../model/fleet.ts';
import type { Reading } from '../../model/reading.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { experimental, flag, gauge, type Row, samples, seconds, stateSet } from '../row.ts';

/** Metrics of the polls of one collector. They never expire. */
export const pollRows: readonly Row<Reading<unknown>>[] = [
  flag(
    'hoster_exporter_poll_success',
    '1 if the last poll succeeded, 0 if it failed or has not finished yet.',
    ({ failure, lastSuccessAt }) => failure === undefined && lastSuccessAt !== undefined,
  ),
  gauge(
    'hoster_exporter_poll_last_success_timestamp_seconds',
    'Time of the last successful poll, in seconds since 1970. Absent before the first one.',
    ({ lastSuccessAt }) => seconds(lastSuccessAt),
  ),
  stateSet(
    'hoster_exporter_data_state',
    "1 for the state of this collector's data, 0 for the others: fresh (from the last poll), stale (from an earlier poll, because polls are failing) or expired (too old to be shown, or never polled).",
    'state',
    DATA_STATES,
    ({ state }) => state,
  ),
];

/** Metric of current data (`isDataCurrent`). */
export const dataCurrentRows: readonly Row<AccountSnapshot>[] = [
  gauge(
    'hoster_exporter_data_current',
    '1 if this data is current enough to open or resolve incidents. Absent while it is not fresh; for devices, also during the grace period after an API outage; for devices and tunnels, also for 15 minutes after a start without a state file.',
    () => 1,
  ),
];

/** Metric of since when a collector's data has been in its present state. */
export const dataSinceRows: readonly Row<{
  readonly account: AccountSnapshot;
  readonly collector: Collector;
}>[] = [
  experimental(
    samples(
      'hoster_exporter_data_since_timestamp_seconds',
      "Time of this collector's data, in seconds since 1970: its last successful poll, or its first failed poll if none has succeeded yet. The labels are its state and, if it is not fresh, the reason. Absent before the first poll.",
      ['state', 'why'],
      ({ account, collector }) => {
        const { state, lastSuccessAt } = account[collector];
        const ofFile = collector === 'devices' ? account.devices.data?.apiTime : undefined;
        const since = lastSuccessAt ?? ofFile ?? account.known.failing[collector]?.since;
        return since === undefined
          ? []
          : [[since / 1000, state, state === 'fresh' ? '' : whyOf(account, collector)]];
      },
    ),
  ),
];

/** Says in a few words why a collector's data is not fresh. */
function whyOf({ access, ...account }: AccountSnapshot, collector: Collector): string {
  const { failure } = account[collector];
  // Nothing else is polled without a device list.
  const cause = account.devices.failure ?? failure;
  if (cause === 'unauthorized' || (access !== undefined && access !== 'granted')) return 'key refused';
  if (cause === undefined) return 'not polled yet';
  return cause === 'server' ? 'error 5xx' : `error ${cause.replaceAll('_', ' ')}`;
}

/** Metrics of the last round of tunnels. */
export const tunnelRoundRows: readonly Row<AccountSnapshot>[] = [
  gauge(
    'hoster_exporter_tunnels_unanswered',
    'Number of self-rented phones whose tunnel got no response in the last round. Their series are from an earlier round, or absent.',
    ({ devices, tunnels }) =>
      tunnels.data === undefined
        ? undefined
        : (devices.data?.liveSelfRents ?? []).filter((id) => tunnels.data?.get(id)?.isStale !== false).length,
  ),
];

/** Metrics of the last listing of the devices. */
export const listingRows: readonly Row<ListingFacts>[] = [
  gauge(
    'hoster_exporter_list_passes',
    'Number of passes over the device list in the last listing.',
    ({ passes }) => passes,
  ),
  flag(
    'hoster_exporter_list_complete',
    '1 if the last listing returned exactly as many phones as the API reports, 0 if not.',
    ({ complete }) => complete,
  ),
  flag(
    'hoster_exporter_list_suspect',
    '1 if so many phones are missing from the list at once that they are kept until later listings confirm it, 0 if not.',
    ({ suspect }) => suspect,
  ),
];
