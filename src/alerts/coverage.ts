import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Cause } from '../model/cause.ts';
import { addTo } from '../model/enums.ts';
import type { FleetDevice } from '../model/fleet.ts';
import type { EndedIncident, Incident, Incidents } from '../model/incident.ts';
import { massOutageThreshold, offlineProblemOf } from '../model/problem.ts';
import { type Context, offlineSince, openIncident } from './incident.ts';
import {
  causeIncident,
  clustersOf,
  countLikeCause,
  covers,
  isGroupOutage,
  isMassOutage,
  massOutageOf,
  memberTest,
  type UncoveredDevice,
  withMembers,
} from './incident-many.ts';
import { offlineIncident, staysAway } from './incident-phones.ts';
import { isRecent, lateDevices, suspectsAmong } from './neighbours.ts';

/*
 * Coverage: after each observation, exactly one of these four covers each offline device:
 *
 *   an incident of its own     from the list that finds it offline until it ends for a reason
 *   an incident of many        a common cause or a mass outage, while the device has the heartbeat it was added with
 *   a wait                     for a common cause that may be found next: at most two lists
 *   muted                      while it lasts
 *
 *            offline, uncovered
 *                      │
 *   a shown cause explains it ──────────────► the incident of this cause, open or new
 *                      │ no
 *   its neighbours are late too, or a cause
 *   was found once, or many are late ───────► it waits, until the second list after this one
 *                      │ no, or it has waited
 *   more stopped with it than get
 *   incidents one by one ───────────────────► a mass outage, open or new
 *                      │ no
 *                      └────────────────────► an incident of its own
 *
 * When an incident ends, its devices are no longer covered, so those that are still offline go through the same
 * decision. Nothing else opens, joins or hands over an incident of offline devices.
 */

/** Share of late neighbours at which a place has probably failed as a whole. */
const PLACE_SHARE = 0.6;

/** Number of lists after the first one that an offline device waits for. */
const MAX_WAITED = 2;

