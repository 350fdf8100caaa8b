import { z } from 'zod';
import type { AccessState } from '../model/access.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { FailureReason } from '../model/failure.ts';
import { mediaType, singleHeader } from './headers.ts';
import { type Decoded, decodeJson, isMarkup } from './json.ts';
import type { Reply } from './receive.ts';

/** What an answer amounts to: the resource asked for, or a failure. */
export type Verdict = Success | Failure;

type Success = {
  readonly kind: 'success';
  /** `data` of the envelope; undefined where the API says that the device has no tunnel. */
  readonly data: unknown;
};

type Failure = {
  readonly kind: 'failure';
  readonly reason: FailureReason;
  /** `error.code`, where it is one that the API document names. */
  readonly code: ApiCode | undefined;
  /** What the answer says of the key, where it says something. */
  readonly access: AccessState | undefined;
};

/** The codes of the API document, section Errors. */
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

/** JSON and its relatives; none at all is no fault, since the API document names none. */
const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json)?$/;

/**
 * Judges a whole answer. `error.code` decides wherever it is one of the document's; only then the status, for the
 * answers of what stands in front of the API and knows no codes.
 */
export function judge(endpoint: Endpoint, reply: Reply): Verdict {
  const decoded = decode(reply);
  const data = reply.status === 200 && hasJsonType(reply) ? dataOf(decoded) : undefined;
  if (data != null) return { kind: 'success', data };

  const code = ERROR_ENVELOPE.safeParse(decoded.value).data?.error.code;
  if (code !== undefined) return judgeCode(endpoint, code);
  const reason = reply.status === 200 ? reasonOfUnusable(reply, decoded) : reasonOfStatus(reply, decoded);
  const access = reason === 'unauthorized' ? 'denied' : undefined;
  return { kind: 'failure', reason, code: undefined, access };
}

function judgeCode(endpoint: Endpoint, code: ApiCode): Verdict {
  if (endpoint === 'tunnel' && code === 'SELF_RENT_TUNNEL_NOT_FOUND')
    return { kind: 'success', data: undefined };
  const [reason, access] = MEANINGS[code];
  return { kind: 'failure', reason, code, access };
}

/** What a 200 lacks to be an answer. */
function reasonOfUnusable(reply: Reply, decoded: Decoded): FailureReason {
  if (!hasJsonType(reply) || isMarkup(reply.body)) return 'envelope';
  return decoded.fault ?? 'envelope';
}

function reasonOfStatus(reply: Reply, decoded: Decoded): FailureReason {
  const { status } = reply;
  // The API speaks JSON, so a refusal in anything else is not the API's, and says nothing of the key.
  if (status === 401 || status === 403) return isObject(decoded.value) ? 'unauthorized' : 'edge_block';
  if (isEdgeStatus(status) && isPageForBrowsers(reply)) return 'edge_block';
  if (status === 404) return 'not_found';
  // A proxy's word for "the request took too long", so that it counts with our own deadline.
  if (status === 408) return 'timeout';
  if (status === 429) return 'throttled';
  if (status >= 500) return 'server';
  if (status >= 400) return 'bad_request';
  return status >= 300 ? 'redirect' : 'envelope';
}

/** Statuses with which edges turn a client away: 503 with a challenge, and Cloudflare's own 520 to 530. */
function isEdgeStatus(status: number): boolean {
  return status === 503 || (status >= 520 && status <= 530);
}

function isPageForBrowsers(reply: Reply): boolean {
  return mediaType(reply.headers) === 'text/html' || isMarkup(reply.body);
}

function hasJsonType(reply: Reply): boolean {
  return JSON_TYPE.test(mediaType(reply.headers));
}

/** The body as JSON. We asked for no compression: what comes compressed all the same is not unfolded. */
function decode(reply: Reply): Decoded {
  const coding = singleHeader(reply.headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  const isPlain = coding === 'identity' || coding === '';
  return isPlain ? decodeJson(reply.body) : { value: undefined, fault: 'encoding' };
}

function dataOf(decoded: Decoded): unknown {
  return SUCCESS_ENVELOPE.safeParse(decoded.value).data?.data;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
