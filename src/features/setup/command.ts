import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFileCache, homeFolder } from '../../base/files.ts';
import { reasonOf } from '../../base/outbound.ts';
import { Secret } from '../../base/secret.ts';
import { type AccountCheck, checkAccount } from '../../cli/check.ts';
import { type Command, defineCommand, type ExitCode, type Io } from '../../cli/command.ts';
import { parseUrl } from '../../cli/own-exporter.ts';
import { Interrupted } from '../../cli/terminal.ts';
import { readConfig } from '../../config/load.ts';
import { ConfigError } from '../../config/messages.ts';
import { readNetwork } from '../../config/network.ts';
import { setting } from '../../config/settings.ts';
import { onOff, type ParseResult, parsedText, parsePath, pattern } from '../../config/values.ts';
import { say, speaking } from '../../text/say.ts';
import { findDaemon, type Kind, PROGRAMS } from './daemon.ts';
import { joinDaemons, type Reference } from './join.ts';
import { askLanguage } from './language.ts';
import { findWay, type Networks } from './network.ts';
import { confirm, type Wizard } from './questions.ts';
import { SHIPPED } from './routes.ts';
import { type AccountFinding, FILES, languageIn, readAnswers, setUp } from './setup.ts';
import { sendTestMessage } from './test-message.ts';

/*
 * `setup` asks for the account and the channel, checks the answers and writes the files. install.sh and compose.yaml run it.
 */

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

/** Runs a part of `setup` in the terminal. Reports an interruption or an unusable file in a sentence. */
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
    return (await Promise.race([work(wizard), io.interrupted])) ?? 130;
  } catch (error) {
    if (error instanceof Error && 'path' in error && 'code' in error)
      throw new ConfigError([
        `${error.path} cannot be read or written (${error.code}): choose another --directory`,
      ]);
    if (!(error instanceof Interrupted)) throw error;
    io.printError('\nInterrupted. Run the same command again to continue.\n');
    return 130;
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

/** Variables that answer a question. Here, they are not settings. */
const ANSWERS = /^HOSTER_(?:API_|CURRENCY$|LANGUAGE$|TIME_ZONE$|CONFIG_FILE$)/;

const ask = defineCommand({
  options: OPTIONS,
  takesSettings: false,
  run: async ({ options }, io) =>
    await withWizard(io, options.keep_answers, async (wizard) => {
      const directory = directoryOf(options.directory);
      const { test: alertmanager } = options;
      if (alertmanager !== undefined)
        return await speaking(await languageIn(directory), () => test(alertmanager, directory, wizard, io));
      const { environment } = io;
      const networkOf = (isProxied: boolean) =>
        readNetwork({ ca_file: undefined, proxy_from_environment: isProxied }, environment, () => '');
      const hasProxy = Boolean(environment['https_proxy'] || environment['HTTPS_PROXY']);
      const networks: Networks = hasProxy ? [networkOf(false), networkOf(true)] : [networkOf(false)];
      const language = await askLanguage(wizard, await languageIn(directory));
      return await speaking(language, async () => {
        const isWritten = await setUp({
          wizard,
          language,
          templatesIn: options.templates === undefined && language !== 'en' ? language : undefined,
          directory,
          keyFile: options.key_file ?? join(directory, FILES.key),
          secretsFolder: options.secrets ?? join(directory, FILES.secrets),
          templatesFolder: options.templates ?? fileURLToPath(new URL('templates', SHIPPED)),
          isShared: options.shared,
          alertmanagerVersion: options.alertmanager,
          networks,
          newPassword: () => randomBytes(12).toString('base64url'),
          checkAddress: async (address) => await findAddress(address, networks),
          checkAccount: async (configuration, key) => await findAccount(configuration, key, io),
        });
        if (!isWritten) await wizard.print(say('setup-nothing-written'));
        else if (options.key_file === undefined) {
          const path = join(directory, FILES.configuration);
          const quoted = /^[\w./:\\-]+$/.test(path) ? path : `"${path}"`;
          const command = `hoster-exporter --config.file=${quoted}`;
          await wizard.print(say('setup-saved', { directory, command }));
        }
        return isWritten ? 0 : 1;
      });
    }),
});

/** `setup` and `setup join`. */
export const setup: Command = {
  ...ask,
  run: async (argv, io) =>
    argv[0] === 'join' ? await joinCommand.run(argv.slice(1), io) : await ask.run(argv, io),
};

/** Failures that do not depend on the answers. */
const OUTAGE = /^(?:dns|connect|reset|timeout|throttled|server|edge_block|truncated)$/;

/** Checks the account of a configuration with the environment's settings, like `check`. */
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
    isRefused: devices?.reason === 'unauthorized',
    findings: findingsOf(found),
  };
}

