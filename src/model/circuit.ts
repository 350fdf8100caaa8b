/**
 * Whether requests to an endpoint are sent: `closed` as usual, `open` while one that is down is given a rest, and
 * `half_open` while a request tries whether it is back.
 */
export const CIRCUIT_STATES = ['closed', 'half_open', 'open'] as const;

export type CircuitState = (typeof CIRCUIT_STATES)[number];
