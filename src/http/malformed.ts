import { STATUS_CODES } from 'node:http';
import type { RefusalReason } from '../model/refusal.ts';

/** What is made of bytes that are no request: the whole answer, of which nothing is theirs, and how it is counted. */
export type Malformed = { readonly answer: string; readonly reason: RefusalReason };

/**
 * @param code of the error that Node met on the connection
 * @returns undefined where the connection itself broke, and nobody is left to answer
 */
export function answerToMalformed(code: string): Malformed | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { answer: rawAnswer(408), reason: 'slow' };
  if (code === 'HPE_HEADER_OVERFLOW') return { answer: rawAnswer(431), reason: 'malformed' };
  // The codes of Node's HTTP parser.
  return code.startsWith('HPE_') ? { answer: rawAnswer(400), reason: 'malformed' } : undefined;
}

function rawAnswer(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}
