import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { readOptional } from '../../base/files.ts';
import { type OutboundResponse, THIS_MACHINE } from '../../base/outbound.ts';
import { send } from './network.ts';

/*
 * An existing Prometheus or Alertmanager on this machine: its command line, its API and its configuration. They are only read.
 */

export type Kind = 'prometheus' | 'alertmanager';

export const PROGRAMS = {
  prometheus: { name: 'Prometheus', port: 9090, tool: 'promtool', check: ['check', 'config'] },
  alertmanager: { name: 'Alertmanager', port: 9093, tool: 'amtool', check: ['check-config'] },
} as const;

export type LocalDaemon = {
  /** Address of its API, without a trailing slash. */
  readonly url: string;
  readonly process: number;
  readonly folder: string;
  /** A sentence about why its API cannot be read. */
  readonly locked?: string;
  /** Its configuration file; undefined if it is not in our file system, as in a container. */
  readonly configuration: string | undefined;
};

/**
 * Inspects a running process.
 *
 * @throws an error if there is no such process, or if it is another program or another user's process
 */
export async function findDaemon(kind: Kind, process: number): Promise<LocalDaemon> {
  const own = `/proc/${process}`;
  const argv = (await readFile(join(own, 'cmdline'), 'utf8')).split('\0');
  if (!argv.some((each) => each.includes(kind))) throw new Error(`no ${kind}`);
  const folder = dirname(await readlink(join(own, 'exe')));
  const configuration = await findConfiguration(kind, argv, own);
  const isAgent = argv.some((each) => /^--(agent$|enable-feature=.*\bagent\b)/.test(each));
  const locked = 'This Prometheus is an agent, which has no rules. Use the Prometheus to which it writes.';
  return { ...(await findApi(kind, argv)), process, folder, configuration, ...(isAgent && { locked }) };
}

/** Returns the value of a flag, `--name=value` or `--name value`. */
function flagOf(argv: readonly string[], name: string): string | undefined {
  const index = argv.findIndex((each) => each === `--${name}` || each.startsWith(`--${name}=`));
  const found = argv[index];
  return found?.includes('=') === true ? found.slice(found.indexOf('=') + 1) : found && argv[index + 1];
}

/** Hosts in listen addresses that mean this machine. */
const EVERY_HOST = new Set(['', '0.0.0.0', '[::]', 'localhost']);

