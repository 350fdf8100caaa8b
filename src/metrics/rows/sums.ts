import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES } from '../../model/device.ts';
import { recordOf } from '../../model/enums.ts';
import type { Fleet } from '../../model/fleet.ts';
import { MUTED } from '../../model/muted.ts';
import { isMuted, isOnline, type Judgement, offlineProblemOf, type Problem } from '../../model/problem.ts';
import { experimental, gauge, type Row, type Sample, samples } from '../row.ts';

const RENTAL_STATES = [...RENTAL_STATUSES, OTHER] as const;
const MARKETPLACE_STATES = [...MARKETPLACE_STATUSES, OTHER] as const;

export const fleetRows: readonly Row<Fleet>[] = [
  samples(
    'hoster_devices',
    'Number of phones by rental and marketplace status at the last successful poll; all combinations are present, even at 0. A missing status counts as other.',
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

/** States of the phones of a group. Each phone is in exactly one. */
const GROUP_STATES = ['online', 'sold_offline', 'offline', MUTED, 'out_of_service'] as const;

type GroupCounts = Record<(typeof GROUP_STATES)[number], number>;

export const groupRows: readonly Row<GroupCounts>[] = [
  experimental(
    samples(
      'hoster_group_devices',
      'Number of phones in a group by state, each phone in one state: online, sold_offline, offline (not sold), maintenance, or out_of_service (not set up, given up, or without a readable heartbeat); all states are present, even at 0. The group is empty for phones without one. From the last successful poll.',
      ['state'],
      (counts) => GROUP_STATES.map((state): Sample => [counts[state], state]),
    ),
  ),
];

/** Counts the phones in each group. */
export function countByGroup(
  { devices }: Fleet,
  { problems }: Pick<Judgement, 'problems'>,
): ReadonlyMap<string, GroupCounts> {
  const groups = new Map<string, GroupCounts>();
  for (const [id, { group }] of devices) {
    const counts = groups.get(group) ?? recordOf(GROUP_STATES, () => 0);
    groups.set(group, counts);
    counts[stateOf(problems.get(id)?.problem)] += 1;
  }
  return groups;
}

function stateOf(problem: Problem | undefined): keyof GroupCounts {
  if (isOnline(problem)) return 'online';
  if (isMuted(problem)) return MUTED;
  if (problem === 'sold_offline') return problem;
  return offlineProblemOf(problem) === undefined ? 'out_of_service' : 'offline';
}
