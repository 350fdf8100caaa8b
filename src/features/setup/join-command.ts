import { execFile } from 'node:child_process';
import { type Command, defineCommand, type ExitCode, type Io } from '../../cli/command.ts';
import { parseUrl } from '../../cli/own-exporter.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { onOff, type ParseResult, parsedText } from '../../config/values.ts';
import { type Daemon, findDaemon, isKind, type Kind } from './daemon.ts';
import { applyJoin, findLacking, type JoinContext, type Machine, planJoin } from './join.ts';
import { readAnswers } from './setup.ts';
import { DIRECTORY, directoryOf, withTalk } from './talk.ts';

/*
 * `setup join`: adds the exporter to a Prometheus or an Alertmanager that is there. install.sh runs it after `setup`.
 */

/** A process, or the address of a daemon that this project installs. */
type Reference = number | URL;

const REFERENCE = 'the number of a process, or an address such as http://127.0.0.1:9090';

function parseReference(text: string): ParseResult<Reference> {
  return /^\d+$/.test(text) ? { value: Number(text) } : parseUrl(text);
}

const reference = (kind: string, port: number) =>
  setting(parsedText(REFERENCE, parseReference), {
    description: `Process of the ${kind} that is there, or the address of one that install.sh installs.`,
    default: `http://127.0.0.1:${port}`,
  });

const OPTIONS = {
  directory: DIRECTORY,
  prometheus: reference('Prometheus', 9090),
  alertmanager: reference('Alertmanager', 9093),
  yes: setting(onOff, { description: 'Add the lines without a question.', default: false }),
  reload: setting(onOff, { description: 'Load files that are new.', default: false }),
};

type Options = Parameters<Parameters<typeof defineCommand<typeof OPTIONS>>[0]['run']>[0]['options'];

const command = (work: (context: JoinContext, options: Options, io: Io) => Promise<ExitCode>): Command =>
  defineCommand({
    options: OPTIONS,
    takesSettings: false,
    run: async ({ options }, io) =>
      await withTalk(io, false, async (talk) => {
        const directory = directoryOf(options.directory);
        const daemons = {
          prometheus: await find('prometheus', options.prometheus, io),
          alertmanager: await find('alertmanager', options.alertmanager, io),
        };
        const { secret = '' } = await readAnswers(directory);
        return await work({ talk, daemons, directory, secret }, options, io);
      }),
  });

async function find(kind: Kind, given: Reference, { environment }: Io): Promise<Daemon> {
  if (given instanceof URL) return { url: given.href.replace(/\/$/, '') };
  try {
    return await findDaemon(kind, given, environment['PATH'] ?? '');
  } catch {
    throw new ConfigError([
      `--${kind}: ${given} is no process of ${kind === 'prometheus' ? 'a Prometheus' : 'an Alertmanager'} that this user may look at: run it as root, after a look at \`ps ax\``,
    ]);
  }
}

const plan = (kind: Kind) =>
  command(async (context, { yes }) => {
    await planJoin(kind, context, yes);
    return 0;
  });

const apply = (kind: Kind) =>
  command(async (context, { reload }, { clock }) => {
    await applyJoin(kind, context, reload, { ...MACHINE, clock });
    return 0;
  });

const MACHINE: Pick<Machine, 'run' | 'hangUp'> = {
  run: (program, argv) =>
    new Promise((resolve) => {
      execFile(program, argv, (error, out, err) => resolve({ isFine: error === null, output: out + err }));
    }),
  hangUp: (pid) => process.kill(pid, 'SIGHUP'),
};

const check = command(async (context, _, io) => {
  const lacking = await findLacking(context, io.clock);
  if (lacking.length === 0) return 0;
  io.printError(`
Add what is missing and reload. Where it asked whether to add lines, you may run the command again instead, and say yes (--yes without a terminal).
No alert can arrive yet: your configuration lacks ${lacking.join(', ')}.
`);
  return 1;
});

/** `setup join plan KIND`, `setup join apply KIND`, and `setup join check`. */
export const join: Command = {
  options: OPTIONS,
  takesSettings: false,
  run: async ([word, ...argv], io) => {
    if (word === 'check') return await check.run(argv, io);
    const [kind = '', ...others] = argv;
    if ((word !== 'plan' && word !== 'apply') || !isKind(kind))
      throw new ConfigError([
        'setup join: expected plan or apply, with prometheus or alertmanager, or check',
      ]);
    return await (word === 'plan' ? plan : apply)(kind).run(others, io);
  },
};
