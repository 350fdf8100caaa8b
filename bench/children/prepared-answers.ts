import { createAnswers } from '../prepared-answers.ts';

/**
 * Answers each message with the answers to the next poll. In a process of its own: a marketplace in the heap that is
 * measured would be looked at whenever that collects its garbage. Parameters: phones, and a seed.
 */
const [phones = 0, seed = 0] = process.argv.slice(2).map(Number);
const next = createAnswers(phones, seed);

process.on('message', () => process.send?.(next()));
