/*
 * While a device is muted, nobody is alerted to it. The core knows no more than that: a feature says which devices are
 * muted, since when and why. These are the words for it in metrics, JSON and files.
 */

/** The problem of a muted device, instead of any other. */
export const MUTED_PROBLEM = 'in_maintenance' as const;

/** Muting as a column of times, as part of a device's last day, and as the end reason of its incidents. */
export const MUTED = 'maintenance' as const;
