import { KeyError } from '../base/api-key.ts';
import { optionsHelp, programFlagsHelp, requestedInformation, settingsHelp } from '../config/flags.ts';
import { ConfigError, nearest, showText } from '../config/messages.ts';
import type { Command, ExitCode, Io, ListedCommand } from './command.ts';

/** The daemon, the default command. */
const RUN: ListedCommand = {
  name: 'run',
  summary: 'Runs the daemon, which polls the accounts and serves metrics and the fleet page (default).',
  endsWhenInterrupted: true,
  load: async () => (await import('./run.ts')).run,
};

const CHECKS: readonly ListedCommand[] = [
  {
    name: 'check',
    summary: 'Validates the configuration, sends a request to each endpoint, and prints the results.',
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'once',
    summary: 'Polls everything once and prints the metrics. Fails if a poll fails.',
    load: async () => (await import('./once.ts')).once,
  },
];

const HEALTHCHECK: ListedCommand = {
  name: 'healthcheck',
  summary: 'Checks the health of the daemon on this machine, for containers. A 401 counts as healthy.',
  load: async () => (await import('./healthcheck.ts')).healthcheck,
};

function commandsOf({ features }: Pick<Io, 'features'>): readonly ListedCommand[] {
  return [RUN, ...CHECKS, ...features.flatMap(({ commands = [] }) => commands), HEALTHCHECK];
}

/** Runs a command line. Rejects only if there is a bug. */
export async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [word] = argv;
  const isFlag = word === undefined || word.startsWith('-');
  const commands = commandsOf(io);
  const command = isFlag ? RUN : commands.find(({ name }) => name === word);
  if (command === undefined) return refuse([describeUnknownCommand(word ?? '', commands)], io);
  const flags = isFlag ? argv : argv.slice(1);
  const information = requestedInformation(flags);
  if (information === 'help-all' || (information === 'help' && isFlag)) {
    await io.print(programHelp(commands, settingsHelp(io.schema.settings, information === 'help-all')));
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

function describeUnknownCommand(word: string, commands: readonly ListedCommand[]): string {
  const names = commands.map(({ name }) => name);
  const suggestion = nearest(word, names);
  const hint =
    suggestion === undefined ? `Expected one of ${names.join(', ')}` : `Did you mean ${suggestion}?`;
  return `unknown command ${showText(word)}. ${hint}`;
}

function refuse(problems: readonly string[], io: Io): ExitCode {
  for (const problem of problems) io.printError(`hoster-exporter: ${problem}\n`);
  return 2;
}

function programHelp(commands: readonly ListedCommand[], settings: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
  return `Usage: hoster-exporter [command] [flags]\n\nCommands:\n${list}\nFlags:\n${settings}`;
}

function commandHelp({ name, summary }: ListedCommand, { options, takesSettings = true }: Command): string {
  const optionsText = optionsHelp(options);
  return [
    `Usage: hoster-exporter ${name} [flags]\n\n${summary}\n`,
    optionsText === '' ? '' : `\nOptions of ${name}:\n${optionsText}`,
    `\nFlags:\n${programFlagsHelp(takesSettings)}`,
    takesSettings ? '\nAll settings of the daemon are accepted too: see hoster-exporter --help-all.\n' : '',
  ].join('');
}
