import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/*
 * A stand-in for the Bot API over real sockets, as https://core.telegram.org/bots/api says: `getUpdates` returns what was not
 * confirmed, and an offset confirms all before it, and ends without an update after its timeout; of two callers at a time the
 * first gets 409; 429 carries `retry_after`; a message that is sent is the answer; the topic General has no number that may be
 * sent.
 */

export const TOKEN = '123456:AA-canary-of-the-token-0123456789abc';

/** A message that the bot has sent or edited. */
export type Sent = {
  readonly method: string;
  readonly chat: number;
  readonly id: number;
  readonly thread: number | undefined;
  readonly text: string;
  readonly entities: readonly { readonly type: string; readonly offset: number; readonly length: number }[];
  readonly buttons: readonly { readonly text: string; readonly callback_data: string }[];
};

/** What a test lets Telegram answer. */
type Answers = {
  token: string;
  /** Each request gets this error while it is set; `times` counts it down. */
  error:
    | {
        readonly code: number;
        readonly description: string;
        readonly retryAfter?: number;
        times: number;
      }
    | undefined;
  /** Connections are closed without a response. */
  isAway: boolean;
  webhook: string;
  /** Groups that became supergroups: their old numbers and the new ones. */
  moved: ReadonlyMap<number, number>;
  /** So many messages end with the connection, before Telegram has them. */
  resets: number;
  /** The chats that it knows, besides that of Anna (7): a group with topics has their numbers, without General. */
  chats: ReadonlyMap<
    number,
    { readonly type: string; readonly title: string; readonly topics?: readonly number[] }
  >;
};

export type StandInTelegram = Answers & {
  readonly url: string;
  readonly sent: readonly Sent[];
  /** Names of all methods that were called. */
  readonly calls: readonly string[];
  /** Number of connections that were closed without a response. */
  readonly refusals: () => number;
  /** A person writes. `at` is in milliseconds since 1970. */
  readonly write: (text: string, from?: { chat?: number; at?: number; type?: string }) => void;
  /** A person replies to a message of the bot, or to a text of another one; `more` are fields such as a photo. */
  readonly reply: (
    to: Sent | string,
    text: string | undefined,
    more?: object,
    from?: { chat?: number; at?: number; type?: string; name?: string },
  ) => number;
  /** A person edits a message. */
  readonly edit: (id: number, text: string) => void;
  /** Telegram sends an update as it is given. */
  readonly add: (update: object) => void;
  /** A person taps the button whose text begins so, of the last message that has it; an old tap is refused later. */
  readonly tap: (label: string, from?: { chat?: number; isOld?: boolean }) => void;
  /** Resolves with the next message that nobody has waited for yet. */
  readonly next: () => Promise<Sent>;
  /** Resolves when everything that was written is confirmed. */
  readonly confirmed: () => Promise<void>;
  readonly close: () => void;
};

type Update = { readonly update_id: number };

const BOT = { id: 1, is_bot: true, first_name: 'Farm', username: 'FarmBot' };

/** Returns the fields of a request: JSON, or a form with a file, as which it has `filename` and `content`. */
function fieldsOf(body: string): Record<string, unknown> {
  if (body === '') return {};
  if (body.startsWith('{')) return JSON.parse(body);
  const fields: Record<string, unknown> = {};
  const part =
    /name="?([^"\r\n;]+)"?(?:; ?filename="?([^"\r\n]+)"?)?\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/g;
  for (const [, name = '', filename, content] of body.matchAll(part))
    Object.assign(fields, filename === undefined ? { [name]: content } : { filename, content });
  return fields;
}

