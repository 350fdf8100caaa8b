import { answer } from '../src/simulator/answer.ts';
import { encode } from '../src/simulator/message.ts';
import { createBenchMarketplace, START } from './marketplace.ts';
import { KEY } from './surroundings.ts';

/** Milliseconds between two polls. */
const POLL_INTERVAL = 30_000;

export const BALANCE_PATH = '/hoster/v1/balance';
export const devicesPath = (page: number): string => `/hoster/v1/devices?page=${page}&limit=100`;
export const tunnelPath = (deviceId: string): string => `/hoster/v1/devices/${deviceId}/self-rent/tunnel`;

/** Where an answer stands in the bytes of all. */
export type PreparedAnswer = {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly start: number;
  readonly end: number;
};

/** The answers to one poll. */
export type PreparedAnswers = { readonly answers: readonly PreparedAnswer[]; readonly bytes: Uint8Array };

/** The answers to one poll after another, each one interval later. */
export function createAnswers(phones: number, seed: number): () => PreparedAnswers {
  const marketplace = createBenchMarketplace(phones, seed);
  const accounts = [{ name: 'bench', key: KEY, marketplace }];
  let now = START;
  const message = (target: string) => {
    const { pathname, search } = new URL(target, 'http://bench');
    const query = new URLSearchParams(search);
    const request = { method: 'GET', path: pathname, query, headers: { 'x-api-key': KEY } };
    return encode(answer(accounts, request), now);
  };
  return () => {
    now += POLL_INTERVAL;
    marketplace.advance(now);
    const pages = Array.from({ length: Math.max(1, Math.ceil(phones / 100)) }, (_, index) =>
      devicesPath(index + 1),
    );
    const tunnels = marketplace.phones().map(({ deviceId }) => deviceId);
    const rented = tunnels.filter((deviceId) => marketplace.tunnel(deviceId) !== undefined);
    let end = 0;
    const messages = [BALANCE_PATH, ...pages, ...rented.map(tunnelPath)].map((path) => {
      const { body, ...rest } = message(path);
      const start = end;
      end += body.length;
      return { answer: { path, ...rest, start, end }, body };
    });
    const bytes = new Uint8Array(end);
    for (const {
      answer: { start },
      body,
    } of messages)
      bytes.set(body, start);
    return { answers: messages.map((each) => each.answer), bytes };
  };
}
