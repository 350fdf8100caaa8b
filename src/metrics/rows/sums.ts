import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES } from '../../model/device.ts';
import type { Fleet } from '../../model/fleet.ts';
import { gauge, type Row, type Sample, samples } from '../row.ts';

const RENTAL_STATES = [...RENTAL_STATUSES, OTHER] as const;
const MARKETPLACE_STATES = [...MARKETPLACE_STATUSES, OTHER] as const;

/** Metrics of the fleet of an account in totals. */
export const fleetRows: readonly Row<Fleet>[] = [
  samples(
    'hoster_devices',
    'Number of phones by rental and marketplace status at the last successful poll; all combinations are present, also at 0. A missing status counts as other.',
    ['rental_status', 'marketplace_status'],
    countByStatus,
  ),
  gauge(
    'hoster_devices_reported',
    'Number of phones according to the device list (total) at the last successful poll.',
    (fleet) => fleet.reported,
  ),
];

function countByStatus({ counts }: Fleet): readonly Sample[] {
  return RENTAL_STATES.flatMap((rental) =>
    MARKETPLACE_STATES.map((marketplace): Sample => [counts[rental][marketplace], rental, marketplace]),
  );
}
