import type { Readable } from 'node:stream';

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

export function htmlReply(html: string): Reply {
  return bufferReply(200, 'text/html; charset=utf-8', html, {});
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
