import type { FleetDevice } from './fleet.ts';

/*
 * Heartbeat ages, in seconds, from which a device is silent: figures of hoster.thresholds.yml as it ships.
 */

/** A device is offline, whether it is rented or not. */
export const SILENT_SECONDS = 15 * 60;

/** A rented device is silent, because somebody pays for it; common causes are looked for from here on, too. */
export const RENTED_SILENT_SECONDS = 10 * 60;

/** A device that is not rented is given up. */
export const GIVEN_UP_SECONDS = 7 * 86_400;

/** Tells whether a device is offline, rented or not, so that the end of a rental is no sign of life. */
export function isOffline({ heartbeatAgeSeconds: age }: FleetDevice): boolean {
  return age !== undefined && age > SILENT_SECONDS;
}

/** Tells whether the last heartbeat of a device is so old that it needs attention, sooner where somebody pays for it. */
export function isSilent({ device: { rentalStatus }, heartbeatAgeSeconds: age }: FleetDevice): boolean {
  const isRented = rentalStatus === 'sold' || rentalStatus === 'self_rented';
  return age !== undefined && age > (isRented ? RENTED_SILENT_SECONDS : SILENT_SECONDS);
}
