/** Summary of the gaps between the heartbeats of a device, at most 120 bytes in the state file. */
export type Rhythm = {
  /** Usual gap, in seconds; 0 until one is known. */
  readonly usual: number;
  /** Share of late gaps, which have a lost heartbeat. */
  readonly lateShare: number;
  /** Number of gaps in a row beyond the threshold. */
  readonly over: number;
  /** Seconds of gaps in the present day of heartbeats. */
  readonly elapsed: number;
  /** The longest gap of each of the last days of heartbeats, in whole seconds, the present day first. */
  readonly longest: readonly number[];
};
