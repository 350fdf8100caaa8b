import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Cause } from '../model/cause.ts';
import type { FleetDevice } from '../model/fleet.ts';
import type { EndedIncident, Incident, Incidents } from '../model/incident.ts';
import { floodLimit, offlineProblemOf } from '../model/problem.ts';
import { offlineSince, openIncident, type View } from './incident.ts';
import {
  crowdedRuns,
  isFlood,
  isTogether,
  openingOfCause,
  openingOfFlood,
  partOf,
  standsFor,
  type UncoveredDevice,
  withMembers,
} from './incident-many.ts';
import { openingOfOffline, staysAway } from './incident-phones.ts';
import { isRecent, lateDevices, suspectsAmong } from './neighbours.ts';

/*
 * Who tells that a device is offline? After each observation, exactly one of four:
 *
 *   an incident of its own     from the list that finds it offline, until it ends for a reason
 *   an incident of many        a common cause or a flood, while the device is offline since the heartbeat it was told of
 *   a wait                     for a common cause that may be about to show itself: two lists at most
 *   the owner's word           while it holds
 *
 *            offline, nobody tells it
 *                      │
 *   a shown cause explains it ──────────────► the incident of this cause, open or new
 *                      │ no
 *   its neighbours are late too, or a cause
 *   was found once, or many are late ───────► it waits, until the second list after this one
 *                      │ no, or it has waited
 *   more stopped beside it than are told
 *   one by one ─────────────────────────────► a flood, open or new
 *                      │ no
 *                      └────────────────────► an incident of its own
 *
 * An incident that ended leaves its devices without a covering, so the same decision is made of those that are offline still.
 * Nothing else opens, joins or hands over an incident of silence.
 */

/** Share of the neighbours of a device that are late where their place is likely to have failed. */
const PLACE_SHARE = 0.6;

/** Number of lists after the first one for which a offline device waits. */
const MAX_WAITED = 2;

/** Returns the incident that tells each offline device. */
function coverageOf(
  open: readonly Incident[],
  view: Pick<View, 'fleet' | 'judgement'>,
): ReadonlyMap<string, Incident> {
  const { fleet, judgement } = view;
  const coverage = new Map<string, Incident>();
  for (const incident of open) {
    const { problem, deviceId: id } = incident;
    if (isTogether(incident)) {
      for (const member of incident.members.keys())
        if (!coverage.has(member) && standsFor(incident, member, view)) coverage.set(member, incident);
    } else if (offlineProblemOf(problem) !== undefined) {
      if (offlineSince(judgement, id) === incident.since) coverage.set(id, incident);
    } else if (problem === 'flapping' && !coverage.has(id)) {
      const entry = fleet.devices.get(id);
      if (entry !== undefined && offlineSince(judgement, id) !== undefined && !staysAway(entry))
        coverage.set(id, incident);
    }
  }
  return coverage;
}

/**
 * Gives each offline device a covering. Returns the open incidents, and the devices that wait.
 *
 * @param open the incidents that go on
 * @param ended the incidents that ended within a day
 */
export function* coverDevices(
  open: readonly Incident[],
  ended: readonly EndedIncident[],
  view: View,
): Steps<Pick<Incidents, 'open' | 'waiting'>> {
  const coverage = coverageOf(open, view);
  const uncovered = yield* uncoveredDevices(coverage, view);
  if (uncovered.length === 0) return { open, waiting: NOBODY_WAITS };
  const { incidents, rest } = joinCauses(open, coverage, uncovered, view);
  yield;
  const { waiting, pools } = yield* letWait(rest, view);
  const endedOf = new Map<string, EndedIncident[]>();
  for (const incident of ended) {
    const { deviceId } = incident;
    const ofDevice = endedOf.get(deviceId);
    if (ofDevice === undefined) endedOf.set(deviceId, [incident]);
    else ofDevice.push(incident);
  }
  const flapping = new Set(
    [...incidents.values()].filter(({ problem }) => problem === 'flapping').map(({ deviceId }) => deviceId),
  );
  for (const pool of pools) {
    yield;
    yield* lookAtEach(joinFloods(incidents, pool, waiting, view), (phone) => {
      const { id } = phone.entry.device;
      const earlier = { ended: endedOf.get(id) ?? [], isFlapping: flapping.has(id) };
      const incident = tellAlone(phone, earlier, view);
      incidents.set(incident.id, incident);
    });
  }
  return { open: [...incidents.values()], waiting };
}

const NOBODY_WAITS: Incidents['waiting'] = new Map();

/** Lists the offline devices that no incident tells. */
function* uncoveredDevices(
  coverage: ReadonlyMap<string, Incident>,
  { fleet, judgement }: View,
): Steps<readonly UncoveredDevice[]> {
  const uncovered: UncoveredDevice[] = [];
  yield* lookAtEach(judgement.problems, ([id, { problem, since }]) => {
    const entry =
      offlineProblemOf(problem) === undefined || coverage.has(id) ? undefined : fleet.devices.get(id);
    if (entry !== undefined) uncovered.push({ entry, since, isSold: problem === 'sold_offline' });
  });
  return uncovered;
}

