import { type Ask, createAsk } from '../../../src/api/ask.ts';
import { NetworkError } from '../../../src/api/network-error.ts';
import type { Reply } from '../../../src/api/receive.ts';
import { whole } from '../../../src/api/understand.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { failure, success } from './documented.ts';
import { reply } from './museum.ts';
import { recordEvents } from './recorded-events.ts';

/** How a try can end, by a name. */
export const ENDINGS = {
  good: () => reply(200, success({})),
  fault: () => reply(500, failure('INTERNAL_ERROR')),
  refused: () => reply(403, failure('INVALID_API_KEY')),
  invalid: () => reply(400, failure('VALIDATION_ERROR')),
  throttled: () => reply(429, '{}'),
  'throttled for 60 s': () => reply(429, '{}', { 'content-type': 'application/json', 'retry-after': '60' }),
  'down for 60 s': () => reply(503, '{}', { 'content-type': 'application/json', 'retry-after': '60' }),
  reset: () => broken('ECONNRESET'),
  'reset of an idle connection': () => broken('ECONNRESET', 1),
  unreachable: () => broken('ECONNREFUSED'),
  late: () => broken('UND_ERR_HEADERS_TIMEOUT'),
} as const satisfies Record<string, () => Reply | NetworkError>;

export type Ending = keyof typeof ENDINGS;

function broken(code: string, bytesRead = 0): NetworkError {
  return new NetworkError(Object.assign(new Error('words'), { code, socket: { bytesRead } }), 'head', 1_000);
}

/** A request that arrived and waits for its ending. */
export type Arrived = { readonly path: string; readonly at: number; readonly end: (ending: Ending) => void };

export type ScriptedApi = {
  readonly clock: FakeClock;
  readonly seen: string[];
  /** Every request that arrived, answered or not. */
  readonly arrived: Arrived[];
  readonly ask: (path?: string, signal?: AbortSignal) => ReturnType<Ask>;
  /** How the question ended, in words: `good` or the reason of its failure. */
  readonly outcome: (path?: string, signal?: AbortSignal) => Promise<string>;
};

type ScriptOptions = {
  readonly concurrency?: number;
  readonly requestsPerSecond?: number;
  readonly random?: () => number;
};

/**
 * A client without a network: each request ends as `script` says, or stays open where it says nothing, until `end` is
 * called. Time stands still until it is told to move; chance draws what `random` gives.
 */
export function scriptApi(
  script: (index: number) => Ending | undefined,
  { concurrency = 8, requestsPerSecond, random = () => 0.5 }: ScriptOptions = {},
): ScriptedApi {
  const clock = createFakeClock();
  const { events, seen } = recordEvents();
  const arrived: Arrived[] = [];
  const transport = {
    get: (path: string, signal: AbortSignal) =>
      new Promise<Reply>((resolve, reject) => {
        const end = (ending: Ending) => {
          const result = ENDINGS[ending]();
          if (result instanceof NetworkError) reject(result);
          else resolve(result);
        };
        signal.addEventListener('abort', () => reject(signal.reason));
        const ending = script(arrived.length);
        arrived.push({ path, at: clock.monotonic(), end });
        if (ending !== undefined) end(ending);
      }),
    close: async () => {},
  };
  const asker = createAsk({
    transport,
    concurrency,
    requestsPerSecond,
    clock,
    random,
    pause: async () => {},
    events,
  });
  const ask: ScriptedApi['ask'] = (path = '/', signal = new AbortController().signal) =>
    asker({ endpoint: 'tunnel', path, signal, reader: whole(() => ({ value: undefined })) });
  const outcome: ScriptedApi['outcome'] = async (path, signal) => {
    try {
      await ask(path, signal);
      return 'good';
    } catch (error) {
      if (typeof error === 'string') return error;
      return error instanceof Error && 'reason' in error ? String(error.reason) : 'not an ApiError';
    }
  };
  return { clock, seen, arrived, ask, outcome };
}

/** Lets every promise that can settle do so. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
