import { it as base, expect, vi } from 'vitest';
import type { Log } from '../../../../src/base/log.ts';
import { createOutbound } from '../../../../src/base/outbound.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { type BotOptions, createBot, TokenError } from '../../../../src/features/chat/bot.ts';
import { createFakeClock, type FakeClock } from '../../../fake-clock.ts';
import { type StandInTelegram, startStandInTelegram, TOKEN } from '../../../integration/stand-in-telegram.ts';
import { silentLog } from '../../../silent-log.ts';

/*
 * The faults of Telegram over real sockets, on a clock that the test moves.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

type World = {
  readonly telegram: StandInTelegram;
  readonly clock: FakeClock;
  readonly lines: readonly string[];
  readonly bot: ReturnType<typeof createBot>;
  /** Moves the clock in steps of a second, until it is true; returns how many seconds passed. */
  readonly after: (isTrue: () => boolean, most?: number) => Promise<number>;
};

const it = base.extend<{ readonly world: (own?: Partial<BotOptions>) => Promise<World> }>({
  world: async ({ onTestFinished }, use) => {
    await use(async (own = {}) => {
      const telegram = await startStandInTelegram();
      const fake = createFakeClock();
      /** Number of timers that run: without one, the bot waits for Telegram, and the clock stands. */
      let timers = 0;
      const clock: FakeClock = {
        ...fake,
        after: (milliseconds, callback) => {
          timers += 1;
          return fake.after(milliseconds, () => {
            timers -= 1;
            callback();
          });
        },
      };
      const lines: string[] = [];
      const write: Log['info'] = (fields, message) => lines.push(`${message} ${JSON.stringify(fields)}`);
      const ending = new AbortController();
      const bot = createBot({
        conversation: {
          commands: [
            { command: 'status', describe: () => 'What needs you', answer: async () => ({ text: '' }) },
            { command: 'month', describe: () => 'A month', answer: async () => ({ text: '' }) },
          ],
          answer: async (_, text) => ({
            ...{ text: `You said ${text}`, keys: [] },
            ...(text === '/month' && { file: { name: 'phones.csv', content: 'name;account\n' } }),
          }),
          edit: async () => undefined,
          tap: async () => ({ text: '', keys: [], replaces: false }),
        },
        readToken: async () => new Secret(TOKEN),
        outbound: createOutbound(new URL(telegram.url), { authorities: undefined, proxies: undefined }),
        ...{ apiRoot: telegram.url, chats: new Set([7]), clock, random: () => 1, signal: ending.signal },
        log: { ...silentLog, info: write, warn: write },
        ...own,
      });
      onTestFinished(() => {
        ending.abort(new Error('the test is over'));
        telegram.close();
        expect(lines.join('\n')).not.toMatch(/canary/);
      });
      void bot.run();
      const after: World['after'] = async (isTrue, most = 10_000) => {
        for (let seconds = 0; seconds < most; seconds += 1) {
          while (!isTrue() && timers === 0) await new Promise((resolve) => setImmediate(resolve));
          if (isTrue()) return seconds;
          clock.advance(SECOND);
          await new Promise((resolve) => setImmediate(resolve));
        }
        throw new Error('it never became true');
      };
      return { telegram, clock, lines, bot, after };
    });
  },
});

const count = (calls: readonly string[], method: string): number =>
  calls.filter((call) => call === method).length;

it('says once that the token is refused, and tries each ten minutes with what the file has then', async ({
  world,
}) => {
  let token = '123456:AA-canary-of-an-older-token-9876543210';
  const { telegram, lines, after } = await world({ readToken: async () => new Secret(token) });
  await vi.waitFor(() => expect(count(telegram.calls, 'getMe')).toBe(1));
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(await after(() => count(telegram.calls, 'getMe') === 2)).toBe(600);
  expect(await after(() => count(telegram.calls, 'getMe') === 3)).toBe(600);
  expect(lines).toEqual([expect.stringContaining('Telegram refuses the token (401 Unauthorized)')]);
  token = TOKEN;
  await after(() => telegram.calls.includes('getUpdates'));
  telegram.write('/status');
  expect((await telegram.next()).text).toBe('You said /status');
  expect(lines.at(-1)).toMatch(/^Telegram is responding again/);
});

