import { expect, it, onTestFinished } from 'vitest';
import { askDestination, type Known } from '../../../src/setup/channels.ts';
import { startStandInTelegram, TOKEN } from '../../integration/stand-in-telegram.ts';

/** Asks a person who types these lines; returns the answer, and the questions. */
async function askWith(lines: readonly string[], earlier: Known = {}) {
  const telegram = await startStandInTelegram();
  onTestFinished(telegram.close);
  telegram.write('hello', { chat: 7 });
  const asked: string[] = [];
  const left = [...lines];
  const destination = await askDestination(earlier, {
    talk: {
      prompt: {
        ask: async (question) => {
          asked.push(question.split(/[:?] /)[0] ?? '');
          return left.shift() ?? 'nothing is left';
        },
      },
      say: async () => {},
      environment: {},
      readFile: async () => '',
      isQuiet: true,
    },
    telegramApi: new URL(telegram.url),
    networks: [{ authorities: undefined, proxies: undefined }],
  });
  return { destination, asked };
}

const QUESTIONS = [
  'Where do messages go',
  'Token of your bot, from @BotFather (nothing is shown)',
  'Number of the chat [7]',
  'Shall the bot also answer you, such as /status',
];

it('a run that keeps answers asks what nobody has answered yet, and finds the chat by itself', async () => {
  const { destination, asked } = await askWith(['telegram', TOKEN, '', 'y']);
  expect(asked).toEqual(QUESTIONS);
  expect(destination).toMatchObject({ channel: 'telegram', secret: TOKEN, chat: 7, bot_answers: true });
  expect(destination.topic).toBeUndefined();
});

it('the next run asks nothing', async () => {
  const known = { channel: 'telegram', secret: TOKEN, chat: 7, bot_answers: false } as const;
  const { destination, asked } = await askWith([], known);
  expect(asked).toEqual([]);
  expect(destination).toMatchObject(known);
});

it('a chat that is refused is asked for again, and a number can be typed', async () => {
  const { destination, asked } = await askWith(['telegram', TOKEN, '999', '7', 'n']);
  expect(asked.filter((question) => question.startsWith('Number of the chat'))).toHaveLength(2);
  expect(destination).toMatchObject({ chat: 7, bot_answers: false });
});
