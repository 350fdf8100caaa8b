import type { WebSetup } from '../config/web/web-config.ts';
import type { Log } from '../log.ts';
import type { Authenticate, Claim, Verdict } from './auth/authenticate.ts';
import { type Reply, textReply } from './reply.ts';

/** What the web configuration has to say of a request, before anything else looks at it. */
export type Passage = {
  /** The answer, where the request is not let in. */
  readonly refusal: Reply | undefined;
  /** Headers for the answer, whoever gives it. */
  readonly headers: Readonly<Record<string, string>>;
};

export type Gate = (claim: Claim) => Promise<Passage>;

export type GateOptions = {
  /** The configuration as it is now; undefined where it can't be used. */
  readonly look: () => Promise<WebSetup | undefined>;
  /** Whether one more request may be answered now. */
  readonly isWithinRate: () => boolean;
  readonly authenticate: Authenticate;
  readonly log: Log;
};

const REFUSALS: Readonly<Record<Exclude<Verdict, 'granted'>, Reply>> = {
  refused: textReply(401, 'Unauthorized', { 'www-authenticate': 'Basic' }),
  busy: textReply(429, 'Too Many Requests', { 'retry-after': '1' }),
};

/** In the order of the toolkit: a usable configuration (500), the rate (429), the headers, the password (401). */
export function createGate({ look, isWithinRate, authenticate, log }: GateOptions): Gate {
  return async (claim) => {
    const setup = await look();
    if (setup === undefined) return { refusal: textReply(500, 'Internal Server Error'), headers: {} };
    if (!isWithinRate()) return { refusal: textReply(429, 'Too Many Requests'), headers: {} };
    const { headers, users } = setup.config;
    if (users.size === 0) return { refusal: undefined, headers };
    try {
      const verdict = await authenticate(claim, users);
      return { refusal: verdict === 'granted' ? undefined : REFUSALS[verdict], headers };
    } catch (error) {
      log.error({ error }, 'a password could not be checked');
      return { refusal: textReply(500, 'Internal Server Error'), headers };
    }
  };
}
