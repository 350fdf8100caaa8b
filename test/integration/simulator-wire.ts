import { request } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createMarketplace, type Marketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { withNastyLabels } from '../nasty-labels.ts';

export const START = Date.UTC(2026, 0, 5, 12);
export const KEY = 'canary-key-main';

/**
 * A clock that stands, so that answers are always the same. Timers are due as soon as everything on the wire was read;
 * their delays are noted.
 */
export function standingClock(delays: number[] = []): Clock {
  return {
    ...systemClock,
    now: () => START,
    after: (milliseconds, callback) => {
      delays.push(milliseconds);
      let cancelled = false;
      const rounds = (left: number): void => {
        if (cancelled) return;
        if (left === 0) callback();
        else setImmediate(rounds, left - 1);
      };
      rounds(ROUNDS);
      return () => {
        cancelled = true;
      };
    },
  };
}

/** Rounds of the event loop in which both ends of a connection have surely read what the other wrote. */
const ROUNDS = 4;

export function marketplaceOf(size: number): Marketplace {
  return createMarketplace({
    seed: 7,
    startAt: START,
    phones: withNastyLabels(createFleet({ seed: 7, size })),
    lively: false,
  });
}

export type Reply = {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
};

/** A request as a well-behaved client makes it, on a connection of its own. */
export function ask(
  url: string,
  method = 'GET',
  headers: Record<string, string> = { 'x-api-key': KEY },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, async (response) => {
      const body = await buffer(response);
      resolve({ status: response.statusCode, headers: response.headers, text: body.toString() });
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Bytes received until the connection was closed, and the way it was closed. */
export type Heard = { readonly head: string; readonly body: Buffer; readonly ending: string };

/** Listens to a bare socket until its end: `end` is an orderly one, anything else is the code of an error. */
export function hear(socket: Socket): Promise<Heard> {
  const chunks: Buffer[] = [];
  let ending = 'end';
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      ending = error.code ?? error.message;
    });
    socket.on('close', () => {
      const bytes = Buffer.concat(chunks);
      const cut = bytes.lastIndexOf('\r\n\r\n', bytes.indexOf('{') === -1 ? undefined : bytes.indexOf('{'));
      const headEnd = cut === -1 ? bytes.length : cut + 4;
      resolve({ head: bytes.subarray(0, headEnd).toString(), body: bytes.subarray(headEnd), ending });
    });
  });
}
