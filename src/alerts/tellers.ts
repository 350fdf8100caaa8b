import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Cause } from '../model/cause.ts';
import type { FleetDevice } from '../model/fleet.ts';
import type { EndedIncident, Incident, Incidents } from '../model/incident.ts';
import { floodLimit, silenceOf } from '../model/problem.ts';
import { openIncident, silentSince, type View } from './incident.ts';
import {
  crowdedRuns,
  isFlood,
  isTogether,
  openingOfCause,
  openingOfFlood,
  partOf,
  standsFor,
  type Untold,
  withMembers,
} from './incident-many.ts';
import { openingOfSilence, staysAway } from './incident-phones.ts';
import { isRecent, lateDevices, suspectsAmong } from './neighbours.ts';

/*
 * Who tells that a device is silent? After each observation, exactly one of four:
 *
 *   an incident of its own     from the list that finds it silent, until it ends for a reason
 *   an incident of many        a common cause or a flood, while the device is silent since the heartbeat it was told of
 *   a wait                     for a common cause that may be about to show itself: two lists at most
 *   the owner's word           while it holds
 *
 *            silent, nobody tells it
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
 * An incident that ended leaves its devices without a teller, so the same decision is made of those that are silent still.
 * Nothing else opens, joins or hands over an incident of silence.
 */

/** Share of the neighbours of a device that are late where their place is likely to have failed. */
const PLACE_SHARE = 0.6;

/** Number of lists after the first one for which a silent device waits. */
const MAX_WAITED = 2;

/** Returns the incident that tells each silent device. */
function tellersOf(
  open: readonly Incident[],
  view: Pick<View, 'fleet' | 'judgement'>,
): ReadonlyMap<string, Incident> {
  const { fleet, judgement } = view;
  const tellers = new Map<string, Incident>();
  for (const incident of open) {
    const { problem, deviceId: id } = incident;
    if (isTogether(incident)) {
      for (const member of incident.members.keys())
        if (!tellers.has(member) && standsFor(incident, member, view)) tellers.set(member, incident);
    } else if (silenceOf(problem) !== undefined) {
      if (silentSince(judgement, id) === incident.since) tellers.set(id, incident);
    } else if (problem === 'flapping' && !tellers.has(id)) {
      const entry = fleet.devices.get(id);
      if (entry !== undefined && silentSince(judgement, id) !== undefined && !staysAway(entry))
        tellers.set(id, incident);
    }
  }
  return tellers;
}

/**
 * Gives each silent device a teller. Returns the open incidents, and the devices that wait.
 *
 * @param open the incidents that go on
 * @param ended the incidents that ended within a day
 */
export function* giveTellers(
  open: readonly Incident[],
  ended: readonly EndedIncident[],
  view: View,
): Steps<Pick<Incidents, 'open' | 'waiting'>> {
  const tellers = tellersOf(open, view);
  const untold = yield* untoldDevices(tellers, view);
  if (untold.length === 0) return { open, waiting: NOBODY_WAITS };
  const { incidents, rest } = joinCauses(open, tellers, untold, view);
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

/** Lists the silent devices that no incident tells. */
function* untoldDevices(
  tellers: ReadonlyMap<string, Incident>,
  { fleet, judgement }: View,
): Steps<readonly Untold[]> {
  const untold: Untold[] = [];
  yield* lookAtEach(judgement.problems, ([id, { problem, since }]) => {
    const entry = silenceOf(problem) === undefined || tellers.has(id) ? undefined : fleet.devices.get(id);
    if (entry !== undefined) untold.push({ entry, since, isSold: problem === 'sold_silent' });
  });
  return untold;
}

/** Tells the devices that a shown cause explains, each by the incident of its cause. Returns the others. */
function joinCauses(
  open: readonly Incident[],
  tellers: ReadonlyMap<string, Incident>,
  untold: readonly Untold[],
  { account, at }: View,
): { readonly incidents: Open; readonly rest: readonly Untold[] } {
  const byId = new Map(untold.map((each) => [each.entry.device.id, each]));
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
      deviceIds.flatMap((id) => incidents.get(tellers.get(id)?.id ?? '') ?? []).find(isOfKind);
    const incident = known === undefined ? openIncident(opening, at) : withMembers(known, explained);
    incidents.set(incident.id, incident);
  }
  return { incidents, rest: [...byId.values()] };
}