it('says once that the file has no token, and tries each ten minutes', async ({ world }) => {
  const readToken = vi.fn(async (): Promise<Secret> => {
    throw new TokenError('--token-file: t cannot be read');
  });
  const { lines, after } = await world({ readToken });
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(await after(() => readToken.mock.calls.length === 3)).toBe(1_200);
  expect(lines).toHaveLength(1);
});

it('asks less and less while Telegram is away for a day, says so once, and obeys nothing of that day', async ({
  world,
}) => {
  const { telegram, clock, lines, after } = await world();
  telegram.write('/hello', { at: clock.now() });
  expect((await telegram.next()).text).toBe('You said /hello');
  await vi.waitFor(() => expect(count(telegram.calls, 'getUpdates')).toBe(3));
  telegram.isAway = true;
  telegram.write('/start of the day', { at: clock.now() });
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  const waits = [];
  for (let each = 0; each < 12; each += 1) {
    const before = telegram.refusals();
    waits.push(await after(() => telegram.refusals() > before));
  }
  expect(waits.map((wait) => Math.round(wait)).slice(-3)).toEqual([300, 300, 300]);
  clock.advance(20 * 60 * MINUTE);
  telegram.write('people who talk', { at: clock.now() - 7 * MINUTE, type: 'group' });
  for (let each = 0; each < 500; each += 1)
    telegram.write('/maintenance all 2h', { at: clock.now() - 6 * MINUTE });
  telegram.write('/status', { at: clock.now() });
  telegram.isAway = false;
  await after(() => telegram.sent.length >= 3);
  await telegram.confirmed();
  expect(telegram.sent.slice(1).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Your earlier command arrived too late/),
    'You said /status',
  ]);
  expect(lines).toEqual([
    expect.stringMatching(/^Telegram does not respond; retrying .*no response/),
    expect.stringMatching(/^Telegram is responding again/),
  ]);
});

it('gives up a message for which Telegram asks for more than a minute', async ({ world }) => {
  const { telegram, bot, lines } = await world();
  await vi.waitFor(() => expect(telegram.calls).toContain('getUpdates'));
  telegram.error = { code: 429, description: 'Too Many Requests', retryAfter: 600, times: 1 };
  expect(await bot.send(7, { text: 'hello' })).toBe(false);
  expect(lines).toEqual([expect.stringMatching(/^Telegram refused a message .*429 Too Many Requests/)]);
});

it('logs once that a chat does not take its messages', async ({ world }) => {
  const { telegram, bot, lines } = await world();
  await vi.waitFor(() => expect(telegram.calls).toContain('getUpdates'));
  telegram.error = { code: 403, description: 'Forbidden: bot was blocked by the user', times: 5 };
  for (let each = 0; each < 5; each += 1) expect(await bot.send(7, { text: 'hello' })).toBe(false);
  expect(lines).toHaveLength(1);
});

const SUPERGROUP = -1_004_002;

