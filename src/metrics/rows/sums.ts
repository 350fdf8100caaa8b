import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES } from '../../model/device.ts';
import type { Fleet } from '../../model/fleet.ts';
import { gauge, type Row, type Sample, samples } from '../row.ts';

const RENTAL_STATES = [...RENTAL_STATUSES, OTHER] as const;
const MARKETPLACE_STATES = [...MARKETPLACE_STATUSES, OTHER] as const;

/** Metrics of the fleet of an account in totals. */
export const fleetRows: readonly Row<Fleet>[] = [
  samples(
    'gauge',
    'hoster_devices',
    'Number of phones by rental and marketplace status, as of the last successful poll; every combination is there, also at 0. A phone without one of the two counts as other.',
    ['rental_status', 'marketplace_status'],
    countByStatus,
  ),
  gauge(
    'hoster_devices_reported',
    'Number of phones that the device list says it has (total), as of the last successful poll.',
    (fleet) => fleet.reported,
  ),
];

function countByStatus({ counts }: Fleet): readonly Sample[] {
  return RENTAL_STATES.flatMap((rental) =>
    MARKETPLACE_STATES.map((marketplace): Sample => [counts[rental][marketplace], rental, marketplace]),
  );
}
