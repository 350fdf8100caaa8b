/** Summary of the gaps between the heartbeats of a device, at most 120 bytes in the state file. */
export type Rhythm = {
  /** Usual gap, in seconds; 0 until one is known. */
  readonly usual: number;
  /** Share of late gaps, in which a heartbeat was lost. */
  readonly lateShare: number;
  /** Number of consecutive gaps beyond the threshold. */
  readonly over: number;
  /** Sum of the gaps in the current day of heartbeats, in seconds. */
  readonly elapsed: number;
  /** The longest gap in each of the last days of heartbeats, in whole seconds, the current day first. */
  readonly longest: readonly number[];
};