async function findApi(kind: Kind, argv: readonly string[]): Promise<Pick<LocalDaemon, 'url' | 'locked'>> {
  const [, host = '', port] = /^(.*):(\d+)$/.exec(flagOf(argv, 'web.listen-address') ?? '') ?? [
    '',
    '',
    PROGRAMS[kind].port,
  ];
  const external = flagOf(argv, 'web.external-url') ?? '';
  const prefix = flagOf(argv, 'web.route-prefix') ?? external.replace(/^[a-z]+:\/\/[^/]*/, '');
  const path = prefix.replace(/^\/*/, '/').replace(/\/+$/, '');
  const place = `${EVERY_HOST.has(host) ? '127.0.0.1' : host}:${port}${path}`;
  let last = 'no connection';
  for (const scheme of ['http', 'https']) {
    const url = `${scheme}://${place}`;
    const status = (await get(`${url}/-/ready`))?.status;
    if (status === 200 || status === 503) return { url };
    if (status === 401 || status === 403)
      return { url, locked: 'It requires a password, so its loaded configuration is unknown.' };
    if (status !== undefined) last = `status ${status}`;
  }
  const url = `http://${place}`;
  return { url, locked: `It does not respond at ${url} (${last}), so its loaded configuration is unknown.` };
}

/** Returns the response to a request; undefined if there is none. */
async function get(url: string): Promise<OutboundResponse | undefined> {
  return await send(new URL(url), 'GET', THIS_MACHINE).catch(() => undefined);
}

async function findConfiguration(
  kind: Kind,
  argv: readonly string[],
  own: string,
): Promise<string | undefined> {
  const ofDebian = `/etc/prometheus/${kind}.yml`;
  const given =
    flagOf(argv, 'config.file') ?? ((await changeTime(ofDebian)) === 0 ? `${kind}.yml` : ofDebian);
  try {
    const path = resolve(await readlink(join(own, 'cwd')), given);
    const [here, there] = await Promise.all([stat(path), stat(join(own, 'root', path))]);
    return here.ino === there.ino && here.dev === there.dev ? await realpath(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns when a file was changed, in seconds; 0 if there is no file. */
async function changeTime(path: string): Promise<number> {
  return await stat(path).then(
    ({ mtimeMs }) => mtimeMs / 1_000,
    () => 0,
  );
}

/**
 * Checks the configuration file of a daemon with promtool or amtool. The tool next to the daemon is the first choice: one of another
 * version may reject a valid file.
 *
 * @returns the tool's output if it rejects the file; undefined if there is no tool
 */
export async function refusalOfTool(
  kind: Kind,
  { folder, configuration }: LocalDaemon,
  searchPath: string,
): Promise<string | undefined> {
  if (configuration === undefined) return undefined;
  const { tool, check } = PROGRAMS[kind];
  const isFound = searchPath.split(delimiter).includes(folder);
  const env = { PATH: isFound ? searchPath : [folder, searchPath].join(delimiter) };
  return await new Promise((done) => {
    execFile(tool, [...check, configuration], { env }, (error, out, err) =>
      done(error === null || error.code === 'ENOENT' ? undefined : (out + err).trim()),
    );
  });
}

export type Parts = Readonly<Record<'job' | 'rules' | 'destination' | 'receivers', boolean>>;

/** The parts of a Prometheus or Alertmanager configuration that are used. */
const Configuration = z.object({
  rule_files: z.array(z.string()).catch([]),
  scrape_configs: z.array(z.object({ job_name: z.string() })).catch([]),
  receivers: z.array(z.object({ name: z.string() })).catch([]),
  alerting: z.unknown().optional(),
});

/** Returns which of our parts a configuration contains. */
function partsOfText(text: string, hosts: readonly string[]): Parts {
  let content: unknown;
  try {
    content = parse(text, { logLevel: 'silent' });
  } catch {
    // Not YAML. The tool will say so.
  }
  const { data } = Configuration.safeParse(content ?? {});
  const alerting = JSON.stringify(data?.alerting ?? '');
  return {
    job: data?.scrape_configs.some(({ job_name }) => job_name === 'hoster') === true,
    rules: data?.rule_files.some((path) => path.includes('hoster.rules')) === true,
    destination: hosts.some((host) => alerting.includes(`"${host}"`)),
    receivers: data?.receivers.some(({ name }) => name === 'hoster-page') === true,
  };
}

/** Returns the values of a key at any depth of an API response; none if it is not JSON. */
async function valuesOf(url: string, key: string): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  const collect = (name: string, value: unknown): unknown => {
    if (name === key) values.push(value);
    return value;
  };
  try {
    JSON.parse((await get(url))?.content ?? '', collect);
  } catch {
    // Not JSON.
  }
  return values;
}

const Alertmanagers = z.array(z.object({ url: z.url() }));

async function loadedParts(kind: Kind, { url }: LocalDaemon, hosts: readonly string[]): Promise<Parts> {
  const [yaml] = await valuesOf(`${url}/api/v1/status/config`, 'yaml');
  const parts = partsOfText(String(yaml), hosts);
  if (kind === 'alertmanager') {
    const names = await valuesOf(`${url}/api/v2/receivers`, 'name');
    return { ...parts, receivers: names.includes('hoster-page') };
  }
  const rules = await valuesOf(`${url}/api/v1/rules`, 'name');
  // An address from service discovery is not in the configuration, and one that was just loaded is not yet active.
  const [active] = await valuesOf(`${url}/api/v1/alertmanagers`, 'activeAlertmanagers');
  const { data = [] } = Alertmanagers.safeParse(active);
  const isActive = data.some((each) => hosts.includes(new URL(each.url).host));
  return {
    ...parts,
    rules: rules.includes('HosterSoldPhoneOffline'),
    destination: isActive || parts.destination,
  };
}

/**
 * Returns which of our parts are in a daemon's file, and which it has loaded. If the API cannot be read, its file
 * decides.
 *
 * @param alertmanager address of the Alertmanager that gets a Prometheus's alerts
 */
export async function partsOf(
  kind: Kind,
  daemon: LocalDaemon,
  alertmanager: string,
): Promise<{ readonly written: Parts; readonly loaded: Parts }> {
  const { configuration, locked } = daemon;
  const { hostname: own, port } = new URL(alertmanager);
  const names = ['localhost', '127.0.0.1', hostname(), own];
  const hosts = names.map((name) => (port === '' ? name : `${name}:${port}`));
  const text = configuration && (await readOptional(configuration).catch(() => undefined));
  const written = partsOfText(text ?? '', hosts);
  return { written, loaded: locked === undefined ? await loadedParts(kind, daemon, hosts) : written };
}

/** Reports whether one of the files has changed since a daemon loaded its configuration; false if that is unknown. */
export async function isOlderThan(
  kind: Kind,
  { url }: LocalDaemon,
  files: readonly string[],
): Promise<boolean> {
  const metric = `^${kind}_config_last_reload_success_timestamp_seconds (.+)$`;
  const [, seconds] = new RegExp(metric, 'm').exec((await get(`${url}/metrics`))?.content ?? '') ?? [];
  const changes = await Promise.all(files.map(changeTime));
  return seconds !== undefined && Math.max(...changes) > Number(seconds) + 1;
}
