import { lookAtEach, type Steps } from '../base/steps.ts';
import { hasLiveSelfRent, isSetUp } from '../model/device.ts';
import { recordOf } from '../model/enums.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { MUTED_PROBLEM } from '../model/muted.ts';
import {
  type DeviceProblem,
  isOnline,
  type Judgement,
  PROBLEMS,
  type Problem,
  TUNNEL_PROBLEMS,
} from '../model/problem.ts';
import { type TunnelResponse, type Tunnels, tunnelState } from '../model/tunnel.ts';

/** Returns since when a device has been muted, in milliseconds since 1970; undefined if it is not. */
export type MutedSince = (entry: Pick<FleetDevice, 'device' | 'group'>) => number | undefined;

export const NONE_MUTED: MutedSince = () => undefined;

/** Thresholds of problems, in seconds (`problems` of the configuration). */
export type ProblemSettings = {
  readonly idleAfterSeconds: number;
  /** Heartbeat age after which a device without a rental is given up. */
  readonly givenUpAfterSeconds: number;
};

/** Time after which a stopped rotation counts as normal, in seconds. */
const ROTATION_SECONDS = 86_400;

/**
 * Judges the devices of an account. Pure: it depends only on the data of the last successful polls and on the previous
 * judgement, whose problems keep their start.
 */
export function* judgeDevices(
  fleet: Fleet,
  tunnels: Tunnels | undefined,
  before: Judgement | undefined,
  settings: ProblemSettings,
  mutedSince = NONE_MUTED,
): Steps<Judgement> {
  const problems = new Map<string, DeviceProblem>();
  let judgedAt = Number.NEGATIVE_INFINITY;
  yield* lookAtEach(fleet.devices, ([id, entry]) => {
    const known = before?.problems.get(id);
    const found =
      mutedProblem(mutedSince(entry), known) ??
      problemOf(entry, tunnels?.get(id), known, fleet.apiTime, settings);
    if (found !== undefined) problems.set(id, found);
    judgedAt = Math.max(judgedAt, gracePeriodEndsAt(entry));
  });
  return {
    problems,
    ...countProblems(fleet.devices, problems),
    gracePeriodEndsAt: judgedAt >= fleet.apiTime ? judgedAt : undefined,
  };
}

function mutedProblem(
  since: number | undefined,
  known: DeviceProblem | undefined,
): DeviceProblem | undefined {
  if (since === undefined) return undefined;
  return known?.problem === MUTED_PROBLEM ? known : { problem: MUTED_PROBLEM, since };
}

export function countProblems(
  devices: ReadonlyMap<string, unknown>,
  problems: Judgement['problems'],
): Pick<Judgement, 'counts' | 'online'> {
  const counts = recordOf(PROBLEMS, () => 0);
  let online = devices.size;
  for (const { problem } of problems.values()) {
    counts[problem] += 1;
    if (!isOnline(problem)) online -= 1;
  }
  return { counts, online };
}

/** Returns when a device that could not report during an outage counts as offline. */
function gracePeriodEndsAt({ device, outageSeconds, offlineAfterSeconds, offline }: FleetDevice): number {
  const { lastHeartbeatAt, setupStatus } = device;
  if (offline || outageSeconds === 0 || lastHeartbeatAt === undefined || !isSetUp(setupStatus))
    return Number.NEGATIVE_INFINITY;
  return lastHeartbeatAt + (outageSeconds + offlineAfterSeconds) * 1000;
}

/** Returns the problem of a device with its start: the same object while it lasts. */
function problemOf(
  entry: FleetDevice,
  tunnel: TunnelResponse | undefined,
  known: DeviceProblem | undefined,
  apiTime: number,
  settings: ProblemSettings,
): DeviceProblem | undefined {
  const problem = costliest(entry, tunnel, known?.problem, apiTime, settings);
  if (problem === undefined) return undefined;
  const since = Math.min(startOf(problem, entry, tunnel) ?? apiTime, apiTime);
  // A problem keeps its start, except that each offline period starts at its heartbeat. A start in the future comes from a
  // wrong clock.
  const goesOn = known?.problem === problem && known.since <= apiTime;
  return goesOn && (!entry.offline || since === known.since) ? known : { problem, since };
}

/** Returns the costliest problem of a device, in the order of {@link PROBLEMS}. */
function costliest(
  entry: FleetDevice,
  answer: TunnelResponse | undefined,
  known: Problem | undefined,
  apiTime: number,
  { idleAfterSeconds, givenUpAfterSeconds }: ProblemSettings,
): Problem | undefined {
  const { device, offline, heartbeatAgeSeconds: age } = entry;
  const { rentalStatus, marketplaceStatus } = device;
  if (!isSetUp(device.setupStatus)) return 'not_set_up';
  if (offline && rentalStatus === 'sold') return 'sold_offline';
  if (offline && rentalStatus === 'self_rented') return 'self_rented_offline';
  const ofTunnel = hasLiveSelfRent(device) ? problemOfTunnel(entry, answer, known) : undefined;
  if (ofTunnel !== undefined) return ofTunnel;
  if (offline) return (age ?? 0) > givenUpAfterSeconds ? 'given_up' : 'offline';
  if (age === undefined) return 'heartbeat_unreadable';
  if (hasStoppedRotating(entry, apiTime)) return 'rotation_stopped';
  if (rentalStatus !== 'idle') return undefined;
  if (marketplaceStatus === 'not_listed') return 'not_listed';
  const idleSeconds = (apiTime - (entry.rentalStatusSince ?? apiTime)) / 1000;
  return marketplaceStatus === 'listed' && idleSeconds > idleAfterSeconds ? 'idle_too_long' : undefined;
}

/**
 * Returns the problem of the tunnel of a self-rented device. A tunnel that goes down with its device has no problem until the
 * device is back online. Without a response, a known problem stays.
 */
function problemOfTunnel(
  { device: { lastHeartbeatAt } }: FleetDevice,
  answer: TunnelResponse | undefined,
  known: Problem | undefined,
): Problem | undefined {
  if (answer === undefined) return TUNNEL_PROBLEMS.has(known) ? known : undefined;
  const state = tunnelState(answer);
  if (state === 'missing') return 'tunnel_missing';
  if (state === 'without_login') return 'tunnel_without_login';
  const isDown = state !== 'up' && state !== 'unknown';
  const hasReported = lastHeartbeatAt === undefined || lastHeartbeatAt > answer.stateSince;
  return isDown && (hasReported || known === 'tunnel_down') ? 'tunnel_down' : undefined;
}

function hasStoppedRotating({ rotationStoppedAt }: FleetDevice, apiTime: number): boolean {
  return rotationStoppedAt !== undefined && (apiTime - rotationStoppedAt) / 1000 <= ROTATION_SECONDS;
}

/** Returns the start of a problem if the data shows it; undefined if it starts with the poll that found it. */
function startOf(
  problem: Problem,
  { device, rentalStatusSince, rotationStoppedAt }: FleetDevice,
  tunnel: TunnelResponse | undefined,
): number | undefined {
  switch (problem) {
    case 'sold_offline':
    case 'self_rented_offline':
    case 'offline':
    case 'given_up':
      return device.lastHeartbeatAt;
    case 'tunnel_missing':
    case 'tunnel_down':
    case 'tunnel_without_login':
      return tunnel?.stateSince;
    case 'rotation_stopped':
      return rotationStoppedAt;
    case 'idle_too_long':
      return rentalStatusSince;
    default:
      return undefined;
  }
}
