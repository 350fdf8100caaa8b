import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { chmod, chown, readFile, rename, rm, stat, writeFile as writeNew } from 'node:fs/promises';
import { basename, dirname, join, matchesGlob, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { readOptional } from '../../base/files.ts';
import { ConfigError } from '../../config/messages.ts';
import {
  becomesTrue,
  hasAlertmanager,
  hasJob,
  hasReceiver,
  hasRules,
  KINDS,
  type Kind,
  type LocalDaemon,
  type LocalDaemons,
  loadedConfiguration,
  namesReceiver,
  reloadTime,
} from './daemon.ts';
import { isThere, withoutSecret, writeFile } from './files.ts';
import { below, changedLines, indented, ownLines, withItems, withoutLines } from './lines.ts';
import { confirmChanges, type Wizard } from './questions.ts';
import { routeItems } from './routes.ts';
import { FILES } from './setup.ts';

/*
 * Changes to an existing Prometheus or Alertmanager: files in folders that it includes, or lines in its configuration. They
 * are planned and shown first, and written and loaded after all questions are answered.
 */

export type JoinContext = {
  readonly wizard: Wizard;
  readonly daemons: LocalDaemons;
  /** The folder of `setup`, where plans are stored. */
  readonly directory: string;
  /** Secret of the channel, which is never shown; `''` for none. */
  readonly secret: string;
};

const Plan = z.looseObject({
  /** Items for the lists of the configuration, by their keys, such as `alerting.alertmanagers`. */
  items: z.record(z.string(), z.string()),
  /** Its configuration is complete, or will be after the plan is applied. */
  is_joined: z.boolean(),
});

type Items = Readonly<Record<string, string>>;

const StaticTargets = z.array(z.object({ targets: z.array(z.unknown()).catch([]) })).catch([]);

const planPath = (directory: string, kind: Kind): string => join(directory, 'join', `${kind}.yml`);

/**
 * Shows the missing lines, asks whether to add them, and writes the plan, whose scalars install.sh reads.
 *
 * @param isAgreed adds the lines without asking
 */
export async function planJoin(kind: Kind, context: JoinContext, isAgreed: boolean): Promise<void> {
  const { wizard, daemons, directory, secret } = context;
  const daemon = daemons[kind];
  const { url, configuration, locked } = daemon;
  const added = kind === 'prometheus' ? 'the job hoster and the rules' : 'routes and receivers';
  await wizard.print(`Found at ${url}. It gets ${added}; nothing else changes.`);
  if (locked !== undefined) await wizard.print(locked);
  const old = configuration === undefined ? undefined : await readOptional(configuration);
  const routes = join(directory, FILES.routes);
  const wanted =
    kind === 'prometheus'
      ? await wantedByPrometheus(daemons, old ?? '')
      : // The owner may have added our routes by hand.
        (await (old === undefined ? hasReceiver(daemon) : namesReceiver(withoutLines(old))))
        ? { items: {} }
        : { items: routeItems(await readFile(routes, 'utf8'), routes) };
  const fresh =
    old === undefined || locked !== undefined ? undefined : withAll(withoutLines(old), wanted.items);
  let is_joined = Object.keys(wanted.items).length === 0 || (fresh !== undefined && fresh === old);
  if (fresh === undefined || old === undefined) {
    await showMissing(kind, daemon, wanted.items, context);
  } else if (fresh !== old) {
    const change = {
      title: `Changes to ${configuration}:`,
      lines: withoutSecret(changedLines(old, fresh), secret),
    };
    const asked = isAgreed ? { ...wizard, prompt: undefined } : wizard;
    is_joined = await confirmChanges([change], 'Add these lines? A copy is kept.', asked, isAgreed);
  }
  await writePlan(directory, kind, { url, configuration, locked, ...wanted, is_joined });
  // Used by a Prometheus that includes files, and by one that install.sh installs.
  const [name, lines] =
    kind === 'prometheus'
      ? ['job.yml', below(['scrape_configs'], JOB)]
      : ['destination', indented(addressSettings(daemon), 4)];
  await writeFile(join(directory, 'join', name), lines, 0o644);
}

async function writePlan(directory: string, kind: Kind, plan: z.input<typeof Plan>): Promise<void> {
  await writeFile(planPath(directory, kind), stringify(plan, { lineWidth: 0 }), 0o600);
}

async function readPlan(directory: string, kind: Kind): Promise<z.output<typeof Plan> | undefined> {
  const text = await readOptional(planPath(directory, kind));
  try {
    return text === undefined ? undefined : Plan.parse(parse(text));
  } catch {
    throw new ConfigError([
      `${planPath(directory, kind)} is not a plan: run \`setup join plan ${kind}\` again`,
    ]);
  }
}

/** Adds the items; undefined if a list is written in brackets. */
function withAll(text: string, items: Items): string | undefined {
  return Object.entries(items).reduce<string | undefined>(
    (result, [keys, lines]) => (result === undefined ? undefined : withItems(result, keys.split('.'), lines)),
    text,
  );
}

async function showMissing(
  kind: Kind,
  { configuration }: LocalDaemon,
  items: Items,
  { wizard, secret }: JoinContext,
): Promise<void> {
  const entries = Object.entries(items);
  if (entries.length === 0) return;
  const name = kind === 'prometheus' ? 'Prometheus' : 'Alertmanager';
  await wizard.print(`Missing in ${configuration ?? `the configuration of ${name}`}:`);
  for (const [keys, items] of entries)
    await wizard.print(withoutSecret(indented(below(keys.split('.'), items), 2), secret).trimEnd());
}

const JOB = `- job_name: hoster
  scrape_interval: 15s
  static_configs: [{ targets: ['127.0.0.1:9823'] }]
`;

/**
 * Plans the changes of a Prometheus: lines, and paths of included files. install.sh decides by the plan whether to write the
 * files that are already loaded.
 */
async function wantedByPrometheus({ prometheus, alertmanager }: LocalDaemons, old: string) {
  const own = ownLines(old);
  const loaded = await loadedConfiguration(prometheus);
  const folder = prometheus.configuration === undefined ? undefined : dirname(prometheus.configuration);
  // A target appears some seconds after its job.
  const isJob = loaded.scrape_configs.some(({ job_name }) => job_name === 'hoster');
  const has_job = isJob || (await hasJob(prometheus));
  const has_rules = await hasRules(prometheus);
  const rules = await includedPath(loaded.rule_files, folder, ['hoster.rules.yml', 'hoster.rules']);
  const job_file = await includedPath(loaded.scrape_config_files, folder, ['hoster.yml', 'hoster.yaml']);
  // Lines that we wrote earlier are replaced.
  const needsRules = rules === undefined && (!has_rules || own.includes('hoster.rules.yml'));
  const needsJob = job_file === undefined && (!has_job || /job_name: hoster$/m.test(own));
  const needsDestination =
    !loaded.alerting.alertmanagers.some(hasTargets) || own.includes('- static_configs');
  const beside = join(folder ?? '', 'hoster.rules.yml');
  const items: Items = {
    ...(needsRules && { rule_files: `- ${beside}\n` }),
    ...(needsJob && { scrape_configs: JOB }),
    ...(needsDestination && { 'alerting.alertmanagers': destination(alertmanager) }),
  };
  const rules_file = rules ?? (needsRules && folder !== undefined ? beside : undefined);
  return { items, rules_file, job_file, has_rules, has_job };
}

/** Reports whether an entry has targets; the default file of Prometheus has one without. */
function hasTargets(entry: Readonly<Record<string, unknown>>): boolean {
  const { static_configs: groups, ...others } = entry;
  const isDiscovered = Object.keys(others).some((key) => key.endsWith('_sd_configs'));
  return isDiscovered || StaticTargets.parse(groups).some(({ targets }) => targets.length > 0);
}

/** Returns the first path that a pattern includes. */
async function includedPath(
  patterns: readonly string[],
  folder: string | undefined,
  names: readonly string[],
): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  for (const pattern of patterns.map((each) => resolve(folder, each))) {
    const files = basename(pattern);
    const name = names.find((each) => files !== each && matchesGlob(each, files));
    if (name !== undefined && (await isThere(dirname(pattern)))) return join(dirname(pattern), name);
  }
  return undefined;
}

