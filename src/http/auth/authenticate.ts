import { createHmac } from 'node:crypto';
import { parseBasic } from './basic.ts';
import { createChecks } from './checks.ts';
import { createResults } from './results.ts';

/** Who asks: its Authorization header and its address. */
export type Claim = { readonly authorization: string | undefined; readonly client: string };

/** `busy` where too many passwords wait to be checked. */
export type Verdict = 'granted' | 'refused' | 'busy';

/** Whether a claim is one of the users' own; `users` are bcrypt hashes by name. Rejects where that can't be checked. */
export type Authenticate = (claim: Claim, users: ReadonlyMap<string, string>) => Promise<Verdict>;

/** Whether a password is the one that a bcrypt hash was made of. Takes its time, away from the event loop. */
export type Matches = (password: string, hash: string) => Promise<boolean>;

/** @param secret random, and of this process alone */
export function createAuthenticate(matches: Matches, secret: Uint8Array): Authenticate {
  const results = createResults(secret);
  const checks = createChecks();
  return async ({ authorization, client }, users) => {
    const credentials = parseBasic(authorization);
    if (credentials === undefined) return 'refused';
    const { user } = credentials;
    const password = credentials.password.reveal();
    const known = users.get(user);
    const hash = known ?? hashOfNobody(user, users, secret);
    const key = results.keyOf(user, hash, password);
    let isRight = results.get(key);
    if (isRight === undefined) {
      const checked = checks.ask(key, client, async () => {
        const granted = (await matches(password, hash)) && known !== undefined;
        results.set(key, granted);
        return granted;
      });
      if (checked === undefined) return 'busy';
      isRight = await checked;
    }
    return isRight && known !== undefined ? 'granted' : 'refused';
  };
}

/** The toolkit's hash of "fakepassword" without its cost. It opens nothing, since only known users are let in. */
const FAKE_SALT_AND_HASH = 'QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi';

/**
 * What the password of an unknown user is checked against: it takes as long as for one of the known ones, and the same
 * one whenever that name comes. Where all users have cost 10, it is the toolkit's hash.
 */
function hashOfNobody(user: string, users: ReadonlyMap<string, string>, secret: Uint8Array): string {
  const costs = Array.from(users.values(), (hash) => hash.slice(4, 6));
  const any = createHmac('sha256', secret).update(user).digest().readUInt32BE();
  return `$2y$${costs[any % Math.max(1, costs.length)] ?? '10'}$${FAKE_SALT_AND_HASH}`;
}
