import { sleep } from '../../api/sleep.ts';
import type { Transport } from '../../api/transport.ts';
import type { Clock } from '../../clock.ts';
import { type Account, answer, failure } from '../../simulator/answer.ts';
import { encode } from '../../simulator/message.ts';
import { between, type Random } from '../../simulator/random.ts';

export type SimulatedTransportOptions = {
  readonly account: Account;
  readonly clock: Clock;
  /** Where chance comes from for how long an answer takes. */
  readonly random: Random;
  /** Whether the API is down at an instant. */
  readonly isDown: (now: number) => boolean;
};

/** Milliseconds that an answer takes: most are quick, a few are not. */
const QUICK = [40, 140] as const;
const SLOW = [300, 1_200] as const;
const SLOW_SHARE = 0.03;

/** Carries requests to a simulated marketplace without a network, in simulated time. */
export function createSimulatedTransport(options: SimulatedTransportOptions): Transport {
  const { account, clock, random, isDown } = options;
  return {
    get: async (path, signal) => {
      const [shortest, longest] = random() < SLOW_SHARE ? SLOW : QUICK;
      await sleep(clock, between(random, shortest, longest), signal);
      const now = clock.now();
      if (isDown(now)) return encode(failure(503, 'UNAVAILABLE', 'The API is down.'), now);
      account.marketplace.advance(now);
      const url = new URL(path, 'http://simulated');
      const headers = { 'x-api-key': account.key };
      const request = { method: 'GET', path: url.pathname, query: url.searchParams, headers };
      return encode(answer([account], request), now);
    },
    close: async () => {},
  };
}
