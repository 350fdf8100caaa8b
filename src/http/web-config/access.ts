import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { type Reply, textReply } from '../reply.ts';
import { createAuthenticate, type LoginResult } from './auth.ts';
import { createPasswordChecker, type PasswordChecker } from './bcrypt.ts';
import type { LoadedWebConfig, RateLimit } from './parse.ts';
import { systemFiles, watchWebConfig } from './watch.ts';

/** The active web configuration file. */
export type WebAccess = {
  /**
   * Decides if a request is let in.
   *
   * @param authorization the header
   * @param client address of the client
   */
  readonly authorize: (authorization: string | undefined, client: string) => Promise<Authorization>;
  /** Returns the present TLS configuration; undefined for plain HTTP. */
  readonly tlsSetup: (() => LoadedWebConfig | undefined) | undefined;
  /** True if clients need a password or a verified certificate. */
  readonly isAuthenticated: boolean;
  readonly stop: () => void;
};

type Authorization = {
  /** The response to a request that is not let in. */
  readonly refusal: Reply | undefined;
  /** Configured headers for the response. */
  readonly headers: Readonly<Record<string, string>>;
};

type WebAccessOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A worker thread, unless given. */
  readonly checker?: PasswordChecker;
};

const REFUSALS: Readonly<Record<Exclude<LoginResult, 'granted'>, Reply>> = {
  denied: textReply(401, 'Unauthorized', { 'www-authenticate': 'Basic' }),
  busy: textReply(429, 'Too Many Requests', { 'retry-after': '1' }),
};

/**
 * Opens a web configuration file. Each request is checked in the order of the toolkit: is the file usable (500), the rate
 * limit (429), headers, the password (401).
 *
 * @throws ConfigError if the file can't be used
 */
export function openWebAccess({
  path,
  clock,
  log,
  checker = createPasswordChecker(),
}: WebAccessOptions): WebAccess {
  const { initial, current } = watchWebConfig(path, systemFiles, log);
  const { tls, rateLimit, users } = initial.config;
  const isWithinRate = rateLimit === undefined ? () => true : createRateLimiter(rateLimit, clock.monotonic);
  const authenticate = createAuthenticate(checker.matches, randomBytes(32));
  return {
    authorize: async (authorization, client) => {
      const setup = current();
      if (setup === undefined) return { refusal: textReply(500, 'Internal Server Error'), headers: {} };
      if (!isWithinRate()) return { refusal: textReply(429, 'Too Many Requests'), headers: {} };
      const { headers, users } = setup.config;
      if (users.size === 0) return { refusal: undefined, headers };
      try {
        const result = await authenticate(authorization, client, users);
        return { refusal: result === 'granted' ? undefined : REFUSALS[result], headers };
      } catch (error) {
        log.error({ error }, 'a password could not be checked');
        return { refusal: textReply(500, 'Internal Server Error'), headers };
      }
    },
    tlsSetup: tls === undefined ? undefined : current,
    isAuthenticated: users.size > 0 || tls?.clientAuthentication === 'requireAndVerify',
    stop: checker.stop,
  };
}

/**
 * Creates a token bucket of `burst` requests, full at first, to which each interval adds one. A burst of 0 lets nothing in.
 *
 * @param monotonic milliseconds since some start
 * @returns a function that takes one token, and is false if there is none
 */
export function createRateLimiter(
  { intervalMilliseconds, burst }: RateLimit,
  monotonic: () => number,
): () => boolean {
  // In milliseconds and not in tokens, so that rounding does not add up.
  const capacity = intervalMilliseconds * burst;
  let saved = capacity;
  let before = monotonic();
  return () => {
    const now = monotonic();
    saved = Math.min(capacity, saved + now - before);
    before = now;
    if (saved < intervalMilliseconds) return false;
    saved -= intervalMilliseconds;
    return true;
  };
}
