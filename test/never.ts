import { setMaxListeners } from 'node:events';

/** A signal that never aborts. Each request listens to it, as to the signal of a poll. */
export const never = new AbortController().signal;
setMaxListeners(0, never);
