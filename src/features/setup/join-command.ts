import type { Command, Io } from '../../cli/command.ts';
import { parseUrl } from '../../cli/own-exporter.ts';
import { parseArguments } from '../../config/flags.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { onOff, type ParseResult, parsedText } from '../../config/values.ts';
import { findDaemon, KINDS, type Kind, type LocalDaemon } from './daemon.ts';
import { applyJoin, findMissing, planJoin } from './join.ts';
import { readAnswers } from './setup.ts';
import { DIRECTORY, directoryOf, withWizard } from './wizard.ts';

/*
 * `setup join` adds the exporter to an existing Prometheus or Alertmanager. install.sh runs it after `setup`.
 */

/** A process, or the address of a daemon that install.sh installs. */
type Reference = number | URL;

const REFERENCE = 'a process ID, or an address such as http://127.0.0.1:9090';

function parseReference(text: string): ParseResult<Reference> {
  return /^\d+$/.test(text) ? { value: Number(text) } : parseUrl(text);
}

const reference = (kind: string, port: number) =>
  setting(parsedText(REFERENCE, parseReference), {
    description: `Process ID of an existing ${kind}, or the address of one that install.sh installs.`,
    default: `http://127.0.0.1:${port}`,
  });

const OPTIONS = {
  directory: DIRECTORY,
  prometheus: reference('Prometheus', 9090),
  alertmanager: reference('Alertmanager', 9093),
  yes: setting(onOff, { description: 'Add the lines without asking.', default: false }),
  reload: setting(onOff, { description: 'Reload also for new files only.', default: false }),
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
    return await withWizard(io, false, async (wizard) => {
      const directory = directoryOf(options.directory);
      const daemons = {
        prometheus: await find('prometheus', options.prometheus, io),
        alertmanager: await find('alertmanager', options.alertmanager, io),
      };
      const { secret = '' } = await readAnswers(directory);
      const context = { wizard, daemons, directory, secret };
      if (kind === undefined) return await check(await findMissing(context, io.clock), io);
      if (word === 'plan') await planJoin(kind, context, options.yes);
      else await applyJoin(kind, context, options.reload, io.clock);
      return 0;
    });
  },
};

async function find(kind: Kind, given: Reference, { environment }: Io): Promise<LocalDaemon> {
  if (given instanceof URL) return { url: given.href.replace(/\/$/, '') };
  try {
    return await findDaemon(kind, given, environment['PATH'] ?? '');
  } catch {
    throw new ConfigError([
      `--${kind}: process ${given} is not ${kind === 'prometheus' ? 'a Prometheus' : 'an Alertmanager'} that this user can inspect: check \`ps ax\`, and run it as root`,
    ]);
  }
}

async function check(missing: readonly string[], { printError }: Io): Promise<0 | 1> {
  if (missing.length === 0) return 0;
  printError(`
No alert can arrive yet. Your configuration is missing ${missing.join(', ')}.
Add the lines above and reload, or run the command again and answer yes (--yes without a terminal).
`);
  return 1;
}
