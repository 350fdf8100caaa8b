import type { Question, Reply } from '../child.ts';

/** The questions that a child process answers, by name. */
export type Answers = Readonly<
  Record<string, (...parameters: readonly number[]) => Promise<readonly number[]> | readonly number[]>
>;

/** Says that this process is ready, and answers until its parent disconnects; then the process ends. */
export function answerQuestions(answers: Answers): void {
  process.on('message', async (message: unknown) => {
    if (!isQuestion(message)) return;
    const answer = answers[message.question];
    if (answer === undefined) throw new Error(`nobody here answers ${message.question}`);
    send({ id: message.id, numbers: await answer(...message.parameters) });
  });
  process.on('disconnect', () => process.exit(0));
  send({ id: 0, numbers: [] });
}

function send(reply: Reply): void {
  process.send?.(reply);
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'question' in message && 'parameters' in message;
}
