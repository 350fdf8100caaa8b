import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFileCache, homeFolder } from '../../base/files.ts';
import { type Network, reasonOf } from '../../base/outbound.ts';
import { Secret } from '../../base/secret.ts';
import { type AccountCheck, checkAccount } from '../../cli/check.ts';
import { type Command, defineCommand, type ExitCode, type Io } from '../../cli/command.ts';
import { parseUrl } from '../../cli/own-exporter.ts';
import { Interrupted } from '../../cli/terminal.ts';
import { parseArguments } from '../../config/flags.ts';
import { readConfig } from '../../config/load.ts';
import { ConfigError } from '../../config/messages.ts';
import { readNetwork } from '../../config/network.ts';
import { setting } from '../../config/settings.ts';
import { onOff, type ParseResult, parsedText, parsePath, pattern } from '../../config/values.ts';
import { findDaemon, KINDS, type Kind, type LocalDaemon } from './daemon.ts';
import { applyJoin, findMissing, planJoin } from './join.ts';
import { send } from './network.ts';
import type { Wizard } from './questions.ts';
import { SHIPPED } from './routes.ts';
import { type AccountFinding, FILES, readAnswers, setUp } from './setup.ts';
import { sendTestMessage } from './test-message.ts';

/*
 * `setup` asks for the account and the channel, checks the answers and writes the files. install.sh and compose.yaml run it.
 */

/** An option with a path. */
const path = (what: string) => parsedText(what, (value) => parsePath(value, what)).optional();

const DIRECTORY = setting(path('the path of a folder'), {
  description: 'Folder for the written files; by default .hoster in your home folder.',
});

function directoryOf(given: string | undefined): string {
  const home = homeFolder();
  if (given === undefined && home === undefined)
    throw new ConfigError(['this user has no home folder: name a folder for the files with --directory=…']);
  return resolve(given ?? join(home ?? '', '.hoster'));
}

/** Runs a part of `setup` at the terminal. Reports an interruption or an unusable file as a sentence. */
async function withWizard(
  io: Io,
  isQuiet: boolean,
  work: (wizard: Wizard) => Promise<ExitCode>,
): Promise<ExitCode> {
  const terminal = await io.openTerminal?.();
  const wizard: Wizard = {
    prompt: terminal,
    print: async (sentence) => await io.print(`${sentence}\n`),
    environment: io.environment,
    readFile: io.readFile,
    isQuiet,
  };
  try {
    return (await Promise.race([work(wizard), io.interrupted])) ?? 1;
  } catch (error) {
    if (error instanceof Error && 'path' in error && 'code' in error)
      throw new ConfigError([
        `${error.path} cannot be read or written (${error.code}): choose another --directory`,
      ]);
    if (!(error instanceof Interrupted)) throw error;
    io.printError('\nInterrupted. Run the same command again to continue.\n');
    return 1;
  } finally {
    terminal?.close();
  }
}

const OPTIONS = {
  directory: DIRECTORY,
  key_file: setting(path('the path of a file'), {
    description: 'Path of the key file for the exporter, if it sees the folder under another path.',
  }),
  secrets: setting(path('the path of a folder'), {
    description: 'Path of the secrets for Alertmanager, if it sees the folder under another path.',
  }),
  templates: setting(path('the path of a folder'), {
    description: 'Path of the message templates for Alertmanager; by default those of this program.',
  }),
  alertmanager: setting(pattern('a version such as 0.28.1', /^\d+\.\d+(?:\.\d+)?$/), {
    description: 'Version of the Alertmanager that will load the routes.',
    default: '0.34.0',
  }),
  shared: setting(onOff, {
    description: 'Make the files readable for all users, for containers, and close the folder around them.',
    default: false,
  }),
  keep_answers: setting(onOff, {
    description: 'Ask only questions that have no answer yet.',
    default: false,
  }),
  test: setting(parsedText('an address such as http://127.0.0.1:9093', parseUrl).optional(), {
    description: 'Send a test alert through the Alertmanager at this address instead of asking questions.',
  }),
};

/** Variables that answer a question. They are not settings here. */
const ANSWERS = /^HOSTER_(?:API_|CURRENCY$|TIME_ZONE$|CONFIG_FILE$)/;

const ask = defineCommand({
  options: OPTIONS,
  takesSettings: false,
  run: async ({ options }, io) =>
    await withWizard(io, options.keep_answers, async (wizard) => {
      const directory = directoryOf(options.directory);
      if (options.test !== undefined) return await test(options.test, directory, wizard, io);
      const { environment } = io;
      const networkOf = (isProxied: boolean) =>
        readNetwork({ ca_file: undefined, proxy_from_environment: isProxied }, environment, () => '');
      const hasProxy = Boolean(environment['https_proxy'] || environment['HTTPS_PROXY']);
      const isWritten = await setUp({
        wizard,
        directory,
        keyFile: options.key_file ?? join(directory, FILES.key),
        secretsFolder: options.secrets ?? join(directory, FILES.secrets),
        templatesFolder: options.templates ?? fileURLToPath(new URL('templates', SHIPPED)),
        isShared: options.shared,
        alertmanagerVersion: options.alertmanager,
        networks: hasProxy ? [networkOf(false), networkOf(true)] : [networkOf(false)],
        newPassword: () => randomBytes(12).toString('base64url'),
        // Through a proxy, the check of the account finds out.
        checkAddress: async (address) =>
          hasProxy ? undefined : await findAddress(address, networkOf(false)),
        checkAccount: async (configuration, key) => await findAccount(configuration, key, io),
      });
      if (!isWritten) await wizard.print('Nothing was written.');
      else if (options.key_file === undefined) {
        const path = join(directory, FILES.configuration);
        const quoted = /^[\w./:\\-]+$/.test(path) ? path : `"${path}"`;
        await wizard.print(`Saved to ${directory}. Next: hoster-exporter --config.file=${quoted}`);
      }
      return isWritten ? 0 : 1;
    }),
});

