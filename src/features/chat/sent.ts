import * as z from 'zod';
import { readErrorText, readOptional } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { parseJson } from '../../model/text.ts';
import { replaceWhole } from '../../state/file.ts';

/*
 * A file with the language of each chat, and the dates of its last morning message and reports, so that a restart sends what was
 * missed, and nothing twice.
 */

export type SentDates = {
  /** Reads the dates by chat and kind; undefined if they cannot be kept. */
  readonly load: () => Promise<ReadonlyMap<string, string> | undefined>;
  readonly save: (dates: ReadonlyMap<string, string>) => Promise<void>;
};

type ChatState = SentDates & {
  /** Returns the language of a chat; undefined if it has none of its own. */
  readonly languageOf: (chat: number) => string | undefined;
  readonly setLanguage: (chat: number, language: string) => Promise<void>;
};

const FILE = z.object({
  version: z.literal(1),
  sent: z.record(z.string(), z.iso.date()),
  languages: z.record(z.string(), z.string()).optional(),
});

export function createSentDates(path: string, log: Log): ChatState {
  let isFailing = false;
  let sent: ReadonlyMap<string, string> = new Map();
  let languages: ReadonlyMap<string, string> = new Map();
  const write = async (): Promise<boolean> => {
    try {
      const state = {
        version: 1,
        sent: Object.fromEntries(sent),
        ...(languages.size > 0 && { languages: Object.fromEntries(languages) }),
      };
      await replaceWhole(path, [`${JSON.stringify(state)}\n`]);
      isFailing = false;
      return true;
    } catch (error) {
      const problem = { path, reason: readErrorText(error) };
      if (!isFailing) log.warn(problem, 'cannot remember which reports were sent: set --state-file');
      isFailing = true;
      return false;
    }
  };
  return {
    load: async () => {
      const text = await readOptional(path).catch((error: unknown) => {
        log.warn({ path, reason: readErrorText(error) }, 'cannot read which reports were sent');
        return undefined;
      });
      const { data } = FILE.safeParse(parseJson(text ?? ''));
      sent = new Map(Object.entries(data?.sent ?? {}));
      languages = new Map(Object.entries(data?.languages ?? {}));
      return (await write()) ? sent : undefined;
    },
    save: async (dates) => {
      sent = dates;
      await write();
    },
    languageOf: (chat) => languages.get(String(chat)),
    setLanguage: async (chat, language) => {
      languages = new Map(languages).set(String(chat), language);
      await write();
    },
  };
}
