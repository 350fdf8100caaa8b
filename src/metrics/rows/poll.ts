import { DATA_STATES } from '../../model/enums.ts';
import type { ListingFacts } from '../../model/fleet.ts';
import type { Reading } from '../../model/reading.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { flag, gauge, type Row, seconds, stateSet } from '../row.ts';

/** Metrics of the reading of one collector: facts about us, never withdrawn. */
export const pollRows: readonly Row<Reading<unknown>>[] = [
  flag(
    'hoster_exporter_poll_success',
    'Whether the last poll succeeded (1) or failed or has not ended yet (0).',
    ({ failure, lastSuccessAt }) => failure === undefined && lastSuccessAt !== undefined,
  ),
  gauge(
    'hoster_exporter_poll_last_success_timestamp_seconds',
    'When a poll last succeeded, in seconds since 1970. Absent before the first success.',
    ({ lastSuccessAt }) => seconds(lastSuccessAt),
  ),
  stateSet(
    'hoster_exporter_data_state',
    'What is shown of this collector: fresh (of the last poll), held (of an earlier one, since polls fail) or expired (withdrawn, or never learned); 1 for the present state, 0 for the others.',
    'state',
    DATA_STATES,
    ({ state }) => state,
  ),
];

/** Metric of what an exporter knows of an account ({@link isKnown}). */
export const dataCurrentRows: readonly Row<AccountSnapshot>[] = [
  gauge(
    'hoster_exporter_data_current',
    'Always 1: incidents about this begin and end as the exporter shows them. Absent while its data is not fresh; of devices also while silence is to be judged again after an outage of the API, and of devices and tunnels for 15 minutes after the first list without a state file.',
    () => 1,
  ),
];

/** Metrics of the last round of tunnels. */
export const tunnelRoundRows: readonly Row<AccountSnapshot>[] = [
  gauge(
    'hoster_exporter_tunnels_unanswered',
    'Number of self-rented phones whose tunnel got no response in the last round: their series are of an earlier round, or absent.',
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
    'Number of times that the last listing of the devices read the list from its start.',
    ({ passes }) => passes,
  ),
  flag(
    'hoster_exporter_list_complete',
    'Whether the last listing of the devices held exactly as many phones as the API said it has (1) or not (0).',
    ({ complete }) => complete,
  ),
  flag(
    'hoster_exporter_list_suspect',
    'Whether so many phones are missing from the list at once that later listings have to confirm it (1) or not (0); they are kept until then.',
    ({ suspect }) => suspect,
  ),
];
