import { createAnswers } from '../prepared-answers.ts';

/**
 * Handlers each message with the answers to the next poll. In a process of its own: a marketplace in the heap that is
 * measured would be looked at whenever that collects its garbage. Parameters: phones, a seed, and the file that the
 * bodies go to.
 */
const [phones, seed, file = ''] = process.argv.slice(2);
const next = createAnswers(Number(phones), Number(seed), file);

process.on('message', () => process.send?.(next()));
