/**
 * Why something asked of the API failed: the closed list of the metric contract. Every value exists at 0 in every
 * family with a `reason` label from the first scrape on.
 */
export const FAILURE_REASONS = [
  'dns',
  'connect',
  'reset',
  'timeout',
  'tls',
  'redirect',
  'edge_block',
  'envelope',
  'encoding',
  'truncated',
  'too_large',
  'schema',
  'unauthorized',
  'throttled',
  'server',
  'not_found',
  'bad_request',
  'inconsistent',
  'internal',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];
