/**
 * Why the listener refuses a request or cuts a connection off:
 * - `connections`: too many connections in all;
 * - `address_connections`: too many connections of one address;
 * - `slow`: a request did not come whole, or an answer was not taken, in time;
 * - `malformed`: what came is no HTTP, or has too many headers;
 * - `url_length`: the address asked for is too long;
 * - `busy`: too many answers are under way.
 */
export const REFUSAL_REASONS = [
  'connections',
  'address_connections',
  'slow',
  'malformed',
  'url_length',
  'busy',
] as const;

export type RefusalReason = (typeof REFUSAL_REASONS)[number];
