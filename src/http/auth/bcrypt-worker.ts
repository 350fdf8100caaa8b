import { parentPort } from 'node:worker_threads';
import { matches } from './bcrypt.ts';

/*
 * The thread in which passwords are checked (bcrypt-thread.ts).
 */

export type Question = { readonly id: number; readonly password: string; readonly hash: string };
export type Answer = { readonly id: number; readonly isRight: boolean };

parentPort?.on('message', ({ id, password, hash }: Question) => {
  const answer: Answer = { id, isRight: matches(password, hash) };
  parentPort?.postMessage(answer);
});
