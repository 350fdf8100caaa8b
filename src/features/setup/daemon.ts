import { constants, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import { readOptional } from '../../base/files.ts';
import { type OutboundResponse, THIS_MACHINE } from '../../base/outbound.ts';
import { SECOND } from '../../model/time.ts';
import { isThere } from './files.ts';
import { send } from './network.ts';

/*
 * A Prometheus or an Alertmanager on this machine: its command line, its API, and its loaded configuration.
 */

export const KINDS = ['prometheus', 'alertmanager'] as const;

export type Kind = (typeof KINDS)[number];

const PORTS = { prometheus: 9090, alertmanager: 9093 };
const TOOLS = { prometheus: 'promtool', alertmanager: 'amtool' };

export type LocalDaemon = {
  /** Address of its API, without a slash at the end. */
  readonly url: string;
  /** Its process; undefined if install.sh installs it. */
  readonly process?: number;
  /** Group of the process, for files with secrets. */
  readonly group?: number;
  /** The reason why its API cannot be read, as a sentence. */
  readonly locked?: string;
  /** Its configuration file, if this program can change it; not the one inside a container. */
  readonly configuration?: string | undefined;
  /** Path of promtool or amtool. */
  readonly tool?: string;
};

export type LocalDaemons = Readonly<Record<Kind, LocalDaemon>>;

/**
 * Inspects a running process.
 *
 * @throws an error for a missing process, another program, or a process of another user
 */
export async function findDaemon(kind: Kind, process: number, searchPath: string): Promise<LocalDaemon> {
  const folder = `/proc/${process}`;
  const argv = (await readFile(join(folder, 'cmdline'), 'utf8')).split('\0');
  if (!argv.some((each) => each.includes(kind))) throw new Error(`no ${kind}`);
  const isAgent = argv.some((each) => /^--(agent$|enable-feature=.*\bagent\b)/.test(each));
  const configuration = await findConfiguration(kind, argv, folder);
  const program = dirname(await readlink(join(folder, 'exe')).catch(() => ''));
  // The tool of another version, such as that of the distribution, may refuse a valid configuration.
  const isFound = searchPath.split(delimiter).includes(program);
  const tool = await findTool(kind, isFound ? searchPath : [program, searchPath].join(delimiter));
  return {
    ...(await findApi(kind, argv)),
    process,
    group: (await stat(folder)).gid,
    ...(isAgent && {
      locked: 'This Prometheus is an agent, which has no rules. Use the Prometheus to which it writes.',
    }),
    // Changes cannot be checked without its tool.
    ...(tool !== undefined && { tool, configuration }),
  };
}

/** Returns the value of a flag, `--name=value` or `--name value`. */
function flagOf(argv: readonly string[], name: string): string | undefined {
  const index = argv.findIndex((each) => each === `--${name}` || each.startsWith(`--${name}=`));
  const found = argv[index];
  return found?.includes('=') === true ? found.slice(found.indexOf('=') + 1) : found && argv[index + 1];
}

/** Hosts of listen addresses that mean this machine. */
const EVERY_HOST = new Set(['', '0.0.0.0', '[::]', 'localhost']);

async function findApi(kind: Kind, argv: readonly string[]): Promise<Pick<LocalDaemon, 'url' | 'locked'>> {
  const listens = flagOf(argv, 'web.listen-address') ?? `:${PORTS[kind]}`;
  const host = listens.slice(0, listens.lastIndexOf(':'));
  const port = listens.slice(listens.lastIndexOf(':') + 1);
  const external = flagOf(argv, 'web.external-url') ?? '';
  const prefix = flagOf(argv, 'web.route-prefix') ?? external.replace(/^[a-z]+:\/\/[^/]*/, '');
  const path = prefix.replace(/^\/*/, '/').replace(/\/+$/, '');
  const addressOf = (scheme: string): string =>
    `${scheme}://${EVERY_HOST.has(host) ? '127.0.0.1' : host}:${port}${path}`;
  let last = 'no connection';
  for (const scheme of ['http', 'https']) {
    const url = addressOf(scheme);
    const status = await ask(`${url}/-/ready`).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200 || status === 503) return { url };
    if (status === 401 || status === 403)
      return { url, locked: 'It requires a password, so its loaded configuration is unknown.' };
    if (status !== undefined) last = `status ${status}`;
  }
  const url = addressOf('http');
  return { url, locked: `It does not respond at ${url} (${last}), so its loaded configuration is unknown.` };
}

async function ask(url: string): Promise<OutboundResponse> {
  return await send(new URL(url), 'GET', THIS_MACHINE);
}

async function findConfiguration(
  kind: Kind,
  argv: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const ofDebian = `/etc/prometheus/${kind}.yml`;
  const given = flagOf(argv, 'config.file') ?? ((await isThere(ofDebian)) ? ofDebian : `${kind}.yml`);
  const path = given.startsWith('/')
    ? given
    : join(await readlink(join(folder, 'cwd')).catch(() => ''), given);
  try {
    const [here, there] = await Promise.all([stat(path), stat(join(folder, 'root', path))]);
    return here.isFile() && here.ino === there.ino && here.dev === there.dev
      ? await realpath(path)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the path of promtool or amtool. */
async function findTool(kind: Kind, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter)) {
    const path = join(folder, TOOLS[kind]);
    if (folder !== '' && (await isThere(path, constants.X_OK))) return path;
  }
  return undefined;
}

/** The used parts of the loaded configuration of Prometheus. */
const Loaded = z.object({
  rule_files: z.array(z.string()).catch([]),
  scrape_config_files: z.array(z.string()).catch([]),
  scrape_configs: z.array(z.object({ job_name: z.string() })).catch([]),
  alerting: z
    .object({ alertmanagers: z.array(z.record(z.string(), z.unknown())) })
    .catch({ alertmanagers: [] }),
});

const Alertmanagers = z.array(z.object({ url: z.url() }));

/** Returns the values of a key at any depth of an API response; none if it is not JSON. */
async function valuesOf({ url }: LocalDaemon, path: string, key: string): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  const collect = (name: string, value: unknown): unknown => {
    if (name === key) values.push(value);
    return value;
  };
  try {
    JSON.parse((await ask(url + path)).content, collect);
  } catch {
    // Not JSON.
  }
  return values;
}

