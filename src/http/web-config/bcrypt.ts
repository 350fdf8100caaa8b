import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';

/** Compares a password with a bcrypt hash. Blocks the thread for about 60 ms at cost 10; each cost above doubles it. */
export function bcryptMatches(password: string, hash: string): boolean {
  return compareSync(password, hash);
}

/** Compares a password with a hash, away from the event loop. */
export type PasswordChecker = {
  readonly matches: (password: string, hash: string) => Promise<boolean>;
  readonly stop: () => void;
};

/** Returns a bcrypt hash of a password for the web configuration file. */
export function bcryptHash(password: string): string {
  return hashSync(password, 10);
}

/** A message to bcrypt-worker.ts, which responds with a boolean. */
export type PasswordCheck = { readonly password: string; readonly hash: string };

const WORKER = new URL(`./bcrypt-worker${extname(import.meta.url)}`, import.meta.url);

const MEMORY_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 };

/** Checks one password at a time in a worker thread, which starts with the first check and after an error. */
export function createPasswordChecker(): PasswordChecker {
  let worker: Worker | undefined;
  const start = (): Worker => {
    // Without the environment, which may contain the API key.
    const started = new Worker(WORKER, { env: {}, execArgv: [], resourceLimits: MEMORY_LIMITS });
    started.unref();
    started.on('error', () => {
      worker = undefined;
    });
    return started;
  };
  return {
    matches: async (password, hash) => {
      worker ??= start();
      const check: PasswordCheck = { password, hash };
      worker.postMessage(check);
      const [isRight] = await once(worker, 'message');
      return isRight === true;
    },
    stop: () => void worker?.terminate(),
  };
}
