import { type CommonCause, shownValue } from '../model/cause.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import {
  type EndReason,
  type Incident,
  type IncidentDevices,
  type IncidentProblem,
  WORK_BEGAN,
} from '../model/incident.ts';
import { isWorkedOn, offlineProblemOf } from '../model/problem.ts';
import { MINUTE } from '../model/time.ts';
import {
  isUnknown,
  type Opening,
  type Outcome,
  offlineSince,
  outcomeOf,
  textsOf,
  type View,
} from './incident.ts';
import { endOfEvent } from './incident-phones.ts';

/*
 * Incidents of many devices: offline ones that share a cause, a flood of offline ones without any, those that left together,
 * and changed logins.
 */

/** Devices that fall offline within this time of each other may have fallen offline together, in milliseconds. */
const WINDOW = 5 * MINUTE;

/**
 * An incident of offline devices lasts until a quarter of them are left, and the rest will not return with the others: two at
 * most where none has returned for as long as their silence limits, ten after a quarter of an hour. Each of these is told by
 * itself.
 */
const MAX_REMAINING_SHARE = 0.25;
const MAX_REMAINING = 2;
const MAX_SETTLED = 10;
const SETTLED_MILLISECONDS = 15 * MINUTE;

/** A flood is told again when it has grown by this factor. */
const TOLD_AGAIN = 2;

/** A device that is to be told with others. */
export type UncoveredDevice = {
  readonly entry: FleetDevice;
  /** Its last heartbeat, in milliseconds since 1970; of one that left, its last list. */
  readonly since: number;
  readonly isSold: boolean;
};

