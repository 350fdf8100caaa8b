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
  // Within the head, where alone it can appear, it is a proxy that refused to connect us.
  ['UND_ERR_ABORTED', 'connect'],
  [DEADLINE, 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['EPROTO', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['UND_ERR_PRX_TLS', 'tls'],
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

const UNKNOWN_AUTHORITY =
  'the certificate is of an authority that is not trusted here; client.ca_file can name the file of a private one';

/** What is wrong with a certificate, in words that name what to mend: the codes are those of OpenSSL. */
const CERTIFICATE_WORDS: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['CERT_REVOKED', 'the certificate was revoked'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host'],
  ['HOSTNAME_MISMATCH', 'the certificate is for another host'],
  ['UND_ERR_PRX_TLS', 'the certificate of the proxy is for another host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_AUTHORITY],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_AUTHORITY],
]);

/** No server closes a connection for being idle within this time: what breaks sooner breaks for another reason. */
const LEAST_IDLE_MILLISECONDS = 100;

/**
 * What went wrong below HTTP. Holds of the foreign error its code and message alone: undici's parser error carries the
 * bytes of the answer, which may be logins.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly reason: FailureReason;
  readonly code: string | undefined;
  /** A connection that had been idle broke before the answer: the server had closed it, and never saw the request. */
  readonly staleConnection: boolean;

  /** @param idleMilliseconds how long all connections were idle before the request was sent */
  constructor(error: unknown, stage: Stage, idleMilliseconds: number) {
    const code = codeOf(error);
    super(CERTIFICATE_WORDS.get(code ?? '') ?? messageOf(error));
    this.code = code;
    this.reason = reasonOf(code, stage);
    this.staleConnection =
      this.reason === 'reset' &&
      stage === 'head' &&
      bytesReadBefore(error) > 0 &&
      idleMilliseconds >= LEAST_IDLE_MILLISECONDS;
  }
}

/** Tells how much a connection brought: undici does so in its own errors, and this adds it to those of Node. */
export function noteBytesRead(error: Error, bytesRead: number): void {
  Object.assign(error, { socket: { bytesRead } });
}

function bytesReadBefore(error: unknown): number {
  if (!(error instanceof Error) || !('socket' in error)) return 0;
  const { socket } = error;
  if (typeof socket !== 'object' || socket === null || !('bytesRead' in socket)) return 0;
  return typeof socket.bytesRead === 'number' ? socket.bytesRead : 0;
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
