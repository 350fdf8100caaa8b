import { systemClock } from '../src/base/clock.ts';
import { isReadableByAll, readRegularFile } from '../src/base/files.ts';
import { createLog } from '../src/base/log.ts';
import { dispatch } from '../src/cli/dispatch.ts';
import { cronScheduler } from '../src/poll/schedule.ts';
import { dependenciesOf } from './dependencies.ts';

export type CommandResult = { readonly code: number; readonly out: string; readonly error: string };

/** Runs a command to its end in this process, with real time and real connections, and returns its output. */
export async function runCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  let out = '';
  let error = '';
  const printError = (text: string): void => {
    error += text;
  };
  const code = await dispatch(argv, {
    ...dependenciesOf(),
    scheduler: cronScheduler(systemClock, () => 0.5),
    print: async (text) => {
      out += text;
    },
    printError,
    colour: false,
    environment,
    readFile: (path) => readRegularFile(path),
    isReadableByAll,
    openLog: (level, format) => createLog({ level, format, destination: { write: printError } }),
    interrupted: new Promise(() => {}),
    onHangup: () => {},
  });
  return { code, out, error };
}
