/**
 * What can be wrong with a device, the costliest first: it has the first one that applies. A device that nobody rents and
 * that is offline for long is given up, not offline; one that was never set up is that and nothing else. One in maintenance
 * has no other, whatever is wrong with it.
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
  'in_maintenance',
] as const;

export type Problem = (typeof PROBLEMS)[number];

/** The problem of a device, and since when it lasts by the clock of the API, in milliseconds since 1970. */
export type DeviceProblem = { readonly problem: Problem; readonly since: number };

/** Problems of a device that is offline, which a common cause may explain. */
export const OFFLINE_PROBLEMS = ['sold_offline', 'self_rented_offline', 'offline'] as const;

export type OfflineProblem = (typeof OFFLINE_PROBLEMS)[number];

/** Returns a problem of a device that is offline; undefined for any other one. */
export function offlineProblemOf(problem: string | undefined): OfflineProblem | undefined {
  return OFFLINE_PROBLEMS.find((each) => each === problem);
}

/** Problems of the tunnel of a device. */
export const TUNNEL_PROBLEMS: ReadonlySet<string | undefined> = new Set<Problem>([
  'tunnel_missing',
  'tunnel_down',
  'tunnel_without_login',
]);

/** Problems of a device that is not online: it is offline, never was set up, has no readable heartbeat, or is worked on. */
const NOT_ONLINE: ReadonlySet<Problem> = new Set([
  ...OFFLINE_PROBLEMS,
  'given_up',
  'heartbeat_unreadable',
  'not_set_up',
  'in_maintenance',
]);

/** Reports whether the owner works on a device with this problem. */
export function isMuted(problem: string | undefined): boolean {
  return problem === 'in_maintenance';
}

/** Reports whether something is wrong that nobody works on. */
export function needsAttention(problem: string | undefined): boolean {
  return problem !== undefined && !isMuted(problem);
}

/** Reports whether a device with this problem, or none, is online. */
export function isOnline(problem: Problem | undefined): boolean {
  return problem === undefined || !NOT_ONLINE.has(problem);
}

/** The problems of the devices of an account, decided once when a poll succeeds; it stands until the next one. */
export type Judgement = {
  /** By device id, in the order of the ids; a healthy device has none. */
  readonly problems: ReadonlyMap<string, DeviceProblem>;
  /** Number of devices by problem, zeros included. */
  readonly counts: Readonly<Record<Problem, number>>;
  readonly online: number;
  /**
   * After an outage of the API, until when all devices have time to report, by its clock in milliseconds since 1970:
   * they could not report either. Else undefined.
   */
  readonly gracePeriodEndsAt: number | undefined;
};

/** Returns the number of devices of a fleet that may have the same problem at once and are told one by one. */
export function massOutageThreshold(devices: number): number {
  return Math.min(10, Math.max(2, devices / 10)) + devices / 1_000;
}
