import { constants, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import { readOptional } from '../../base/files.ts';
import { type OutboundResponse, THIS_MACHINE } from '../../base/outbound.ts';
import { SECOND } from '../../model/time.ts';
import { isThere } from './files.ts';
import { send } from './network.ts';

/*
 * A Prometheus or an Alertmanager of this machine: how it was started, where its API is, and what it has loaded.
 */

export const KINDS = ['prometheus', 'alertmanager'] as const;

export type Kind = (typeof KINDS)[number];

const PORTS = { prometheus: 9090, alertmanager: 9093 };
const TOOLS = { prometheus: 'promtool', alertmanager: 'amtool' };

export type Daemon = {
  /** Address of its API, without a slash at the end. */
  readonly url: string;
  /** Its process; none for one that this project installs. */
  readonly process?: number;
  /** Group of the process, which may read a file with a secret. */
  readonly group?: number;
  /** Why its API cannot be read, as a sentence. */
  readonly locked?: string;
  /** Its file, if this program can change it. That of a container is another one. */
  readonly configuration?: string | undefined;
  /** Path of promtool or amtool. */
  readonly tool?: string;
};

export type Daemons = Readonly<Record<Kind, Daemon>>;

/**
 * Looks at a running process.
 *
 * @throws an error if there is no such process, it is another program, or it belongs to another user
 */
export async function findDaemon(kind: Kind, process: number, searchPath: string): Promise<Daemon> {
  const folder = `/proc/${process}`;
  const argv = (await readFile(join(folder, 'cmdline'), 'utf8')).split('\0');
  if (!argv.some((each) => each.includes(kind))) throw new Error(`no ${kind}`);
  const isAgent = argv.some((each) => /^--(agent$|enable-feature=.*\bagent\b)/.test(each));
  const configuration = await findConfiguration(kind, argv, folder);
  const program = dirname(await readlink(join(folder, 'exe')).catch(() => ''));
  // Another version, such as that of the distribution, may refuse what this one accepts.
  const isFound = searchPath.split(delimiter).includes(program);
  const tool = await findTool(kind, isFound ? searchPath : [program, searchPath].join(delimiter));
  return {
    ...(await findApi(kind, argv)),
    process,
    group: (await stat(folder)).gid,
    ...(isAgent && { locked: 'It is an agent, which has no rules. Use the Prometheus to which it writes.' }),
    // Without its tool, nobody could say whether it accepts a change.
    ...(tool !== undefined && { tool, configuration }),
  };
}

/** Returns the value of a flag, `--name=value` or `--name value`. */
function flagOf(argv: readonly string[], name: string): string | undefined {
  const index = argv.findIndex((each) => each === `--${name}` || each.startsWith(`--${name}=`));
  const found = argv[index];
  return found?.includes('=') === true ? found.slice(found.indexOf('=') + 1) : found && argv[index + 1];
}

/** Hosts of addresses on which a daemon listens that stand for this machine. */
const EVERY_HOST = new Set(['', '0.0.0.0', '[::]', 'localhost']);

async function findApi(kind: Kind, argv: readonly string[]): Promise<Pick<Daemon, 'url' | 'locked'>> {
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
      return { url, locked: 'It wants a password, so what it has loaded cannot be seen.' };
    if (status !== undefined) last = `status ${status}`;
  }
  const url = addressOf('http');
  return { url, locked: `It does not respond at ${url} (${last}), so what it has loaded cannot be seen.` };
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

/** What this project asks of the configuration that a Prometheus has loaded. */
const Loaded = z.object({
  rule_files: z.array(z.string()).catch([]),
  scrape_config_files: z.array(z.string()).catch([]),
  scrape_configs: z.array(z.object({ job_name: z.string() })).catch([]),
  alerting: z
    .object({ alertmanagers: z.array(z.record(z.string(), z.unknown())) })
    .catch({ alertmanagers: [] }),
});

const Alertmanagers = z.array(z.object({ url: z.url() }));

/** Returns the values of a key, at any depth, of what the API of a daemon says; none where that is no JSON. */
async function valuesOf({ url }: Daemon, path: string, key: string): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  const collect = (name: string, value: unknown): unknown => {
    if (name === key) values.push(value);
    return value;
  };
  try {
    JSON.parse((await ask(url + path)).content, collect);
  } catch {
    // It says nothing.
  }
  return values;
}

/** True if the file of a daemon whose API cannot be read has a pattern. */
async function isWritten({ configuration }: Daemon, pattern: RegExp): Promise<boolean> {
  return configuration !== undefined && pattern.test((await readOptional(configuration)) ?? '');
}

export async function hasJob(prometheus: Daemon): Promise<boolean> {
  if (prometheus.locked !== undefined) return await isWritten(prometheus, /job_name: *.?hoster\b/);
  return (await valuesOf(prometheus, '/api/v1/targets?state=active', 'scrapePool')).includes('hoster');
}

export async function hasRules(prometheus: Daemon): Promise<boolean> {
  if (prometheus.locked !== undefined) return await isWritten(prometheus, /hoster\.rules/);
  return (await valuesOf(prometheus, '/api/v1/rules', 'name')).includes('HosterSoldPhoneOffline');
}

export async function hasReceiver(alertmanager: Daemon): Promise<boolean> {
  if (alertmanager.locked !== undefined) return await isWritten(alertmanager, /hoster-page/);
  return (await valuesOf(alertmanager, '/api/v2/receivers', 'name')).includes('hoster-page');
}

/** True if a Prometheus sends alerts to this Alertmanager, whatever the name that it calls this machine by. */
export async function hasAlertmanager(prometheus: Daemon, alertmanager: Daemon): Promise<boolean> {
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

/** Returns what a Prometheus has loaded, or, where it does not say, what its file says. */
export async function loadedConfiguration(prometheus: Daemon): Promise<z.output<typeof Loaded>> {
  // One that has just been started says nothing yet.
  const [said] =
    prometheus.locked === undefined ? await valuesOf(prometheus, '/api/v1/status/config', 'yaml') : [];
  const text = said ?? (await readOptional(prometheus.configuration ?? ''));
  try {
    return Loaded.parse(parse(String(text ?? '')) ?? {});
  } catch {
    // No YAML, or no map.
    return Loaded.parse({});
  }
}

/** Returns when a daemon last accepted its configuration, as its metrics say; undefined if they do not. */
export async function reloadTime(kind: Kind, { url }: Daemon): Promise<string | undefined> {
  const response = await ask(`${url}/metrics`).catch(() => undefined);
  const line = new RegExp(`^${kind}_config_last_reload_success_timestamp_seconds (.+)$`, 'm');
  return line.exec(response?.content ?? '')?.[1];
}

/** Time between two looks at a daemon that is to become something. */
const INTERVAL = SECOND / 2;

/** Returns true as soon as a test is true, false if it is not after so many tries. */
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
