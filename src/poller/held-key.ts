import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/self.ts';
import type { Secret } from '../secret.ts';

/** The key of an account, which may be replaced at its source while we run. */
export type HeldKey = {
  /** The last key that could be read. */
  readonly current: () => Secret;
  /** Reads the source again, and says whether it holds another key now. One that can't be read changes nothing. */
  readonly refresh: () => boolean;
};

/**
 * Reads a key and holds on to it.
 *
 * @param read throws a KeyError where there is no key; so does this function, as there is none to hold yet
 */
export function holdKey(
  read: () => Secret,
  metrics: Pick<AccountMetrics, 'keyFileError'>,
  log: Log,
): HeldKey {
  let key = read();
  let readable = true;
  return {
    current: () => key,
    refresh: () => {
      try {
        const found = read();
        if (!readable) log.info({}, 'the key can be read again');
        readable = true;
        if (found.equals(key)) return false;
        key = found;
        log.info({}, 'the key was replaced');
        return true;
      } catch (error) {
        metrics.keyFileError();
        if (readable) log.warn({ error }, 'the key cannot be read again: the last one stays in use');
        readable = false;
        return false;
      }
    },
  };
}
