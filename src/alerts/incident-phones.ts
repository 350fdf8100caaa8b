import { hasLiveSelfRent, isSetUp } from '../model/device.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { EndedIncident, EndReason, Incident } from '../model/incident.ts';
import { MUTED } from '../model/muted.ts';
import {
  type DeviceProblem,
  isMuted,
  type OfflineProblem,
  offlineProblemOf,
  type Problem,
  TUNNEL_PROBLEMS,
} from '../model/problem.ts';
import { DAY, HOUR, MINUTE } from '../model/time.ts';
import {
  type Context,
  endOrContinue,
  type IncidentUpdate,
  isUnknown,
  type NewIncident,
  textsOf,
} from './incident.ts';

/* Incidents of one device: when each opens, and why it ends. coverage.ts decides whether an offline device gets one. */

/** Delay for the state of a tunnel or an unreadable heartbeat: the next poll may show something else. */
const CONFIRMED_AFTER = MINUTE;

/** Delay for a phone that earns nothing: phones are usually set up and listed within a working day. */
const EARNS_NOTHING_AFTER = 6 * HOUR;

/** Time for which the incident of an event stays open. */
const EVENT_DURATION = 4 * HOUR;

/** Number of times that a device goes offline within this period before it is flapping. */
const FLAPPING_TIMES = 3;
const FLAPPING_MILLISECONDS = 2 * HOUR;

/** Flapping ends after a calm period as long as the flapping itself, within these bounds. */
const MIN_CALM = FLAPPING_MILLISECONDS;
const MAX_CALM = DAY;

/** A flapping device counts as away after this multiple of its longest offline time, but not before this time. */
const AWAY_SHARE = 2;
const MIN_AWAY = 30 * MINUTE;

