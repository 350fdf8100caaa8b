/** Rhythm of a device's heartbeats: a summary of the gaps between them, of at most 200 bytes as JSON. */
export type Rhythm = {
  /** Number of gaps learned, at most 1,000. */
  readonly count: number;
  /** Typical gap, in seconds. */
  readonly typical: number;
  /** Mean deviation from the typical gap of those that are not late, in seconds. */
  readonly jitter: number;
  /** Share of late gaps: those with a lost heartbeat. */
  readonly late: number;
  /** Share of late gaps with more than one lost heartbeat. */
  readonly repeated: number;
  /** The last gap was late. */
  readonly wasLate: boolean;
  /** Seconds of gaps since `today` began. */
  readonly elapsed: number;
  /** The longest gaps of the present day of gaps, in whole seconds, longest first. */
  readonly today: readonly number[];
  /** The longest gaps of the day of gaps before it. */
  readonly yesterday: readonly number[];
};