/** An item of `alertmanagers` in the configuration of Prometheus. */
function destination(daemon: LocalDaemon): string {
  return `- static_configs: [{ targets: ['${new URL(daemon.url).host}'] }]\n${addressSettings(daemon)}`;
}

/** Returns the settings for the address of an Alertmanager besides its host. */
function addressSettings({ url, locked }: LocalDaemon): string {
  const { pathname, protocol } = new URL(url);
  return [
    ...(pathname === '/' ? [] : [`  path_prefix: ${pathname}\n`]),
    ...(protocol === 'https:' ? ['  scheme: https\n', '  tls_config: { insecure_skip_verify: true }\n'] : []),
    ...(locked === undefined ? [] : ['  #basic_auth: { username: YOUR_USER, password_file: /YOUR/FILE }\n']),
  ].join('');
}

/** Maximum number of checks for a loaded configuration, and for targets of a job. */
const RELOAD_TRIES = 60;
const TARGET_TRIES = 20;

/**
 * Writes the planned lines after promtool or amtool has checked them, and reloads the daemon. If it refuses them, the file is
 * restored.
 *
 * @param isForced reloads an unchanged configuration too
 */
export async function applyJoin(
  kind: Kind,
  context: JoinContext,
  isForced: boolean,
  clock: Clock,
): Promise<void> {
  const { daemons, directory, wizard } = context;
  const daemon = daemons[kind];
  const plan = await readPlan(directory, kind);
  if (plan === undefined)
    throw new ConfigError([
      `${planPath(directory, kind)} does not exist: run \`setup join plan ${kind}\` first`,
    ]);
  const { configuration: path = '' } = daemon;
  const old = await readOptional(path);
  const fresh = old !== undefined && plan.is_joined ? withAll(withoutLines(old), plan.items) : undefined;
  const isChanged = fresh !== undefined && fresh !== old;
  const before = isChanged ? await stat(path) : undefined;
  if (isChanged && !(await replace(kind, daemon, fresh, context))) {
    await writePlan(directory, kind, { ...plan, is_joined: false });
    return;
  }
  // An interrupted run may not have reloaded it.
  const isLoaded = async () =>
    kind === 'alertmanager' ? hasReceiver(daemon) : (await hasRules(daemon)) && hasJob(daemon);
  const isDue = isChanged || isForced || (plan.is_joined && !(await isLoaded()));
  if (!isDue || (await reload(kind, daemon, clock))) return;
  await wizard.print(`${kind} refused its configuration. See its log.`);
  if (before === undefined || old === undefined) return;
  await writePlan(directory, kind, { ...plan, is_joined: false });
  await writeLike(before, `${path}.hoster-new`, old);
  await rename(`${path}.hoster-new`, path);
  if (await reload(kind, daemon, clock)) await wizard.print(`Restored ${path}.`);
}

