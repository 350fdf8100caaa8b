import type { Clock } from '../clock.ts';
import type { ApiEvents } from '../model/api-events.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { Answer } from './answer.ts';
import { createBreaker } from './breaker.ts';
import { createRetryBudget } from './budget.ts';
import { createConcurrency } from './concurrency.ts';
import { ApiError, type Refusal } from './errors.ts';
import { createGate } from './gate.ts';
import { createKeyGuard } from './key-guard.ts';
import { NetworkError } from './network-error.ts';
import { createOneByOne } from './one-by-one.ts';
import { createPace } from './pace.ts';
import { createPause } from './pause.ts';
import { FIRST_TRY, GIVE_UP, planRetry } from './retry.ts';
import { sleep } from './sleep.ts';
import type { Transport } from './transport.ts';
import { type Reader, understand } from './understand.ts';

/** Something asked of the API. */
export type Question<Value> = {
  readonly endpoint: Endpoint;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly reader: Reader<Value>;
};

/** Rejects with an {@link ApiError}, or with the reason of the signal once that aborted. */
export type Ask = <Value>(question: Question<Value>) => Promise<Answer<Value>>;

export type AskOptions = {
  readonly transport: Transport;
  /** Most requests at once. */
  readonly concurrency: number;
  readonly requestsPerSecond: number | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  /** Gives the event loop back between two slices of work. */
  readonly pause: () => Promise<void>;
  readonly events: ApiEvents;
};

/** What decides, for one account, whether and when something is sent. Each learns from how the requests went. */
type Policies = ReturnType<typeof createPolicies>;

function createPolicies({ concurrency, requestsPerSecond, clock, random, pause, events }: AskOptions) {
  const adaptive = createConcurrency(concurrency, events.concurrencyLimit);
  return {
    concurrency: adaptive,
    gate: createGate(adaptive.limit),
    pace: createPace(requestsPerSecond, clock),
    pause: createPause(clock, random, events.throttledUntil),
    keyGuard: createKeyGuard(),
    breaker: createBreaker(clock, events.circuit),
    budget: createRetryBudget(),
    oneByOne: createOneByOne(pause),
  };
}

/** Asks until there is an answer or no more to be tried. The one place where the policies meet. */
export function createAsk(options: AskOptions): Ask {
  const { clock, random, events } = options;
  const policies = createPolicies(options);
  const { keyGuard, pause, breaker, budget } = policies;
  return async (question) => {
    const mark = keyGuard.mark();
    let tries = FIRST_TRY;
    for (;;) {
      try {
        return await attempt(question, mark, policies, options);
      } catch (error) {
        if (!(error instanceof ApiError) || error.withheld) throw error;
        const maySend = pause.refusal() === undefined && breaker.state(question.endpoint) === 'closed';
        const plan = maySend ? planRetry(error, tries, budget.tokens(), random) : GIVE_UP;
        if (plan.step === 'give_up') {
          breaker.failed(error);
          throw error;
        }
        if (!plan.isFree) budget.spend();
        events.retried(question.endpoint);
        // Outside of the gate, so that those who wait for their first try need not wait for this.
        await sleep(clock, plan.afterMilliseconds, question.signal);
        tries = plan.tries;
      }
    }
  };
}

/** One try. Looks again after each wait, since what was learned meanwhile may forbid it. */
async function attempt<Value>(
  question: Question<Value>,
  mark: number,
  policies: Policies,
  options: AskOptions,
): Promise<Answer<Value>> {
  const { breaker, gate, pace } = policies;
  const { endpoint, signal } = question;
  signal.throwIfAborted();
  heed(refusal(policies, mark) ?? breaker.refusal(endpoint), endpoint, options);
  await gate.enter(signal);
  try {
    heed(refusal(policies, mark) ?? breaker.refusal(endpoint), endpoint, options);
    await pace.turn(signal);
    heed(refusal(policies, mark) ?? breaker.enter(endpoint), endpoint, options);
    return await send(question, policies, options);
  } finally {
    gate.leave();
  }
}

function refusal({ keyGuard, pause }: Policies, mark: number): Refusal | undefined {
  return keyGuard.refusal(mark) ?? pause.refusal();
}

/** Throws where there is a refusal. */
function heed(refused: Refusal | undefined, endpoint: Endpoint, { events }: AskOptions): void {
  if (refused === undefined) return;
  events.failed(endpoint, refused.reason);
  throw new ApiError({ ...refused, endpoint, withheld: true });
}

/** Sends a request, and tells the policies how it went. */
async function send<Value>(
  question: Question<Value>,
  { concurrency, pause, keyGuard, breaker, budget, oneByOne }: Policies,
  { transport, clock, events }: AskOptions,
): Promise<Answer<Value>> {
  const { endpoint, path, signal, reader } = question;
  const mark = concurrency.mark();
  const isProbe = breaker.state(endpoint) === 'half_open';
  try {
    const startedAt = clock.now();
    const started = clock.monotonic();
    const reply = await transport.get(path, signal);
    const milliseconds = clock.monotonic() - started;
    events.answered(endpoint, reply.status, milliseconds / 1000);
    await oneByOne(reply.body.length);
    const timed = { reply, middle: startedAt + milliseconds / 2 };
    const answer = understand(endpoint, timed, reader, events);
    concurrency.succeeded();
    pause.succeeded();
    breaker.succeeded(endpoint);
    budget.earn();
    return answer;
  } catch (error) {
    if (signal.aborted) {
      if (isProbe) breaker.probeAbandoned();
      throw signal.reason;
    }
    const failure = toApiError(endpoint, error);
    events.failed(endpoint, failure.reason);
    concurrency.failed(failure.reason, mark);
    pause.failed(failure);
    keyGuard.failed(failure);
    throw failure;
  }
}

function toApiError(endpoint: Endpoint, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof NetworkError)) {
    return new ApiError({ reason: 'internal', endpoint, got: 'no answer was understood', cause: error });
  }
  const { reason, code, message, staleConnection } = error;
  const got = `no usable answer (${code === undefined ? message : `${code}: ${message}`})`;
  return new ApiError({ reason, endpoint, got, staleConnection, cause: error });
}
