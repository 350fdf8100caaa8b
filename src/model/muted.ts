/*
 * A device is muted while nobody is to be alerted of it. The core knows no more than that: a feature says which devices are
 * muted, since when and why. These are the words that metrics, JSON and files have for it.
 */

/** The problem of a muted device, instead of any other. */
export const MUTED_PROBLEM = 'in_maintenance' as const;

/** The time that a device was muted, as a column, as a part of its last day, and as the end of its incidents. */
export const MUTED = 'maintenance' as const;
