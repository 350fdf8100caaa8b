/** Those who listen to a signal, in the order in which they came, and what tells them. */
type Audience = { readonly callbacks: (() => void)[]; readonly tell: () => void };

const audiences = new WeakMap<AbortSignal, Audience>();

/**
 * Calls back when the signal aborts; the function returned ends that. The one place that listens to signals.
 *
 * A signal has one listener of ours at most, and those behind it stand in an array. Node links the listeners of a signal
 * to each other, and one that was taken away still points at those that came after it, as the table of a Set does at the
 * next one: once one of them is old, each later one is kept until it is old as well, with its whole request.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, tell } = audienceOf(signal);
  if (callbacks.length === 0) signal.addEventListener('abort', tell, { once: true });
  callbacks.push(callback);
  return () => {
    const place = callbacks.indexOf(callback);
    if (place >= 0) callbacks.splice(place, 1);
    if (callbacks.length === 0) signal.removeEventListener('abort', tell);
  };
}

function audienceOf(signal: AbortSignal): Audience {
  const known = audiences.get(signal);
  if (known !== undefined) return known;
  const callbacks: (() => void)[] = [];
  const tell = () => {
    for (let next = callbacks.shift(); next !== undefined; next = callbacks.shift()) next();
  };
  const audience = { callbacks, tell };
  audiences.set(signal, audience);
  return audience;
}

/**
 * Runs work under an abort controller of its own that also follows the caller's signal; nothing is left on that signal
 * afterwards. In place of `AbortSignal.any`, which on Node 20 holds on to every signal that it ever made from a
 * long-lived one (nodejs/node#54614).
 */
export async function withOwnAbort<Value>(
  signal: AbortSignal,
  work: (own: AbortController) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const own = new AbortController();
  const stopFollowing = onAbort(signal, () => own.abort(signal.reason));
  try {
    return await work(own);
  } finally {
    stopFollowing();
  }
}
