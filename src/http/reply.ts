import { promisify } from 'node:util';
import { gunzip, type ZlibOptions } from 'node:zlib';
import type { Steps } from '../base/steps.ts';
import type { GzipBody } from '../metrics/page.ts';
import { MAX_TEXT_BYTES } from './limits.ts';

export type RouteRequest = {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly accept: string | undefined;
  readonly query: URLSearchParams;
  readonly method: string;
  readonly sender: Sender;
  /** Reads the body as text; undefined if it is longer than {@link MAX_BODY_BYTES}, or did not arrive. */
  readonly body: () => Promise<string | undefined>;
  readonly contentType: string | undefined;
  /** Reports whether the client closed its connection. */
  readonly isGone: () => boolean;
};

export type Sender = {
  /** The user that logged in; undefined without one. */
  readonly login: string | undefined;
  /** It is on this machine, uses no proxy, and names this exporter. */
  readonly isLocal: boolean;
  /** It reads without a login, and is asked for one when it changes something. */
  readonly canLogIn?: boolean;
};

export function isTrusted({ login, isLocal }: Sender): boolean {
  return login !== undefined || isLocal;
}

/** Reports whether a sender reads without a login although this exporter has logins. */
export function isStranger({ canLogIn = false, isLocal }: Sender): boolean {
  return canLogIn && !isLocal;
}

/** Fields that strangers don't see: where keys are, and who did what. */
const PRIVATE_FIELDS: ReadonlySet<string> = new Set(['keyFile', 'keyVariable', 'acknowledgedBy']);

/** Encodes an object for strangers. */
export function publicJson(value: object): string {
  return JSON.stringify(value, (name, each: unknown) => {
    if (PRIVATE_FIELDS.has(name)) return undefined;
    return name === 'by' ? '' : each;
  });
}

/** A response, ready to be sent. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
  readonly content: readonly Buffer[];
};

/** The handler of a path. */
export type Route = {
  /** Accepted methods; a route for GET also accepts HEAD. */
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  readonly answer: (request: RouteRequest) => Reply | Promise<Reply>;
};

export function textReply(
  status: number,
  lines: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return bufferReply(status, 'text/plain; charset=utf-8', `${lines}\n`, headers);
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonReply(status: number, json: string): Reply {
  return bufferReply(status, JSON_TYPE, json, {});
}

/** Number of items that are encoded before the event loop gets a turn. */
const ITEMS_PER_YIELD = 1_000;

/** Encodes a document with a long list as its last field. */
export function* jsonPieces(
  head: object,
  name: string,
  items: readonly object[],
  encode: (item: object) => string = (item) => JSON.stringify(item),
): Steps<readonly Buffer[]> {
  const pieces = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:[`)];
  for (let index = 0; index < items.length; index += ITEMS_PER_YIELD) {
    const own = items.slice(index, index + ITEMS_PER_YIELD).map(encode);
    pieces.push(Buffer.from(`${index === 0 ? '' : ','}${own.join(',')}`));
    yield;
  }
  return [...pieces, Buffer.from(']}\n')];
}

export function piecesReply(
  type: string,
  content: readonly Buffer[],
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  return { status: 200, headers: { 'content-type': type, ...headers }, length, content };
}

export function bufferReply(
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
    content: [bytes],
  };
}

/** Returns a 304 (RFC 9110, 15.4.5) with the headers of the full response. */
export function notModified(headers: Readonly<Record<string, string>>): Reply {
  return { status: 304, headers, length: 0, content: [] };
}

export function gzipReply({ chunks, length }: GzipBody, extra: Readonly<Record<string, string>>): Reply {
  const headers = { ...extra, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
  return { status: 200, headers, length, content: chunks };
}

/** @param text undefined if it is larger than {@link MAX_TEXT_BYTES} */
export function inflatedReply(text: Buffer | undefined, extra: Readonly<Record<string, string>>): Reply {
  const headers = { ...extra, vary: 'Accept-Encoding' };
  if (text !== undefined) return { status: 200, headers, length: text.length, content: [text] };
  const limit = `${MAX_TEXT_BYTES / 1024 / 1024} MiB`;
  return textReply(406, `more than ${limit} of text is only sent with gzip: try curl --compressed`, headers);
}

const inflateWhole = promisify<Buffer, ZlibOptions, Buffer>(gunzip);

/** Inflates in another thread. Resolves with undefined if the text is larger than {@link MAX_TEXT_BYTES}. */
export async function inflate({ chunks, textLength }: GzipBody): Promise<Buffer | undefined> {
  if (textLength > MAX_TEXT_BYTES) return undefined;
  // One chunk for the whole text.
  return inflateWhole(Buffer.concat(chunks), { chunkSize: textLength + 64 });
}

export function shareRuns<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Tests an Accept-Encoding header (RFC 9110, 12.5.3) for gzip: `gzip`, or else `*`, with a weight above 0. Without the header,
 * curl expects text.
 */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const weight = weights.get('gzip') ?? weights.get('*') ?? 0;
  return weight > 0;
}

/** Tests whether an If-None-Match header (RFC 9110, 13.1.2) names an entity tag, by weak comparison. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => withoutWeak(each.trim()) === withoutWeak(etag));
}

function withoutWeak(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
