import type { Answer } from '../answer.ts';
import { encode, type Message } from '../message.ts';
import type { Occasion } from './fault.ts';
import type { ActingFault } from './switchboard.ts';

/** Makes the message of an answer, letting the faults act on the data first and then on the bytes. */
export function spoil(
  answer: Answer,
  acting: readonly ActingFault[],
  situation: Omit<Occasion, 'count'>,
): Message {
  let answered = answer;
  for (const { fault, count } of acting) {
    if ('onAnswer' in fault) answered = fault.onAnswer(answered, { ...situation, count });
  }
  let message = encode(answered, situation.now);
  for (const { fault, count } of acting) {
    if ('onMessage' in fault) message = fault.onMessage(message, { ...situation, count });
  }
  return message;
}
