import type {
  AccessState,
  Collector,
  Endpoint,
  EnumField,
  FailureReason,
  RejectionReason,
  TextLabel,
} from './enums.ts';

/** Events of the API client, for metrics. Every argument is from a closed list or a number, never text of the API. */
export type ApiEvents = ValidationEvents & {
  /** A whole HTTP response arrived, so many seconds after its request was sent. */
  readonly answered: (endpoint: Endpoint, status: number, seconds: number) => void;
  /** A request that was sent failed. Not called for requests that their caller aborted. */
  readonly failed: (endpoint: Endpoint, reason: FailureReason) => void;
  /** A response told the state of the key at an endpoint. */
  readonly access: (endpoint: Endpoint, state: AccessState) => void;
  /** `Date` header minus our own clock at the middle of the request, in seconds; positive where our clock is behind. */
  readonly clockSkew: (seconds: number) => void;
};

/** Events of the validation of responses. */
export type ValidationEvents = {
  /** An item without a usable identity was left out. */
  readonly itemRejected: (collector: Collector, reason: RejectionReason) => void;
  /** Fields of a wrong type were dropped from an object: once for each object, however many fields. */
  readonly schemaViolation: (endpoint: Endpoint) => void;
  /**
   * A value is shown as `other`: a documented enum held none of its values, or an open one no plain word or more
   * distinct values than are kept apart.
   */
  readonly unknownEnum: (field: EnumField) => void;
  /** A text had to be changed to be printable. */
  readonly labelSanitized: (label: TextLabel) => void;
};
