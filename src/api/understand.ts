import type { ApiEvents } from '../model/api-events.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { Answer } from './answer.ts';
import { ApiError } from './errors.ts';
import { redirectOrigin, retryAfter, serverTime } from './headers.ts';
import type { Reply } from './receive.ts';
import { judge } from './verdict.ts';

/** A whole answer with the middle of its request, in milliseconds since 1970 of our own clock. */
export type TimedReply = { readonly reply: Reply; readonly middle: number };

/** How the `data` of an endpoint becomes a value; undefined where it is not of the documented form. */
export type Read<Value> = (data: unknown) => { readonly value: Value } | undefined;

/** Reads the answer to one question. */
export type Reader<Value> = {
  /** What of a body has to be decoded; asked once for each answer, before `read`. */
  readonly open: (body: Uint8Array) => Uint8Array;
  readonly read: Read<Value>;
};

/** The reader of a body of which everything has to be decoded. */
export function whole<Value>(read: Read<Value>): Reader<Value> {
  return { open: (body) => body, read };
}

/** Turns a whole answer into a value, and tells what it says of the key and the clocks. Throws {@link ApiError}. */
export function understand<Value>(
  endpoint: Endpoint,
  { reply, middle }: TimedReply,
  reader: Reader<Value>,
  events: ApiEvents,
): Answer<Value> {
  const verdict = judge(endpoint, { ...reply, body: reader.open(reply.body) });
  const { status, headers } = reply;
  const server = serverTime(headers);
  const apiTime = server ?? middle;
  if (verdict.kind === 'failure') {
    const { reason, code, access } = verdict;
    if (access !== undefined) events.access(access);
    const got = [`HTTP ${status}`, code, reason === 'redirect' && redirectOrigin(headers)];
    throw new ApiError({
      reason,
      endpoint,
      got: got.filter(Boolean).join(' '),
      status,
      code,
      retryAfterMilliseconds: retryAfter(headers, apiTime),
    });
  }
  events.access('granted');
  if (server !== undefined) events.clockSkew((server - middle) / 1000);
  const result = reader.read(verdict.data);
  if (result === undefined) throw new ApiError({ reason: 'schema', endpoint, got: `HTTP ${status}`, status });
  return { value: result.value, apiTime };
}
