import { join, resolve } from 'node:path';
import { homeFolder } from '../../base/files.ts';
import type { ExitCode, Io } from '../../cli/command.ts';
import { Interrupted } from '../../cli/terminal.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { parsedText, parsePath } from '../../config/values.ts';
import type { Wizard } from './questions.ts';

/*
 * Shared by `setup` and `setup join`: the folder of the answers, and the terminal.
 */

/** An option with a path. */
export const path = (what: string) => parsedText(what, (value) => parsePath(value, what)).optional();

export const DIRECTORY = setting(path('the path of a folder'), {
  description: 'Folder for the written files; by default .hoster in your home folder.',
});

export function directoryOf(given: string | undefined): string {
  const home = homeFolder();
  if (given === undefined && home === undefined)
    throw new ConfigError(['this user has no home folder: name a folder for the files with --directory=…']);
  return resolve(given ?? join(home ?? '', '.hoster'));
}

/** Runs a part of `setup` at the terminal. Reports an interruption or an unusable file as a sentence. */
export async function withWizard(
  io: Io,
  isQuiet: boolean,
  work: (wizard: Wizard) => Promise<ExitCode>,
): Promise<ExitCode> {
  const terminal = await io.openTerminal?.();
  const wizard: Wizard = {
    prompt: terminal,
    print: async (sentence) => await io.print(`${sentence}\n`),
    environment: io.environment,
    readFile: io.readFile,
    isQuiet,
  };
  try {
    return (await Promise.race([work(wizard), io.interrupted])) ?? 1;
  } catch (error) {
    if (error instanceof Error && 'path' in error && 'code' in error)
      throw new ConfigError([
        `${error.path} cannot be read or written (${error.code}): choose another --directory`,
      ]);
    if (!(error instanceof Interrupted)) throw error;
    io.printError('\nInterrupted. Run the same command again to continue.\n');
    return 1;
  } finally {
    terminal?.close();
  }
}
