import { type AccountCause, type CommonCause, shownValue } from '../model/cause.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { EndReason, Incident, IncidentDevices, IncidentProblem } from '../model/incident.ts';
import { MUTED } from '../model/muted.ts';
import { isMuted, offlineProblemOf } from '../model/problem.ts';
import { MINUTE } from '../model/time.ts';
import {
  type Context,
  endOrContinue,
  type IncidentUpdate,
  isUnknown,
  type NewIncident,
  offlineSince,
  textsOf,
} from './incident.ts';
import { endOfEvent } from './incident-phones.ts';

/*
 * Incidents of many devices: a common cause, a mass outage without a cause, many departures, and many changed logins.
 */

/** Devices that go offline within this time of each other may belong to one mass outage, in milliseconds. */
const WINDOW = 5 * MINUTE;

/**
 * An incident of offline devices ends when a quarter is left: at most 2 if none returned within their thresholds, at most 10
 * if none returned within 15 minutes. Each remaining device gets an incident of its own.
 */
const MAX_REMAINING_SHARE = 0.25;
const MAX_REMAINING = 2;
const MAX_SETTLED = 10;
const SETTLED_MILLISECONDS = 15 * MINUTE;

/** People are notified again of a mass outage when it has grown by this factor. */
const RENOTIFY_AT = 2;

/** A device without an incident. */
export type UncoveredDevice = {
  readonly entry: FleetDevice;
  /** Its last heartbeat, in milliseconds since 1970; for a device that left, its last list. */
  readonly since: number;
  readonly isSold: boolean;
};

