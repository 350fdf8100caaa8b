import { KeyError } from '../base/api-key.ts';
import { demandedInformation, optionsHelp, programFlagsHelp, settingsHelp } from '../config/flags.ts';
import { ConfigError, nearest, showText } from '../config/messages.ts';
import type { Command, ExitCode, Io } from './command.ts';

/** A command of the help, which is loaded only to run: a health check need not load the client of the API. */
type ListedCommand = {
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /** An interruption is the end that it waits for, not a failure. */
  readonly endsWhenInterrupted?: true;
  readonly load: () => Promise<Command>;
};

/** All commands, in the order of the help; the first one is the default. */
const COMMANDS: readonly [ListedCommand, ...ListedCommand[]] = [
  {
    name: 'run',
    summary: 'The daemon: polls the accounts, and serves metrics and the fleet page. The default.',
    endsWhenInterrupted: true,
    load: async () => (await import('./run.ts')).run,
  },
  {
    name: 'setup',
    summary: 'Asks for the account and where messages go, checks the answers, and writes the files.',
    load: async () => (await import('../features/setup/command.ts')).setup,
  },
  {
    name: 'check',
    summary: 'Validates the configuration, sends a request to each endpoint, and prints what works.',
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'once',
    summary: 'Polls everything once and prints the exposition; fails if a poll failed.',
    load: async () => (await import('./once.ts')).once,
  },
  {
    name: 'demo',
    summary: 'A simulated marketplace and the exporter polling it over real HTTP; needs no key.',
    endsWhenInterrupted: true,
    load: async () => (await import('../features/demo/demo.ts')).demo,
  },
  {
    name: 'simulate',
    summary: 'A simulated marketplace alone, with faults to switch on.',
    endsWhenInterrupted: true,
    load: async () => (await import('../features/demo/simulate.ts')).simulate,
  },
  {
    name: 'maintenance',
    summary: 'maintenance start, list, end ID: says which phones are worked on, to the running daemon.',
    load: async () => (await import('../features/maintenance/command.ts')).maintenance,
  },
  {
    name: 'telegram',
    summary: 'Answers in your chat in Telegram from the running daemon; --check says what works.',
    endsWhenInterrupted: true,
    load: async () => (await import('../features/chat/command.ts')).telegram,
  },
  {
    name: 'month',
    summary: 'Prints what the time of each phone went to in a month, from the running daemon or month files.',
    load: async () => (await import('../features/month/command.ts')).month,
  },
  {
    name: 'tags',
    summary: 'Prints the tags of the phones, from the running daemon; --template writes a file for them.',
    load: async () => (await import('../features/tags/command.ts')).tags,
  },
  {
    name: 'healthcheck',
    summary:
      'Checks the health of the daemon on this machine, for containers. A demand for a password counts as healthy.',
    load: async () => (await import('./healthcheck.ts')).healthcheck,
  },
];

/** Runs the command of a command line. Rejects only on a bug in this program. */
export async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [word] = argv;
  const isFlag = word === undefined || word.startsWith('-');
  const command = isFlag ? COMMANDS[0] : COMMANDS.find(({ name }) => name === word);
  if (command === undefined) return refuse([describeUnknownCommand(word ?? '')], io);
  const flags = isFlag ? argv : argv.slice(1);
  const information = demandedInformation(flags);
  if (information === 'help-all' || (information === 'help' && isFlag)) {
    await io.print(programHelp(information === 'help-all'));
    return 0;
  }
  if (information === 'help') {
    await io.print(commandHelp(command, await command.load()));
    return 0;
  }
  if (information === 'version') {
    const { version, revision, nodeVersion } = io.build;
    await io.print(`hoster-exporter ${version} (revision ${revision}, Node.js ${nodeVersion})\n`);
    return 0;
  }
  try {
    const loaded = await Promise.race([command.load(), io.interrupted]);
    if (loaded === undefined) return command.endsWhenInterrupted === true ? 0 : 1;
    return await loaded.run(flags, io);
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
  for (const problem of problems) io.printError(`hoster-exporter: ${problem}\n`);
  return 2;
}

function programHelp(all: boolean): string {
  return `Usage: hoster-exporter [command] [flags]\n\nCommands:\n${commandList()}\nFlags:\n${settingsHelp(all)}`;
}

function commandHelp({ name, summary }: ListedCommand, { options, takesSettings = true }: Command): string {
  const optionsText = optionsHelp(options);
  return [
    `Usage: hoster-exporter ${name} [flags]\n\n${summary}\n`,
    optionsText === '' ? '' : `\nOptions of ${name}:\n${optionsText}`,
    `\nFlags:\n${programFlagsHelp(takesSettings)}`,
    takesSettings
      ? '\nIt takes the settings of the daemon too: hoster-exporter --help-all lists them.\n'
      : '',
  ].join('');
}

function commandList(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
}
