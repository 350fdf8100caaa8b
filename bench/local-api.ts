import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AskOptions, createAsk } from '../src/api/ask.ts';
import type { ApiClient } from '../src/api/client.ts';
import type { Reply } from '../src/api/receive.ts';
import type { Transport } from '../src/api/transport.ts';
import { readBalance } from '../src/api/wire/balance.ts';
import { readDevicePage } from '../src/api/wire/device-page.ts';
import { readTunnel } from '../src/api/wire/tunnel.ts';
import { createWire } from '../src/api/wire/wire.ts';
import { failure } from '../src/simulator/answer.ts';
import { encode } from '../src/simulator/message.ts';
import { START } from './marketplace.ts';
import {
  BALANCE_PATH,
  devicesPath,
  type PreparedAnswer,
  type PreparedAnswers,
  tunnelPath,
} from './prepared-answers.ts';

/** An API without a network: its answers are bytes that lie ready, so that a poll costs what it costs the poller. */
export type LocalApi = {
  /** Lets time go by until the next poll, and lays the answers to it ready. */
  readonly prepare: () => Promise<void>;
  readonly client: (options: Omit<AskOptions, 'transport'>) => ApiClient;
};

export function createLocalApi(phones: number, seed: number): LocalApi {
  const file = new URL('./children/prepared-answers.js', import.meta.url);
  const child = fork(file, [String(phones), String(seed)], { execArgv: [], serialization: 'advanced' });
  child.unref();
  child.channel?.unref();
  let replies: ReadonlyMap<string, Reply> = new Map();
  const transport: Transport = {
    // What is not among them is a tunnel that is no more, or was not when they were made.
    get: async (path) => replies.get(path) ?? NO_TUNNEL,
    close: async () => {},
  };
  return {
    prepare: async () => {
      child.channel?.ref();
      child.send('next');
      const [prepared]: readonly PreparedAnswers[] = await once(child, 'message');
      child.channel?.unref();
      replies = new Map(prepared?.answers.map((answer) => [answer.path, replyOf(answer, prepared.bytes)]));
    },
    client: (options) => createLocalClient({ ...options, transport }),
  };
}

function replyOf({ status, headers, start, end }: PreparedAnswer, bytes: Uint8Array): Reply {
  return { status, headers, body: bytes.subarray(start, end) };
}

const NO_TUNNEL: Reply = encode(failure(404, 'SELF_RENT_TUNNEL_NOT_FOUND', 'There is no tunnel.'), START);

/** The client of the daemon, but for what stands between it and the network. */
function createLocalClient(options: AskOptions): ApiClient {
  const ask = createAsk(options);
  const wire = createWire(options.events);
  return {
    devicePage: (page, signal) =>
      ask({
        endpoint: 'devices',
        path: devicesPath(page),
        signal,
        read: (data) => usable(readDevicePage(data, wire)),
      }),
    tunnel: (deviceId, signal) =>
      ask({
        endpoint: 'tunnel',
        path: tunnelPath(deviceId),
        signal,
        read: (data) => (data === undefined ? { value: undefined } : usable(readTunnel(data, wire))),
      }),
    balance: (signal) =>
      ask({
        endpoint: 'balance',
        path: BALANCE_PATH,
        signal,
        read: (data) => usable(readBalance(data, wire)),
      }),
    close: options.transport.close,
  };
}

function usable<Value>(value: Value | undefined): { readonly value: Value } | undefined {
  return value === undefined ? undefined : { value };
}
