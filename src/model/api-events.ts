import type { AccessState } from './access.ts';
import type { CircuitState } from './circuit.ts';
import type { Collector, Endpoint } from './endpoint.ts';
import type { FailureReason } from './failure.ts';

/** Why an item of a list was left out; the other items of the list stay. */
export const REJECTION_REASONS = ['not_an_object', 'missing_id', 'illegal_id'] as const;

export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Fields that hold one of a list of values, by their names in the API document. */
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

/** Labels whose values are text from the API, and so have to be cleaned. */
export const TEXT_LABELS = [
  'label',
  'brand',
  'model',
  'app_version',
  'rental_id',
  'tunnel_id',
  'host',
] as const;

export type TextLabel = (typeof TEXT_LABELS)[number];

/** What the client tells whoever measures it. Every argument is from a closed list or a number: never text of the API. */
export type ApiEvents = {
  /** An HTTP answer came whole, whatever it says, this many seconds after its request began. */
  readonly answered: (endpoint: Endpoint, status: number, seconds: number) => void;
  /** A try failed, or a request was not sent at all; not told of what its caller aborted. */
  readonly failed: (endpoint: Endpoint, reason: FailureReason) => void;
  /** A request that failed is tried again. */
  readonly retried: (endpoint: Endpoint) => void;
  /** Nothing is sent until then, in milliseconds since 1970, because the API asked for a pause. */
  readonly throttledUntil: (until: number) => void;
  /** Whether requests to an endpoint are sent changed; `closed` at first. */
  readonly circuit: (endpoint: Endpoint, state: CircuitState) => void;
  /** How many requests may be under way at once: told at first and whenever it changes. */
  readonly concurrencyLimit: (limit: number) => void;
  /** What an answer said of the key. */
  readonly access: (state: AccessState) => void;
  /** `Date` header minus our own clock at the middle of the request; positive where our clock is behind. */
  readonly clockSkew: (seconds: number) => void;
  readonly itemRejected: (collector: Collector, reason: RejectionReason) => void;
  /** Fields of an object were of a wrong type and were dropped: once for each object, however many fields. */
  readonly schemaViolation: (endpoint: Endpoint) => void;
  /**
   * A value is shown as `other`: a documented enumeration held none of its values, or an open one no plain word or more
   * different ones than are kept apart.
   */
  readonly unknownEnum: (field: EnumField) => void;
  /** A text had to be changed to be printable. */
  readonly labelSanitized: (label: TextLabel) => void;
};