/** Reports whether an incident is an event, which happens once and needs no end. */
export function isEvent({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'left' || problem === 'credential_changed';
}

/** Incident of an online phone's problem, and the delay after which it opens, in milliseconds. */
type ProblemRule = Pick<NewIncident, 'problem' | 'value'> & { readonly opensAfter: number };

function problemRuleOf({ device }: FleetDevice, problem: Problem): ProblemRule | undefined {
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

/** Returns the incident of an online device's problem; undefined if there is none, or none yet. */
export function problemIncident(
  entry: FleetDevice,
  { problem, since }: DeviceProblem,
  at: number,
): NewIncident | undefined {
  const rule = problemRuleOf(entry, problem);
  if (rule === undefined || at - since < rule.opensAfter) return undefined;
  return { problem: rule.problem, value: rule.value ?? '', since, ...textsOf(entry) };
}

/**
 * Returns the incident of an offline device: that it is offline, or that it is flapping.
 *
 * Example: it had incidents from 14:00 to 14:10 and from 14:30 to 14:40. It goes offline again at 15:00, so it has been
 * `flapping` since 14:00.
 */
export function offlineIncident(
  entry: FleetDevice,
  { problem, since }: { readonly problem: OfflineProblem; readonly since: number },
  earlier: { readonly ended: readonly EndedIncident[]; readonly isFlapping: boolean },
  at: number,
): NewIncident {
  const before = earlier.ended
    .filter((each) => offlineProblemOf(each.problem) !== undefined && each.since < since)
    .filter(({ endedAt }) => at - endedAt <= FLAPPING_MILLISECONDS)
    .map((each) => each.since);
  if (earlier.isFlapping || new Set(before).size < FLAPPING_TIMES - 1)
    return { problem, since, ...textsOf(entry) };
  return { problem: 'flapping', since: Math.min(...before), ...textsOf(entry) };
}

/** Continues or ends an incident of one device. */
export function updatePhoneIncident(incident: Incident, { fleet, judgement, at }: Context): IncidentUpdate {
  const entry = fleet.devices.get(incident.deviceId);
  const judged = judgement.problems.get(incident.deviceId);
  const { problem } = incident;
  if (problem === 'left')
    return endOrContinue(incident, entry === undefined ? endOfEvent(incident, at) : 'returned', at);
  if (entry === undefined) return endOrContinue(incident, 'left', at);
  if (isMuted(judged?.problem)) return endOrContinue(incident, MUTED, at);
  if (problem === 'credential_changed') return endOrContinue(incident, endOfEvent(incident, at), at);
  if (problem === 'flapping') return endOrContinue(incident, endOfFlapping(incident, entry, at), at);
  if (offlineProblemOf(problem) === undefined)
    return endOrContinue(incident, endOfProblem(incident, entry, judged), at);
  return updateOfflineIncident(incident, entry, judged, fleet, at);
}

/** Returns the end reason of an event; undefined while it is open. */
export function endOfEvent({ openedAt }: Pick<Incident, 'openedAt'>, at: number): EndReason | undefined {
  return at - openedAt >= EVENT_DURATION ? 'notified' : undefined;
}

/**
 * Continues or ends the incident of an offline device.
 *
 * Example: a device has been `sold_offline` since 14:00. The list of 15:30 shows it idle: the incident ends as
 * `rental_ended`, and continues as `offline` since 14:00. The list of 16:00 shows a heartbeat of 15:59: the incident ends
 * as `back` at 15:59.
 */
function updateOfflineIncident(
  incident: Incident,
  entry: FleetDevice,
  judged: DeviceProblem | undefined,
  fleet: Fleet,
  at: number,
): IncidentUpdate {
  const { problem, since } = incident;
  if (judged?.problem === 'given_up') return { reason: 'given_up', endedAt: at };
  const now = offlineProblemOf(judged?.problem);
  if (judged !== undefined && now !== undefined) {
    // It was online in between.
    if (judged.since !== since) return { reason: 'back', endedAt: judged.since };
    if (now === problem) return { continues: incident };
    const reason = problem === 'sold_offline' || now === 'offline' ? 'rental_ended' : 'rented';
    return { reason, endedAt: at, next: [{ problem: now, since, ...textsOf(entry) }] };
  }
  if (!isSetUp(entry.device.setupStatus)) return { reason: 'not_set_up', endedAt: at };
  if (isUnknown(entry, since, incident, at)) return { continues: incident };
  if (fleet.isClockReset) return { reason: 'clock_set', endedAt: at };
  if (entry.device.lastHeartbeatAt === since) return { reason: 'limit_changed', endedAt: at };
  return { reason: 'back', endedAt: entry.backAt ?? at };
}

/** Returns the end reason of an online device's problem; undefined while it lasts. */
function endOfProblem(
  { problem, value }: Incident,
  entry: FleetDevice,
  judged: DeviceProblem | undefined,
): EndReason | undefined {
  const { device, offline, heartbeatAgeSeconds } = entry;
  const rule = judged && problemRuleOf(entry, judged.problem);
  if (problem === 'earns_nothing') {
    if (rule?.value === value) return undefined;
    if (offline) return 'offline';
    if (value === 'given_up') return 'back';
    return device.rentalStatus === 'sold' || device.rentalStatus === 'self_rented' ? 'rented' : 'mended';
  }
  if (TUNNEL_PROBLEMS.has(problem) && TUNNEL_PROBLEMS.has(rule?.problem)) return undefined;
  if (!isSetUp(device.setupStatus)) return 'not_set_up';
  if (problem === 'heartbeat_unreadable') {
    if (heartbeatAgeSeconds !== undefined) return 'readable';
    return device.rentalStatus === 'sold' ? undefined : 'rental_ended';
  }
  if (offline) return 'offline';
  return hasLiveSelfRent(device) ? 'works_again' : 'rental_ended';
}

/** Returns the end reason of flapping: the calm has lasted as long as the flapping did. */
function endOfFlapping({ since, openedAt }: Incident, entry: FleetDevice, at: number): EndReason | undefined {
  if (!isSetUp(entry.device.setupStatus)) return 'not_set_up';
  if (entry.offline) return undefined;
  const until = entry.spells.reduce(
    (last, { state, to = at }) => (state === 'offline' ? Math.max(last, to) : last),
    openedAt,
  );
  return at - until >= Math.min(Math.max(MIN_CALM, until - since), MAX_CALM) ? 'calm' : undefined;
}

/**
 * Reports whether a flapping device has been away clearly longer than any other time in the last day. It then gets an
 * incident of its own.
 *
 * Example: it was offline for 9 minutes five times. The sixth time opens an incident after 30 minutes, the seventh after 60.
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
  return (age - outageSeconds) * 1000 > Math.max(MIN_AWAY, AWAY_SHARE * longestOffline);
}
