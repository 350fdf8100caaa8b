import { describe, expect, it } from 'vitest';
import { NetworkError, noteBytesRead } from '../../../src/api/errors.ts';

const coded = (code: string) => Object.assign(new Error('words'), { code, data: Buffer.from('canary') });

describe('a malformed response', () => {
  it.each([
    ['UND_ERR_SOCKET', 'bad response', 'an interim response (100) that was not asked for came first'],
    ['UND_ERR_SOCKET', 'bad upgrade', 'a switch of protocols (101) that was not asked for'],
    ['ERR_ASSERTION', 'assert(statusCode >= 100)', 'the status line is malformed'],
  ])('of code %s with "%s" is no fault of ours and no reset', (code, message, words) => {
    const error = new NetworkError(Object.assign(new Error(message), { code }), 'head', 0);
    expect([error.reason, error.message]).toEqual(['envelope', words]);
  });
});

describe('an error below HTTP', () => {
  it.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['EAI_FAIL', 'dns'],
    ['ESERVFAIL', 'dns'],
    ['ECONNREFUSED', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENETUNREACH', 'connect'],
    ['EMFILE', 'connect'],
    ['UND_ERR_ABORTED', 'connect'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['ETIMEDOUT', 'timeout'],
    ['DEADLINE', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['CERT_NOT_YET_VALID', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['EPROTO', 'tls'],
    ['UND_ERR_PRX_TLS', 'tls'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'truncated'],
    ['HPE_INVALID_EOF_STATE', 'truncated'],
    ['HPE_UNEXPECTED_CONTENT_LENGTH', 'envelope'],
    ['HPE_INVALID_CONSTANT', 'envelope'],
    ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'too_large'],
    ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
    ['UND_ERR_INVALID_ARG', 'internal'],
    ['UND_ERR_DESTROYED', 'internal'],
    ['SOMETHING_NEW', 'internal'],
  ])('%s is %s', (code, reason) => {
    expect(new NetworkError(coded(code), 'head', 0).reason).toBe(reason);
  });

  it.each<['head' | 'body', string]>([
    ['head', 'reset'],
    ['body', 'truncated'],
  ])('a connection closed in the %s is %s', (part, reason) => {
    expect(new NetworkError(coded('UND_ERR_SOCKET'), part, 0).reason).toBe(reason);
  });

  it('that is of a parser and has no code is envelope', () => {
    const error = Object.assign(new Error('words'), { name: 'HTTPParserError', code: undefined });
    expect(new NetworkError(error, 'head', 0)).toMatchObject({ reason: 'envelope', code: 'HPE_INVALID' });
  });

  it.each([[new Error('words')], ['words'], [undefined], [Object.assign(new Error('words'), { code: 7 })]])(
    'without a code is internal',
    (error) => {
      expect(new NetworkError(error, 'head', 0)).toMatchObject({ reason: 'internal', code: undefined });
    },
  );

  it('keeps nothing of the foreign error but its code and its words', () => {
    const error = new NetworkError(coded('HPE_INVALID_CONSTANT'), 'body', 0);
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'NetworkError',
      reason: 'envelope',
      code: 'HPE_INVALID_CONSTANT',
      staleConnection: false,
      message: 'words',
      cause: undefined,
    });
  });

  it('of several addresses has the words of the first', () => {
    const error = Object.assign(new AggregateError([new Error('first'), new Error('second')]), {
      code: 'ECONNREFUSED',
    });
    expect(new NetworkError(error, 'head', 0)).toMatchObject({ reason: 'connect', message: 'first' });
  });
});

describe('a connection that broke before the answer', () => {
  it.each<[string, string, 'head' | 'body', number, number, boolean]>([
    ['had brought an answer and was idle since', 'ECONNRESET', 'head', 100, 100, true],
    ['had brought one, in the words of undici', 'UND_ERR_SOCKET', 'head', 1, 1_000, true],
    ['was in use', 'ECONNRESET', 'head', 100, 99, false],
    ['was new', 'ECONNRESET', 'head', 0, 1_000, false],
    ['broke in the body', 'ECONNRESET', 'body', 100, 1_000, false],
    ['did not come about', 'ECONNREFUSED', 'head', 100, 1_000, false],
  ])('%s', (_, code, part, bytesRead, idle, isStale) => {
    const error = coded(code);
    noteBytesRead(error, bytesRead);
    expect(new NetworkError(error, part, idle).staleConnection).toBe(isStale);
  });

  it.each([undefined, null, 'socket', {}, { bytesRead: '1' }])('and says %j of itself was new', (socket) => {
    const error = Object.assign(coded('ECONNRESET'), { socket });
    expect(new NetworkError(error, 'head', 1_000).staleConnection).toBe(false);
  });
});

describe('a certificate that is refused', () => {
  const AUTHORITY =
    'the certificate is of an authority that is not trusted here; client.ca_file can name the file of a private one';

  it.each([
    ['CERT_HAS_EXPIRED', 'the certificate has expired'],
    ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', AUTHORITY],
    ['SELF_SIGNED_CERT_IN_CHAIN', AUTHORITY],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', AUTHORITY],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', AUTHORITY],
    ['EPROTO', 'words'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'this server speaks http, not https'],
  ])('with %s: %s', (code, message) => {
    expect(new NetworkError(coded(code), 'head', 0)).toMatchObject({ reason: 'tls', message });
  });

  it('says no word of OpenSSL', () => {
    const message = '801CA6A97D7F0000:error:0A000438:SSL routines:ssl3_read_bytes:alert:ssl/record.c:1605:\n';
    const error = Object.assign(new Error(message), { code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR' });
    expect(new NetworkError(error, 'head', 0).message).toBe(
      'the TLS handshake failed (ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR)',
    );
  });
});
