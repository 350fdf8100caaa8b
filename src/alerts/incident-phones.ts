import { hasLiveSelfRent, isSetUp } from '../model/device.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { type EndedIncident, type EndReason, type Incident, WORK_BEGAN } from '../model/incident.ts';
import {
  type DeviceProblem,
  isWorkedOn,
  type OfflineProblem,
  offlineProblemOf,
  type Problem,
  TUNNEL_PROBLEMS,
} from '../model/problem.ts';
import { DAY, HOUR, MINUTE } from '../model/time.ts';
import { isUnknown, type Opening, type Outcome, outcomeOf, textsOf, type View } from './incident.ts';

/*
 * Incidents of one device: when each opens, and why it ends. Whether a silence opens one is decided in coverage.ts.
 */

/** Time after which the state of a tunnel or an unreadable heartbeat is told: the next poll may show something else. */
const CONFIRMED_AFTER = MINUTE;

/** Time after which it is told that a phone earns nothing: who sets up or lists phones does so within a working day. */
const EARNS_NOTHING_AFTER = 6 * HOUR;

/** Time for which something that happened once is told. */
const TOLD_FOR = 4 * HOUR;

/** A device that falls offline for so many times within this time comes and goes. */
const FLAPPING_TIMES = 3;
const FLAPPING_MILLISECONDS = 2 * HOUR;

/** A device that came and went is calm after as long as it was not, between these times. */
const LEAST_CALM = FLAPPING_MILLISECONDS;
const LONGEST_CALM = DAY;

/** A device that comes and goes stays away after this multiple of its longest silence, and this time at least. */
const AWAY_SHARE = 2;
const LEAST_AWAY = 30 * MINUTE;

