import { writeFileSync } from 'node:fs';
import { encodeResponse, respond } from '../src/features/demo/response.ts';
import { KEY } from './dependencies.ts';
import { createBenchMarketplace, START } from './marketplace.ts';

/** Milliseconds between two polls. */
const POLL_INTERVAL = 30_000;

const BALANCE_PATH = '/hoster/v1/balance';
const devicesPath = (page: number): string => `/hoster/v1/devices?page=${page}&limit=100`;
const tunnelPath = (deviceId: string): string => `/hoster/v1/devices/${deviceId}/self-rent/tunnel`;

/** Numbers in the index for each answer: which path it is to, its status, and where its body stands in the file. */
export const INDEX_NUMBERS = 4;

/** The answers to one poll. The bodies are in a file, one behind the other. */
export type PreparedAnswers = {
  /** Paths that come for the first time; they are numbered in the order in which they first come. */
  readonly newPaths: readonly string[];
  readonly index: Uint32Array;
  readonly headers: Readonly<Record<number, Readonly<Record<string, string>>>>;
};

/** The answers to one poll after another, each one interval later. */
export function createAnswers(phones: number, seed: number, file: string): () => PreparedAnswers {
  const marketplace = createBenchMarketplace(phones, seed);
  const accounts = [{ key: KEY, marketplace }];
  const numbers = new Map<string, number>();
  let now = START;
  const message = (target: string) => {
    const { pathname, search } = new URL(target, 'http://bench');
    const query = new URLSearchParams(search);
    const request = { method: 'GET', path: pathname, query, headers: { 'x-api-key': KEY } };
    return encodeResponse(respond(accounts, request), now);
  };
  return () => {
    now += POLL_INTERVAL;
    marketplace.advance(now);
    const pages = Array.from({ length: Math.max(1, Math.ceil(phones / 100)) }, (_, index) =>
      devicesPath(index + 1),
    );
    const tunnels = marketplace.phones().map(({ deviceId }) => deviceId);
    const rented = tunnels.filter((deviceId) => marketplace.tunnel(deviceId) !== undefined);
    const newPaths: string[] = [];
    const headers: Record<number, Readonly<Record<string, string>>> = {};
    const bodies: Buffer[] = [];
    let end = 0;
    const index = [BALANCE_PATH, ...pages, ...rented.map(tunnelPath)].flatMap((path) => {
      const number = numbers.get(path) ?? numbers.size;
      if (number === numbers.size) newPaths.push(path);
      numbers.set(path, number);
      const { status, body, headers: head } = message(path);
      headers[status] = head;
      bodies.push(body);
      const start = end;
      end += body.length;
      return [number, status, start, end];
    });
    writeFileSync(file, Buffer.concat(bodies));
    return { newPaths, index: Uint32Array.from(index), headers };
  };
}
