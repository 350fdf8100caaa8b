import type { AccessState } from '../model/access.ts';
import type { Collector, Endpoint } from '../model/endpoint.ts';
import type { FailureReason } from '../model/failure.ts';

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
  /** A request failed: exactly once for each that throws, save those that their caller aborted. */
  readonly failed: (endpoint: Endpoint, reason: FailureReason) => void;
  /** What an answer said of the key. */
  readonly access: (state: AccessState) => void;
  /** `Date` header minus our own clock at the middle of the request; positive where our clock is behind. */
  readonly clockSkew: (seconds: number) => void;
  readonly itemRejected: (collector: Collector, reason: RejectionReason) => void;
  /** Fields of an object were of a wrong type and were dropped: once for each object, however many fields. */
  readonly schemaViolation: (endpoint: Endpoint) => void;
  /** A documented enumeration held another value, or a value that the document does not list is no plain word. */
  readonly unknownEnum: (field: EnumField) => void;
  /** A text had to be changed to be printable. */
  readonly labelSanitized: (label: TextLabel) => void;
};
