import { systemClock, yieldToEventLoop } from '../src/base/clock.ts';
import { isReadableByAll, readRegularFile } from '../src/base/files.ts';
import { createLog } from '../src/base/log.ts';
import { dispatch } from '../src/cli/dispatch.ts';
import { cronScheduler } from '../src/poll/schedule.ts';
import { dependenciesOf } from './dependencies.ts';
import { createHeard } from './heard.ts';

export type CommandResult = { readonly code: number; readonly out: string; readonly error: string };

/** Runs a command to its end in this process, with real time and real connections, and returns its output. */
export async function runCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  let out = '';
  let error = '';
  const io = ioOf(
    environment,
    (text) => {
      out += text;
    },
    (text) => {
      error += text;
    },
  );
  const code = await dispatch(argv, io);
  return { code, out, error };
}

/** A command that runs in this process until it is stopped. */
export type RunningCommand = {
  readonly output: () => string;
  /** Resolves when the command has said this. Rejects if it ends before. */
  readonly waitForOutput: (pattern: RegExp) => Promise<RegExpMatchArray>;
  readonly ended: Promise<number>;
  /** Stops it as SIGTERM does, and resolves with its exit code. */
  readonly stop: () => Promise<number>;
};

/** Starts a command in this process: without the start of Node, which costs more than most tests. */
export function startCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningCommand {
  const { hear, output, waitFor } = createHeard();
  let stop = (): void => {};
  const interrupted = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ended = dispatch(argv, { ...ioOf(environment, hear, hear), interrupted });
  return {
    output,
    waitForOutput: (pattern) =>
      waitFor(pattern, (fail) => void ended.then((code) => fail(`ended with ${code}`))),
    ended,
    stop: async () => {
      stop();
      return await ended;
    },
  };
}

function ioOf(
  environment: Readonly<Record<string, string>>,
  print: (text: string) => void,
  printError: (text: string) => void,
) {
  return {
    ...dependenciesOf(),
    yieldToEventLoop,
    scheduler: cronScheduler(systemClock, () => 0.5),
    print: async (text: string) => print(text),
    printError,
    colour: false,
    environment,
    readFile: (path: string) => readRegularFile(path),
    isReadableByAll,
    openLog: (
      level: Parameters<typeof createLog>[0]['level'],
      format: Parameters<typeof createLog>[0]['format'],
    ) => createLog({ level, format, destination: { write: printError } }),
    interrupted: new Promise<void>(() => {}),
    onHangup: () => {},
  };
}
