/**
 * What can be wrong with a device, the costliest first: it has the first one that applies. A device that nobody rents and
 * that is silent for long is given up, not silent; one that was never set up is that and nothing else. One in maintenance
 * has no other, whatever is wrong with it.
 */
export const PROBLEMS = [
  'sold_silent',
  'self_rented_silent',
  'tunnel_missing',
  'tunnel_down',
  'tunnel_without_login',
  'silent',
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

/** Problems of a device that is silent, and whose silence a common cause may explain. */
export const SILENCES = ['sold_silent', 'self_rented_silent', 'silent'] as const;
export const SILENT_PROBLEMS: ReadonlySet<Problem> = new Set(SILENCES);

export type Silence = (typeof SILENCES)[number];

/** Returns a problem of a device that is silent; undefined for any other one. */
export function silenceOf(problem: string | undefined): Silence | undefined {
  return SILENCES.find((each) => each === problem);
}

/** Problems of the tunnel of a device. */
export const TUNNEL_PROBLEMS: ReadonlySet<string | undefined> = new Set<Problem>([
  'tunnel_missing',
  'tunnel_down',
  'tunnel_without_login',
]);

/** Problems of a device that is not online: it is silent, never was set up, has no readable heartbeat, or is worked on. */
const NOT_ONLINE: ReadonlySet<Problem> = new Set([
  ...SILENT_PROBLEMS,
  'given_up',
  'heartbeat_unreadable',
  'not_set_up',
  'in_maintenance',
]);

/** Tells whether the owner works on a device with this problem. */
export function isWorkedOn(problem: string | undefined): boolean {
  return problem === 'in_maintenance';
}

/** Tells whether something is wrong that nobody works on. */
export function needsAttention(problem: string | undefined): boolean {
  return problem !== undefined && !isWorkedOn(problem);
}

/** Tells whether a device with this problem, or none, is online. */
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
   * After an outage of the API, when the silence of all devices is judged again, by its clock in milliseconds since 1970:
   * they could not report either. Else undefined.
   */
  readonly silenceJudgedAt: number | undefined;
};

/** Returns the number of devices of a fleet that may have the same problem at once and are told one by one. */
export function floodLimit(devices: number): number {
  return Math.min(10, Math.max(2, devices / 10)) + devices / 1_000;
}