/** Sends a request without a key, so that a wrong address is noticed before the key is typed. */
async function findAddress(address: URL, networks: Networks) {
  try {
    return { isProxied: (await findWay(address, networks)).is_proxied };
  } catch (error) {
    const reason = reasonOf(error);
    const isWrong = reason.includes('ENOTFOUND');
    return { problem: isWrong ? say('setup-no-server', { name: address.hostname }) : reason, isWrong };
  }
}

/** Returns what was found as a sentence, or a line for each finding with its endpoints. */
function findingsOf({ endpoints }: AccountCheck): string {
  const [devices, tunnel, balance] = endpoints;
  if (devices?.works === 'yes' && tunnel?.works !== 'NO' && balance?.works === 'yes')
    return say('setup-found', { phones: devices.text, balance: balance.text });
  const texts = new Set(endpoints.flatMap(({ works, text }) => (works === '-' ? [] : text)));
  const lineOf = (text: string): string =>
    `${endpoints.flatMap((each) => (each.text === text ? each.endpoint : [])).join(', ')}: ${text}`;
  return Array.from(texts, lineOf).join('\n');
}

async function test(url: URL, directory: string, wizard: Wizard, io: Io): Promise<ExitCode> {
  const { channel = 'none', bot_answers } = await readAnswers(directory);
  if (channel === 'none') {
    await wizard.print(say('setup-no-test'));
    return 0;
  }
  const isSent = await sendTestMessage(url, channel, bot_answers === true, io.clock).catch(
    (error: unknown) => {
      io.printError(`${reasonOf(error)}\n`);
      return false;
    },
  );
  await wizard.print(isSent ? say('setup-sent', { channel }) : say('setup-not-sent', { channel }));
  return isSent && (await confirm(say('setup-arrived'), wizard, true)) ? 0 : 1;
}

/** A process, or an address. */
type Place = number | URL;

function parsePlace(text: string): ParseResult<Place> {
  return /^\d+$/.test(text) ? { value: Number(text) } : parseUrl(text);
}

const place = (kind: Kind) =>
  setting(parsedText('a process ID, or an address such as http://127.0.0.1:9090', parsePlace), {
    description: `Process ID of an existing ${PROGRAMS[kind].name}, or the address of one that install.sh installs.`,
    default: `http://127.0.0.1:${PROGRAMS[kind].port}`,
  });

/** `setup join`: writes and prints the lines for an existing Prometheus or Alertmanager, and checks them. */
const joinCommand = defineCommand({
  options: {
    directory: DIRECTORY,
    to: setting(path('the path of a folder'), {
      description:
        'Folder for the lines, rules and templates; by default join in the folder of the other files.',
    }),
    prometheus: place('prometheus'),
    alertmanager: place('alertmanager'),
  },
  takesSettings: false,
  run: async ({ options }, io) =>
    await withWizard(io, false, async ({ print }) => {
      const directory = directoryOf(options.directory);
      const { secret = '', watchdog = '' } = await readAnswers(directory);
      const daemons = {
        prometheus: await find('prometheus', options.prometheus),
        alertmanager: await find('alertmanager', options.alertmanager),
      };
      const target = resolve(options.to ?? join(directory, 'join'));
      const isComplete = await speaking(await languageIn(directory), () =>
        joinDaemons({
          print,
          daemons,
          directory,
          target,
          secrets: [secret, watchdog],
          searchPath: io.environment['PATH'] ?? '',
        }),
      );
      return isComplete ? 0 : 1;
    }),
});

async function find(kind: Kind, given: Place): Promise<Reference> {
  if (given instanceof URL) return { url: given.href.replace(/\/$/, '') };
  try {
    return await findDaemon(kind, given);
  } catch {
    throw new ConfigError([
      `--${kind}: process ${given} is not ${kind === 'prometheus' ? 'a Prometheus' : 'an Alertmanager'} that this user can inspect: check \`ps ax\`, and run it as root`,
    ]);
  }
}
