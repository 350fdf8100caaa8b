import { createHmac } from 'node:crypto';
import { type Clock, within } from '../../base/clock.ts';
import type { PasswordChecker } from './bcrypt.ts';

/** `busy` if the password could not be checked in time: too many others are being checked, or it takes too long. */
export type LoginResult = 'granted' | 'denied' | 'busy';

type AuthenticateOptions = {
  readonly matches: PasswordChecker['matches'];
  /** Random, for this process only: without it, nobody can try passwords on the keys that are kept. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
};

/** Maximum time for a log-in: scrapes and the listener wait for ten seconds. */
const MAX_MILLISECONDS = 8_000;

/** Maximum numbers of keys that are kept: of right log-ins, and of `busy` ones (those of 30 s at 1,000 a second, some 3 MB). */
const MAX_GRANTED = 100;
const MAX_BUSY = 30_000;

/**
 * Creates a function that checks an Authorization header of a client address against the users: bcrypt hashes by name. A
 * right log-in is granted at once when it comes again. The function rejects if the check itself fails.
 */
export function createAuthenticate({ matches, secret, clock }: AuthenticateOptions) {
  const granted = createKeyCache(MAX_GRANTED);
  const busy = createKeyCache(MAX_BUSY);
  const checkInTurn = createCheckQueue(clock);

  return async (
    authorization: string | undefined,
    client: string,
    users: ReadonlyMap<string, string>,
  ): Promise<LoginResult> => {
    const credentials = parseBasic(authorization);
    if (credentials === undefined) return 'denied';
    const { user, password } = credentials;
    const known = users.get(user);
    const hash = known ?? hashForUnknown(user, users, secret);
    // As JSON, so that no part can extend into the next one (CVE-2022-46146).
    const key = createHmac('sha256', secret)
      .update(JSON.stringify([user, hash, password]))
      .digest('base64');
    if (granted.has(key)) return 'granted';
    const checked = checkInTurn({ key, client, isRepeated: busy.has(key) }, async () => {
      const isRight = (await matches(password, hash)) && known !== undefined;
      // Also for a client that has not waited so long: its next log-in is granted.
      if (isRight) granted.add(key);
      return isRight ? 'granted' : 'denied';
    });
    const result = (await within(clock, MAX_MILLISECONDS, checked)) ? await checked : 'busy';
    if (result === 'busy') busy.add(key);
    return result;
  };
}

/** The toolkit's hash of "fakepassword" without its cost. It opens nothing, because only known users are let in. */
const FAKE_SALT_AND_HASH = 'QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi';

/**
 * Returns the hash to check an unknown user against, so that the check takes as long as for a known user. The cost is that
 * of one of the users, always the same one for a name.
 */
function hashForUnknown(user: string, users: ReadonlyMap<string, string>, secret: Uint8Array): string {
  const costs = Array.from(users.values(), (hash) => hash.slice(4, 6));
  const any = createHmac('sha256', secret).update(user).digest().readUInt32BE();
  return `$2y$${costs[any % Math.max(1, costs.length)] ?? '10'}$${FAKE_SALT_AND_HASH}`;
}

/** Maximum numbers of waiting checks: at some 60 ms each (cost 10), 2 s of a queue and 4 s in all. */
const MAX_WAITING = 64;
const MAX_WAITING_OF_QUEUE = 32;

type Login = { readonly key: string; readonly client: string; readonly isRepeated: boolean };

/**
 * Runs checks one at a time, round robin over a queue for each client: a flood from one address delays another client by one
 * check. A log-in that is repeated after `busy` goes into a queue of its own: a flood tries each password once, and an honest
 * client repeats one. Equal keys share one check. A check is `busy` if too many others wait, or if its turn comes too late.
 */
function createCheckQueue(clock: Clock) {
  const results = new Map<string, Promise<LoginResult>>();
  // By key: when the last of its log-ins gives up waiting.
  const ends = new Map<string, number>();
  const queues = new Map<string, readonly (() => Promise<void>)[]>();
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    // A queue that is deleted and set again is visited again, after all others.
    for (const [name, [check, ...others]] of queues) {
      queues.delete(name);
      if (others.length > 0) queues.set(name, others);
      await check?.();
    }
    isRunning = false;
  };
  return async (
    { key, client, isRepeated }: Login,
    check: () => Promise<LoginResult>,
  ): Promise<LoginResult> => {
    const end = clock.monotonic() + MAX_MILLISECONDS;
    const same = results.get(key);
    if (same !== undefined) {
      ends.set(key, end);
      return same;
    }
    const name = isRepeated ? `repeated ${client}` : client;
    const queue = queues.get(name) ?? [];
    const isFull = !isRepeated && results.size > MAX_WAITING;
    if (isFull || queue.length >= MAX_WAITING_OF_QUEUE) return 'busy';
    ends.set(key, end);
    const result = new Promise<LoginResult>((resolve, reject) => {
      const begin = async (): Promise<void> => {
        if (clock.monotonic() < (ends.get(key) ?? 0)) await check().then(resolve, reject);
        else resolve('busy');
      };
      queues.set(name, [...queue, begin]);
    }).finally(() => {
      results.delete(key);
      ends.delete(key);
    });
    results.set(key, result);
    if (!isRunning) void run();
    return result;
  };
}

/** Keeps the keys that were used last. */
function createKeyCache(capacity: number) {
  const keys = new Set<string>();
  const add = (key: string): void => {
    keys.add(key);
    const [oldest = ''] = keys;
    if (keys.size > capacity) keys.delete(oldest);
  };
  return {
    add,
    has: (key: string): boolean => {
      if (!keys.delete(key)) return false;
      add(key);
      return true;
    },
  };
}

/** Parses an Authorization header (RFC 7617); undefined for anything but a user and a password. The first colon ends the name. */
export function parseBasic(
  header: string | undefined,
): { readonly user: string; readonly password: string } | undefined {
  const encoded = /^basic +(\S*)$/i.exec(header ?? '')?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
