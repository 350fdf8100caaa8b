import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { createBcryptThread } from './auth/bcrypt-thread.ts';
import * as files from './files.ts';
import { createGate, type Gate } from './gate.ts';
import { createRateLimiter } from './rate-limit.ts';
import type { Tls } from './tls.ts';
import { openWebFile } from './web-file.ts';

/** What a web configuration file demands of a server. */
export type Web = {
  readonly gate: Gate;
  /** Undefined for plain HTTP. */
  readonly tls: Tls | undefined;
  /** Whether whoever comes is asked for a password or a certificate that somebody vouches for. */
  readonly isAuthenticated: boolean;
  readonly stop: () => void;
};

/** Passwords are checked in a thread of their own, unless the caller has another way. */
export type WebOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly checker?: ReturnType<typeof createBcryptThread>;
};

/** @throws ConfigError if the file can't be used */
export async function openWeb({
  path,
  clock,
  log,
  checker = createBcryptThread(),
}: WebOptions): Promise<Web> {
  const { initial, look } = await openWebFile(path, files, clock.now, log);
  const { tls, rateLimit, users } = initial.config;
  return {
    gate: createGate({
      look,
      isWithinRate: rateLimit === undefined ? () => true : createRateLimiter(rateLimit, clock.monotonic),
      authenticate: createAuthenticate(checker.matches, randomBytes(32)),
      log,
    }),
    tls: tls === undefined ? undefined : { look },
    isAuthenticated: users.size > 0 || tls?.clientAuthentication === 'requireAndVerify',
    stop: checker.stop,
  };
}
