import { parseArguments } from '../config/flags.ts';
import type { Shape } from '../config/settings.ts';
import type { Io } from './io.ts';

/** 0 fine, 1 failed, 2 wrong usage or configuration. */
export type ExitCode = 0 | 1 | 2;

/** A word of the command line. */
export type Command = {
  readonly name: string;
  /** What it does, in one line for the help. */
  readonly summary: string;
  /** Its own options, on top of the settings that every command takes. */
  readonly options: Shape;
  /** Throws a ConfigError or KeyError for what the person who typed it can mend. */
  readonly run: (argv: readonly string[], io: Io) => Promise<ExitCode>;
};

/** A command whose arguments are parsed by what it declares. `--help` is the business of the caller. */
export function command<Own extends Shape>(declared: {
  readonly name: string;
  readonly summary: string;
  readonly options: Own;
  readonly run: (parsed: ReturnType<typeof parseArguments<Own>>, io: Io) => Promise<ExitCode>;
}): Command {
  return { ...declared, run: (argv, io) => declared.run(parseArguments(argv, declared.options), io) };
}
