import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import type { OnApiEvent } from '../model/api-events.ts';
import type { AccessState, Endpoint, FailureReason } from '../model/enums.ts';
import { ApiError } from './errors.ts';
import { type HttpResponse, MAX_BODY_BYTES, type ResponseHeaders } from './http.ts';
import { isInstant } from './schemas.ts';

export type ApiResponse<Value> = {
  readonly value: Value;
  /**
   * The time of the response by the API's own clock (`Date` header), in whole milliseconds since 1970. If the header is
   * unusable or a cache served the response (`Age`), by the last usable one; by our own clock if there was none yet.
   */
  readonly apiTime: number;
};

/** A value, its time, and whether the response itself had a usable time. */
type ParsedResponse<Value> = ApiResponse<Value> & { readonly isDated: boolean };

/** The result of a classification: `data` of the envelope, or the reason of the failure. */
type Classification =
  /** `data` is undefined if the API says the device has no tunnel. */
  | { readonly kind: 'success'; readonly data: unknown }
  | {
      readonly kind: 'failure';
      readonly reason: FailureReason;
      /** `error.code`, if the API document names it. */
      readonly code: ApiCode | undefined;
      /** The state of the key, if the response shows it. */
      readonly access: AccessState | undefined;
      /** True for a web page. */
      readonly isPage: boolean;
    };

/** The codes in the section Errors of the API document. */
const API_CODES = [
  'VALIDATION_ERROR',
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'HOSTER_BANNED',
  'SELF_RENT_TUNNEL_NOT_FOUND',
  'INTERNAL_ERROR',
] as const;

type ApiCode = (typeof API_CODES)[number];

const MEANINGS: Readonly<Record<ApiCode, readonly [reason: FailureReason, access?: AccessState]>> = {
  VALIDATION_ERROR: ['bad_request'],
  MISSING_API_KEY: ['unauthorized', 'missing_key'],
  INVALID_API_KEY: ['unauthorized', 'invalid_key'],
  HOSTER_BANNED: ['unauthorized', 'suspended'],
  SELF_RENT_TUNNEL_NOT_FOUND: ['not_found'],
  INTERNAL_ERROR: ['server'],
};

const SUCCESS_ENVELOPE = z.compile(z.object({ success: z.literal(true), data: z.unknown() }));
const ERROR_ENVELOPE = z.object({ error: z.object({ code: z.enum(API_CODES) }) });

/** JSON and its relatives. A missing type is accepted, since the API document names none. */
const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json)?$/;

/**
 * Parses a response into a value, and reports the state of the key and of the clocks. Throws an {@link ApiError}.
 *
 * @param times both in milliseconds since 1970, halfway through the request: our own clock, and the API's clock by
 *   earlier responses
 * @param parse returns undefined if `data` does not have the documented form
 */
export function parseResponse<Value>(
  endpoint: Endpoint,
  response: HttpResponse,
  { middle, expected }: { readonly middle: number; readonly expected: number },
  parse: (data: unknown) => { readonly value: Value } | undefined,
  on: OnApiEvent,
): ParsedResponse<Value> {
  const result = classifyResponse(endpoint, response);
  const { status, headers } = response;
  const server = serverTime(headers);
  const apiTime = server ?? expected;
  if (result.kind === 'failure') {
    const { reason, code, access, isPage } = result;
    if (access !== undefined) on({ kind: 'access', endpoint, state: access });
    const got = [
      `HTTP ${status}`,
      code,
      reason === 'redirect' && redirectTarget(headers),
      isPage && 'with a web page',
    ];
    throw new ApiError({
      reason,
      endpoint,
      got: got.filter(Boolean).join(' '),
      status,
      code,
      retryAfterMilliseconds: retryAfter(headers, apiTime),
    });
  }
  on({ kind: 'access', endpoint, state: 'granted' });
  if (server !== undefined) on({ kind: 'clockSkew', seconds: (server - middle) / 1000 });
  const parsed = parse(result.data);
  if (parsed === undefined) throw new ApiError({ reason: 'schema', endpoint, got: `HTTP ${status}`, status });
  return { value: parsed.value, apiTime: Math.round(apiTime), isDated: server !== undefined };
}

