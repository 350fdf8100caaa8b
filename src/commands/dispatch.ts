import { KeyError } from '../api-key.ts';
import { ConfigError, nearest, showText } from '../config/messages.ts';
import type { Command, ExitCode } from './command.ts';
import { COMMANDS, help } from './commands.ts';
import type { Io } from './io.ts';

/** Does what a command line asks for. Rejects only where something is wrong with this program. */
export async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [word] = argv;
  const isFlag = word === undefined || word.startsWith('-');
  const chosen = isFlag ? COMMANDS[0] : COMMANDS.find(({ name }) => name === word);
  if (chosen === undefined) return refuse([unknownCommand(word ?? '')], io);
  const flags = isFlag ? argv : argv.slice(1);
  if (flags.includes('--help') || flags.includes('-h')) {
    await io.print(help(isFlag ? undefined : chosen));
    return 0;
  }
  if (flags.includes('--version')) {
    await io.print(
      `hoster-exporter ${io.build.version} (revision ${io.build.revision}, Node.js ${io.build.nodeVersion})\n`,
    );
    return 0;
  }
  return attempt(chosen, flags, io);
}

async function attempt(chosen: Command, flags: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await chosen.run(flags, io);
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error.problems, io);
    if (error instanceof KeyError) return refuse([error.message], io);
    throw error;
  }
}

function unknownCommand(word: string): string {
  const names = COMMANDS.map(({ name }) => name);
  const meant = nearest(word, names);
  const hint = meant === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${meant}?`;
  return `got the command ${showText(word)}: ${hint}`;
}

function refuse(problems: readonly string[], io: Io): ExitCode {
  for (const problem of problems) io.complain(`hoster-exporter: ${problem}\n`);
  return 2;
}
