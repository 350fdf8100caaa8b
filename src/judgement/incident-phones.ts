import { hasLiveSelfRent, isSetUp } from '../model/device.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { EndReason, Incident, IncidentProblem } from '../model/incident.ts';
import { type DeviceProblem, type Problem, SILENT_PROBLEMS } from '../model/problem.ts';
import { HOUR, MINUTE } from '../model/time.ts';
import type { End, Opening, Outcome } from './incident.ts';

/*
 * Incidents of one phone: when each opens, and why it ends. Silence opens elsewhere, since a common cause may explain it.
 */

/** Time after which the state of a tunnel or an unreadable heartbeat is told: the next poll may show something else. */
const CONFIRMED_AFTER = MINUTE;

/** Time after which it is told that a phone earns nothing: who sets up or lists phones does so within a working day. */
const EARNS_NOTHING_AFTER = 6 * HOUR;

/** Time for which something that happened once is told. */
export const TOLD_FOR = 4 * HOUR;

/** A phone that came and went is calm after as long as it was not, and this time at least. */
const CALM_AFTER = HOUR;

/** A phone that comes and goes stays away after this multiple of its limit. */
const SILENT_SHARE = 2;

const SILENCES: ReadonlySet<IncidentProblem> = new Set(['sold_silent', 'self_rented_silent', 'silent']);
const TUNNELS: ReadonlySet<IncidentProblem> = new Set([
  'tunnel_missing',
  'tunnel_down',
  'tunnel_without_login',
]);

/** Tells whether an incident is the silence of one phone, or of one that comes and goes. */
export function isOfSilence({ problem }: Pick<Incident, 'problem'>): boolean {
  return SILENCES.has(problem) || problem === 'flapping';
}

/** Tells whether an incident is something that happened once. */
export function isEvent({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'left' || problem === 'many_left' || problem === 'credential_changed';
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

/** Returns the incident of a problem of a phone, other than silence; undefined if it is not told, or not yet. */
export function openingOf(
  entry: FleetDevice,
  { problem, since }: DeviceProblem,
  at: number,
): Opening | undefined {
  const told = toldOf(entry, problem);
  if (told === undefined || at - since < told.opensAfter) return undefined;
  return { problem: told.problem, value: told.value ?? '', since, ...textsOf(entry) };
}

/** Returns the incident of a silent phone. */
export function openingOfSilence(entry: FleetDevice, problem: IncidentProblem, since: number): Opening {
  return { problem, since, ...textsOf(entry) };
}

export function textsOf({ device, group }: FleetDevice): Pick<Incident, 'deviceId' | 'label' | 'group'> {
  return { deviceId: device.id, label: device.label, group };
}

/** Returns what became of an incident of one phone. */
export function afterPhone(
  incident: Incident,
  fleet: Fleet,
  judged: DeviceProblem | undefined,
  at: number,
): Outcome {
  const entry = fleet.devices.get(incident.deviceId);
  if (incident.problem === 'left')
    return outcomeOf(incident, entry === undefined ? toldBy(incident, at) : 'returned', at);
  if (entry === undefined) return outcomeOf(incident, 'left', at);
  if (judged?.problem === 'in_maintenance') return outcomeOf(incident, 'maintenance', at);
  if (incident.problem === 'credential_changed') return outcomeOf(incident, toldBy(incident, at), at);
  if (incident.problem === 'flapping') return afterFlapping(incident, entry, judged, at);
  if (!SILENCES.has(incident.problem)) return outcomeOf(incident, endOfFact(incident, entry, judged), at);
  const end = endOfSilence(incident, entry, judged, fleet, at);
  return end === undefined ? { goesOn: incident } : { end };
}

function outcomeOf(incident: Incident, reason: EndReason | undefined, at: number): Outcome {
  return reason === undefined ? { goesOn: incident } : { end: { reason, endedAt: at } };
}

export function toldBy({ openedAt }: Incident, at: number): EndReason | undefined {
  return at - openedAt >= TOLD_FOR ? 'told' : undefined;
}

/** Returns the end of a silence. One that goes on as the silence of another rental ends, and begins as that at once. */
function endOfSilence(
  { problem, since }: Incident,
  entry: FleetDevice,
  judged: DeviceProblem | undefined,
  { isClockReset }: Fleet,
  at: number,
): End | undefined {
  if (judged?.problem === 'given_up') return { reason: 'given_up', endedAt: at };
  if (judged !== undefined && SILENT_PROBLEMS.has(judged.problem)) {
    if (judged.problem !== problem) return { reason: rentalChange(problem, judged.problem), endedAt: at };
    // It reported in between, and is silent again.
    return judged.since === since ? undefined : { reason: 'back', endedAt: judged.since };
  }
  if (!isSetUp(entry.device.setupStatus)) return { reason: 'not_set_up', endedAt: at };
  if (entry.heartbeatAgeSeconds === undefined) return undefined;
  if (isClockReset) return { reason: 'clock_set', endedAt: at };
  if (entry.device.lastHeartbeatAt === since) return { reason: 'limit_changed', endedAt: at };
  return { reason: 'back', endedAt: entry.backAt ?? at };
}

function rentalChange(before: IncidentProblem, problem: Problem): EndReason {
  return before === 'sold_silent' || problem === 'silent' ? 'rental_ended' : 'rented';
}

/** Returns why what was wrong with a phone that is not silence ended; undefined while it goes on. */
function endOfFact(
  { problem, value }: Incident,
  entry: FleetDevice,
  judged: DeviceProblem | undefined,
): EndReason | undefined {
  const { device, silent, heartbeatAgeSeconds } = entry;
  const told = judged && toldOf(entry, judged.problem);
  if (problem === 'earns_nothing') {
    if (told?.value === value) return undefined;
    if (silent) return 'silent';
    if (value === 'given_up') return 'back';
    return device.rentalStatus === 'sold' || device.rentalStatus === 'self_rented' ? 'rented' : 'mended';
  }
  if (TUNNELS.has(problem) && told !== undefined && TUNNELS.has(told.problem)) return undefined;
  if (!isSetUp(device.setupStatus)) return 'not_set_up';
  if (problem === 'heartbeat_unreadable') {
    if (heartbeatAgeSeconds !== undefined) return 'readable';
    return device.rentalStatus === 'sold' ? undefined : 'rental_ended';
  }
  if (silent) return 'silent';
  return hasLiveSelfRent(device) ? 'works_again' : 'rental_ended';
}

function afterFlapping(
  incident: Incident,
  { device }: FleetDevice,
  judged: DeviceProblem | undefined,
  at: number,
): Outcome {
  if (!isSetUp(device.setupStatus)) return outcomeOf(incident, 'not_set_up', at);
  if (judged !== undefined && SILENT_PROBLEMS.has(judged.problem))
    return { goesOn: { ...incident, until: at } };
  const { since, until } = incident;
  return outcomeOf(incident, at - until >= Math.max(CALM_AFTER, until - since) ? 'calm' : undefined, at);
}

/** Tells whether a phone that comes and goes stays away, which is told as a silence beside it. */
export function staysAway({
  heartbeatAgeSeconds: age = 0,
  silenceLimitSeconds,
  outageSeconds,
}: FleetDevice): boolean {
  return age - outageSeconds > SILENT_SHARE * silenceLimitSeconds;
}
