import type { FleetDevice } from './fleet.ts';

/*
 * Limits of the heartbeat age, in seconds: figures of hoster.thresholds.yml as it ships.
 */

/** Heartbeat age above which a device is offline. */
export const OFFLINE_SECONDS = 15 * 60;

/** Heartbeat age above which a rented device is silent. The search for common causes begins at this age too. */
export const RENTED_SILENT_SECONDS = 10 * 60;

/** Heartbeat age above which a device that is not rented is given up. */
export const GIVEN_UP_SECONDS = 7 * 86_400;

/** Tells whether a device is offline. The limit is the same for all, so that the end of a rental changes nothing. */
export function isOffline({ heartbeatAgeSeconds: age }: FleetDevice): boolean {
  return age !== undefined && age > OFFLINE_SECONDS;
}

/** Tells whether a device is silent: a rented one sooner than others, because its silence costs money. */
export function isSilent({ device: { rentalStatus }, heartbeatAgeSeconds: age }: FleetDevice): boolean {
  const isRented = rentalStatus === 'sold' || rentalStatus === 'self_rented';
  return age !== undefined && age > (isRented ? RENTED_SILENT_SECONDS : OFFLINE_SECONDS);
}