it.for<[string, (telegram: StandInTelegram) => void]>([
  [
    'a message of the old group says so',
    ({ add }) =>
      add({
        message: {
          ...{ message_id: 1, date: 0, chat: { id: -4_002, type: 'group' } },
          migrate_to_chat_id: SUPERGROUP,
        },
      }),
  ],
  [
    'a message of the new one says so',
    ({ add }) =>
      add({
        message: {
          ...{ message_id: 1, date: 0, chat: { id: SUPERGROUP, type: 'supergroup' } },
          migrate_from_chat_id: -4_002,
        },
      }),
  ],
])('follows an allowed group that became a supergroup, where %s', async ([, tell], { world }) => {
  const languageOf = (chat: number) => (chat === -4_002 ? 'uk' : undefined);
  const { telegram, lines, clock } = await world({ chats: new Set([-4_002]), languageOf });
  telegram.moved = new Map();
  telegram.write('/status', { chat: -4_002, type: 'group', at: clock.now() });
  expect((await telegram.next()).chat).toBe(-4_002);
  telegram.moved = new Map([[-4_002, SUPERGROUP]]);
  tell(telegram);
  const said = await telegram.next();
  expect([said.chat, said.text]).toEqual([
    SUPERGROUP,
    expect.stringMatching(/ -1004002\..*--chats.*Alertmanager/),
  ]);
  telegram.write('/status', { chat: SUPERGROUP, type: 'supergroup', at: clock.now() });
  expect((await telegram.next()).chat).toBe(SUPERGROUP);
  expect(lines).toHaveLength(1);
  // It keeps its language.
  const chat = { id: SUPERGROUP, type: 'supergroup' };
  const from = { id: 1, is_bot: false, first_name: 'Anna' };
  const alert = {
    text: '[CRITICAL] …\n/ack_1764288123',
    from: { id: 2, is_bot: true, first_name: 'Alerts' },
  };
  telegram.add({ message: { message_id: 9, date: 0, chat, from, sticker: {}, reply_to_message: alert } });
  expect((await telegram.next()).text).toMatch(/^Я зберігаю лише текст/);
});

it('learns at its start, and from what it sends, that an allowed group has another number', async ({
  world,
}) => {
  const { telegram, bot } = await world({ chats: new Set([-4_002]) });
  telegram.moved = new Map([[-4_002, SUPERGROUP]]);
  await vi.waitFor(() => expect(telegram.calls).toContain('getUpdates'));
  expect(await bot.send(-4_002, { text: 'Good morning.' })).toBe(true);
  await vi.waitFor(() => expect(telegram.sent).toHaveLength(2));
  expect(telegram.sent.map(({ chat }) => chat)).toEqual([SUPERGROUP, SUPERGROUP]);
});

it('follows no group that is not allowed', async ({ world }) => {
  const { telegram, clock } = await world();
  telegram.add({
    message: {
      ...{ message_id: 1, date: 0, chat: { id: SUPERGROUP, type: 'supergroup' } },
      migrate_from_chat_id: -4_002,
    },
  });
  telegram.write('/status', { chat: SUPERGROUP, type: 'supergroup', at: clock.now() });
  await telegram.confirmed();
  expect(telegram.sent).toEqual([]);
});

it('sends an answer again where the connection broke or the server failed', async ({ world }) => {
  const { telegram, bot, after } = await world();
  await vi.waitFor(() => expect(telegram.calls).toContain('getUpdates'));
  telegram.resets = 1;
  const broken = bot.send(7, { text: 'one' });
  await after(() => telegram.sent.length === 1);
  expect(await broken).toBe(true);
  telegram.error = { code: 502, description: 'Bad Gateway', times: 2 };
  const failed = bot.send(7, { text: 'two' });
  await after(() => telegram.sent.length === 2);
  expect(await failed).toBe(true);
});

it('answers an update without a number not for ever, and says so once', async ({ world }) => {
  const { telegram, lines } = await world();
  telegram.add({
    update_id: null,
    message: { message_id: 1, date: 0, chat: { id: 7, type: 'private' } },
  });
  await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('an update without update_id')]));
  expect(telegram.sent).toEqual([]);
});

it('answers an update once that comes twice', async ({ world }) => {
  const { telegram, clock } = await world();
  const message = { message_id: 1, date: clock.now() / SECOND, chat: { id: 7, type: 'private' } };
  for (const text of ['/status', '/status', '/month'])
    telegram.add({ update_id: text === '/month' ? 501 : 500, message: { ...message, text } });
  expect((await telegram.next()).text).toBe('You said /status');
  expect((await telegram.next()).text).toBe('You said /month');
});

