/** A body of this many bytes, a fifth of a full page, takes about a fifth of a millisecond to understand. */
const LARGE_BYTES = 8 * 1024;

/**
 * Lets large answers be understood one in each turn of the event loop. Pages that are asked for together are answered
 * together: understood in one go they would hold up everything else, and their connections would wait for the last one.
 *
 * @param pause gives the event loop back
 * @returns resolves when it is the turn of an answer of so many bytes; never rejects if `pause` does not
 */
export function createOneByOne(pause: () => Promise<void>): (bytes: number) => Promise<void> {
  const atOnce = Promise.resolve();
  let last = atOnce;
  return (bytes) => {
    if (bytes < LARGE_BYTES) return atOnce;
    last = last.then(pause);
    return last;
  };
}
