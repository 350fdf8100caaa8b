import { Api, GrammyError, HttpError } from 'grammy';
import { type Outbound, reasonOf } from './outbound.ts';
import type { Secret } from './secret.ts';

/** Seconds that we wait for Telegram: more than it waits for an update. */
const TIMEOUT_SECONDS = 65;

/** A token as @BotFather gives it. */
export const TOKEN = /^\d{1,20}:[\w-]{1,200}$/;

export type BotApi = {
  /** Address without a trailing slash. */
  readonly apiRoot: string;
  readonly outbound: Outbound;
};

/** Options with which grammY calls `fetch`. */
type FetchOptions = Required<
  Pick<Parameters<Outbound['request']>[0], 'method' | 'headers' | 'body' | 'signal'>
>;

export function connectApi(token: Secret, { apiRoot, outbound }: BotApi): Api {
  return new Api(token.reveal(), {
    apiRoot,
    timeoutSeconds: TIMEOUT_SECONDS,
    fetch: async (url: string, { method, headers, body, signal }: FetchOptions) => {
      const path = new URL(url).pathname;
      const response = await outbound.request({ path, method, headers, body, signal });
      const { statusCode: error_code } = response;
      // Servers in front of Telegram answer with an HTML page. The status then becomes the error.
      const failed = { ok: false, error_code, description: `HTTP ${error_code}` };
      return { json: () => response.body.json().catch(() => failed) };
    },
  });
}

/** Returns the number of a topic in the form Telegram expects. General, which links call 1, has none. */
export function threadOf(topic: number | undefined): number | undefined {
  return topic === undefined || topic < 2 ? undefined : topic;
}

/** Tries a chat and its topic: sends a silent message and deletes it. Rejects if Telegram refuses it. */
export async function tryChat(api: Api, chat: number, topic: number | undefined): Promise<void> {
  const thread = threadOf(topic);
  const { message_id: id } = await api.sendMessage(chat, 'Test: messages of hoster-exporter arrive here.', {
    disable_notification: true,
    ...(thread !== undefined && { message_thread_id: thread }),
  });
  await api.deleteMessage(chat, id).catch(() => undefined);
}

/** Returns the reason for a failure in a few words, without the request's address, which contains the token. */
export function failureText(error: unknown): string {
  if (error instanceof GrammyError) {
    const { error_code: code, description, parameters } = error;
    const next = parameters.migrate_to_chat_id;
    return `${code} ${description}${next === undefined ? '' : `: its number is ${next} now`}`;
  }
  if (!(error instanceof HttpError)) return error instanceof Error ? error.message : 'no reason given';
  const { error: cause } = error;
  return cause instanceof Error && 'code' in cause ? `no response (${reasonOf(cause)})` : 'no response';
}

/** Returns why Telegram refused something, and the group's new number if it has one; no code if it did not respond. */
export function refusalOf(error: unknown) {
  const isRefusal = error instanceof GrammyError;
  return {
    code: isRefusal ? error.error_code : undefined,
    reason: isRefusal ? error.description : failureText(error),
    movedTo: nextChatOf(error),
  };
}

/** Returns the new ID of a group that became a supergroup, if the error names one. */
export function nextChatOf(error: unknown): number | undefined {
  return error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
}
