import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Matches } from './authenticate.ts';
import type { Answer, Question } from './bcrypt-worker.ts';

export type BcryptThread = { readonly matches: Matches; readonly stop: () => void };

/** Beside this file, and compiled as it is. */
const PROGRAM = new URL(`./bcrypt-worker${extname(import.meta.url)}`, import.meta.url);

const MEGABYTES = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 };

type Waiting = { readonly resolve: (isRight: boolean) => void; readonly reject: (error: Error) => void };

/** A thread that checks passwords. It starts with the first one, and anew should it ever end. */
export function createBcryptThread(program: URL = PROGRAM): BcryptThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let last = 0;

  const start = (): Worker => {
    // The variables of the process may hold the API key, which is none of its business.
    const started = new Worker(program, { env: {}, execArgv: [], resourceLimits: MEGABYTES });
    started.unref();
    const end = (error: Error): void => {
      if (worker === started) worker = undefined;
      const all = [...waiting.values()];
      waiting.clear();
      for (const { reject } of all) reject(error);
    };
    started.on('message', ({ id, isRight }: Answer) => {
      waiting.get(id)?.resolve(isRight);
      waiting.delete(id);
    });
    started.on('error', end);
    started.on('exit', () => end(new Error('the thread that checks passwords has ended')));
    return started;
  };
  return {
    matches: (password, hash) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        last += 1;
        waiting.set(last, { resolve, reject });
        const question: Question = { id: last, password, hash };
        worker.postMessage(question);
      }),
    stop: () => void worker?.terminate(),
  };
}
