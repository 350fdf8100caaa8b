import type {
  AccessState,
  Collector,
  Endpoint,
  EnumField,
  FailureReason,
  RejectionReason,
  TextLabel,
} from './enums.ts';

/** Events of the API client, for metrics. Arguments are numbers or values of closed lists, never text of the API. */
export type ApiEvents = ValidationEvents & {
  /** A complete HTTP response arrived, `seconds` after its request was sent. */
  readonly responded: (endpoint: Endpoint, status: number, seconds: number) => void;
  /** A request failed. Not called for requests that the caller aborted. */
  readonly failed: (endpoint: Endpoint, reason: FailureReason) => void;
  /** A response showed the state of the key at an endpoint. */
  readonly access: (endpoint: Endpoint, state: AccessState) => void;
  /** `Date` header minus our own clock at the middle of the request, in seconds; positive if our clock is behind. */
  readonly clockSkew: (seconds: number) => void;
};

/** Events of the validation of responses. */
export type ValidationEvents = {
  /** An item without a usable identity was left out. */
  readonly itemRejected: (collector: Collector, reason: RejectionReason) => void;
  /** Fields of a wrong type were dropped from an object: one event for each object. */
  readonly schemaViolation: (endpoint: Endpoint) => void;
  /**
   * A value became `other`: it is none of a documented enum, no plain word, or one of too many distinct values of an open
   * one.
   */
  readonly unknownEnum: (field: EnumField) => void;
  /** A text was changed to be printable. */
  readonly labelSanitized: (label: TextLabel) => void;
};