/** Reports whether an incident is something that happened once. */
export function isEvent({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'left' || problem === 'credential_changed';
}

/** What is told of a problem of a phone, other than silence, and after which time. */
type Told = Pick<Opening, 'problem' | 'value'> & { readonly opensAfter: number };

function toldOf({ device }: FleetDevice, problem: Problem): Told | undefined {
  switch (problem) {
    case 'tunnel_missing':
    case 'tunnel_down':
    case 'tunnel_without_login':
      return { problem, opensAfter: CONFIRMED_AFTER };
    case 'heartbeat_unreadable':
      return device.rentalStatus === 'sold' ? { problem, opensAfter: CONFIRMED_AFTER } : undefined;
    case 'rotation_stopped':
    case 'not_set_up':
    case 'not_listed':
    case 'idle_too_long':
    case 'given_up':
      return { problem: 'earns_nothing', value: problem, opensAfter: EARNS_NOTHING_AFTER };
    default:
      return undefined;
  }
}

/** Returns the incident of a problem of a device, other than silence; undefined if it is not told, or not yet. */
export function openingOfFact(
  entry: FleetDevice,
  { problem, since }: DeviceProblem,
  at: number,
): Opening | undefined {
  const told = toldOf(entry, problem);
  if (told === undefined || at - since < told.opensAfter) return undefined;
  return { problem: told.problem, value: told.value ?? '', since, ...textsOf(entry) };
}

/**
 * Returns the incident that tells the silence of a device: the silence itself, or that the device comes and goes.
 *
 * Example: it was offline from 14:00 to 14:10 and from 14:30 to 14:40, and both were told. A silence since 15:00 is told as
 * `flapping` since 14:00.
 *
 * @param told incidents of the device
 */
export function openingOfOffline(
  entry: FleetDevice,
  { problem, since }: { readonly problem: OfflineProblem; readonly since: number },
  earlier: { readonly ended: readonly EndedIncident[]; readonly isFlapping: boolean },
  at: number,
): Opening {
  const before = earlier.ended
    .filter((each) => offlineProblemOf(each.problem) !== undefined && each.since < since)
    .filter(({ endedAt }) => at - endedAt <= FLAPPING_MILLISECONDS)
    .map((each) => each.since);
  if (earlier.isFlapping || new Set(before).size < FLAPPING_TIMES - 1)
    return { problem, since, ...textsOf(entry) };
  return { problem: 'flapping', since: Math.min(...before), ...textsOf(entry) };
}

/** Returns what becomes of an incident of one device. */
export function afterPhone(incident: Incident, { fleet, judgement, at }: View): Outcome {
  const entry = fleet.devices.get(incident.deviceId);
  const judged = judgement.problems.get(incident.deviceId);
  const { problem } = incident;
  if (problem === 'left')
    return outcomeOf(incident, entry === undefined ? endOfEvent(incident, at) : 'returned', at);
  if (entry === undefined) return outcomeOf(incident, 'left', at);
  if (isWorkedOn(judged?.problem)) return outcomeOf(incident, WORK_BEGAN, at);
  if (problem === 'credential_changed') return outcomeOf(incident, endOfEvent(incident, at), at);
  if (problem === 'flapping') return outcomeOf(incident, endOfFlapping(incident, entry, at), at);
  if (offlineProblemOf(problem) === undefined)
    return outcomeOf(incident, endOfFact(incident, entry, judged), at);
  return afterOffline(incident, entry, judged, fleet, at);
}

/** Returns why something that happened once is not told any more. */
export function endOfEvent({ openedAt }: Pick<Incident, 'openedAt'>, at: number): EndReason | undefined {
  return at - openedAt >= TOLD_FOR ? 'notified' : undefined;
}

/**
 * Returns what becomes of the silence of a device.
 *
 * Example: `sold_offline` since 14:00, and the list of 15:30 shows it idle and offline: it ends as `rental_ended`, and goes on
 * as `offline` since 14:00. The list of 16:00 shows a heartbeat of 15:59: it ends as `back` at 15:59.
 */
function afterOffline(
  incident: Incident,
  entry: FleetDevice,
  judged: DeviceProblem | undefined,
  fleet: Fleet,
  at: number,
): Outcome {
  const { problem, since } = incident;
  if (judged?.problem === 'given_up') return { reason: 'given_up', endedAt: at };
  const now = offlineProblemOf(judged?.problem);
  if (judged !== undefined && now !== undefined) {
    // It reported in between, and is offline again.
    if (judged.since !== since) return { reason: 'back', endedAt: judged.since };
    if (now === problem) return { goesOn: incident };
    const reason = problem === 'sold_offline' || now === 'offline' ? 'rental_ended' : 'rented';
    return { reason, endedAt: at, next: [{ problem: now, since, ...textsOf(entry) }] };
  }
  if (!isSetUp(entry.device.setupStatus)) return { reason: 'not_set_up', endedAt: at };
  if (isUnknown(entry, since, incident, at)) return { goesOn: incident };
  if (fleet.isClockReset) return { reason: 'clock_set', endedAt: at };
  if (entry.device.lastHeartbeatAt === since) return { reason: 'limit_changed', endedAt: at };
  return { reason: 'back', endedAt: entry.backAt ?? at };
}

/** Returns why what was wrong with a device that is not silence ended; undefined while it goes on. */
function endOfFact(
  { problem, value }: Incident,
  entry: FleetDevice,
  judged: DeviceProblem | undefined,
): EndReason | undefined {
  const { device, offline, heartbeatAgeSeconds } = entry;
  const told = judged && toldOf(entry, judged.problem);
  if (problem === 'earns_nothing') {
    if (told?.value === value) return undefined;
    if (offline) return 'offline';
    if (value === 'given_up') return 'back';
    return device.rentalStatus === 'sold' || device.rentalStatus === 'self_rented' ? 'rented' : 'mended';
  }
  if (TUNNEL_PROBLEMS.has(problem) && TUNNEL_PROBLEMS.has(told?.problem)) return undefined;
  if (!isSetUp(device.setupStatus)) return 'not_set_up';
  if (problem === 'heartbeat_unreadable') {
    if (heartbeatAgeSeconds !== undefined) return 'readable';
    return device.rentalStatus === 'sold' ? undefined : 'rental_ended';
  }
  if (offline) return 'offline';
  return hasLiveSelfRent(device) ? 'works_again' : 'rental_ended';
}

/** Returns why a device does not come and go any more: it has been calm for as long as it was not. */
function endOfFlapping({ since, openedAt }: Incident, entry: FleetDevice, at: number): EndReason | undefined {
  if (!isSetUp(entry.device.setupStatus)) return 'not_set_up';
  if (entry.offline) return undefined;
  const until = entry.spells.reduce(
    (last, { state, to = at }) => (state === 'offline' ? Math.max(last, to) : last),
    openedAt,
  );
  return at - until >= Math.min(Math.max(LEAST_CALM, until - since), LONGEST_CALM) ? 'calm' : undefined;
}

/**
 * Reports whether a device that comes and goes stays away: clearly longer than in any of its silences of the last day. That is
 * told beside.
 *
 * Example: it was offline for 9 minutes five times. A sixth silence is told after 30 minutes; the next one after twice that.
 */
export function staysAway({
  heartbeatAgeSeconds: age = 0,
  offlineAfterSeconds,
  outageSeconds,
  spells,
}: FleetDevice): boolean {
  const longest = spells.reduce(
    (most, { state, from, to = from }) => (state === 'offline' ? Math.max(most, to - from) : most),
    0,
  );
  const longestOffline = longest + offlineAfterSeconds * 1000;
  return (age - outageSeconds) * 1000 > Math.max(LEAST_AWAY, AWAY_SHARE * longestOffline);
}
