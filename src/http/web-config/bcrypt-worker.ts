import { parentPort } from 'node:worker_threads';
import { bcryptMatches, type PasswordCheck } from './bcrypt.ts';

parentPort?.on('message', ({ password, hash }: PasswordCheck) => {
  parentPort?.postMessage(bcryptMatches(password, hash));
});
