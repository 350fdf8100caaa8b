import type { Account } from '../model/account.ts';
import type { FleetDevice } from '../model/fleet.ts';

/*
 * Devices in maintenance keep their facts and have no problem. They vote for no cause, and their gaps teach nothing. Which
 * devices these are is decided elsewhere: this is the place where it comes in.
 */

/** Returns since when a device is in maintenance, in milliseconds since 1970; undefined if it is not. */
export type Cover = (entry: Pick<FleetDevice, 'device' | 'group'>) => number | undefined;

/** Returns which devices of an account are in maintenance at an instant of the clock of the API. */
export type CoverOf = (account: Account, at: number) => Cover;

/** No device is in maintenance. */
export const NO_COVER: Cover = () => undefined;