/** Reports whether an incident is one of many offline devices. */
export function isGroupOutage({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'common_cause' || isMassOutage({ problem });
}

/** Reports whether an incident is one of many offline devices without a known cause. */
export function isMassOutage({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'many_sold_offline' || problem === 'many_offline';
}

/**
 * Reports whether an incident of many offline devices covers a member now: it still has the heartbeat that it was added
 * with. `many_offline` never covers a sold device.
 */
export function covers(
  { problem, members }: Incident,
  id: string,
  { judgement }: Pick<Context, 'judgement'>,
): boolean {
  const since = members.get(id);
  if (since === undefined || offlineSince(judgement, id) !== since) return false;
  return problem !== 'many_offline' || judgement.problems.get(id)?.problem !== 'sold_offline';
}

/** Returns the incident of the uncovered devices of an account that a common cause explains. */
export function causeIncident(cause: CommonCause, offline: readonly UncoveredDevice[]): NewIncident {
  const value = shownValue(cause);
  const group = cause.kind === 'group' ? value : '';
  return { ...groupIncident('common_cause', offline), group, kind: cause.kind, value, notifiedSize: 0 };
}

/** Returns the incident of devices that went offline at about the same time for no known cause. */
export function massOutageOf(offline: readonly UncoveredDevice[]): NewIncident {
  return groupIncident(offline.some(({ isSold }) => isSold) ? 'many_sold_offline' : 'many_offline', offline);
}

export function groupIncident(problem: IncidentProblem, devices: readonly UncoveredDevice[]): NewIncident {
  const counts = countsOf(devices);
  return {
    problem,
    since: devices.reduce((first, { since }) => Math.min(first, since), Number.POSITIVE_INFINITY),
    members: membersOf(devices),
    devices: counts,
    mostSold: counts.sold,
    notifiedSize: devices.length,
  };
}

function membersOf(devices: readonly UncoveredDevice[]): Incident['members'] {
  return new Map(devices.map(({ entry, since }) => [entry.device.id, since]));
}

function countsOf(devices: readonly UncoveredDevice[]): IncidentDevices {
  const sold = devices.filter(({ isSold }) => isSold).length;
  return { sold, others: devices.length - sold };
}

/**
 * Gives an incident of a common cause the numbers of its cause, which include devices that already had their own incident.
 *
 * Example: slot-03 of a rack has been offline since noon, with an incident of its own. At 14:00 the rack loses power. The
 * cause explains all 11 phones and the incident covers 10 of them; both count 11.
 */
export function countLikeCause(incident: Incident, { account, judgement }: Context): Incident {
  const isItsCause = ({ cause }: AccountCause): boolean =>
    incident.problem === 'common_cause' &&
    cause.kind === incident.kind &&
    shownValue(cause) === incident.value;
  const problems = (account.causes.find(isItsCause)?.deviceIds ?? []).flatMap(
    (id) => offlineProblemOf(judgement.problems.get(id)?.problem) ?? [],
  );
  if (problems.length === 0) return incident;
  const sold = problems.filter((each) => each === 'sold_offline').length;
  return withCounts(incident, { sold, others: problems.length - sold });
}

/** Adds offline devices to an incident. When a mass outage has doubled, people are notified again. */
export function withMembers(incident: Incident, offline: readonly UncoveredDevice[]): Incident {
  if (offline.length === 0) return incident;
  const members = new Map([...incident.members, ...membersOf(offline)]);
  const { devices, notifiedSize } = incident;
  const { sold, others } = countsOf(offline);
  return {
    ...incident,
    members,
    devices: { sold: devices.sold + sold, others: devices.others + others },
    notifiedSize:
      notifiedSize > 0 && members.size >= RENOTIFY_AT * notifiedSize ? members.size : notifiedSize,
  };
}

/** Returns a function that reports whether an offline device stopped in the same period as a mass outage. */
export function memberTest(massOutage: Incident): (phone: UncoveredDevice) => boolean {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const since of massOutage.members.values()) {
    first = Math.min(first, since);
    last = Math.max(last, since);
  }
  return ({ since, isSold }) =>
    !(isSold && massOutage.problem === 'many_offline') && since >= first - WINDOW && since <= last + WINDOW;
}

/** Returns the clusters of more than `limit` devices that stopped within the window. */
export function clustersOf(
  offline: readonly UncoveredDevice[],
  limit: number,
): readonly (readonly UncoveredDevice[])[] {
  const sorted = offline.toSorted((one, other) => one.since - other.since);
  const clustered = new Set<UncoveredDevice>();
  let [first, next] = [0, 0];
  for (const [index, { since }] of sorted.entries()) {
    while ((sorted[first]?.since ?? since) < since - WINDOW) first += 1;
    if (index - first + 1 <= limit) continue;
    for (const phone of sorted.slice(Math.max(first, next), index + 1)) clustered.add(phone);
    next = index + 1;
  }
  const clusters: UncoveredDevice[][] = [];
  for (const phone of sorted) {
    if (!clustered.has(phone)) continue;
    const cluster = clusters.at(-1);
    const last = cluster?.at(-1);
    if (cluster === undefined || last === undefined || phone.since - last.since > WINDOW)
      clusters.push([phone]);
    else cluster.push(phone);
  }
  return clusters;
}

/**
 * Continues or ends an incident of many devices.
 *
 * Example: a rack of 40 loses power. Three minutes after 38 are back, the incident ends as `back`, and each of the last two
 * gets its own. If 20 are muted, it continues with the other 20.
 */
export function updateGroupIncident(incident: Incident, context: Context): IncidentUpdate {
  const { problem, members } = incident;
  const { fleet, judgement, at } = context;
  if (problem === 'many_left') {
    const returned = [...members.keys()].filter((id) => fleet.devices.has(id)).length;
    return endOrContinue(incident, 2 * returned > members.size ? 'returned' : endOfEvent(incident, at), at);
  }
  if (problem === 'many_credentials_changed') return endOrContinue(incident, endOfEvent(incident, at), at);
  const ends = new Map<EndReason, number>();
  const offline: UncoveredDevice[] = [];
  let unreadable = 0;
  for (const id of members.keys()) {
    const entry = fleet.devices.get(id);
    const judged = judgement.problems.get(id);
    if (entry !== undefined && judged !== undefined && covers(incident, id, context))
      offline.push({ entry, since: judged.since, isSold: judged.problem === 'sold_offline' });
    else {
      const reason = endOfMember(incident, id, context);
      if (reason === undefined) unreadable += 1;
      else ends.set(reason, (ends.get(reason) ?? 0) + 1);
    }
  }
  const remaining = offline.length + unreadable;
  const most = maxRemaining(incident, offline, fleet);
  if (remaining > Math.min(most, MAX_REMAINING_SHARE * (remaining + (ends.get('back') ?? 0)))) {
    const { devices } = countLikeCause(withCounts(incident, countsOf(offline)), context);
    return { continues: withCounts(incident, devices) };
  }
  const next = offline.map(({ entry, since }) => {
    const problem = offlineProblemOf(judgement.problems.get(entry.device.id)?.problem) ?? 'offline';
    return { problem, since, ...textsOf(entry) };
  });
  const [reason] = [...ends].reduce((one, other) => (other[1] > one[1] ? other : one), ['back', 0] as const);
  return { reason, endedAt: at, next };
}

/** Returns the reason why an incident of offline devices does not cover a member; undefined if unknown. */
function endOfMember(
  incident: Incident,
  id: string,
  { fleet, judgement, at }: Context,
): EndReason | undefined {
  const { members } = incident;
  const entry = fleet.devices.get(id);
  if (entry === undefined) return 'left';
  const problem = judgement.problems.get(id)?.problem;
  if (isMuted(problem)) return MUTED;
  if (problem === 'given_up' || problem === 'not_set_up') return 'given_up';
  if (isUnknown(entry, members.get(id), incident, at)) return undefined;
  return offlineSince(judgement, id) === members.get(id) ? 'rented' : 'back';
}

/** Returns how many devices may remain when an incident ends: none while others are returning, since they may follow. */
function maxRemaining(
  { members }: Incident,
  offline: readonly UncoveredDevice[],
  { devices, apiTime }: Fleet,
): number {
  let returnedAt = Number.NEGATIVE_INFINITY;
  for (const id of members.keys()) returnedAt = Math.max(returnedAt, devices.get(id)?.backAt ?? returnedAt);
  const limit = offline.reduce((most, { entry }) => Math.max(most, entry.offlineAfterSeconds), 0);
  if (apiTime - returnedAt > SETTLED_MILLISECONDS) return MAX_SETTLED;
  return apiTime - returnedAt > limit * 1000 ? MAX_REMAINING : 0;
}

function withCounts(incident: Incident, devices: IncidentDevices): Incident {
  const { sold, others } = incident.devices;
  const mostSold = Math.max(incident.mostSold ?? 0, devices.sold);
  const isSame = sold === devices.sold && others === devices.others && mostSold === incident.mostSold;
  return isSame ? incident : { ...incident, devices, mostSold };
}
