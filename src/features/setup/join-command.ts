import type { Command, Io } from '../../cli/command.ts';
import { parseUrl } from '../../cli/own-exporter.ts';
import { parseArguments } from '../../config/flags.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { onOff, type ParseResult, parsedText } from '../../config/values.ts';
import { type Daemon, findDaemon, KINDS, type Kind } from './daemon.ts';
import { applyJoin, findLacking, planJoin } from './join.ts';
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

/** `setup join plan KIND`, `setup join apply KIND`, and `setup join check`. */
export const join: Command = {
  options: OPTIONS,
  takesSettings: false,
  run: async ([word, ...argv], io) => {
    const isCheck = word === 'check';
    const kind = isCheck ? undefined : KINDS.find((each) => each === argv[0]);
    if (!isCheck && (kind === undefined || (word !== 'plan' && word !== 'apply')))
      throw new ConfigError([
        'setup join: expected plan or apply, with prometheus or alertmanager, or check',
      ]);
    const { options } = parseArguments(isCheck ? argv : argv.slice(1), OPTIONS, undefined);
    return await withTalk(io, false, async (talk) => {
      const directory = directoryOf(options.directory);
      const daemons = {
        prometheus: await find('prometheus', options.prometheus, io),
        alertmanager: await find('alertmanager', options.alertmanager, io),
      };
      const { secret = '' } = await readAnswers(directory);
      const context = { talk, daemons, directory, secret };
      if (kind === undefined) return await check(await findLacking(context, io.clock), io);
      if (word === 'plan') await planJoin(kind, context, options.yes);
      else await applyJoin(kind, context, options.reload, io.clock);
      return 0;
    });
  },
};

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

async function check(lacking: readonly string[], { printError }: Io): Promise<0 | 1> {
  if (lacking.length === 0) return 0;
  printError(`
Add what is missing and reload. Where it asked whether to add lines, you may run the command again instead, and say yes (--yes without a terminal).
No alert can arrive yet: your configuration lacks ${lacking.join(', ')}.
`);
  return 1;
}
