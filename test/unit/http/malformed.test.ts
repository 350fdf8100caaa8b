import { describe, expect, it } from 'vitest';
import { answerToMalformed } from '../../../src/http/malformed.ts';

const END = 'Connection: close\r\nContent-Length: 0\r\n\r\n';

describe('bytes that are no request', () => {
  it.each([
    ['HPE_INVALID_METHOD', `HTTP/1.1 400 Bad Request\r\n${END}`, 'malformed'],
    ['HPE_INVALID_EOF_STATE', `HTTP/1.1 400 Bad Request\r\n${END}`, 'malformed'],
    ['HPE_HEADER_OVERFLOW', `HTTP/1.1 431 Request Header Fields Too Large\r\n${END}`, 'malformed'],
    ['ERR_HTTP_REQUEST_TIMEOUT', `HTTP/1.1 408 Request Timeout\r\n${END}`, 'slow'],
  ])('are answered as %s says', (code, answer, reason) => {
    expect(answerToMalformed(code)).toEqual({ answer, reason });
  });

  it.each(['ECONNRESET', 'EPIPE', ''])('are not answered where the connection is gone: %s', (code) => {
    expect(answerToMalformed(code)).toBeUndefined();
  });
});