/** Returns the incident that covers each offline device, by device id. */
function coverageOf(
  open: readonly Incident[],
  context: Pick<Context, 'fleet' | 'judgement'>,
): ReadonlyMap<string, Incident> {
  const { fleet, judgement } = context;
  const coverage = new Map<string, Incident>();
  for (const incident of open) {
    const { problem, deviceId: id } = incident;
    if (isGroupOutage(incident)) {
      for (const member of incident.members.keys())
        if (!coverage.has(member) && covers(incident, member, context)) coverage.set(member, incident);
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
 * Covers each offline device. Returns the open incidents and the waiting devices.
 *
 * @param open the incidents that continue
 * @param ended the incidents that ended within a day
 */
export function* coverOffline(
  open: readonly Incident[],
  ended: readonly EndedIncident[],
  context: Context,
): Steps<Pick<Incidents, 'open' | 'waiting'>> {
  const coverage = coverageOf(open, context);
  const uncovered = yield* uncoveredDevices(coverage, context);
  if (uncovered.length === 0) return { open, waiting: NONE_WAITING };
  const { incidents, rest } = joinCauses(open, coverage, uncovered, context);
  yield;
  const { waiting, pools } = yield* chooseWaiting(rest, context);
  const endedOf = new Map<string, EndedIncident[]>();
  for (const incident of ended) addTo(endedOf, incident.deviceId, incident);
  const flapping = new Set(
    [...incidents.values()].filter(({ problem }) => problem === 'flapping').map(({ deviceId }) => deviceId),
  );
  for (const pool of pools) {
    yield;
    yield* lookAtEach(joinMassOutages(incidents, pool, waiting, context), ({ entry, since }) => {
      const { id } = entry.device;
      const problem = offlineProblemOf(context.judgement.problems.get(id)?.problem) ?? 'offline';
      const earlier = { ended: endedOf.get(id) ?? [], isFlapping: flapping.has(id) };
      const incident = openIncident(
        offlineIncident(entry, { problem, since }, earlier, context.at),
        context.at,
      );
      incidents.set(incident.id, incident);
    });
  }
  return { open: [...incidents.values()], waiting };
}

const NONE_WAITING: Incidents['waiting'] = new Map();

/** Lists the offline devices that no incident covers. */
function* uncoveredDevices(
  coverage: ReadonlyMap<string, Incident>,
  { fleet, judgement }: Context,
): Steps<readonly UncoveredDevice[]> {
  const uncovered: UncoveredDevice[] = [];
  yield* lookAtEach(judgement.problems, ([id, { problem, since }]) => {
    const entry =
      offlineProblemOf(problem) === undefined || coverage.has(id) ? undefined : fleet.devices.get(id);
    if (entry !== undefined) uncovered.push({ entry, since, isSold: problem === 'sold_offline' });
  });
  return uncovered;
}

/** Adds the devices that a shown cause explains to the incident of that cause. Returns the others. */
function joinCauses(
  open: readonly Incident[],
  coverage: ReadonlyMap<string, Incident>,
  uncovered: readonly UncoveredDevice[],
  context: Context,
): { readonly incidents: Open; readonly rest: readonly UncoveredDevice[] } {
  const { account, at } = context;
  const byId = new Map(uncovered.map((each) => [each.entry.device.id, each]));
  const incidents: Open = new Map(open.map((incident) => [incident.id, incident]));
  for (const { cause, deviceIds } of account.causes) {
    const explained = deviceIds.flatMap((id) => byId.get(id) ?? []);
    if (explained.length === 0) continue;
    for (const { entry } of explained) byId.delete(entry.device.id);
    const newIncident = causeIncident(cause, explained);
    const isOfKind = ({ kind }: Incident): boolean => kind === cause.kind;
    const known =
      [...incidents.values()].find((each) => isOfKind(each) && each.value === newIncident.value) ??
      // A renamed group has another value but the same devices.
      deviceIds.flatMap((id) => incidents.get(coverage.get(id)?.id ?? '') ?? []).find(isOfKind);
    const incident = known === undefined ? openIncident(newIncident, at) : withMembers(known, explained);
    incidents.set(incident.id, countLikeCause(incident, context));
  }
  return { incidents, rest: [...byId.values()] };
}

/** Open incidents by id, while incidents open and grow. */
type Open = Map<string, Incident>;

/**
 * Returns the devices that wait for a common cause, and pools of devices that may have stopped together: those with late
 * neighbours, and all others. A device that has been offline for long does not wait: no cause is about to explain it.
 *
 * Example: a rack loses power at 14:00. Its slot-04 is offline at 14:03:00, slot-09 at 14:03:30. Both wait, because most of
 * the rack is late. Slot-01 of another rack, offline at 14:03:30 too, does not wait: its neighbours are online.
 */
function* chooseWaiting(
  uncovered: readonly UncoveredDevice[],
  context: Context,
): Steps<{ readonly waiting: Map<string, number>; readonly pools: readonly (readonly UncoveredDevice[])[] }> {
  const { account, fleet, fleetBefore, name, causes } = context;
  if (uncovered.length === 0) return { waiting: new Map(), pools: [[], []] };
  const late = yield* lateDevices(context);
  const toCome = late.filter(({ offline }) => !offline);
  const beside = yield* suspectsAmong([...uncovered.map(({ entry }) => entry), ...toCome], late, context);
  const idsOf = (list: readonly Cause[]): ReadonlySet<string> =>
    new Set(list.flatMap(({ deviceIds }) => deviceIds.get(name) ?? []));
  const candidates = idsOf(causes.list.filter((cause) => !cause.isShown));
  const searched = idsOf(causes.list);
  const isSuspect = (id: string): boolean => beside.has(id) || candidates.has(id);
  const pools = [
    uncovered.filter(({ entry }) => isSuspect(entry.device.id)),
    uncovered.filter(({ entry }) => !isSuspect(entry.device.id)),
  ];
  // A place that is late as a whole has a cause of its own and is not a sign of a mass outage.
  const isOfPlace = ({ device: { id } }: FleetDevice): boolean =>
    searched.has(id) || (beside.get(id) ?? 0) >= PLACE_SHARE;
  const scattered = [...uncovered.map(({ entry }) => entry), ...toCome].filter((entry) => !isOfPlace(entry));
  const areMany = scattered.length > massOutageThreshold(fleet.devices.size);
  const isNewList = fleet !== fleetBefore;
  const waiting = new Map<string, number>();
  for (const { entry } of uncovered) {
    const { id } = entry.device;
    const waited = account.incidents.waiting.get(id);
    if (waited !== undefined && !isNewList) waiting.set(id, waited);
    else if ((waited ?? 0) < MAX_WAITED && isRecent(entry) && (areMany || isSuspect(id)))
      waiting.set(id, (waited ?? 0) + 1);
  }
  return { waiting, pools };
}

/**
 * Adds devices that do not wait to mass outages, open or new, in `incidents`. Returns the others. A new mass outage also takes
 * the waiting ones, and removes them from `waiting`: the search for causes has had its time.
 */
function joinMassOutages(
  incidents: Open,
  pool: readonly UncoveredDevice[],
  waiting: Map<string, number>,
  { fleet, at }: Context,
): readonly UncoveredDevice[] {
  const isDue = ({ entry }: UncoveredDevice): boolean => !waiting.has(entry.device.id);
  let rest = pool;
  for (const incident of [...incidents.values()].filter(isMassOutage)) {
    if (!rest.some(isDue)) return [];
    const isPart = memberTest(incident);
    const joining = rest.filter((each) => isDue(each) && isPart(each));
    if (joining.length === 0) continue;
    incidents.set(incident.id, withMembers(incident, joining));
    rest = rest.filter((each) => !(isDue(each) && isPart(each)));
  }
  const joined = new Set<UncoveredDevice>();
  for (const run of clustersOf(rest, massOutageThreshold(fleet.devices.size))) {
    if (!run.some(isDue)) continue;
    const massOutage = openIncident(massOutageOf(run), at);
    incidents.set(massOutage.id, massOutage);
    for (const each of run) joined.add(each);
  }
  const alone = rest.filter((each) => isDue(each) && !joined.has(each));
  for (const { entry } of joined) waiting.delete(entry.device.id);
  return alone;
}
