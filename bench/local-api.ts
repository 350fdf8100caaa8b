import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpClient, HttpResponse } from '../src/api/http.ts';
import { encodeResponse, errorResponse } from '../src/features/demo/response.ts';
import { START } from './marketplace.ts';
import { INDEX_NUMBERS, type PreparedAnswers } from './prepared-answers.ts';

/** An API without a network: its answers are bytes that lie ready, so that a poll costs what it costs the poller. */
export type LocalApi = {
  /** Lets time go by until the next poll, and lays the answers to it ready. */
  readonly prepare: () => Promise<void>;
  readonly http: HttpClient;
};

/**
 * Prepared responses must not count as garbage of the exporter: the bodies are read into a buffer that is used again
 * each time, and what is known of an answer is written over.
 */
export function createLocalApi(phones: number, seed: number): LocalApi {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bodies = join(folder, 'bodies');
  const file = new URL('./children/prepared-answers.js', import.meta.url);
  const child = fork(file, [String(phones), String(seed), bodies], {
    execArgv: [],
    serialization: 'advanced',
  });
  child.unref();
  child.channel?.unref();
  const numbers = new Map<string, number>();
  let headers: PreparedAnswers['headers'] = {};
  let room = Buffer.alloc(0);
  /** Where in the index the answer to each path stands, by its number; none where it is not among them. */
  let places = new Int32Array(0);
  let index = new Uint32Array(0);
  const lay = (prepared: PreparedAnswers): void => {
    for (const path of prepared.newPaths) numbers.set(path, numbers.size);
    if (places.length < numbers.size) places = new Int32Array(2 * numbers.size);
    places.fill(-1);
    headers = prepared.headers;
    index = Uint32Array.from(prepared.index);
    for (let place = 0; place < index.length; place += INDEX_NUMBERS) places[index[place] ?? 0] = place;
    room = readInto(room, bodies);
  };
  const http: HttpClient = {
    // What is not among them is a tunnel that is no more, or was not when they were made.
    get: async (path) => {
      const place = places[numbers.get(path) ?? -1] ?? -1;
      if (place === -1) return NO_TUNNEL;
      const [status = 0, start, end] = index.subarray(place + 1, place + INDEX_NUMBERS);
      return { status, headers: headers[status] ?? {}, body: room.subarray(start, end) };
    },
    close: async () => {},
  };
  return {
    prepare: async () => {
      child.channel?.ref();
      child.send('next');
      const [prepared]: readonly PreparedAnswers[] = await once(child, 'message');
      child.channel?.unref();
      if (prepared !== undefined) lay(prepared);
    },
    http,
  };
}

/** The room with a file in it, or a larger one if it does not fit. */
function readInto(room: Buffer<ArrayBuffer>, path: string): Buffer<ArrayBuffer> {
  const { size } = statSync(path);
  const enough = size <= room.length ? room : Buffer.alloc(Math.ceil(1.1 * size));
  const file = openSync(path, 'r');
  for (let end = 0; end < size; ) end += readSync(file, enough, end, size - end, end);
  closeSync(file);
  return enough;
}

const NO_TUNNEL: HttpResponse = encodeResponse(
  errorResponse(404, 'SELF_RENT_TUNNEL_NOT_FOUND', 'There is no tunnel.'),
  START,
);
