import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

/** Compares a password with a bcrypt hash. Blocks the thread: some 60 ms at cost 10, twice that for each cost above. */
export function bcryptMatches(password: string, hash: string): boolean {
  return compareSync(password, hash);
}

/** Compares passwords with hashes, away from the event loop. */
export type PasswordChecker = {
  readonly matches: (password: string, hash: string) => Promise<boolean>;
  readonly stop: () => void;
};

/** A message to bcrypt-worker.ts, which answers each with a boolean, in order. */
export type PasswordCheck = { readonly password: string; readonly hash: string };

const WORKER = new URL(`./bcrypt-worker${extname(import.meta.url)}`, import.meta.url);

const MEMORY_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 };

type Pending = { readonly resolve: (isRight: boolean) => void; readonly reject: (error: Error) => void };

/** Checks passwords in a worker thread, one after the other. The thread starts with the first check, and again if it ends. */
export function createPasswordChecker(): PasswordChecker {
  let worker: Worker | undefined;
  let pending: Pending[] = [];

  const start = (): Worker => {
    // Without the environment, which may hold the API key.
    const started = new Worker(WORKER, { env: {}, execArgv: [], resourceLimits: MEMORY_LIMITS });
    started.unref();
    const fail = (error: Error): void => {
      if (worker !== started) return;
      worker = undefined;
      const failed = pending;
      pending = [];
      for (const { reject } of failed) reject(error);
    };
    started.on('message', (isRight: boolean) => pending.shift()?.resolve(isRight));
    started.on('error', fail);
    started.on('exit', () => fail(new Error('the thread that checks passwords has ended')));
    return started;
  };
  return {
    matches: (password, hash) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        pending.push({ resolve, reject });
        const check: PasswordCheck = { password, hash };
        worker.postMessage(check);
      }),
    stop: () => void worker?.terminate(),
  };
}