/**
 * Classifies a whole response by `error.code` if the API document names it, otherwise by the status, because a proxy in
 * front of the API does not send these codes.
 */
export function classifyResponse(endpoint: Endpoint, received: HttpResponse): Classification {
  const { body, fault } = unpack(received);
  const response = { ...received, body };
  const decoded = fault === undefined ? decodeJson(body) : { value: undefined, fault };
  const data = response.status === 200 && hasJsonType(response) ? dataOf(decoded) : undefined;
  if (data != null) return { kind: 'success', data };

  const code = ERROR_ENVELOPE.safeParse(decoded.value).data?.error.code;
  if (endpoint === 'tunnel' && code === 'SELF_RENT_TUNNEL_NOT_FOUND')
    return { kind: 'success', data: undefined };
  if (code !== undefined) {
    const [reason, access] = MEANINGS[code];
    return { kind: 'failure', reason, code, access, isPage: false };
  }
  const reason =
    response.status === 200 ? reasonOfUnusable(response, decoded) : reasonOfStatus(response, decoded);
  const access = reason === 'unauthorized' ? 'denied' : undefined;
  return { kind: 'failure', reason, code: undefined, access, isPage: isPageForBrowsers(response) };
}

/** Returns why a response of status 200 is unusable. */
function reasonOfUnusable(response: HttpResponse, decoded: Decoded): FailureReason {
  if (!hasJsonType(response) || isMarkup(response.body)) return 'envelope';
  return decoded.fault ?? 'envelope';
}

function reasonOfStatus(response: HttpResponse, decoded: Decoded): FailureReason {
  const { status } = response;
  // The API speaks JSON, so a refusal in any other form is not the API's and says nothing about the key.
  if (status === 401 || status === 403) return isObject(decoded.value) ? 'unauthorized' : 'edge_block';
  if (isEdgeStatus(status) && isPageForBrowsers(response)) return 'edge_block';
  if (status === 404) return 'not_found';
  // A proxy sends 408 when a request took too long, so the reason is the same as for our own deadline.
  if (status === 408) return 'timeout';
  if (status === 429) return 'throttled';
  if (status >= 500) return 'server';
  if (status >= 400) return 'bad_request';
  return status >= 300 ? 'redirect' : 'envelope';
}

/** Reports whether a proxy in front of the API refuses clients with this status: 503 with a challenge, 511, and Cloudflare's own 520 to 530. */
function isEdgeStatus(status: number): boolean {
  return status === 503 || status === 511 || (status >= 520 && status <= 530);
}

function isPageForBrowsers(response: HttpResponse): boolean {
  return mediaType(response.headers) === 'text/html' || isMarkup(response.body);
}

function hasJsonType(response: HttpResponse): boolean {
  return JSON_TYPE.test(mediaType(response.headers));
}

