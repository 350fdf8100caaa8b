import { type DeviceState, hasLiveSelfRent } from '../../model/device.ts';
import type { FleetDevice, TunnelAnswer } from '../../model/reading.ts';

/**
 * What can be found about a phone that needs a hand, what costs most first: a phone has the first one that applies. Each
 * is what an alert of config/prometheus/hoster.rules.yml tells, in the alert's words.
 */
export const FINDINGS = [
  'sold_silent',
  'self_rented_silent',
  'tunnel_missing',
  'tunnel_down',
  'silent',
  'idle_too_long',
  'unlisted',
  'not_set_up',
  'given_up',
] as const;

export type Finding = (typeof FINDINGS)[number];

/** The figures of config/prometheus/hoster.thresholds.yml and hoster.rules.yml; a test keeps them the same. */
export const THRESHOLDS = {
  /** Seconds without a heartbeat after which a phone is silent. */
  silentSeconds: 15 * 60,
  /** The same for a phone that is rented, since somebody pays for it. */
  rentedSilentSeconds: 10 * 60,
  /** Seconds without a heartbeat after which a tunnel is down because of its phone. */
  tunnelExcusedSeconds: 5 * 60,
  /** Seconds without a heartbeat after which a phone that nobody rents is given up. */
  givenUpSeconds: 7 * 86_400,
  /** Seconds that a phone is offered in vain before it is idle for too long. */
  idleTooLongSeconds: 3 * 86_400,
} as const;

/** Setup states in which a phone cannot be rented. */
const NOT_SET_UP: readonly DeviceState['setupStatus'][] = [
  'awaiting_device_details',
  'awaiting_agent',
  'draft',
  'incomplete',
];

/**
 * What is found about a phone as of the last successful poll. Alerts wait for a while before they disturb somebody; a
 * person who looks is shown at once what is so now, and only being idle takes its time.
 *
 * @param answer what was last said of its tunnel; undefined where nothing may be shown
 * @param apiTime the clock of the API at the poll, in milliseconds since 1970
 */
export function findingOf(
  entry: FleetDevice,
  answer: TunnelAnswer | undefined,
  apiTime: number,
): Finding | undefined {
  const { device, heartbeatAgeSeconds: age } = entry;
  const { rentalStatus, marketplaceStatus, setupStatus } = device.state;
  if (isOlder(age, THRESHOLDS.rentedSilentSeconds)) {
    if (rentalStatus === 'sold') return 'sold_silent';
    if (rentalStatus === 'self_rented') return 'self_rented_silent';
  }
  if (answer !== undefined && hasLiveSelfRent(device)) {
    if (answer.tunnel === undefined) return 'tunnel_missing';
    const { uptimeStatus } = answer.tunnel;
    const isDown = uptimeStatus !== undefined && uptimeStatus !== 'up';
    if (isDown && !isOlder(age, THRESHOLDS.tunnelExcusedSeconds)) return 'tunnel_down';
  }
  if (NOT_SET_UP.includes(setupStatus)) return 'not_set_up';
  if (isOlder(age, THRESHOLDS.givenUpSeconds)) return 'given_up';
  if (isOlder(age, THRESHOLDS.silentSeconds)) return 'silent';
  if (rentalStatus !== 'idle') return undefined;
  if (marketplaceStatus === 'listed') return isIdleTooLong(entry, apiTime) ? 'idle_too_long' : undefined;
  return marketplaceStatus === 'not_listed' && age !== undefined ? 'unlisted' : undefined;
}

/** Whether a phone reports; undefined for one without a usable heartbeat, which is neither online nor silent. */
export function isOnline({ heartbeatAgeSeconds: age }: FleetDevice): boolean | undefined {
  return age === undefined ? undefined : age <= THRESHOLDS.silentSeconds;
}

function isOlder(age: number | undefined, seconds: number): boolean {
  return age !== undefined && age > seconds;
}

function isIdleTooLong({ rentalStatusSince }: FleetDevice, apiTime: number): boolean {
  return (
    rentalStatusSince !== undefined && apiTime - rentalStatusSince > THRESHOLDS.idleTooLongSeconds * 1000
  );
}
