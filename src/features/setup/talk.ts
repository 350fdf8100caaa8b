import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ExitCode, Io } from '../../cli/command.ts';
import { Interrupted } from '../../cli/terminal.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { parsedText, parsePath } from '../../config/values.ts';
import type { Talk } from './questions.ts';

/*
 * What `setup` and `setup join` share: the folder of the answers, and the person at the terminal.
 */

/** An option that names a file or a folder. */
export const path = (what: string) => parsedText(what, (value) => parsePath(value, what)).optional();

export const DIRECTORY = setting(path('the path of a folder'), {
  description: 'Folder for the files that it writes; .hoster in your home by default.',
});

export function directoryOf(given: string | undefined): string {
  return resolve(given ?? join(homedir(), '.hoster'));
}

/** Does a part of `setup` that may ask a person. An interruption, or a file that cannot be used, ends it with a sentence. */
export async function withTalk(
  io: Io,
  isQuiet: boolean,
  work: (talk: Talk) => Promise<ExitCode>,
): Promise<ExitCode> {
  const terminal = await io.openTerminal?.();
  const talk: Talk = {
    prompt: terminal,
    say: async (sentence) => await io.print(`${sentence}\n`),
    environment: io.environment,
    readFile: io.readFile,
    isQuiet,
  };
  try {
    return (await Promise.race([work(talk), io.interrupted])) ?? 1;
  } catch (error) {
    if (error instanceof Error && 'path' in error && 'code' in error)
      throw new ConfigError([
        `${error.path}: cannot be read or written (${error.code}): name another --directory`,
      ]);
    if (!(error instanceof Interrupted)) throw error;
    io.printError('\nInterrupted. Nothing was written: run the same command again.\n');
    return 1;
  } finally {
    terminal?.close();
  }
}
