import { KeyError } from '../api-key.ts';
import { optionsHelp, programFlagsHelp, settingsHelp } from '../config/flags.ts';
import { ConfigError, nearest, showText } from '../config/messages.ts';
import { check } from './check.ts';
import type { Command, ExitCode, Io } from './command.ts';
import { demo } from './demo.ts';
import { demoHistory } from './demo-history.ts';
import { hashPassword } from './hash-password.ts';
import { healthcheck } from './healthcheck.ts';
import { once } from './once.ts';
import { plan } from './plan.ts';
import { rules } from './rules.ts';
import { run } from './run.ts';
import { simulate } from './simulate.ts';

/** All commands, in the order of the help; the first one is the default. */
const COMMANDS: readonly [Command, ...Command[]] = [
  run,
  check,
  once,
  plan,
  demo,
  demoHistory,
  simulate,
  healthcheck,
  hashPassword,
  rules,
];

/** Runs the command of a command line. Rejects only on a bug in this program. */
export async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [word] = argv;
  const isFlag = word === undefined || word.startsWith('-');
  const command = isFlag ? COMMANDS[0] : COMMANDS.find(({ name }) => name === word);
  if (command === undefined) return refuse([describeUnknownCommand(word ?? '')], io);
  const flags = isFlag ? argv : argv.slice(1);
  if (flags.includes('--help') || flags.includes('-h')) {
    await io.print(helpText(isFlag ? undefined : command));
    return 0;
  }
  if (flags.includes('--version')) {
    const { version, revision, nodeVersion } = io.build;
    await io.print(`hoster-exporter ${version} (revision ${revision}, Node.js ${nodeVersion})\n`);
    return 0;
  }
  try {
    return await command.run(flags, io);
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error.problems, io);
    if (error instanceof KeyError) return refuse([error.message], io);
    throw error;
  }
}

function describeUnknownCommand(word: string): string {
  const names = COMMANDS.map(({ name }) => name);
  const suggestion = nearest(word, names);
  const hint =
    suggestion === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${suggestion}?`;
  return `got the command ${showText(word)}: ${hint}`;
}

function refuse(problems: readonly string[], io: Io): ExitCode {
  for (const problem of problems) io.complain(`hoster-exporter: ${problem}\n`);
  return 2;
}

/** Returns the help of one command, or of the program. */
function helpText(command: Command | undefined): string {
  if (command === undefined) {
    return `Usage: hoster-exporter [command] [flags]\n\nCommands:\n${commandList()}\nFlags:\n${settingsHelp()}`;
  }
  const { name, summary, takesSettings = true } = command;
  const options = optionsHelp(command.options);
  return [
    `Usage: hoster-exporter ${name} [flags]\n\n${summary}\n`,
    options === '' ? '' : `\nOptions of ${name}:\n${options}`,
    `\nFlags:\n${programFlagsHelp(takesSettings)}`,
    takesSettings ? '\nIt takes the settings of the daemon too: hoster-exporter --help lists them.\n' : '',
  ].join('');
}

function commandList(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
}