export async function startStandInTelegram(own: Partial<Answers> = {}): Promise<StandInTelegram> {
  const answers: Answers = {
    token: TOKEN,
    error: undefined,
    isAway: false,
    webhook: '',
    moved: new Map(),
    resets: 0,
    chats: new Map(),
    ...own,
  };
  const sent: Sent[] = [];
  const calls: string[] = [];
  let updates: readonly Update[] = [];
  let lastId = 100;
  /** Numbers of messages of the bot. */
  let lastSent = 5_000;
  let taken = 0;
  let refusals = 0;
  const oldTaps = new Set<string>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const until = (isTrue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isTrue()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });

  /** The request that waits for updates. */
  let waiting: ServerResponse | undefined;
  const reply = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, code: number, description: string, parameters = {}): void =>
    reply(response, code, { ok: false, error_code: code, description, parameters });

  const getUpdates = async (response: ServerResponse, given: Record<string, unknown>): Promise<void> => {
    const { offset = 0, limit = 100, timeout = 0 } = given;
    if (answers.webhook !== '')
      return refuse(response, 409, "Conflict: can't use getUpdates method while webhook is active");
    if (waiting !== undefined)
      refuse(
        waiting,
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      );
    waiting = response;
    updates = updates.filter((update) => update.update_id >= Number(offset));
    changed();
    response.on('close', () => {
      if (waiting === response) waiting = undefined;
    });
    let isOver = Number(timeout) === 0;
    const timer = setTimeout(() => {
      isOver = true;
      changed();
    }, Number(timeout) * 1_000);
    await until(() => isOver || updates.length > 0 || waiting !== response || answers.isAway);
    clearTimeout(timer);
    if (waiting !== response) return;
    waiting = undefined;
    reply(response, 200, { ok: true, result: updates.slice(0, Number(limit)) });
  };

  const server = createServer(async (request, response) => {
    if (answers.isAway) {
      refusals += 1;
      request.socket.destroy();
      return;
    }
    const body = await text(request);
    const given = fieldsOf(body);
    const [, token, method = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(request.url ?? '') ?? [];
    calls.push(method);
    changed();
    if (token !== answers.token) return refuse(response, 401, 'Unauthorized');
    const { error } = answers;
    if (error !== undefined && error.times > 0) {
      error.times -= 1;
      return refuse(response, error.code, error.description, { retry_after: error.retryAfter });
    }
    const chat = Number(given['chat_id']);
    const next = answers.moved.get(chat);
    if (next !== undefined)
      return refuse(response, 400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: next,
      });
    if (method === 'sendMessage' && answers.resets > 0) {
      answers.resets -= 1;
      request.socket.destroy();
      return;
    }
    if (method === 'sendDocument') given['text'] = `${given['filename']}: ${given['content']}`;
    switch (method) {
      case 'getUpdates':
        return await getUpdates(response, given);
      case 'getMe':
        return reply(response, 200, {
          ok: true,
          result: BOT,
        });
      case 'getWebhookInfo':
        return reply(response, 200, { ok: true, result: { url: answers.webhook } });
      case 'getChat': {
        const known = answers.chats.get(chat);
        if (chat !== 7 && known === undefined) return refuse(response, 400, 'Bad Request: chat not found');
        const { type = 'private', title = undefined, topics } = known ?? {};
        return reply(response, 200, {
          ok: true,
          result: {
            id: chat,
            type,
            ...(topics && { is_forum: true }),
            ...(title === undefined ? { first_name: 'Anna' } : { title }),
          },
        });
      }
      case 'answerCallbackQuery':
        if (!oldTaps.has(String(given['callback_query_id']))) break;
        return refuse(
          response,
          400,
          'Bad Request: query is too old and response timeout expired or query ID is invalid',
        );
      case 'sendDocument':
      case 'sendMessage':
      case 'editMessageText': {
        if (String(given['text']).length > 4_096)
          return refuse(response, 400, 'Bad Request: message is too long');
        const thread =
          given['message_thread_id'] === undefined ? undefined : Number(given['message_thread_id']);
        const { topics, type = 'private', title } = answers.chats.get(chat) ?? {};
        if (thread !== undefined && (thread === 1 || topics?.includes(thread) === false))
          return refuse(response, 400, 'Bad Request: message thread not found');
        lastSent += 1;
        const message = sentOf(method, given, lastSent);
        sent.push(message);
        changed();
        const { id, text: said, entities } = message;
        return reply(response, 200, {
          ok: true,
          result: {
            ...{ message_id: id, date: 0, chat: { id: chat, type, title }, from: BOT, text: said, entities },
            ...(thread !== undefined && { message_thread_id: thread, is_topic_message: true }),
          },
        });
      }
    }
    return reply(response, 200, { ok: true, result: true });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const add = (update: object): void => {
    lastId += 1;
    updates = [...updates, { update_id: lastId, ...update }];
    changed();
  };
  /** What a message has besides its text, by its number. */
  const edited = new Map<number, object>();
  const from = { id: 5, is_bot: false, first_name: 'Anna' };
  return Object.assign(answers, {
    url: `http://127.0.0.1:${port}`,
    sent,
    calls,
    refusals: () => refusals,
    add,
    write: (said: string, { chat = 7, at = Date.now(), type = 'private' } = {}) =>
      add({
        message: {
          message_id: lastId,
          from,
          chat: { id: chat, type },
          date: Math.floor(at / 1000),
          text: said,
        },
      }),
    reply: (
      to: Sent | string,
      said: string | undefined,
      more = {},
      { chat = 7, at = Date.now(), type = 'private', name = 'Anna' } = {},
    ) => {
      const place = { id: chat, type };
      const quoted =
        typeof to === 'string'
          ? { message_id: 1, date: 0, chat: place, from: BOT, text: to }
          : { message_id: to.id, date: 0, chat: place, from: BOT, text: to.text, entities: to.entities };
      const date = Math.floor(at / 1000);
      add({
        message: {
          ...{ message_id: lastId, from: { ...from, first_name: name }, chat: place, date },
          ...{ reply_to_message: quoted, ...(said !== undefined && { text: said }), ...more },
        },
      });
      edited.set(lastId - 1, { from, chat: place, date, reply_to_message: quoted });
      return lastId - 1;
    },
    edit: (id: number, said: string) =>
      add({
        edited_message: {
          ...{ message_id: id, chat: { id: 7, type: 'private' }, from, date: 0 },
          ...{ ...edited.get(id), edit_date: Math.floor(Date.now() / 1000), text: said },
        },
      }),
    tap: (label: string, { chat = 7, isOld = false } = {}) => {
      const button = sent.flatMap(({ buttons }) => buttons).findLast((each) => each.text.startsWith(label));
      const id = `tap-${lastId}`;
      if (isOld) oldTaps.add(id);
      const message = { message_id: 1, chat: { id: chat, type: 'private' }, date: 0 };
      add({ callback_query: { id, from, chat_instance: 'x', message, data: button?.callback_data } });
    },
    next: async () => {
      taken += 1;
      const index = taken;
      await until(() => sent.length >= index);
      const message = sent[index - 1];
      if (message === undefined) throw new Error('no message');
      return message;
    },
    confirmed: () => until(() => updates.length === 0),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

function sentOf(method: string, given: Record<string, unknown>, id: number): Sent {
  const { chat_id: chat, text: said, entities = [], reply_markup: markup } = given;
  // The client sends JSON. The test reads the parts it needs.
  const rows = JSON.parse(JSON.stringify(markup ?? { inline_keyboard: [] })).inline_keyboard;
  const thread = given['message_thread_id'];
  return {
    method,
    id: method === 'editMessageText' ? Number(given['message_id']) : id,
    thread: thread === undefined ? undefined : Number(thread),
    chat: Number(chat),
    text: String(said),
    entities: JSON.parse(JSON.stringify(entities)),
    buttons: rows.flat(),
  };
}
