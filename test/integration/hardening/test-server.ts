import { connect, type Socket } from 'node:net';
import type { Reply, Route } from '../../../src/http/reply.ts';
import { startServer } from '../../../src/http/server.ts';
import type { WebAccess } from '../../../src/http/web-config/access.ts';
import type { RefusalReason } from '../../../src/model/enums.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { silentLog } from '../../silent-log.ts';

/** More than both kernels buffer for a client that does not read. */
const LARGE = Array.from({ length: 32 }, () => Buffer.alloc(1024 * 1024, 'x'));

const replyOf = (chunks: readonly Buffer[]): Reply => ({
  status: 200,
  headers: {},
  length: chunks.reduce((sum, { length }) => sum + length, 0),
  content: chunks,
});

const get = (answer: Route['answer']): Route => ({ methods: ['GET'], answer });

let finish = (): void => {};

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ['/later', get(() => new Promise((resolve) => (finish = () => resolve(replyOf([Buffer.from('later')])))))],
  ['/large', get(() => replyOf(LARGE))],
  ['/short', get(() => replyOf([Buffer.from('short')]))],
  ['/never', get(() => new Promise<never>(() => {}))],
  ['/-/healthy', get(() => replyOf([Buffer.from('healthy')]))],
  [
    '/broken',
    get(() => {
      throw new Error('canary');
    }),
  ],
]);

/** The real server with its real limits, on a clock that the test moves. */
export type TestServer = {
  readonly clock: FakeClock;
  readonly refusals: readonly RefusalReason[];
  /** Number of answers. */
  readonly answers: number;
  readonly port: number;
  readonly dial: (from?: string) => Client;
  /** Connects and sends a request; resolves when the response has begun. */
  readonly ask: (path: string, from?: string) => Promise<Client>;
  /** Lets the last response of `/later` begin. */
  readonly finish: () => void;
  /** Resolves when the server has read everything sent before. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The client of a connection. It reads unless it is paused. */
export type Client = {
  readonly socket: Socket;
  readonly connected: Promise<void>;
  /** Resolves with everything received when the connection is closed. */
  readonly closed: Promise<string>;
  readonly output: () => string;
  /** Resolves when the received text matches. */
  readonly waitForOutput: (pattern: RegExp) => Promise<void>;
  readonly isOpen: () => boolean;
};

/**
 * @param web undefined for plain HTTP
 * @param host a loopback address to listen on
 */
export async function startTestServer(web?: WebAccess, host = '127.0.0.1'): Promise<TestServer> {
  const clock = createFakeClock();
  const refusals: RefusalReason[] = [];
  let answers = 0;
  const server = await startServer({
    host,
    port: 0,
    routes: ROUTES,
    onAnswer: () => {
      answers += 1;
    },
    onRefusal: (reason) => refusals.push(reason),
    web,
    externalUrl: new URL('https://exporter.example/metrics'),
    clock,
    log: silentLog,
  });
  const port = Number(new URL(server.url).port);
  const clients: Client[] = [];
  const dial = (from = '127.0.0.1'): Client => {
    const client = clientOf(connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true }));
    clients.push(client);
    return client;
  };
  return {
    clock,
    refusals,
    get answers() {
      return answers;
    },
    port,
    dial,
    ask: async (path, from) => {
      const client = dial(from);
      client.socket.write(requestTo(path));
      await client.waitForOutput(/HTTP\/1\.1 \d+/);
      return client;
    },
    finish: () => finish(),
    settled: async () => {
      const last = dial('127.0.0.200');
      last.socket.write('GET /-/healthy HTTP/1.1\r\nHost: exporter.localhost\r\nConnection: close\r\n\r\n');
      await last.closed;
    },
    close: async () => {
      for (const { socket } of clients) socket.destroy();
      await server.close();
    },
  };
}

export function requestTo(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: exporter.localhost\r\n\r\n`;
}

function clientOf(socket: Socket): Client {
  let said = '';
  const listeners = new Set<() => void>();
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    // The beginning of a large response is enough.
    if (said.length < 10_000) said += chunk.toString('latin1');
    for (const listener of listeners) listener();
  });
  socket.on('end', () => socket.destroy());
  return {
    socket,
    connected: new Promise((resolve) => socket.once('connect', () => resolve())),
    closed: new Promise((resolve) => socket.once('close', () => resolve(said))),
    output: () => said,
    waitForOutput: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(said)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    isOpen: () => !socket.destroyed,
  };
}
