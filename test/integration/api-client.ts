import type { Server, Socket } from 'node:net';
import { type ApiClient, type ApiClientOptions, createApiClient } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/errors.ts';
import { Secret } from '../../src/base/secret.ts';
import { createFakeClock } from '../fake-clock.ts';
import { recordEvents } from '../unit/api/recorded-events.ts';

export const KEY = 'key-that-nobody-may-see';
export const TIMEOUT = 15_000;

const closing: (() => void | Promise<void>)[] = [];

/** Closes what a test opened, the last thing first. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close();
}

export function closeLater(close: () => void | Promise<void>): void {
  closing.push(close);
}

/** Lets a server listen on a free port, until {@link closeAll}; the port. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A client on a clock that stands; it retries without waiting, since chance draws 0. */
export function clientOf(baseUrl: string, { key = KEY, ...own }: ClientOptions = {}) {
  const clock = createFakeClock();
  const { on, seen } = recordEvents();
  const client: ApiClient = createApiClient({
    baseUrl: new URL(baseUrl),
    key: () => new Secret(key),
    concurrency: 4,
    requestsPerSecond: undefined,
    timeoutMilliseconds: TIMEOUT,
    userAgent: 'hoster-exporter/test',
    authorities: undefined,
    proxies: undefined,
    clock,
    random: () => 0,
    on,
    ...own,
  });
  closeLater(client.close);
  return { client, clock, seen };
}

type ClientOptions = Partial<Omit<ApiClientOptions, 'baseUrl' | 'key' | 'events'>> & {
  readonly key?: string;
};

export async function errorOf(request: Promise<unknown>): Promise<ApiError> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error('an ApiError was expected', { cause: error });
}

/** The good, or the reasons of the failures, each with how often it came. */
export async function tally(requests: Iterable<Promise<unknown>>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(requests)) {
    const reason: unknown = result.status === 'fulfilled' ? undefined : result.reason;
    const name =
      result.status === 'fulfilled' ? 'good' : reason instanceof ApiError ? reason.reason : String(reason);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