/** Commands of promtool and amtool that check a file. */
const CHECKS = { prometheus: ['check', 'config'], alertmanager: ['check-config'] };

/** Runs a tool. Returns what it printed if it fails. */
function runTool(tool: string, argv: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(tool, argv, (error, out, err) => resolve(error === null ? undefined : (out + err).trimEnd()));
  });
}

/** Replaces a configuration. Returns false, and says why, if it cannot be written or its tool refuses it. */
async function replace(
  kind: Kind,
  { configuration: path = '', tool = '', group, locked }: LocalDaemon,
  fresh: string,
  { wizard, secret }: JoinContext,
): Promise<boolean> {
  // In the same folder, because it may contain relative paths.
  const beside = `${path}.hoster-new`;
  const unchanged = `${path} was not changed.`;
  if (locked !== undefined) {
    await wizard.print(`${locked}\nThe lines cannot be tested. ${unchanged}`);
    return false;
  }
  try {
    const { uid, gid, mode } = await stat(path);
    const isOpen = secret !== '' && fresh.includes(secret) && (mode & 0o007) !== 0;
    const closed = { uid, gid: group ?? gid, mode: (mode & 0o770) | 0o040 };
    await writeLike(isOpen ? closed : { uid, gid, mode }, beside, fresh);
    const refusal = await runTool(tool, [...CHECKS[kind], beside]);
    if (refusal === undefined) {
      await rename(beside, path);
      await wizard.print(`Added the lines to ${path}.`);
      return true;
    }
    await rm(beside);
    await wizard.print(
      `${withoutSecret(refusal, secret)}\n${tool} refused the lines (see above). ${unchanged}`,
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    await rm(beside, { force: true }).catch(() => undefined);
    await wizard.print(`It cannot be written (${error.code}). ${unchanged}`);
  }
  return false;
}

/** Writes a new file with an owner and a mode. Nobody else can read it before. */
async function writeLike(
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
  path: string,
  text: string,
): Promise<void> {
  await rm(path, { force: true });
  await writeNew(path, text, { flag: 'wx', mode: 0o600 });
  await chown(path, uid, gid);
  await chmod(path, mode & 0o7777);
}

/** Reloads a daemon. Returns false if it has not accepted its configuration within half a minute. */
async function reload(kind: Kind, daemon: LocalDaemon, clock: Clock): Promise<boolean> {
  if (daemon.process === undefined) return false;
  const before = await reloadTime(kind, daemon);
  try {
    process.kill(daemon.process, 'SIGHUP');
  } catch {
    // It has ended.
    return false;
  }
  if (daemon.locked !== undefined) return true;
  return await becomesTrue(RELOAD_TRIES, clock, async () => {
    const time = await reloadTime(kind, daemon);
    return time !== undefined && time !== before;
  });
}

/**
 * Returns the missing parts without which no alert arrives, and shows the lines to add by hand. A target appears some
 * seconds after its job.
 */
export async function findMissing(context: JoinContext, clock: Clock): Promise<readonly string[]> {
  const { daemons, directory } = context;
  const { prometheus, alertmanager } = daemons;
  const plans = {
    prometheus: await readPlan(directory, 'prometheus'),
    alertmanager: await readPlan(directory, 'alertmanager'),
  };
  const isHopeless = plans.prometheus?.is_joined === false && 'scrape_configs' in plans.prometheus.items;
  let missing: readonly string[] = [];
  await becomesTrue(isHopeless ? 0 : TARGET_TRIES, clock, async () => {
    const isScraping = await hasJob(prometheus);
    const isAlerting = await hasAlertmanager(prometheus, alertmanager);
    missing = [
      isScraping ? [] : 'the job hoster in scrape_configs',
      (await hasRules(prometheus)) ? [] : 'the rules in rule_files',
      isAlerting ? [] : `the Alertmanager ${new URL(alertmanager.url).host} in alerting`,
      plans.alertmanager === undefined || (await hasReceiver(alertmanager))
        ? []
        : 'the routes and receivers in Alertmanager',
    ].flat();
    return isScraping && isAlerting;
  });
  for (const kind of missing.length > 0 ? KINDS : []) {
    const plan = plans[kind];
    if (plan?.is_joined === false) await showMissing(kind, daemons[kind], plan.items, context);
  }
  return missing;
}
