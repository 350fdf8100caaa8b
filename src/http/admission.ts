import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import type { RefusalReason } from '../model/refusal.ts';
import { addressGroupOf } from './address-group.ts';
import { type Place, placeToFree } from './giving-way.ts';
import { type AnswerLimits, LONGEST_URL } from './limits.ts';
import { type Reply, textReply } from './reply.ts';

/**
 * Whether the connection ends with this answer: a refusal leaves nothing to wait for, and a body, which nobody asked for,
 * would have to be read to its end first.
 */
export function endsConnection(request: IncomingMessage, status: number): boolean {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return status >= 400 || hasBody;
}

export type AdmissionOptions = {
  readonly limits: AnswerLimits;
  readonly clock: Clock;
  /** Told of each request that is refused, and of each answer that is cut off for another. */
  readonly onRefusal: (reason: RefusalReason) => void;
};

/** What is looked at of a request and its answer, whatever version of HTTP they came in. */
export type Applicant = {
  readonly url?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
};
export type Answering = {
  /** Told when the last byte was sent, or nobody is left to read it. */
  readonly once: (event: 'close', listener: () => void) => unknown;
  readonly destroy: () => unknown;
};

/** Decides whether a request may be answered at all: undefined where it may, else what it is told instead. */
export type Admission = (request: Applicant, answer: Answering) => Reply | undefined;

/** Below this path stands what restarts depend on: a line of text each, never refused. */
const ALWAYS_ANSWERED = /^\/-\//;

const RETRY_AFTER_SECONDS = 1;

/** Lets so many answers be under way at once; each is until its last byte was sent or its connection is gone. */
export function createAdmission({ limits, clock, onRefusal }: AdmissionOptions): Admission {
  const places = new Set<Place & { readonly cutOff: () => void }>();

  const take = (address: string, answer: Answering): boolean => {
    const now = clock.monotonic();
    if (places.size >= limits.all) {
      const freed = placeToFree(places, address, now, limits.patienceMilliseconds);
      if (freed === undefined) return false;
      freed.cutOff();
      places.delete(freed);
      onRefusal('busy');
    }
    const place = { address, since: now, cutOff: () => answer.destroy() };
    places.add(place);
    answer.once('close', () => places.delete(place));
    return true;
  };

  return ({ url = '', socket }, answer) => {
    if (url.length > LONGEST_URL) {
      onRefusal('url_length');
      return textReply(414, `the address is longer than ${LONGEST_URL} characters`);
    }
    if (ALWAYS_ANSWERED.test(url) || take(addressGroupOf(socket.remoteAddress ?? ''), answer))
      return undefined;
    onRefusal('busy');
    return textReply(503, `${limits.all} answers are under way: try again in ${RETRY_AFTER_SECONDS} s`, {
      'retry-after': String(RETRY_AFTER_SECONDS),
    });
  };
}
