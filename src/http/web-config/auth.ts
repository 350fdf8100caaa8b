import { createHmac } from 'node:crypto';
import PQueue from 'p-queue';
import { type Clock, within } from '../../base/clock.ts';
import type { PasswordChecker } from './bcrypt.ts';

/** `busy`: the password could not be checked in time. */
export type LoginResult = 'granted' | 'denied' | 'busy';

type AuthenticateOptions = {
  readonly matches: PasswordChecker['matches'];
  /** Random secret of this process. Without it, nobody can try passwords against the stored keys. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
};

/** Maximum time for a login: scrapes and the listener wait for ten seconds. */
const MAX_MILLISECONDS = 8_000;

/** Maximum number of waiting logins: 2 s at about 60 ms each (cost 10). */
const MAX_WAITING = 32;

/**
 * Creates a function that checks an Authorization header against bcrypt hashes by user. It checks one password at a time, and
 * rejects if the check itself fails. A repeated correct login is granted at once.
 */
export function createAuthenticate({ matches, secret, clock }: AuthenticateOptions) {
  /** Key of the correct login, by user. */
  const granted = new Map<string, string>();
  const checks = new PQueue({ concurrency: 1 });

  return async (
    authorization: string | undefined,
    users: ReadonlyMap<string, string>,
  ): Promise<LoginResult> => {
    const credentials = parseBasic(authorization);
    if (credentials === undefined) return 'denied';
    const { user, password } = credentials;
    const known = users.get(user);
    const hash = known ?? hashForUnknown(user, users, secret);
    // JSON keeps the parts apart (CVE-2022-46146).
    const key = createHmac('sha256', secret)
      .update(JSON.stringify([user, hash, password]))
      .digest('base64');
    if (granted.get(user) === key) return 'granted';
    const end = clock.monotonic() + MAX_MILLISECONDS;
    const check = async (): Promise<LoginResult> => {
      // The same login may have been checked in the meantime.
      if (granted.get(user) === key) return 'granted';
      if (clock.monotonic() >= end) return 'busy';
      const isRight = (await matches(password, hash)) && known !== undefined;
      // Even if the client did not wait: its next login is granted.
      if (isRight) granted.set(user, key);
      return isRight ? 'granted' : 'denied';
    };
    if (checks.size >= MAX_WAITING) return 'busy';
    const checked = checks.add(check);
    return (await within(clock, MAX_MILLISECONDS, checked)) ? await checked : 'busy';
  };
}

/** The toolkit's hash of "fakepassword" without its cost. It grants nothing, because only known users get access. */
const FAKE_SALT_AND_HASH = 'QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi';

/**
 * Returns the hash to check an unknown user against, so that the check takes as long as for a known user. Its cost is that of
 * one of the users, always the same one for a name.
 */
function hashForUnknown(user: string, users: ReadonlyMap<string, string>, secret: Uint8Array): string {
  const costs = Array.from(users.values(), (hash) => hash.slice(4, 6));
  const any = createHmac('sha256', secret).update(user).digest().readUInt32BE();
  return `$2y$${costs[any % Math.max(1, costs.length)] ?? '10'}$${FAKE_SALT_AND_HASH}`;
}

/**
 * Parses an Authorization header (RFC 7617); undefined without a user and password. The user ends at the first colon.
 */
export function parseBasic(
  header: string | undefined,
): { readonly user: string; readonly password: string } | undefined {
  const encoded = /^basic +(\S*)$/i.exec(header ?? '')?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
