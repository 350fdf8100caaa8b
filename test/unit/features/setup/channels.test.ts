import { createServer } from 'node:https';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { askDestination, type EarlierAnswers } from '../../../../src/features/setup/channels.ts';
import { createCertificate } from '../../../certificate.ts';
import { closeAll, listen } from '../../../integration/api-client.ts';
import { serveProxy } from '../../../integration/proxy.ts';
import { type StandInTelegram, startStandInTelegram, TOKEN } from '../../../integration/stand-in-telegram.ts';
import { wizardWith } from './wizard.ts';

type Chats = StandInTelegram['chats'];

/** Asks a person who types these lines; returns the answer, the questions, what was said, and what was sent. */
async function askWith(
  lines: readonly string[],
  earlier: EarlierAnswers = {},
  chats: Chats = new Map(),
  environment: Readonly<Record<string, string>> = {},
) {
  const telegram = await startStandInTelegram({ chats });
  onTestFinished(telegram.close);
  telegram.write('hello', { chat: 7 });
  const { wizard, said } = wizardWith(lines, {
    environment: { HOSTER_TELEGRAM_API: telegram.url, ...environment },
    isQuiet: true,
  });
  const destination = await askDestination(earlier, wizard, [{ authorities: undefined, proxies: undefined }]);
  const asked = said
    .filter((text) => /[:?] (?:.*\] )?$/.test(text))
    .map((text) => text.replace(/^hidden /, '').split(/[:?] /)[0] ?? '');
  return { destination, asked, said, telegram };
}

const QUESTIONS = [
  'Where should alerts be sent',
  'Your bot token, from @BotFather (hidden)',
  'Chat number [7]',
  'Should the bot also answer commands such as /status',
];

it('a run that keeps answers asks only unanswered questions, and finds the chat by itself', async () => {
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
  expect(asked.filter((question) => question.startsWith('Chat number'))).toHaveLength(2);
  expect(destination).toMatchObject({ chat: 7, bot_answers: false });
});

const GROUP = -1_008;
const FORUM: Chats = new Map([[GROUP, { type: 'supergroup', title: 'Farm', topics: [5] }]]);

it.each([
  ['1', 0],
  ['0', 0],
  ['', 0],
  ['5', 5],
])(
  'takes topic %j of a group for %d, and tries it with a message that does not stay',
  async (typed, topic) => {
    const lines = ['telegram', TOKEN, String(GROUP), typed, 'n'];
    const { destination, telegram } = await askWith(lines, {}, FORUM);
    expect(destination).toMatchObject({ chat: GROUP, topic });
    expect(telegram.sent.map(({ thread }) => thread)).toEqual([topic || undefined]);
    expect(telegram.calls.filter((call) => call === 'deleteMessage')).toHaveLength(1);
  },
);

it('asks again for a topic that Telegram refuses, and says why', async () => {
  const lines = ['telegram', TOKEN, String(GROUP), '6', '5', 'n'];
  const { destination, said } = await askWith(lines, {}, FORUM);
  expect(destination.topic).toBe(5);
  expect(said).toContain('Telegram refused topic 6: Bad Request: message thread not found.');
});

it('offers no answers in a channel, and says so, whatever a variable says', async () => {
  const channel: Chats = new Map([[-1_009, { type: 'channel', title: 'Alerts' }]]);
  const lines = ['telegram', TOKEN, '-1009'];
  const { destination, said } = await askWith(lines, {}, channel, { HOSTER_TELEGRAM_ANSWERS: 'yes' });
  expect(destination).toMatchObject({ chat: -1_009, bot_answers: false });
  expect(said).toContain('A channel gets alerts only: nobody can send the bot commands there.');
});

afterEach(closeAll);

const key = (letter: string): string => letter.repeat(30);

/** Pushover with one user and one token, as https://pushover.net/api says, behind a proxy; another token gets status 500. */
async function startPushover() {
  const authority = createCertificate({ name: 'an authority', isAuthority: true });
  const own = createCertificate({ name: 'it', hosts: ['api.pushover.net'], issuer: authority });
  const server = createServer({ cert: own.certificate, key: own.key }, async (request, response) => {
    if (request.method === 'HEAD') return response.writeHead(404, { connection: 'close' }).end();
    const { user, token } = Object(await json(request));
    const wrong = token === key('T') ? (user === key('u') ? undefined : 'user') : 'token';
    const status = token === key('F') ? 500 : wrong === undefined ? 200 : 400;
    const content =
      status === 500 ? {} : { status: wrong === undefined ? 1 : 0, ...(wrong && { [wrong]: 'invalid' }) };
    return response.writeHead(status, { connection: 'close' }).end(JSON.stringify(content));
  });
  const { port } = await serveProxy(undefined, await listen(server));
  const https = `http://127.0.0.1:${port}`;
  return { authorities: authority.certificate, proxies: { http: '', https, except: '' } };
}

it.each([
  ['a wrong user', key('x'), key('T'), [key('u'), key('T')], 'Pushover does not know this user key.'],
  ['a wrong token', key('u'), key('X'), [key('T')], 'Pushover refuses this token.'],
  ['a failure', key('u'), key('F'), ['n', key('T')], 'Pushover responds with status 500.'],
])(
  'asks a person again after %s for Pushover, whatever the variables say',
  async (_, user, token, typed, sentence) => {
    const { wizard, said, left } = wizardWith(typed, {
      environment: {
        HOSTER_CHANNEL: 'pushover',
        HOSTER_PUSHOVER_USER: user,
        HOSTER_CHANNEL_SECRET_FILE: 'token',
      },
      readFile: async () => token,
      isQuiet: true,
    });
    const network = await startPushover();
    const destination = await askDestination({}, wizard, [network]);
    expect(destination).toMatchObject({ pushover_user: key('u'), secret: key('T') });
    expect(said.filter((text) => !/[:?] (?:.*\] )?$/.test(text))).toEqual([sentence]);
    expect(left).toEqual([]);
  },
);