/** Tells the devices that a shown cause explains, each by the incident of its cause. Returns the others. */
function joinCauses(
  open: readonly Incident[],
  coverage: ReadonlyMap<string, Incident>,
  uncovered: readonly UncoveredDevice[],
  { account, at }: View,
): { readonly incidents: Open; readonly rest: readonly UncoveredDevice[] } {
  const byId = new Map(uncovered.map((each) => [each.entry.device.id, each]));
  const incidents: Open = new Map(open.map((incident) => [incident.id, incident]));
  for (const { cause, deviceIds } of account.causes) {
    const explained = deviceIds.flatMap((id) => byId.get(id) ?? []);
    if (explained.length === 0) continue;
    for (const { entry } of explained) byId.delete(entry.device.id);
    const opening = openingOfCause(cause, explained);
    const isOfKind = ({ kind }: Incident): boolean => kind === cause.kind;
    const known =
      [...incidents.values()].find((each) => isOfKind(each) && each.value === opening.value) ??
      // A group that was renamed has another value, and the same devices.
      deviceIds.flatMap((id) => incidents.get(coverage.get(id)?.id ?? '') ?? []).find(isOfKind);
    const incident = known === undefined ? openIncident(opening, at) : withMembers(known, explained);
    incidents.set(incident.id, incident);
  }
  return { incidents, rest: [...byId.values()] };
}

/** Open incidents by id, while they open and grow. */
type Open = Map<string, Incident>;

/** Devices that may have stopped together: those with late neighbours, and all others. */
type Pools = readonly [suspects: readonly UncoveredDevice[], others: readonly UncoveredDevice[]];

/**
 * Returns the devices that wait for a common cause. One that was offline long before does not wait: no cause of it is about to
 * show itself.
 *
 * Example: a rack is cut at 14:00. Its slot-04 is offline at 14:03:00, and slot-09 at 14:03:30. Both wait, because most of the
 * rack is late. Slot-01 of another rack is offline at 14:03:30 too. It does not wait, because its neighbours report.
 */
function* letWait(
  uncovered: readonly UncoveredDevice[],
  view: View,
): Steps<{ readonly waiting: Map<string, number>; readonly pools: Pools }> {
  const { account, fleet, fleetBefore, name, causes } = view;
  if (uncovered.length === 0) return { waiting: new Map(), pools: [[], []] };
  const late = yield* lateDevices(view);
  const toCome = late.filter(({ offline }) => !offline);
  const beside = yield* suspectsAmong([...uncovered.map(({ entry }) => entry), ...toCome], late, view);
  const idsOf = (list: readonly Cause[]): ReadonlySet<string> =>
    new Set(list.flatMap(({ deviceIds }) => deviceIds.get(name) ?? []));
  const candidates = idsOf(causes.list.filter((cause) => !cause.isShown));
  const searched = idsOf(causes.list);
  const isSuspect = (id: string): boolean => beside.has(id) || candidates.has(id);
  const pools: Pools = [
    uncovered.filter(({ entry }) => isSuspect(entry.device.id)),
    uncovered.filter(({ entry }) => !isSuspect(entry.device.id)),
  ];
  // A place that is late as a whole has a cause of its own, and makes no crowd.
  const isOfPlace = ({ device: { id } }: FleetDevice): boolean =>
    searched.has(id) || (beside.get(id) ?? 0) >= PLACE_SHARE;
  const crowd = [...uncovered.map(({ entry }) => entry), ...toCome].filter((entry) => !isOfPlace(entry));
  const isCrowded = crowd.length > floodLimit(fleet.devices.size);
  const isNewList = fleet !== fleetBefore;
  const waiting = new Map<string, number>();
  for (const { entry } of uncovered) {
    const { id } = entry.device;
    const waited = account.incidents.waiting.get(id);
    if (waited !== undefined && !isNewList) waiting.set(id, waited);
    else if ((waited ?? 0) < MAX_WAITED && isRecent(entry) && (isCrowded || isSuspect(id)))
      waiting.set(id, (waited ?? 0) + 1);
  }
  return { waiting, pools };
}

/**
 * Tells devices that do not wait by the floods that are open, or that open. Returns the others. A flood that opens takes along
 * those that wait: the search of causes has had its time.
 *
 * @param incidents are changed
 * @param waiting is changed
 */
function joinFloods(
  incidents: Open,
  pool: readonly UncoveredDevice[],
  waiting: Map<string, number>,
  { fleet, at }: View,
): readonly UncoveredDevice[] {
  const isDue = ({ entry }: UncoveredDevice): boolean => !waiting.has(entry.device.id);
  let rest = pool;
  for (const incident of [...incidents.values()].filter(isFlood)) {
    if (!rest.some(isDue)) return [];
    const isPart = partOf(incident);
    const joining = rest.filter((each) => isDue(each) && isPart(each));
    if (joining.length === 0) continue;
    incidents.set(incident.id, withMembers(incident, joining));
    rest = rest.filter((each) => !(isDue(each) && isPart(each)));
  }
  const flooded = new Set<UncoveredDevice>();
  for (const run of crowdedRuns(rest, floodLimit(fleet.devices.size))) {
    if (!run.some(isDue)) continue;
    const flood = openIncident(openingOfFlood(run), at);
    incidents.set(flood.id, flood);
    for (const each of run) flooded.add(each);
  }
  const alone = rest.filter((each) => isDue(each) && !flooded.has(each));
  for (const { entry } of flooded) waiting.delete(entry.device.id);
  return alone;
}

/** Returns the incident of one offline device: its silence, or that it comes and goes. */
function tellAlone(
  { entry, since }: UncoveredDevice,
  earlier: Parameters<typeof openingOfOffline>[2],
  { judgement, at }: View,
): Incident {
  const problem = offlineProblemOf(judgement.problems.get(entry.device.id)?.problem) ?? 'offline';
  return openIncident(openingOfOffline(entry, { problem, since }, earlier, at), at);
}