function dataOf(decoded: Decoded): unknown {
  return SUCCESS_ENVELOPE.safeParse(decoded.value).data?.data;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A body as JSON, or why it is not JSON. */
type Decoded =
  | { readonly value: unknown; readonly fault: undefined }
  | { readonly value: undefined; readonly fault: FailureReason };

/**
 * Maximum size of a body that is parsed without checking its depth: several times a page of a hundred devices. A few
 * million nested lists would block the event loop for a second.
 */
const MAX_UNCHECKED_BYTES = 256 * 1024;

/** Maximum depth of objects and lists. The API document shows four levels. */
const MAX_DEPTH = 64;

const UNPACK = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** Decompresses a body that a proxy compressed although nobody asked for it, up to {@link MAX_BODY_BYTES}. */
function unpack({ headers, body }: HttpResponse): { body: Uint8Array; fault: FailureReason | undefined } {
  const coding = singleHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  const unpackBody = UNPACK.get(coding);
  if (unpackBody === undefined)
    return { body, fault: ['', 'identity'].includes(coding) ? undefined : 'encoding' };
  try {
    return { body: unpackBody(body, { maxOutputLength: MAX_BODY_BYTES }), fault: undefined };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    const fault =
      code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : code === 'Z_BUF_ERROR' ? 'truncated' : 'encoding';
    return { body, fault };
  }
}

/** Decodes JSON in UTF-8, also with a byte order mark. Faults: `truncated`, `encoding`, `schema`, else `envelope`. */
function decodeJson(body: Uint8Array): Decoded {
  const bytes = withoutByteOrderMark(body);
  if (bytes.length > MAX_UNCHECKED_BYTES && scanJson(bytes).deepest > MAX_DEPTH)
    return { value: undefined, fault: 'schema' };
  if (!isUtf8(bytes)) return { value: undefined, fault: isCutOff(bytes) ? 'truncated' : 'encoding' };
  try {
    return { value: JSON.parse(bytes.toString('utf8')), fault: undefined };
  } catch {
    // The error is dropped, since it quotes the body and its wording differs between Node versions.
    return { value: undefined, fault: isCutOff(bytes) ? 'truncated' : 'envelope' };
  }
}

function withoutByteOrderMark({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Reports whether a body is a web page: its first character is `<`. */
function isMarkup(body: Uint8Array): boolean {
  return firstCharacter(withoutByteOrderMark(body)) === 0x3c;
}

function firstCharacter(bytes: Uint8Array): number {
  return bytes.find((byte) => byte > 0x20) ?? 0;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/** Reports whether these bytes are a JSON object or list that was cut off, even in the middle of a character. */
function isCutOff(bytes: Buffer): boolean {
  if (!isOpening(firstCharacter(bytes)) || !isUtf8(withoutPartialCharacter(bytes))) return false;
  const { depth, inString } = scanJson(bytes);
  return inString || depth > 0;
}

/** Removes the bytes of an incomplete character from the end. */
function withoutPartialCharacter(bytes: Buffer): Buffer {
  const lead = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return (bytes[lead] ?? 0) >= 0xc0 ? bytes.subarray(0, lead) : bytes;
}

/** Returns the depth at the end of JSON text, the largest depth in it, and whether it ends within a string. */
function scanJson(bytes: Buffer) {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (isOpening(byte)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (isClosing(byte)) depth -= 1;
  }
  return { depth, deepest, inString };
}

/** Returns the value of a header that appears exactly once. */
function singleHeader(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the media type without its parameters, in lower case; `''` if there is none. */
function mediaType(headers: ResponseHeaders): string {
  const [type = ''] = (singleHeader(headers, 'content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/**
 * Returns the time of the API's own clock in milliseconds since 1970, from the `Date` header; undefined if it is
 * missing or unusable, or if `Age` says that a cache answered: the date is then that of the stored response.
 */
function serverTime(headers: ResponseHeaders): number | undefined {
  return headers['age'] === undefined ? parseHttpDate(singleHeader(headers, 'date') ?? '') : undefined;
}

/**
 * Returns `Retry-After`, given in seconds or as a date (RFC 9110, section 10.2.3), in milliseconds from `now`, the API's
 * time in milliseconds since 1970. Undefined if it is missing, negative or neither of these.
 */
function retryAfter(headers: ResponseHeaders, now: number): number | undefined {
  const text = singleHeader(headers, 'retry-after')?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const date = parseHttpDate(text);
  return date === undefined || date < now ? undefined : date - now;
}

/** Parses an HTTP date (IMF-fixdate, RFC 9110, section 5.6.7): exactly the form that `toUTCString` prints. */
function parseHttpDate(text: string): number | undefined {
  const instant = Date.parse(text);
  return isInstant(instant) && new Date(instant).toUTCString() === text ? instant : undefined;
}

/** Returns the scheme and host of a redirect's target for messages, without its path and query, which may be secret. */
function redirectTarget(headers: ResponseHeaders): string | undefined {
  const location = singleHeader(headers, 'location');
  if (location !== undefined && /^\/(?!\/)/.test(location)) return 'to another path';
  if (location === undefined || !URL.canParse(location)) return undefined;
  return `to ${new URL(location).origin}`.slice(0, 128);
}
