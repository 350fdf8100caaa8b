import { createHmac } from 'node:crypto';
import { Secret } from '../../secret.ts';
import type { PasswordChecker } from './bcrypt.ts';

/** `busy` if too many passwords are being checked. */
export type LoginResult = 'granted' | 'denied' | 'busy';

/**
 * Creates a function that checks an Authorization header of a client address against the users: bcrypt hashes by name. It
 * rejects if the check itself fails.
 *
 * @param secret random, for this process only: without it, nobody can try passwords on the cache keys
 */
export function createAuthenticate(
  matches: PasswordChecker['matches'],
  secret: Uint8Array,
): (
  authorization: string | undefined,
  client: string,
  users: ReadonlyMap<string, string>,
) => Promise<LoginResult> {
  const remembered = createLoginCache();
  const limited = createCheckQueue();

  return async (authorization, client, users) => {
    const credentials = parseBasic(authorization);
    if (credentials === undefined) return 'denied';
    const { user } = credentials;
    const password = credentials.password.reveal();
    const known = users.get(user);
    const hash = known ?? hashForUnknown(user, users, secret);
    // As JSON, so that no part can extend into the next one (CVE-2022-46146).
    const key = createHmac('sha256', secret)
      .update(JSON.stringify([user, hash, password]))
      .digest('base64');
    if (remembered.has(key)) return 'granted';
    const checked = limited(key, client, async () => {
      const isRight = (await matches(password, hash)) && known !== undefined;
      if (isRight) remembered.add(key);
      return isRight;
    });
    if (checked === undefined) return 'busy';
    return (await checked) ? 'granted' : 'denied';
  };
}

/** The toolkit's hash of "fakepassword" without its cost. It opens nothing, because only known users are let in. */
const FAKE_SALT_AND_HASH = 'QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi';

/** Longest check of an unknown user: some 240 ms. */
const MAX_FAKE_COST = 12;

/**
 * Returns the hash to check an unknown user against, so that the check takes as long as for a known user. The cost is that
 * of one of the users, always the same one for a name, and {@link MAX_FAKE_COST} at most.
 */
function hashForUnknown(user: string, users: ReadonlyMap<string, string>, secret: Uint8Array): string {
  const costs = Array.from(users.values(), (hash) => Math.min(Number(hash.slice(4, 6)), MAX_FAKE_COST));
  const any = createHmac('sha256', secret).update(user).digest().readUInt32BE();
  const cost = costs[any % Math.max(1, costs.length)] ?? 10;
  return `$2y$${String(cost).padStart(2, '0')}$${FAKE_SALT_AND_HASH}`;
}

/** Maximum numbers of waiting checks: at some 60 ms each (cost 10), 2 s of a client and 4 s in all. */
const MAX_WAITING = 64;
const MAX_WAITING_OF_CLIENT = 32;
const MAX_REPEATED_OF_CLIENT = 8;

/** Maximum number of refused keys that are remembered: those of 30 s at 1,000 a second, in some 3 MB. */
const MAX_REFUSED = 30_000;

/**
 * Runs checks one at a time, round robin over a queue for each client: a flood from one address delays another client
 * by one check. Equal keys share one check. The function returns undefined if too many checks wait. A key that is
 * repeated after that goes into a separate queue: a flood tries each password once, and an honest client repeats one.
 */
function createCheckQueue() {
  const results = new Map<string, Promise<boolean>>();
  const queues = new Map<string, readonly (() => Promise<unknown>)[]>();
  const refused = new Set<string>();
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
  return (key: string, client: string, check: () => Promise<boolean>): Promise<boolean> | undefined => {
    const same = results.get(key);
    if (same !== undefined) return same;
    const isRepeated = refused.delete(key);
    const name = isRepeated ? `repeated ${client}` : client;
    const queue = queues.get(name) ?? [];
    const isFull = isRepeated
      ? queue.length >= MAX_REPEATED_OF_CLIENT
      : queue.length >= MAX_WAITING_OF_CLIENT || results.size > MAX_WAITING;
    if (isFull) {
      refused.add(key);
      const [oldest = ''] = refused;
      if (refused.size > MAX_REFUSED) refused.delete(oldest);
      return undefined;
    }
    const result = new Promise<boolean>((resolve, reject) => {
      queues.set(name, [...queue, () => check().then(resolve, reject)]);
    }).finally(() => results.delete(key));
    results.set(key, result);
    if (!isRunning) void run();
    return result;
  };
}

const CACHE_CAPACITY = 100;

/** Keeps the keys of the right logins that were used last. */
function createLoginCache() {
  const keys = new Set<string>();
  const add = (key: string): void => {
    keys.add(key);
    const [oldest = ''] = keys;
    if (keys.size > CACHE_CAPACITY) keys.delete(oldest);
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

const BASIC = /^basic ([A-Za-z0-9+/]*={0,2})$/i;

/**
 * Parses an Authorization header (RFC 7617); undefined for anything but a user and a password in UTF-8. The first colon
 * ends the name.
 */
export function parseBasic(
  header: string | undefined,
): { readonly user: string; readonly password: Secret } | undefined {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined;
  const text = decodeUtf8(Buffer.from(encoded, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1) return undefined;
  return { user: text.slice(0, colon), password: new Secret(text.slice(colon + 1)) };
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
