import { type Reply, textReply } from './reply.ts';

/** Yields to the event loop. Rejects if no client is waiting any longer. */
export type Turn = () => Promise<void>;

/**
 * Computes a response, or joins the computation for an equal request.
 *
 * @param key equal for requests with equal responses
 */
type ShareReply = (
  key: string,
  isGone: () => boolean,
  compute: (turn: Turn) => Promise<Reply>,
) => Promise<Reply>;

/** A response that requests share, and for each of them whether its client is gone. */
type Shared = { readonly reply: Promise<Reply>; readonly clients: (() => boolean)[] };

/** Ends the work once all clients are gone. */
const ABANDONED = new Error('no client is waiting for this response');

/**
 * Shares responses that take seconds and megabytes among equal requests. Computes one at a time, and gives up when all its
 * clients are gone.
 *
 * @param version a response is kept as long as this returns the same value; by default, only while it is being computed
 */
export function createSharedReplies(
  yieldToEventLoop: () => Promise<void>,
  version?: () => unknown,
): ShareReply {
  let previous: Promise<unknown> = Promise.resolve();
  let kept = { of: version?.(), replies: new Map<string, Shared>() };
  return async (key, isGone, compute) => {
    const of = version?.();
    if (kept.of !== of) kept = { of, replies: new Map() };
    const { replies } = kept;
    const known = replies.get(key);
    if (known !== undefined) {
      known.clients.push(isGone);
      return await known.reply;
    }
    const clients = [isGone];
    const turn = async (): Promise<void> => {
      await yieldToEventLoop();
      if (clients.every((each) => each())) throw ABANDONED;
    };
    const computed = previous.then(turn).then(() => compute(turn));
    const forget = (): unknown => replies.delete(key);
    previous = computed.then(version === undefined ? forget : undefined).catch(forget);
    const reply = computed.catch((error: unknown) => {
      if (error === ABANDONED) return textReply(503, ABANDONED.message);
      throw error;
    });
    replies.set(key, { reply, clients });
    return await reply;
  };
}
