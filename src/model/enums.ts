/** Closed lists of values in labels and logs. Every value exists in its families from the first scrape, even at 0. */

/** The API's three endpoints: names for labels and logs, never paths. */
export const ENDPOINTS = ['devices', 'tunnel', 'balance'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** The collectors, each with its own schedule. */
export const COLLECTORS = ['devices', 'tunnels', 'balance'] as const;
export type Collector = (typeof COLLECTORS)[number];

/** The endpoint that a collector polls. The tunnels also depend on the device list. */
export const ENDPOINT_OF: Readonly<Record<Collector, Endpoint>> = {
  devices: 'devices',
  tunnels: 'tunnel',
  balance: 'balance',
};

/**
 * States of an API key according to the last response. `denied` is a refusal with an undocumented code. The document uses
 * INVALID_API_KEY and HOSTER_BANNED for both causes, so texts for people name both.
 */
export const ACCESS_STATES = ['granted', 'missing_key', 'invalid_key', 'suspended', 'denied'] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

/** Reasons for a failed request or poll: the closed list in the metric contract. */
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

/**
 * Ways in which a device list contradicts itself or the request:
 * - `duplicate`: a device appeared twice in one pass, because the list shifted between two pages;
 * - `total_changed`: `total` differs from the page before;
 * - `incomplete`: devices by which a pass differs from `total`;
 * - `page_repeated`: every page held the same devices; the list is rejected;
 * - `overlong`: the list has no end, or is longer than any fleet; it is rejected;
 * - `stale`: most heartbeats are older than in an earlier list; it is an old copy;
 * - `renumbered`: most devices have another id than in the last list; it is rejected unless the next one has the same ids.
 */
export const LIST_INCONSISTENCIES = [
  'duplicate',
  'total_changed',
  'incomplete',
  'page_repeated',
  'overlong',
  'stale',
  'renumbered',
] as const;
export type ListInconsistency = (typeof LIST_INCONSISTENCIES)[number];

/** Reasons for rejecting one item of a list. */
export const REJECTION_REASONS = ['not_an_object', 'missing_id', 'illegal_id'] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Fields whose values come from a list, by their names in the API document. */
export const ENUM_FIELDS = [
  'setupStatus',
  'rentalStatus',
  'marketplaceStatus',
  'selfRent.status',
  'rotation.status',
  'tunnel.status',
  'uptimeStatus',
  'credential.status',
] as const;
export type EnumField = (typeof ENUM_FIELDS)[number];

/** Labels whose values are text from the API, which is sanitized. */
const TEXT_LABELS = ['label', 'brand', 'model', 'app_version', 'rental_id', 'tunnel_id', 'host'] as const;
export type TextLabel = (typeof TEXT_LABELS)[number];

/** States of data: from the last poll, from an earlier one, or too old to be shown. */
export const DATA_STATES = ['fresh', 'stale', 'expired'] as const;
export type DataState = (typeof DATA_STATES)[number];

/** Reasons for skipping a poll that is due. */
export const SKIP_REASONS = ['overlap', 'no_fleet', 'refused_key'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * Reasons why the listener refuses a request or closes a connection:
 * - `connections`: too many connections;
 * - `slow`: a request did not arrive, or a response was not read, in time;
 * - `malformed`: the bytes are not HTTP, or have too many headers;
 * - `pipelined`: a second request arrived before the response to the first;
 * - `url_length`: the URL is too long;
 * - `host`: the request names another host, as after DNS rebinding.
 */
export const REFUSAL_REASONS = [
  'connections',
  'slow',
  'malformed',
  'pipelined',
  'url_length',
  'host',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  const record: Partial<Record<Name, Value>> = {};
  const isWhole = (each: typeof record): each is Record<Name, Value> => names.every((name) => name in each);
  for (const name of names) record[name] = valueFor(name);
  if (!isWhole(record)) throw new RangeError(`expected a value for each of ${names.join(', ')}`);
  return record;
}

/** Adds an item to the list of a key, which is created if there is none. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Lists the keys of an object whose type allows no others. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record).filter((name): name is Key => name in record);
}
