/** Lengths of time in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Units of durations as people and Prometheus write them, longest first. */
export const UNITS = { w: 7 * DAY, d: DAY, h: HOUR, m: MINUTE, s: SECOND, ms: 1 } as const;
