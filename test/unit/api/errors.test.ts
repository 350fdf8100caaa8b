import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../src/api/errors.ts';

const coded = (code: string) => Object.assign(new Error('words'), { code, data: Buffer.from('canary') });

describe('a malformed response', () => {
  it.each([
    [
      'UND_ERR_SOCKET',
      'bad response',
      'the server sent 100 Continue first, which this HTTP client does not accept',
    ],
    ['UND_ERR_SOCKET', 'bad upgrade', 'an unexpected switch of protocols (101)'],
    ['ERR_ASSERTION', 'assert(statusCode >= 100)', 'the status line is malformed'],
  ])('with the error code %s and the message "%s" has the reason envelope', (code, message, words) => {
    const error = new NetworkError(Object.assign(new Error(message), { code }), 'head', 0);
    expect([error.reason, error.message]).toEqual(['envelope', words]);
  });
});

describe('an error below HTTP', () => {
  it.each<[string, readonly string[]]>([
    ['dns', ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL']],
    ['connect', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EMFILE', 'UND_ERR_ABORTED']],
    ['connect', ['UND_ERR_CONNECT_TIMEOUT']],
    ['reset', ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']],
    ['timeout', ['ETIMEDOUT', 'DEADLINE', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']],
    ['tls', ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'EPROTO']],
    ['tls', ['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UND_ERR_PRX_TLS']],
    ['tls', ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID']],
    ['tls', ['ERR_SSL_WRONG_VERSION_NUMBER']],
    ['truncated', ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'HPE_INVALID_EOF_STATE']],
    ['envelope', ['HPE_UNEXPECTED_CONTENT_LENGTH', 'HPE_INVALID_CONSTANT']],
    ['too_large', ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW']],
    ['internal', ['UND_ERR_INVALID_ARG', 'UND_ERR_DESTROYED', 'SOMETHING_NEW']],
  ])('has the reason %s with each of the codes %j', (reason, codes) => {
    const reasons = codes.map((code) => [code, new NetworkError(coded(code), 'head', 0).reason]);
    expect(reasons).toEqual(codes.map((code) => [code, reason]));
  });

  it.each<['head' | 'body', string]>([
    ['head', 'reset'],
    ['body', 'truncated'],
  ])('of a connection closed in the %s has the reason %s', (part, reason) => {
    expect(new NetworkError(coded('UND_ERR_SOCKET'), part, 0).reason).toBe(reason);
  });

  it('of the HTTP parser without a code has the reason envelope', () => {
    const error = Object.assign(new Error('words'), { name: 'HTTPParserError', code: undefined });
    expect(new NetworkError(error, 'head', 0)).toMatchObject({ reason: 'envelope', code: 'HPE_INVALID' });
  });

  it.each([[new Error('words')], ['words'], [undefined], [Object.assign(new Error('words'), { code: 7 })]])(
    'without a code has the reason internal',
    (error) => {
      expect(new NetworkError(error, 'head', 0)).toMatchObject({ reason: 'internal', code: undefined });
    },
  );

  it('keeps only the code and the message of the original error', () => {
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

  it('of several addresses has all their messages, and is not a timeout even if one of them was', () => {
    const error = Object.assign(new AggregateError([new Error('first'), new Error('second')]), {
      code: 'ETIMEDOUT',
    });
    const message = 'first, and second';
    expect(new NetworkError(error, 'head', 0)).toMatchObject({ reason: 'connect', message });
  });
});

describe('a connection that fails', () => {
  it.each<[string, string, 'head' | 'body', number, number, boolean]>([
    ['idle after a response', 'ECONNRESET', 'head', 100, 100, true],
    ['idle after a response, with the error code of undici', 'UND_ERR_SOCKET', 'head', 1, 1_000, true],
    ['in use', 'ECONNRESET', 'head', 100, 99, false],
    ['new', 'ECONNRESET', 'head', 0, 1_000, false],
    ['closed within a body', 'ECONNRESET', 'body', 100, 1_000, false],
    ['not established', 'ECONNREFUSED', 'head', 100, 1_000, false],
  ])('is stale only if it was idle after a response: %s', (_, code, part, bytesRead, idle, isStale) => {
    const error = Object.assign(coded(code), { socket: { bytesRead } });
    expect(new NetworkError(error, part, idle).staleConnection).toBe(isStale);
  });

  it.each([undefined, null, 'socket', {}, { bytesRead: '1' }])(
    'is not stale if the socket of its error is %j',
    (socket) => {
      const error = Object.assign(coded('ECONNRESET'), { socket });
      expect(new NetworkError(error, 'head', 1_000).staleConnection).toBe(false);
    },
  );
});

describe('a certificate that is refused', () => {
  const AUTHORITY =
    'the certificate was issued by an authority that is not trusted here; client.ca_file can name the file of a private one';

  it.each([
    ['CERT_HAS_EXPIRED', 'the certificate has expired'],
    ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', AUTHORITY],
    ['SELF_SIGNED_CERT_IN_CHAIN', AUTHORITY],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the server sends only its own certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'the issuer of the last certificate that the server sends'],
    ['EPROTO', 'words'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'this server speaks http, not https'],
  ])('with the code %s has the message: %s', (code, message) => {
    expect(new NetworkError(coded(code), 'head', 0)).toMatchObject({
      reason: 'tls',
      message: expect.stringContaining(message),
    });
  });

  it('has a message without the text of OpenSSL', () => {
    const message = '801CA6A97D7F0000:error:0A000438:SSL routines:ssl3_read_bytes:alert:ssl/record.c:1605:\n';
    const error = Object.assign(new Error(message), { code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR' });
    expect(new NetworkError(error, 'head', 0).message).toBe(
      'the TLS handshake failed (ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR)',
    );
  });
});
