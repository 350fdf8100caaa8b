import type {
  AccessState,
  Collector,
  Endpoint,
  EnumField,
  FailureReason,
  RejectionReason,
  TextLabel,
} from './enums.ts';

/**
 * An event of the API client, for metrics: numbers and values from closed lists, never text from the API.
 *
 * - `responded`: a complete HTTP response arrived, `seconds` after its request was sent;
 * - `failed`: a request failed, and was not aborted by its caller;
 * - `access`: a response showed the state of the key at an endpoint;
 * - `clockSkew`: the `Date` header minus our own clock halfway through the request; positive if our clock is behind;
 * - `itemRejected`: an item without a usable identity was left out;
 * - `schemaViolation`: fields of the wrong type were dropped from an object;
 * - `unknownEnum`: a value became `other`: it is not in a documented enum, is not a plain word, or is one too many in an open
 *   one;
 * - `labelSanitized`: a text was changed to make it printable.
 */
export type ApiEvent =
  | {
      readonly kind: 'responded';
      readonly endpoint: Endpoint;
      readonly status: number;
      readonly seconds: number;
    }
  | { readonly kind: 'failed'; readonly endpoint: Endpoint; readonly reason: FailureReason }
  | { readonly kind: 'access'; readonly endpoint: Endpoint; readonly state: AccessState }
  | { readonly kind: 'clockSkew'; readonly seconds: number }
  | { readonly kind: 'itemRejected'; readonly collector: Collector; readonly reason: RejectionReason }
  | { readonly kind: 'schemaViolation'; readonly endpoint: Endpoint }
  | { readonly kind: 'unknownEnum'; readonly field: EnumField }
  | { readonly kind: 'labelSanitized'; readonly label: TextLabel };

export type OnApiEvent = (event: ApiEvent) => void;
