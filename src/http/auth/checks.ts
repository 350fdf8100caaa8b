/** Long checks, one at a time. */
export type Checks = {
  /**
   * Does a check when its turn comes. Who asks for one that is waiting or under way shares its result.
   *
   * @param key the same for checks with the same result
   * @param client whose turn it takes: clients take turns, so that the many checks of one hold up none of another
   * @returns undefined where too many are waiting
   */
  readonly ask: (key: string, client: string, check: () => Promise<boolean>) => Promise<boolean> | undefined;
};

/** At some 60 ms for a check (cost 10), nobody waits longer than two seconds. */
const MOST_WAITING = 32;
const MOST_OF_A_CLIENT = 8;

export function createChecks(): Checks {
  const shared = new Map<string, Promise<boolean>>();
  const waiting = new Map<string, (() => Promise<unknown>)[]>();
  let count = 0;
  let busy = false;

  /** The first check of the client whose turn it is; the client goes to the end of the line. */
  const take = (): (() => Promise<unknown>) | undefined => {
    for (const [client, [first, ...others]] of waiting) {
      waiting.delete(client);
      if (others.length > 0) waiting.set(client, others);
      count -= 1;
      return first;
    }
    return undefined;
  };
  const work = async (): Promise<void> => {
    busy = true;
    for (let next = take(); next !== undefined; next = take()) await next();
    busy = false;
  };
  return {
    ask: (key, client, check) => {
      const known = shared.get(key);
      if (known !== undefined) return known;
      const own = waiting.get(client) ?? [];
      if (count >= MOST_WAITING || own.length >= MOST_OF_A_CLIENT) return undefined;
      const result = new Promise<boolean>((resolve, reject) => {
        waiting.set(client, [...own, () => check().then(resolve, reject)]);
      }).finally(() => shared.delete(key));
      shared.set(key, result);
      count += 1;
      if (!busy) void work();
      return result;
    },
  };
}
