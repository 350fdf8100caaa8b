/** What each second of a phone's month is: exactly one of these, or unknown where nobody saw it. */
export const COLUMNS = [
  'sold_online',
  'sold_offline',
  'self_rented',
  'idle',
  'other',
  'maintenance',
] as const;

export type Column = (typeof COLUMNS)[number];

/** Observed time of a device since it was first listed. It only grows, over restarts too. */
export type DeviceTimes = {
  /** The first list that showed the device, in milliseconds since 1970. */
  readonly firstListedAt: number;
  /** The column that its last list showed; undefined without a rental status. */
  readonly column: Column | undefined;
  /** Whole milliseconds in each column that was entered; only time between two good polls counts. */
  readonly milliseconds: Readonly<Partial<Record<Column, number>>>;
  /** How often it fell offline while it was sold and nobody worked on it. */
  readonly interruptions: number;
};

/** A part of the last day in which a device did not just report; instants by the clock of the API. */
export type Spell = {
  /** Offline; offline while the owner worked on it; or not listed, so that nobody knows. */
  readonly state: 'offline' | 'maintenance' | 'unknown';
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
};

/** A part of the last day in which no list of the account came. */
export type Unseen = { readonly from: number; readonly to: number };
