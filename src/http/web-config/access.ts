import { randomBytes } from 'node:crypto';
import { type Clock, every } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Log } from '../../base/log.ts';
import { type Reply, textReply } from '../reply.ts';
import { createAuthenticate, type LoginResult, parseBasic } from './auth.ts';
import { createPasswordChecker, type PasswordChecker } from './bcrypt.ts';
import type { LoadedWebConfig } from './parse.ts';
import { watchWebConfig } from './watch.ts';

export type WebAccess = {
  /**
   * Grants or refuses access by the Authorization header.
   *
   * @param isOptional also grants access without a header
   */
  readonly authorize: (authorization: string | undefined, isOptional?: boolean) => Promise<Authorization>;
  /** Returns the current TLS configuration; undefined for plain HTTP. */
  readonly tlsSetup: (() => LoadedWebConfig | undefined) | undefined;
  /** True if clients need a password or a verified certificate. */
  readonly isAuthenticated: boolean;
  /** Returns the names of the users, as last read. */
  readonly users: () => ReadonlySet<string>;
  readonly stop: () => void;
};

type Authorization = {
  /** The response without access; undefined with access. */
  readonly refusal: Reply | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The user that logged in; undefined without passwords. */
  readonly login: string | undefined;
};

type WebAccessOptions = {
  readonly path: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  /** Defaults to a worker thread. */
  readonly checker?: PasswordChecker;
};

/** Time between two checks of the files. */
const LOOK_MILLISECONDS = 1_000;

const FAILED = textReply(500, 'Internal Server Error');

const REFUSALS: Readonly<Record<Exclude<LoginResult, 'granted'>, Reply>> = {
  denied: textReply(401, 'Unauthorized', { 'www-authenticate': 'Basic' }),
  busy: textReply(429, 'Too Many Requests', { 'retry-after': '1' }),
};

/**
 * Opens a web configuration file. Requests are checked in the toolkit's order: a valid file (500), then the password
 * (401).
 *
 * @throws ConfigError if the file is invalid
 */
export async function openWebAccess({
  path,
  disk,
  clock,
  log,
  checker = createPasswordChecker(),
}: WebAccessOptions): Promise<WebAccess> {
  const { initial, current, look } = await watchWebConfig(path, { disk, log });
  // New connections cannot wait for a check.
  const stopLooking = every(clock, LOOK_MILLISECONDS, () => void look());
  const { tls, users } = initial.config;
  const authenticate = createAuthenticate({ matches: checker.matches, secret: randomBytes(32), clock });
  return {
    authorize: async (authorization, isOptional = false) => {
      await look();
      const setup = current();
      if (setup === undefined) return { refusal: FAILED, headers: {}, login: undefined };
      const { headers, users } = setup.config;
      if (users.size === 0 || (isOptional && authorization === undefined))
        return { refusal: undefined, headers, login: undefined };
      try {
        const result = await authenticate(authorization, users);
        return result === 'granted'
          ? { refusal: undefined, headers, login: parseBasic(authorization)?.user }
          : { refusal: REFUSALS[result], headers, login: undefined };
      } catch (error) {
        log.error({ error }, 'a password could not be checked');
        return { refusal: FAILED, headers, login: undefined };
      }
    },
    tlsSetup: tls === undefined ? undefined : current,
    isAuthenticated: users.size > 0 || tls?.verifiesClients === true,
    users: () => new Set((current()?.config.users ?? users).keys()),
    stop: () => {
      stopLooking();
      checker.stop();
    },
  };
}
