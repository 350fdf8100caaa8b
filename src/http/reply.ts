import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { acceptsGzip } from './encoding.ts';

/** An answer to a request, ready to be sent. The length is always known, since Prometheus wants a Content-Length. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
  /** Called once, and not at all for HEAD. */
  readonly content: () => readonly Buffer[] | Readable;
};

/** One or more lines of plain text. */
export function textReply(
  status: number,
  lines: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return bufferReply(status, 'text/plain; charset=utf-8', `${lines}\n`, headers);
}

/** What whoever asks has already (RFC 9110, 15.4.5). The headers are those that the whole answer would have. */
export function notModified(headers: Readonly<Record<string, string>>): Reply {
  return { status: 304, headers, length: 0, content: () => [] };
}

export function jsonReply(status: number, json: string): Reply {
  return bufferReply(status, 'application/json; charset=utf-8', json, {});
}

/** A text as gzip, of which `textLength` bytes come out. */
export type Compressed = {
  readonly chunks: readonly Buffer[];
  readonly length: number;
  readonly textLength: number;
};

/** Without gzip the text is inflated while it is sent, at the pace of the reader, and never held as a whole. */
export function compressedReply(
  { chunks, length, textLength }: Compressed,
  acceptEncoding: string | undefined,
  own: Readonly<Record<string, string>>,
): Reply {
  const headers = { ...own, vary: 'Accept-Encoding' };
  if (acceptsGzip(acceptEncoding)) {
    return {
      status: 200,
      headers: { ...headers, 'content-encoding': 'gzip' },
      length,
      content: () => chunks,
    };
  }
  return {
    status: 200,
    headers,
    length: textLength,
    content: () => Readable.from(chunks).pipe(createGunzip()),
  };
}

function bufferReply(
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): Reply {
  const bytes = Buffer.from(text);
  return {
    status,
    headers: { 'content-type': type, ...headers },
    length: bytes.length,
    content: () => [bytes],
  };
}
