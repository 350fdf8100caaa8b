import { MUTED } from './muted.ts';

/** Columns of the monthly report. Each observed second of a phone counts in exactly one. */
export const COLUMNS = ['sold_online', 'sold_offline', 'self_rented', 'idle', 'other', MUTED] as const;

export type Column = (typeof COLUMNS)[number];

/** Observed time of a device since it was first listed. It only grows, even across restarts. */
export type DeviceTimes = {
  /** The first list that showed the device, in milliseconds since 1970. */
  readonly firstListedAt: number;
  /** The column that its last list showed; undefined without a rental status. */
  readonly column: Column | undefined;
  /** Whole milliseconds in each column. Only time between two successful polls counts. */
  readonly milliseconds: Readonly<Partial<Record<Column, number>>>;
  /** Number of times it went offline while sold and not muted. */
  readonly interruptions: number;
};

/** A part of the last day in which a device was not simply online. Instants are by the API's clock. */
export type Spell = {
  readonly state: 'offline' | typeof MUTED | 'unknown';
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
};

/** A part of the last day without a list from the account. */
export type Unseen = { readonly from: number; readonly to: number };
