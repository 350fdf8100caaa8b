import type { FailureReason } from '../model/failure.ts';

/** How far a request had come: before the head of the answer, or in its body. */
export type Stage = 'head' | 'body';

/** Our own code for "the deadline of the request passed", beside those of Node and undici. */
export const DEADLINE = 'DEADLINE';

/** What the codes of Node and undici mean for the one who reads the metric. */
const REASONS: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  ['ENOTFOUND', 'dns'],
  ['ENODATA', 'dns'],
  ['ESERVFAIL', 'dns'],
  ['ECONNREFUSED', 'connect'],
  ['EHOSTUNREACH', 'connect'],
  ['EHOSTDOWN', 'connect'],
  ['ENETUNREACH', 'connect'],
  ['ENETDOWN', 'connect'],
  ['EADDRNOTAVAIL', 'connect'],
  ['EACCES', 'connect'],
  ['EPERM', 'connect'],
  ['EMFILE', 'connect'],
  ['ENFILE', 'connect'],
  // Not `timeout`: nobody was there to be slow. undici counts the TLS handshake in.
  ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  [DEADLINE, 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['EPROTO', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['HOSTNAME_MISMATCH', 'tls'],
  ['INVALID_CA', 'tls'],
  ['INVALID_PURPOSE', 'tls'],
  ['PATH_LENGTH_EXCEEDED', 'tls'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'truncated'],
  ['HPE_INVALID_EOF_STATE', 'truncated'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'too_large'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
]);

/** Families of codes, told by how they begin. */
const PREFIXES: readonly (readonly [prefix: string, reason: FailureReason])[] = [
  ['EAI_', 'dns'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['CERT_', 'tls'],
  ['CRL_', 'tls'],
  ['UNABLE_TO_', 'tls'],
  // What llhttp could not read is no HTTP at all.
  ['HPE_', 'envelope'],
];

/**
 * What went wrong below HTTP. Holds of the foreign error its code and message alone: undici's parser error carries the
 * bytes of the answer, which may be logins.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly reason: FailureReason;
  readonly code: string | undefined;

  constructor(error: unknown, stage: Stage) {
    const code = codeOf(error);
    super(messageOf(error));
    this.code = code;
    this.reason = reasonOf(code, stage);
  }
}

/** What a code means; one that is in no table is a fault of ours. */
function reasonOf(code: string | undefined, stage: Stage): FailureReason {
  if (code === undefined) return 'internal';
  // The same code says "closed": before the head there was no answer, later there was a part of one.
  if (code === 'UND_ERR_SOCKET' && stage === 'body') return 'truncated';
  return REASONS.get(code) ?? PREFIXES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'internal';
}

/** The code; undici 7 gives its parser error none, so that this gets the one that llhttp's errors begin with. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
}

/** The message; of several failed addresses ("Happy Eyeballs"), the first one's. */
function messageOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : 'no error was given';
}
