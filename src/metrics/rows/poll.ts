import { DATA_STATES, type ListingFacts } from '../../model/reading.ts';
import { flag, gauge, type Row, seconds, stateSet } from '../row.ts';
import type { CollectorReading } from '../view.ts';

/** The state of what each collector of each account last learned: facts about us, never withdrawn. */
export const pollRows: readonly Row<CollectorReading>[] = [
  flag(
    'hoster_exporter_poll_success',
    'Whether the last poll succeeded (1) or failed or has not ended yet (0).',
    ({ reading }) => reading.failure === undefined && reading.lastSuccessAt !== undefined,
  ),
  gauge(
    'hoster_exporter_poll_last_success_timestamp_seconds',
    'When a poll last succeeded, in seconds since 1970. Absent before the first success.',
    ({ reading }) => seconds(reading.lastSuccessAt),
  ),
  gauge(
    'hoster_exporter_poll_last_attempt_timestamp_seconds',
    'When a poll last ended, well or badly, in seconds since 1970. Absent before the first one.',
    ({ reading }) => seconds(reading.lastAttemptAt),
  ),
  stateSet(
    'hoster_exporter_data_state',
    'What is shown of this collector: fresh (of the last poll), held (of an earlier one, since polls fail) or expired (withdrawn, or never learned); 1 for the present state, 0 for the others.',
    'state',
    DATA_STATES,
    ({ reading }) => reading.state,
  ),
];

/** How the last listing of the devices went. */
export const listingRows: readonly Row<ListingFacts>[] = [
  gauge(
    'hoster_exporter_list_pages',
    'Number of pages that the list of the devices had when it was last read.',
    ({ pages }) => pages,
  ),
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
    'Whether phones are kept that were lost from the list together with so many others that later listings have to confirm it (1) or not (0).',
    ({ suspect }) => suspect,
  ),
];
