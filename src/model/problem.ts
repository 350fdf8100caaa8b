import { MUTED_PROBLEM } from './muted.ts';

/**
 * Problems of a device, costliest first. A device has the first that applies, with exceptions: an unrented device that has
 * been offline for long is given up, not offline; one that was never set up, or is muted, has no other problem.
 */
export const PROBLEMS = [
  'sold_offline',
  'self_rented_offline',
  'tunnel_missing',
  'tunnel_down',
  'tunnel_without_login',
  'offline',
  'heartbeat_unreadable',
  'rotation_stopped',
  'not_set_up',
  'not_listed',
  'idle_too_long',
  'given_up',
  MUTED_PROBLEM,
] as const;

export type Problem = (typeof PROBLEMS)[number];

/** The problem of a device, and its start by the API's clock, in milliseconds since 1970. */
export type DeviceProblem = { readonly problem: Problem; readonly since: number };

/** Problems of an offline device, which a common cause may explain. */
export const OFFLINE_PROBLEMS = ['sold_offline', 'self_rented_offline', 'offline'] as const;

export type OfflineProblem = (typeof OFFLINE_PROBLEMS)[number];

/** Returns the problem if it is an offline device's; undefined otherwise. */
export function offlineProblemOf(problem: string | undefined): OfflineProblem | undefined {
  return OFFLINE_PROBLEMS.find((each) => each === problem);
}

export const TUNNEL_PROBLEMS: ReadonlySet<string | undefined> = new Set<Problem>([
  'tunnel_missing',
  'tunnel_down',
  'tunnel_without_login',
]);

const NOT_ONLINE: ReadonlySet<Problem> = new Set([
  ...OFFLINE_PROBLEMS,
  'given_up',
  'heartbeat_unreadable',
  'not_set_up',
  MUTED_PROBLEM,
]);

/** Reports whether a device with this problem alerts nobody. */
export function isMuted(problem: string | undefined): boolean {
  return problem === MUTED_PROBLEM;
}

/** Reports whether a device with this problem needs attention: something is wrong, and it is not muted. */
export function needsAttention(problem: string | undefined): boolean {
  return problem !== undefined && !isMuted(problem);
}

/** Reports whether a device with this problem, or none, is online. */
export function isOnline(problem: Problem | undefined): boolean {
  return problem === undefined || !NOT_ONLINE.has(problem);
}

/** The problems of an account's devices, from one successful poll to the next. */
export type Judgement = {
  /** By device id, in the order of the devices. A healthy device has none. */
  readonly problems: ReadonlyMap<string, DeviceProblem>;
  /** Number of devices by problem, including zeros. */
  readonly counts: Readonly<Record<Problem, number>>;
  readonly online: number;
  /**
   * End of the time that devices have to report after an API outage, by the API's clock, in milliseconds since 1970;
   * otherwise undefined.
   */
  readonly gracePeriodEndsAt: number | undefined;
};

/** Returns how many devices may have the same problem at once before a single incident covers them all. */
export function massOutageThreshold(devices: number): number {
  return Math.min(10, Math.max(2, devices / 10)) + devices / 1_000;
}
