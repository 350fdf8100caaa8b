import type { Endpoint } from '../model/endpoint.ts';
import type { FailureReason } from '../model/failure.ts';

/** What usually is behind a reason, and what to do: the second half of every message. */
const ADVICE = {
  dns: 'The host of api_url could not be resolved. Check its spelling and the resolver of this machine.',
  connect: 'No connection came about. Check api_url, the firewall and whether the API is up.',
  reset: 'The connection broke before the answer. It is tried again at the next poll.',
  timeout: 'The answer did not come whole in time. Raise client.timeout if the API is slow at all times.',
  tls: 'The certificate or handshake was refused. Check the host of api_url, the clock and the trusted authorities.',
  redirect:
    'Redirects are not followed, since the key would go with them. Put the final address into api_url.',
  edge_block: 'Something in front of the API answered, not the API. Ask whether this address is blocked.',
  envelope:
    'A JSON object with success and data was expected. Check that api_url is the base address of the API.',
  encoding: 'UTF-8 without compression was expected. Check what a proxy in between does to the answer.',
  truncated: 'The answer was cut off. It is tried again at the next poll.',
  too_large: 'The answer is larger than any page can be. Check that api_url is the base address of the API.',
  schema: 'The data was not of the documented form. The API may have changed: look for a newer version.',
  unauthorized: 'The key is missing, invalid, or its account suspended. Check the key and the account.',
  throttled: 'The API asks for fewer requests. Poll less often or lower client.concurrency.',
  server: 'The API has a fault of its own. It is tried again at the next poll.',
  not_found: 'Nothing is at this address. Check that api_url is the base address of the API.',
  bad_request: 'The API refused the request itself. It may have changed: look for a newer version.',
  inconsistent: 'The answers contradict each other or what is possible. It is tried again at the next poll.',
  internal: 'This is a fault of hoster-exporter. Please report it.',
} as const satisfies Record<FailureReason, string>;

/** Why a request is not sent: the reason of the failure that brought this about, and what there is to say of it. */
export type Refusal = {
  readonly reason: FailureReason;
  readonly got: string;
  readonly code?: string | undefined;
};

/** What is known of a failed request. */
export type ApiErrorFacts = {
  readonly reason: FailureReason;
  readonly endpoint: Endpoint;
  /** What was got, in words of our own: never the key, never text of a body. */
  readonly got: string;
  readonly withheld?: boolean;
  readonly staleConnection?: boolean;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly retryAfterMilliseconds?: number | undefined;
  readonly cause?: unknown;
};

/**
 * A request that brought no usable answer. Its message says what was got and what to do; which endpoint was asked stands
 * beside it.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: FailureReason;
  readonly endpoint: Endpoint;
  /** It was not sent at all, since it would have failed or been too much. */
  readonly withheld: boolean;
  /** An idle connection turned out to be closed, so that the API never saw the request. */
  readonly staleConnection: boolean;
  /** The HTTP status, where an answer came. */
  readonly status: number | undefined;
  /** `error.code`, where it is one that the API document names. */
  readonly code: string | undefined;
  /** `Retry-After` as sent, in milliseconds from the answer on; undefined where absent or unusable. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(facts: ApiErrorFacts) {
    const options = facts.cause === undefined ? undefined : { cause: facts.cause };
    super(`${facts.got}. ${ADVICE[facts.reason]}`, options);
    this.reason = facts.reason;
    this.endpoint = facts.endpoint;
    this.withheld = facts.withheld ?? false;
    this.staleConnection = facts.staleConnection ?? false;
    this.status = facts.status;
    this.code = facts.code;
    this.retryAfterMilliseconds = facts.retryAfterMilliseconds;
  }
}
