import { bytesReadBefore, CLOSED_CODE, TLS_WORDS } from '../base/outbound.ts';
import { type Endpoint, FAILURE_REASONS, type FailureReason } from '../model/enums.ts';
import { sayInEnglish } from '../text/say.ts';

/** Advice by code: a wrong key or a suspended account. The API may use either code for both. */
const ADVICE_BY_CODE: Readonly<Record<string, string>> = {
  INVALID_API_KEY: 'The API does not accept this key. Compare it with the one that the marketplace shows.',
  HOSTER_BANNED:
    'The account is suspended, or the key is wrong. Log in to the marketplace, or ask its support.',
};

export type ApiErrorFacts = {
  readonly reason: FailureReason;
  readonly endpoint: Endpoint;
  /** The problem in our own words: never the key, never text from a body. */
  readonly got: string;
  readonly rejected?: boolean;
  readonly staleConnection?: boolean;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly retryAfterMilliseconds?: number | undefined;
  readonly cause?: unknown;
};

/** A request without a usable response. The message says what was received and what to do, but not the endpoint. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: FailureReason;
  readonly endpoint: Endpoint;
  /** It was rejected locally, without being sent. */
  readonly rejected: boolean;
  /** True if an idle connection had been closed by the server, so the API never saw the request. */
  readonly staleConnection: boolean;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** `error.code`, if the API document names it. */
  readonly code: string | undefined;
  /** `Retry-After` as sent, in milliseconds from the response; undefined if absent or unusable. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(facts: ApiErrorFacts) {
    const options = facts.cause === undefined ? undefined : { cause: facts.cause };
    super(
      `${facts.got}. ${ADVICE_BY_CODE[facts.code ?? ''] ?? sayInEnglish(`failure-${facts.reason}`)}`,
      options,
    );
    this.reason = facts.reason;
    this.endpoint = facts.endpoint;
    this.rejected = facts.rejected ?? false;
    this.staleConnection = facts.staleConnection ?? false;
    this.status = facts.status;
    this.code = facts.code;
    this.retryAfterMilliseconds = facts.retryAfterMilliseconds;
  }
}

export const DEADLINE_CODE = 'DEADLINE';

const UNREACHABLE = ['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'];
const FORBIDDEN = ['EACCES', 'EPERM', 'EMFILE', 'ENFILE'];
const BAD_CERTIFICATE = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'HOSTNAME_MISMATCH'];
const BAD_CHAIN = ['INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED'];

/** Error codes from Node and undici, by the reason that the metrics show. */
const CODES: Readonly<Partial<Record<FailureReason, readonly string[]>>> = {
  dns: ['ENOTFOUND', 'ENODATA', 'ESERVFAIL'],
  connect: [
    ...UNREACHABLE,
    ...FORBIDDEN,
    // Not `timeout`: there was no connection. undici's time limit includes the TLS handshake.
    'UND_ERR_CONNECT_TIMEOUT',
    // Occurs only before the head of a response: a proxy refused the connection.
    'UND_ERR_ABORTED',
    CLOSED_CODE,
  ],
  reset: ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'],
  timeout: [DEADLINE_CODE, 'ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
  tls: ['EPROTO', 'UND_ERR_PRX_TLS', ...BAD_CERTIFICATE, ...BAD_CHAIN],
  truncated: ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'HPE_INVALID_EOF_STATE'],
  too_large: ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW'],
};

/** Families of codes, by prefix. */
const PREFIXES: readonly (readonly [prefix: string, reason: FailureReason])[] = [
  ['EAI_', 'dns'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['CERT_', 'tls'],
  ['CRL_', 'tls'],
  ['UNABLE_TO_', 'tls'],
  // llhttp could not parse it: it is not HTTP.
  ['HPE_', 'envelope'],
];

/** Our own words for malformed responses that undici has no code for, by code and message. */
const MALFORMED_WORDS: ReadonlyMap<string, string> = new Map([
  // undici closes the connection, although RFC 9110, 15.2.1 lets a client discard it (nodejs/undici, pull request 201).
  [
    'UND_ERR_SOCKET bad response',
    'the server sent 100 Continue first, which this HTTP client does not accept',
  ],
  ['UND_ERR_SOCKET bad upgrade', 'an unexpected switch of protocols (101)'],
  ['ERR_ASSERTION', 'the status line is malformed'],
]);

/** Minimum idle time before a reset means that the server closed an idle connection. */
const MIN_IDLE_MILLISECONDS = 100;

/**
 * A failure below HTTP. Keeps only the original error's code and message: undici's parser error carries the bytes of the
 * response, which may contain credentials.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly reason: FailureReason;
  readonly code: string | undefined;
  /** An idle connection had been closed by the server, which therefore never saw the request. */
  readonly staleConnection: boolean;

  /**
   * @param part whether the head of the response had arrived
   * @param idleMilliseconds how long all connections were idle before the request was sent
   */
  constructor(error: unknown, part: 'head' | 'body', idleMilliseconds: number) {
    const code = codeOf(error);
    const malformed = MALFORMED_WORDS.get(code ?? '') ?? MALFORMED_WORDS.get(`${code} ${messageOf(error)}`);
    super(malformed ?? TLS_WORDS.get(code ?? '') ?? messageWithoutOpenssl(error, code));
    this.code = code;
    this.reason = malformed === undefined ? reasonOf(error, code, part) : 'envelope';
    this.staleConnection =
      this.reason === 'reset' &&
      part === 'head' &&
      (bytesReadBefore(error) ?? 0) > 0 &&
      idleMilliseconds >= MIN_IDLE_MILLISECONDS;
  }
}

/** Returns the reason for a code. An unknown code is our own fault. */
function reasonOf(error: unknown, code: string | undefined, part: 'head' | 'body'): FailureReason {
  // None of the host's addresses could be connected to, each for its own reason.
  if (error instanceof AggregateError) return 'connect';
  if (code === undefined) return 'internal';
  // The same code means "closed": without a response before the head, with part of one after it.
  if (code === 'UND_ERR_SOCKET' && part === 'body') return 'truncated';
  const known = FAILURE_REASONS.find((reason) => CODES[reason]?.includes(code));
  return known ?? PREFIXES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'internal';
}

/** Returns the code of an error; undici 7's parser error has none, so it gets the prefix of llhttp's. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
}

/** Returns the message of an error. OpenSSL's messages, with several lines and function names, become their code. */
function messageWithoutOpenssl(error: unknown, code: string | undefined): string {
  const message = messageOf(error);
  return message.includes(':SSL routines:') ? `the TLS handshake failed (${code})` : message;
}

/** Returns the message of an error; if several addresses failed ("Happy Eyeballs"), all their messages. */
function messageOf(error: unknown): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.flatMap((each) =>
    each instanceof Error && each.message !== '' ? each.message : [],
  );
  return messages.length === 0 ? 'no error was given' : [...new Set(messages)].join(', and ');
}
