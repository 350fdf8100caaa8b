import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import { CONNECTION_LIMITS, NODE_LIMITS } from './limits.ts';

export type Http2 = {
  /** Speaks HTTP/2 on a connection. */
  readonly serve: (connection: Duplex) => void;
  /** Takes no more requests; connections end with those under way. */
  readonly close: () => void;
};

/** What one connection may hold (the memory in megabytes); as much as one of HTTP/1, where that has a limit too. */
const LIMITS = {
  maxSessionMemory: 10,
  maxHeaderListPairs: 64,
  maxSessionInvalidFrames: 20,
  maxSessionRejectedStreams: 20,
  settings: {
    maxConcurrentStreams: CONNECTION_LIMITS.requestsPerConnection,
    maxHeaderListSize: NODE_LIMITS.maxHeaderSize,
  },
};

/** Requests that a client may take back on one connection (CVE-2023-44487): readers that lose patience do, a few times. */
const MOST_RESETS = 100;

/**
 * An answer that is taken too slowly is the business of whoever guards the connections, as with HTTP/1.
 *
 * @param answer is handed each request; both are what HTTP/1 has too, as far as our answers go
 */
export function createHttp2(
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  clock: Clock,
): Http2 {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(LIMITS, (request, response) => {
    if (sizeOf(request.rawHeaders) <= NODE_LIMITS.maxHeaderSize) answer(request, response);
    else response.writeHead(431).end();
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    endWhenIdle(session, clock);
    endWhenFickle(session);
  });
  // Errors of a connection are those of its other end.
  server.on('sessionError', () => {});
  return {
    serve: (connection) => void server.emit('connection', connection),
    close: () => {
      for (const session of sessions) session.close();
    },
  };
}

function endWhenIdle(session: ServerHttp2Session, clock: Clock): void {
  const restFor = (milliseconds: number) => clock.after(milliseconds, () => session.close());
  let open = 0;
  let wake = restFor(NODE_LIMITS.headersTimeout);
  session.on('stream', (stream) => {
    wake();
    open += 1;
    stream.once('close', () => {
      open -= 1;
      if (open === 0) wake = restFor(NODE_LIMITS.keepAliveTimeout);
    });
  });
  session.once('close', () => wake());
}

function endWhenFickle(session: ServerHttp2Session): void {
  let resets = 0;
  session.on('stream', (stream) => {
    stream.once('close', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) resets += 1;
      if (resets > MOST_RESETS) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  });
}

/** Node announces its limit, and does not keep it. */
function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
