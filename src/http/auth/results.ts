import { createHmac } from 'node:crypto';

/** What became of passwords that were checked before. No password can be read from it, not even from the heap. */
export type Results = {
  /** Under which a result is kept: it changes with the user, the hash and the password. */
  readonly keyOf: (user: string, hash: string, password: string) => string;
  readonly get: (key: string) => boolean | undefined;
  readonly set: (key: string, isRight: boolean) => void;
};

const CAPACITY = 100;

/**
 * Keeps a hundred results, those used last. A wrong password never pushes a right one out, so that a flood of them leaves
 * those who are known alone.
 *
 * @param secret of this process alone: without it, nobody can try passwords on the keys
 */
export function createResults(secret: Uint8Array): Results {
  const right = new Set<string>();
  const wrong = new Set<string>();
  const makeRoom = (isRight: boolean): boolean => {
    if (right.size + wrong.size < CAPACITY) return true;
    const full = wrong.size > 0 ? wrong : right;
    if (full === right && !isRight) return false;
    for (const oldest of full) return full.delete(oldest);
    return true;
  };
  return {
    // As JSON, so that no end of one part can pass for the beginning of the next (CVE-2022-46146).
    keyOf: (user, hash, password) =>
      createHmac('sha256', secret)
        .update(JSON.stringify([user, hash, password]))
        .digest('base64'),
    get: (key) => {
      for (const results of [right, wrong]) {
        if (!results.delete(key)) continue;
        results.add(key);
        return results === right;
      }
      return undefined;
    },
    set: (key, isRight) => {
      if (makeRoom(isRight)) (isRight ? right : wrong).add(key);
    },
  };
}
