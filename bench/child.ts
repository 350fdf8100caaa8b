import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A child process that replies with numbers, so that the measured code shares nothing with the measuring one. */
export type Child = {
  readonly pid: number;
  readonly ask: (request: string, ...parameters: readonly number[]) => Promise<readonly number[]>;
  readonly stop: () => Promise<void>;
};

/** Messages to a child, and from it. */
export type ChildRequest = {
  readonly id: number;
  readonly request: string;
  readonly parameters: readonly number[];
};
export type Reply = { readonly id: number; readonly numbers: readonly number[] };

/** Options of a child process: flags of V8, and files beside it. */
export type ChildOptions = {
  readonly parameters?: readonly string[];
  readonly nodeFlags?: readonly string[];
};

/** As the image and the service have it: see docs/decisions/0018. */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072' };

/**
 * Starts a file of `children/`. Resolves when it is ready, which it tells with an empty reply to request 0.
 */
export async function startChild(name: string, options: ChildOptions = {}): Promise<Child> {
  const file = new URL(`./children/${name}.js`, import.meta.url);
  const child = fork(file, [...(options.parameters ?? [])], {
    execArgv: [...(options.nodeFlags ?? [])],
    serialization: 'advanced',
    env: { ...process.env, ...ALLOCATOR },
  });
  const waiting = new Map<number, (numbers: readonly number[]) => void>();
  child.on('message', (message: unknown) => {
    if (!isReply(message)) return;
    waiting.get(message.id)?.(message.numbers);
    waiting.delete(message.id);
  });
  const death = died(child, name);
  // Only pending requests reject.
  death.catch(() => {});
  const reply = (id: number): Promise<readonly number[]> =>
    Promise.race([new Promise<readonly number[]>((resolve) => waiting.set(id, resolve)), death]);
  await reply(0);
  let lastId = 0;
  return {
    pid: child.pid ?? 0,
    ask: (request, ...parameters) => {
      lastId += 1;
      const answered = reply(lastId);
      child.send({ id: lastId, request, parameters } satisfies ChildRequest);
      return answered;
    },
    stop: async () => {
      child.disconnect();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function died(child: ChildProcess, name: string): Promise<never> {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`the process ${name} ended (${code ?? signal}) before it answered`);
}

function isReply(message: unknown): message is Reply {
  return typeof message === 'object' && message !== null && 'id' in message && 'numbers' in message;
}
