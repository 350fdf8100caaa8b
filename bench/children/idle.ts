import { watchDelay } from '../measure.ts';
import { answerQuestions } from './answers.ts';

/** Does nothing: how late its event loop is, is the machine's doing. */
const delay = watchDelay();

answerQuestions({ delay: async () => [await delay.longest()] });