/** Open incidents by id, while they open and grow. */
type Open = Map<string, Incident>;

/** Devices that may have stopped together: those with late neighbours, and all others. */
type Pools = readonly [suspects: readonly Untold[], others: readonly Untold[]];

/**
 * Returns the devices that wait for a common cause. One that was silent long before does not wait: no cause of it is about to
 * show itself.
 *
 * Example: a rack is cut at 14:00. Its slot-04 is silent at 14:03:00, and slot-09 at 14:03:30. Both wait, because most of the
 * rack is late. Slot-01 of another rack is silent at 14:03:30 too. It does not wait, because its neighbours report.
 */
function* letWait(
  untold: readonly Untold[],
  view: View,
): Steps<{ readonly waiting: Map<string, number>; readonly pools: Pools }> {
  const { account, fleet, fleetBefore, name, causes } = view;
  if (untold.length === 0) return { waiting: new Map(), pools: [[], []] };
  const late = yield* lateDevices(view);
  const toCome = late.filter(({ silent }) => !silent);
  const beside = yield* suspectsAmong([...untold.map(({ entry }) => entry), ...toCome], late, view);
  const idsOf = (list: readonly Cause[]): ReadonlySet<string> =>
    new Set(list.flatMap(({ deviceIds }) => deviceIds.get(name) ?? []));
  const candidates = idsOf(causes.list.filter((cause) => !cause.isShown));
  const searched = idsOf(causes.list);
  const isSuspect = (id: string): boolean => beside.has(id) || candidates.has(id);
  const pools: Pools = [
    untold.filter(({ entry }) => isSuspect(entry.device.id)),
    untold.filter(({ entry }) => !isSuspect(entry.device.id)),
  ];
  // A place that is late as a whole has a cause of its own, and makes no crowd.
  const isOfPlace = ({ device: { id } }: FleetDevice): boolean =>
    searched.has(id) || (beside.get(id) ?? 0) >= PLACE_SHARE;
  const crowd = [...untold.map(({ entry }) => entry), ...toCome].filter((entry) => !isOfPlace(entry));
  const isCrowded = crowd.length > floodLimit(fleet.devices.size);
  const isNewList = fleet !== fleetBefore;
  const waiting = new Map<string, number>();
  for (const { entry } of untold) {
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
  pool: readonly Untold[],
  waiting: Map<string, number>,
  { fleet, at }: View,
): readonly Untold[] {
  const isDue = ({ entry }: Untold): boolean => !waiting.has(entry.device.id);
  let rest = pool;
  for (const incident of [...incidents.values()].filter(isFlood)) {
    if (!rest.some(isDue)) return [];
    const isPart = partOf(incident);
    const joining = rest.filter((each) => isDue(each) && isPart(each));
    if (joining.length === 0) continue;
    incidents.set(incident.id, withMembers(incident, joining));
    rest = rest.filter((each) => !(isDue(each) && isPart(each)));
  }
  const flooded = new Set<Untold>();
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

/** Returns the incident of one silent device: its silence, or that it comes and goes. */
function tellAlone(
  { entry, since }: Untold,
  earlier: Parameters<typeof openingOfSilence>[2],
  { judgement, at }: View,
): Incident {
  const problem = silenceOf(judgement.problems.get(entry.device.id)?.problem) ?? 'silent';
  return openIncident(openingOfSilence(entry, { problem, since }, earlier, at), at);
}
