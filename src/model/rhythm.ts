/** Rhythm of a device's heartbeats: a summary of the gaps between them, of at most 120 bytes in the state file. */
export type Rhythm = {
  /** Usual gap, in seconds; 0 until one is known. */
  readonly usual: number;
  /** Share of gaps that are late: with a lost beat. */
  readonly lateShare: number;
  /** Number of gaps in a row that were beyond the limit of their time. */
  readonly over: number;
  /** Seconds of gaps in the present day of heartbeats. */
  readonly elapsed: number;
  /** The longest gap of each of the last days of heartbeats, in whole seconds, the present day first. */
  readonly longest: readonly number[];
};