/** Reports whether the configuration file of a daemon matches a pattern, for an API that cannot be read. */
async function isWritten({ configuration }: LocalDaemon, pattern: RegExp): Promise<boolean> {
  const text = configuration === undefined ? undefined : await readOptional(configuration);
  return pattern.test(text?.replaceAll(/(?:^|\s)#.*$/gm, '') ?? '');
}

const Receivers = z.object({ receivers: z.array(z.looseObject({ name: z.unknown() })) });

/** Reports whether a configuration of Alertmanager has our receiver. */
export function namesReceiver(text: string): boolean {
  try {
    const { receivers } = Receivers.parse(parse(text, { logLevel: 'silent' }));
    return receivers.some(({ name }) => name === 'hoster-page');
  } catch {
    // Not YAML, or without receivers.
    return false;
  }
}

export async function hasJob(prometheus: LocalDaemon): Promise<boolean> {
  if (prometheus.locked !== undefined) return await isWritten(prometheus, /job_name: *.?hoster\b/);
  return (await valuesOf(prometheus, '/api/v1/targets?state=active', 'scrapePool')).includes('hoster');
}

export async function hasRules(prometheus: LocalDaemon): Promise<boolean> {
  if (prometheus.locked !== undefined) return await isWritten(prometheus, /hoster\.rules/);
  return (await valuesOf(prometheus, '/api/v1/rules', 'name')).includes('HosterSoldPhoneOffline');
}

export async function hasReceiver(alertmanager: LocalDaemon): Promise<boolean> {
  const { locked, configuration } = alertmanager;
  if (locked !== undefined)
    return configuration !== undefined && namesReceiver((await readOptional(configuration)) ?? '');
  return (await valuesOf(alertmanager, '/api/v2/receivers', 'name')).includes('hoster-page');
}

/** Reports whether a Prometheus sends alerts to this Alertmanager, under any name of this machine. */
export async function hasAlertmanager(prometheus: LocalDaemon, alertmanager: LocalDaemon): Promise<boolean> {
  const { hostname: own, port } = new URL(alertmanager.url);
  const names = ['localhost', '127.0.0.1', hostname(), own];
  const hosts = names.map((name) => (port === '' ? name : `${name}:${port}`));
  if (prometheus.locked !== undefined) {
    const written = hosts.map((each) => each.replaceAll('.', '\\.')).join('|');
    return await isWritten(prometheus, new RegExp(`['" ](?:${written})\\b`));
  }
  const [active] = await valuesOf(prometheus, '/api/v1/alertmanagers', 'activeAlertmanagers');
  const { data = [] } = Alertmanagers.safeParse(active);
  return data.some(({ url }) => hosts.includes(new URL(url).host));
}

/** Returns the loaded configuration of Prometheus, or its file if the API does not return it. */
export async function loadedConfiguration(prometheus: LocalDaemon): Promise<z.output<typeof Loaded>> {
  // A Prometheus that has just started returns nothing yet.
  const [loaded] =
    prometheus.locked === undefined ? await valuesOf(prometheus, '/api/v1/status/config', 'yaml') : [];
  const text = loaded ?? (await readOptional(prometheus.configuration ?? ''));
  try {
    return Loaded.parse(parse(String(text ?? '')) ?? {});
  } catch {
    // Not YAML, or not a map.
    return Loaded.parse({});
  }
}

/** Returns the time of the last successful reload from the metrics of a daemon; undefined without it. */
export async function reloadTime(kind: Kind, { url }: LocalDaemon): Promise<string | undefined> {
  const response = await ask(`${url}/metrics`).catch(() => undefined);
  const line = new RegExp(`^${kind}_config_last_reload_success_timestamp_seconds (.+)$`, 'm');
  return line.exec(response?.content ?? '')?.[1];
}

/** Time between two checks of a daemon. */
const INTERVAL = SECOND / 2;

/** Repeats a test until it is true; false if it is not after some tries. */
export async function becomesTrue(
  tries: number,
  clock: Clock,
  test: () => Promise<boolean>,
): Promise<boolean> {
  for (let count = 0; count < tries; count += 1) {
    if (await test()) return true;
    await sleep(clock, INTERVAL);
  }
  return await test();
}