it('ignores other bots, but no administrator of a group who is anonymous', async ({ world }) => {
  const { telegram, clock } = await world({ chats: new Set([-5]) });
  const chat = { id: -5, type: 'supergroup' };
  const message = { message_id: 1, date: clock.now() / SECOND, chat, text: '/status' };
  const from = { id: 9, is_bot: true, first_name: 'Other' };
  telegram.add({ message: { ...message, from } });
  telegram.add({ message: { ...message, from, text: '/month', sender_chat: chat } });
  expect((await telegram.next()).text).toBe('You said /month');
});

it.for([
  ['an anonymous administrator', {}, 'an administrator of Farm'],
  ['one who signs', { author_signature: 'Olena' }, 'Olena (Farm)'],
  ['somebody who writes as a channel', { sender_chat: { id: -9, title: 'Owner' } }, 'Owner'],
] as const)('names %s', async ([, more, name], { world }) => {
  const names: string[] = [];
  const { telegram, clock } = await world({
    chats: new Set([-5]),
    conversation: {
      commands: [{ command: 'status', describe: () => '', answer: async () => ({ text: '' }) }],
      answer: async (_, text, who) => {
        names.push(who);
        return { text, keys: [] };
      },
      edit: async () => undefined,
      tap: async () => ({ text: '', keys: [], replaces: false }),
    },
  });
  const chat = { id: -5, type: 'supergroup', title: 'Farm' };
  const from = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };
  const message = { message_id: 1, date: clock.now() / SECOND, chat, from, text: '/status' };
  telegram.add({ message: { ...message, sender_chat: chat, ...more } });
  await telegram.next();
  expect(names).toEqual([name]);
});

it('sends to General without a number, and leaves alone what a channel forwards to its group', async ({
  world,
}) => {
  const { telegram, bot, clock } = await world();
  await vi.waitFor(() => expect(telegram.calls).toContain('getUpdates'));
  expect(await bot.send(7, { text: 'hello' }, 1)).toBe(true);
  expect(telegram.sent.map(({ thread }) => thread)).toEqual([undefined]);
  telegram.add({
    message: {
      ...{ message_id: 2, date: clock.now() / SECOND, chat: { id: 7, type: 'supergroup' }, text: '/status' },
      ...{ is_automatic_forward: true, sender_chat: { id: -9, type: 'channel', title: 'Alerts' } },
    },
  });
  telegram.write('/month', { at: clock.now() });
  await telegram.confirmed();
  expect(telegram.sent.map(({ text }) => text)).not.toContain('You said /status');
});

it('sends a file behind its text', async ({ world }) => {
  const { telegram } = await world();
  telegram.write('/month');
  const messages = [await telegram.next(), await telegram.next()];
  expect(messages.map(({ method, chat, text }) => [method, chat, text])).toEqual([
    ['sendMessage', 7, 'You said /month'],
    ['sendDocument', 7, 'phones.csv: name;account\n'],
  ]);
});

it('answers plain words in a private chat, and a reply to an alert that a person has forwarded', async ({
  world,
}) => {
  const { telegram, clock } = await world({ chats: new Set([-5, 7]) });
  telegram.write('hello', { type: 'private', at: clock.now() });
  expect((await telegram.next()).text).toBe('You said hello');
  const from = { id: 1, is_bot: false, first_name: 'Anna' };
  const forward_origin = { type: 'channel', date: 0, chat: { id: -9, type: 'channel' }, message_id: 1 };
  const reply_to_message = { text: '[CRITICAL] …\n/ack_1764288123', from, forward_origin };
  const chat = { id: -5, type: 'group' };
  telegram.add({ message: { message_id: 10, chat, from, text: 'fuse replaced', reply_to_message } });
  expect((await telegram.next()).text).toBe('You said fuse replaced');
});
