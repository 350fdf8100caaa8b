import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of its own that answers questions in numbers, so that what is measured shares nothing with the measurer. */
export type Child = {
  readonly pid: number;
  readonly ask: (question: string, ...parameters: readonly number[]) => Promise<readonly number[]>;
  readonly stop: () => Promise<void>;
};

/** What goes to a child, and what comes back. */
export type Question = {
  readonly id: number;
  readonly question: string;
  readonly parameters: readonly number[];
};
export type Reply = { readonly id: number; readonly numbers: readonly number[] };

/** How a child process is started: V8's own flags, and files that stand beside it. */
export type ChildOptions = {
  readonly parameters?: readonly string[];
  readonly nodeFlags?: readonly string[];
};

/** As the image and the service have it: see docs/decisions/0018. */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072' };

/**
 * Starts a file of `children/`. Resolves when it is ready, which it says with an empty reply to question 0.
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
  // Only who waits for an answer minds.
  death.catch(() => {});
  const reply = (id: number): Promise<readonly number[]> =>
    Promise.race([new Promise<readonly number[]>((resolve) => waiting.set(id, resolve)), death]);
  await reply(0);
  let lastId = 0;
  return {
    pid: child.pid ?? 0,
    ask: (question, ...parameters) => {
      lastId += 1;
      const answered = reply(lastId);
      child.send({ id: lastId, question, parameters } satisfies Question);
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