/** Reports whether an incident is one of devices that are offline together. */
export function isTogether({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'common_cause' || isFlood({ problem });
}

/** Reports whether an incident is one of offline devices without a known cause. */
export function isFlood({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'many_sold_offline' || problem === 'many_offline';
}

/**
 * Reports whether an incident of offline devices stands for one of them now: for the silence that it was told of. One of devices
 * that nobody pays for never stands for a sold one.
 */
export function standsFor(
  { problem, members }: Incident,
  id: string,
  { judgement }: Pick<View, 'judgement'>,
): boolean {
  const since = members.get(id);
  if (since === undefined || offlineSince(judgement, id) !== since) return false;
  return problem !== 'many_offline' || judgement.problems.get(id)?.problem !== 'sold_offline';
}

/** Returns the incident of the devices of an account that a common cause explains, and that nobody tells. */
export function openingOfCause(cause: CommonCause, offline: readonly UncoveredDevice[]): Opening {
  const value = shownValue(cause);
  const group = cause.kind === 'group' ? value : '';
  return { ...openingOfMany('common_cause', offline), group, kind: cause.kind, value, notifiedSize: 0 };
}

/** Returns the incident of devices that fell offline at about the same time, for no reason that is known. */
export function openingOfFlood(offline: readonly UncoveredDevice[]): Opening {
  return openingOfMany(offline.some(({ isSold }) => isSold) ? 'many_sold_offline' : 'many_offline', offline);
}

/** Returns an incident of many devices. */
export function openingOfMany(problem: IncidentProblem, devices: readonly UncoveredDevice[]): Opening {
  return {
    problem,
    since: devices.reduce((first, { since }) => Math.min(first, since), Number.POSITIVE_INFINITY),
    members: membersOf(devices),
    devices: countsOf(devices),
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

/** Returns an incident with more offline devices. A flood is told again when it has doubled. */
export function withMembers(incident: Incident, offline: readonly UncoveredDevice[]): Incident {
  if (offline.length === 0) return incident;
  const members = new Map([...incident.members, ...membersOf(offline)]);
  const { devices, notifiedSize } = incident;
  const { sold, others } = countsOf(offline);
  return {
    ...incident,
    members,
    devices: { sold: devices.sold + sold, others: devices.others + others },
    notifiedSize: notifiedSize > 0 && members.size >= TOLD_AGAIN * notifiedSize ? members.size : notifiedSize,
  };
}

/** Returns a function that reports whether a offline device is part of a flood: it stopped while the flood did. */
export function partOf(flood: Incident): (phone: UncoveredDevice) => boolean {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const since of flood.members.values()) {
    first = Math.min(first, since);
    last = Math.max(last, since);
  }
  return ({ since, isSold }) =>
    !(isSold && flood.problem === 'many_offline') && since >= first - WINDOW && since <= last + WINDOW;
}

/** Returns the runs of devices that stopped with more others within the window than are told one by one. */
export function crowdedRuns(
  offline: readonly UncoveredDevice[],
  limit: number,
): readonly (readonly UncoveredDevice[])[] {
  const sorted = offline.toSorted((one, other) => one.since - other.since);
  const crowded = new Set<UncoveredDevice>();
  let [first, next] = [0, 0];
  for (const [index, { since }] of sorted.entries()) {
    while ((sorted[first]?.since ?? since) < since - WINDOW) first += 1;
    if (index - first + 1 <= limit) continue;
    for (const phone of sorted.slice(Math.max(first, next), index + 1)) crowded.add(phone);
    next = index + 1;
  }
  const runs: UncoveredDevice[][] = [];
  for (const phone of sorted) {
    if (!crowded.has(phone)) continue;
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || phone.since - last.since > WINDOW) runs.push([phone]);
    else run.push(phone);
  }
  return runs;
}

/**
 * Returns what becomes of an incident of many devices.
 *
 * Example: a rack of 40 is cut. Three minutes after 38 are back it ends as `back`, and each of
 * the last two is told by itself. If the owner works on
 * 20 of them, it goes on with the other 20.
 */
export function afterMany(incident: Incident, view: View): Outcome {
  const { problem, members } = incident;
  const { fleet, judgement, at } = view;
  if (problem === 'many_left') {
    const returned = [...members.keys()].filter((id) => fleet.devices.has(id)).length;
    return outcomeOf(incident, 2 * returned > members.size ? 'returned' : endOfEvent(incident, at), at);
  }
  if (problem === 'many_credentials_changed') return outcomeOf(incident, endOfEvent(incident, at), at);
  const ends = new Map<EndReason, number>();
  const offline: UncoveredDevice[] = [];
  let unreadable = 0;
  for (const id of members.keys()) {
    const entry = fleet.devices.get(id);
    const judged = judgement.problems.get(id);
    if (entry !== undefined && judged !== undefined && standsFor(incident, id, view))
      offline.push({ entry, since: judged.since, isSold: judged.problem === 'sold_offline' });
    else {
      const reason = endOfMember(incident, id, view);
      if (reason === undefined) unreadable += 1;
      else ends.set(reason, (ends.get(reason) ?? 0) + 1);
    }
  }
  const remaining = offline.length + unreadable;
  const most = maxRemaining(incident, offline, fleet);
  if (remaining > Math.min(most, MAX_REMAINING_SHARE * (remaining + (ends.get('back') ?? 0))))
    return { goesOn: withCounts(incident, countsOf(offline)) };
  const next = offline.map(({ entry, since }) => {
    const problem = offlineProblemOf(judgement.problems.get(entry.device.id)?.problem) ?? 'offline';
    return { problem, since, ...textsOf(entry) };
  });
  const [reason] = [...ends].reduce((one, other) => (other[1] > one[1] ? other : one), ['back', 0] as const);
  return { reason, endedAt: at, next };
}

/** Returns why an incident of offline devices does not stand for one of them; undefined while nobody can tell. */
function endOfMember(incident: Incident, id: string, { fleet, judgement, at }: View): EndReason | undefined {
  const { members } = incident;
  const entry = fleet.devices.get(id);
  if (entry === undefined) return 'left';
  const problem = judgement.problems.get(id)?.problem;
  if (isWorkedOn(problem)) return WORK_BEGAN;
  if (problem === 'given_up' || problem === 'not_set_up') return 'given_up';
  if (isUnknown(entry, members.get(id), incident, at)) return undefined;
  return offlineSince(judgement, id) === members.get(id) ? 'rented' : 'back';
}

/** Returns how many devices may remain when an incident ends: none while others return, since these may follow. */
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
  return sold === devices.sold && others === devices.others ? incident : { ...incident, devices };
}