/** `setup` and `setup join`. */
export const setup: Command = {
  ...ask,
  run: async (argv, io) =>
    argv[0] === 'join' ? await joinDaemons.run(argv.slice(1), io) : await ask.run(argv, io),
};

/** Failures that do not depend on the answers. */
const OUTAGE = /^(?:dns|connect|reset|timeout|throttled|server|edge_block|truncated)$/;

/** Checks the account of a configuration with the settings of the environment, like `check`. */
async function findAccount(configuration: string, key: string, io: Io): Promise<AccountFinding> {
  const environment = Object.fromEntries(
    Object.entries(io.environment).filter(([name]) => !ANSWERS.test(name)),
  );
  const name = 'hoster-exporter.yml';
  const flags = new Map([['config.file', name]]);
  const files = createFileCache(async (path) => (path === name ? configuration : await io.readFile(path)));
  const { config } = await readConfig({ schema: io.schema, flags, environment, accounts: 'required' }, files);
  await files.refresh(config.client.ca_file);
  const network = readNetwork(config.client, environment, files.text);
  const [account] = config.accounts;
  if (account === undefined) throw new ConfigError(['There is no account.']);
  const found = await checkAccount(
    { ...account, key: { file: io.environment['HOSTER_API_KEY_FILE'] || 'your answer' } },
    config,
    { ...io, network, key: () => new Secret(key) },
  );
  const [devices] = found.endpoints;
  return {
    works: devices?.works === 'yes',
    isOutage: OUTAGE.test(devices?.reason ?? ''),
    findings: findingsOf(found),
  };
}

/** Sends a request without a key, so that a wrong address is noticed before the key is typed. */
async function findAddress(address: URL, network: Network) {
  const reason = await send(address, 'HEAD', network).then(() => undefined, reasonOf);
  const isTypo = reason?.includes('ENOTFOUND') === true;
  const problem = isTypo ? `There is no server with the name ${address.hostname}.` : reason;
  return problem === undefined ? undefined : { problem, isTypo };
}

/** Returns a sentence with what was found, or a line for each finding with its endpoints. */
function findingsOf({ endpoints }: AccountCheck): string {
  const [devices, tunnel, balance] = endpoints;
  if (devices?.works === 'yes' && tunnel?.works !== 'NO' && balance?.works === 'yes')
    return `Found ${devices.text}${devices.text.endsWith('?') ? '' : '.'} Balance: ${balance.text}.`;
  const texts = new Set(endpoints.flatMap(({ works, text }) => (works === '-' ? [] : text)));
  const lineOf = (text: string): string =>
    `${endpoints.flatMap((each) => (each.text === text ? each.endpoint : [])).join(', ')}: ${text}`;
  return Array.from(texts, lineOf).join('\n');
}

async function test(url: URL, directory: string, wizard: Wizard, io: Io): Promise<ExitCode> {
  const { channel = 'none', bot_answers } = await readAnswers(directory);
  if (channel === 'none') {
    await wizard.print('No channel is configured, so there is no test alert.');
    return 0;
  }
  const hint = bot_answers ? ' Now try /status.' : '';
  const isSent = await sendTestMessage(url, channel, hint, io.clock).catch((error: unknown) => {
    io.printError(`${reasonOf(error)}\n`);
    return false;
  });
  await wizard.print(
    isSent
      ? `Sent: ${channel} accepted the test alert.`
      : `The test alert could not be sent to ${channel}. See the log of Alertmanager.`,
  );
  return isSent ? 0 : 1;
}

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

const JOIN_OPTIONS = {
  directory: DIRECTORY,
  prometheus: reference('Prometheus', 9090),
  alertmanager: reference('Alertmanager', 9093),
  yes: setting(onOff, { description: 'Add the lines without asking.', default: false }),
  reload: setting(onOff, { description: 'Reload also for new files only.', default: false }),
};

/**
 * `setup join plan KIND`, `setup join apply KIND`, and `setup join check`: adds the exporter to an existing Prometheus or
 * Alertmanager. install.sh runs it after `setup`.
 */
const joinDaemons: Command = {
  options: JOIN_OPTIONS,
  takesSettings: false,
  run: async ([word, ...argv], io) => {
    const isCheck = word === 'check';
    const kind = isCheck ? undefined : KINDS.find((each) => each === argv[0]);
    if (!isCheck && (kind === undefined || (word !== 'plan' && word !== 'apply')))
      throw new ConfigError([
        'setup join: expected plan or apply, with prometheus or alertmanager, or check',
      ]);
    const { options } = parseArguments(isCheck ? argv : argv.slice(1), JOIN_OPTIONS, undefined);
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
