/** The three endpoints of the API; a name for labels and logs, never a path. */
export const ENDPOINTS = ['devices', 'tunnel', 'balance'] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** The things that are polled, each on a schedule of its own. */
export const COLLECTORS = ['devices', 'tunnels', 'balance'] as const;

export type Collector = (typeof COLLECTORS)[number];
