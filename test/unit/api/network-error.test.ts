import { describe, expect, it } from 'vitest';
import { NetworkError, type Stage } from '../../../src/api/network-error.ts';

const coded = (code: string) => Object.assign(new Error('words'), { code, data: Buffer.from('canary') });

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
    expect(new NetworkError(coded(code), 'head').reason).toBe(reason);
  });

  it.each<[Stage, string]>([
    ['head', 'reset'],
    ['body', 'truncated'],
  ])('a connection closed in the %s is %s', (stage, reason) => {
    expect(new NetworkError(coded('UND_ERR_SOCKET'), stage).reason).toBe(reason);
  });

  it('that is of a parser and has no code is envelope', () => {
    const error = Object.assign(new Error('words'), { name: 'HTTPParserError', code: undefined });
    expect(new NetworkError(error, 'head')).toMatchObject({ reason: 'envelope', code: 'HPE_INVALID' });
  });

  it.each([[new Error('words')], ['words'], [undefined], [Object.assign(new Error('words'), { code: 7 })]])(
    'without a code is internal',
    (error) => {
      expect(new NetworkError(error, 'head')).toMatchObject({ reason: 'internal', code: undefined });
    },
  );

  it('keeps nothing of the foreign error but its code and its words', () => {
    const error = new NetworkError(coded('HPE_INVALID_CONSTANT'), 'body');
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'NetworkError',
      reason: 'envelope',
      code: 'HPE_INVALID_CONSTANT',
      message: 'words',
      cause: undefined,
    });
  });

  it('of several addresses has the words of the first', () => {
    const error = Object.assign(new AggregateError([new Error('first'), new Error('second')]), {
      code: 'ECONNREFUSED',
    });
    expect(new NetworkError(error, 'head')).toMatchObject({ reason: 'connect', message: 'first' });
  });
});
