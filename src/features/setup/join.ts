import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { chmod, chown, readFile, rename, rm, stat, writeFile as writeNew } from 'node:fs/promises';
import { basename, dirname, join, matchesGlob, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { readOptional } from '../../base/files.ts';
import { ConfigError } from '../../config/messages.ts';
import {
  becomesTrue,
  type Daemon,
  type Daemons,
  hasAlertmanager,
  hasJob,
  hasReceiver,
  hasRules,
  KINDS,
  type Kind,
  loadedConfiguration,
  reloadTime,
} from './daemon.ts';
import { isThere, withoutSecret, writeFile } from './files.ts';
import { below, changedLines, indented, ownLines, withItems, withoutLines } from './lines.ts';
import { confirm, type Talk } from './questions.ts';
import { routeItems } from './routes.ts';
import { FILES } from './setup.ts';

/*
 * What a Prometheus or an Alertmanager that is there already gets: files in folders that it includes, or lines in its
 * configuration. First planned and shown, then, when all questions are answered, written and loaded.
 */

export type JoinContext = {
  readonly talk: Talk;
  readonly daemons: Daemons;
  /** The folder of `setup`, which gets the plans. */
  readonly directory: string;
  /** Secret of the channel, which is not shown; `''` for none. */
  readonly secret: string;
};

const Plan = z.looseObject({
  /** Items for the lists of the configuration, by the keys of the list, such as `alerting.alertmanagers`. */
  items: z.record(z.string(), z.string()),
  /** It has what it needs, or gets it when the plan is applied. */
  is_joined: z.boolean(),
});

type Items = Readonly<Record<string, string>>;

const StaticTargets = z.array(z.object({ targets: z.array(z.unknown()).catch([]) })).catch([]);

const planPath = (directory: string, kind: Kind): string => join(directory, 'join', `${kind}.yml`);

/**
 * Shows what a daemon lacks, asks whether to add it, and writes the plan. install.sh reads its scalars, too.
 *
 * @param isAgreed adds the lines without a question
 */
export async function planJoin(kind: Kind, context: JoinContext, isAgreed: boolean): Promise<void> {
  const { talk, daemons, directory, secret } = context;
  const daemon = daemons[kind];
  const { url, configuration, locked } = daemon;
  const gets = kind === 'prometheus' ? 'the job hoster and the rules' : 'routes and receivers';
  await talk.say(`It is at ${url}. It gets ${gets}; nothing else of it changes.`);
  if (locked !== undefined) await talk.say(locked);
  const old = configuration === undefined ? undefined : await readOptional(configuration);
  const wanted =
    kind === 'prometheus'
      ? await wantedByPrometheus(daemons, old ?? '')
      : await wantedByAlertmanager(directory, old ?? '');
  const fresh =
    old === undefined || locked !== undefined ? undefined : withAll(withoutLines(old), wanted.items);
  let is_joined = Object.keys(wanted.items).length === 0 || (fresh !== undefined && fresh === old);
  if (fresh === undefined || old === undefined) {
    await showMissing(kind, daemon, wanted.items, context);
  } else if (fresh !== old) {
    await talk.say(`For ${configuration}:\n${withoutSecret(changedLines(old, fresh), secret)}`);
    is_joined = isAgreed || (await confirm('Add these lines? A copy is kept.', talk));
  }
  await writePlan(directory, kind, { url, configuration, locked, ...wanted, is_joined });
  // For a Prometheus that includes files, and for one that install.sh installs.
  const [name, lines] =
    kind === 'prometheus'
      ? ['job.yml', below(['scrape_configs'], JOB)]
      : ['destination', indented(reach(daemon), 4)];
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
    throw new ConfigError([`${planPath(directory, kind)} is no plan: run \`setup join plan ${kind}\` again`]);
  }
}

/** Undefined where a list is written in brackets. */
function withAll(text: string, items: Items): string | undefined {
  return Object.entries(items).reduce<string | undefined>(
    (result, [keys, lines]) => (result === undefined ? undefined : withItems(result, keys.split('.'), lines)),
    text,
  );
}

async function showMissing(
  kind: Kind,
  { configuration }: Daemon,
  items: Items,
  { talk, secret }: JoinContext,
): Promise<void> {
  const entries = Object.entries(items);
  if (entries.length === 0) return;
  const name = kind === 'prometheus' ? 'Prometheus' : 'Alertmanager';
  await talk.say(`These lines are missing in ${configuration ?? `the configuration of ${name}`}:`);
  for (const [keys, items] of entries)
    await talk.say(withoutSecret(indented(below(keys.split('.'), items), 2), secret).trimEnd());
}

const JOB = `- job_name: hoster
  scrape_interval: 15s
  static_configs: [{ targets: ['127.0.0.1:9823'] }]
`;

/**
 * Returns what a Prometheus is to get: lines, and paths for the files, where it includes them or will. The plan says, too, what
 * is loaded already: install.sh decides whether to write that.
 */
async function wantedByPrometheus({ prometheus, alertmanager }: Daemons, old: string) {
  const own = ownLines(old);
  const loaded = await loadedConfiguration(prometheus);
  const folder = prometheus.configuration === undefined ? undefined : dirname(prometheus.configuration);
  // A target appears some seconds after its job.
  const isJob = loaded.scrape_configs.some(({ job_name }) => job_name === 'hoster');
  const has_job = isJob || (await hasJob(prometheus));
  const has_rules = await hasRules(prometheus);
  const rules = await includedPath(loaded.rule_files, folder, ['hoster.rules.yml', 'hoster.rules']);
  const job_file = await includedPath(loaded.scrape_config_files, folder, ['hoster.yml', 'hoster.yaml']);
  // What it has by a line of this project is written again.
  const lacksRules = rules === undefined && (!has_rules || own.includes('hoster.rules.yml'));
  const lacksJob = job_file === undefined && (!has_job || /job_name: hoster$/m.test(own));
  const lacksDestination =
    !loaded.alerting.alertmanagers.some(hasTargets) || own.includes('- static_configs');
  const beside = join(folder ?? '', 'hoster.rules.yml');
  const items: Items = {
    ...(lacksRules && { rule_files: `- ${beside}\n` }),
    ...(lacksJob && { scrape_configs: JOB }),
    ...(lacksDestination && { 'alerting.alertmanagers': destination(alertmanager) }),
  };
  const rules_file = rules ?? (lacksRules && folder !== undefined ? beside : undefined);
  return { items, rules_file, job_file, has_rules, has_job };
}

/** False for an entry whose lists are empty, as in the file that comes with Prometheus. */
function hasTargets(entry: Readonly<Record<string, unknown>>): boolean {
  const { static_configs: groups, ...others } = entry;
  const isDiscovered = Object.keys(others).some((key) => key.endsWith('_sd_configs'));
  return isDiscovered || StaticTargets.parse(groups).some(({ targets }) => targets.length > 0);
}

/** Returns the first path of a name that a pattern for files of a folder includes. */
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
function destination(daemon: Daemon): string {
  return `- static_configs: [{ targets: ['${new URL(daemon.url).host}'] }]\n${reach(daemon)}`;
}

/** What Prometheus needs to reach an Alertmanager besides its host. */
function reach({ url, locked }: Daemon): string {
  const { pathname, protocol } = new URL(url);
  return [
    ...(pathname === '/' ? [] : [`  path_prefix: ${pathname}\n`]),
    ...(protocol === 'https:' ? ['  scheme: https\n', '  tls_config: { insecure_skip_verify: true }\n'] : []),
    ...(locked === undefined ? [] : ['  #basic_auth: { username: YOUR_USER, password_file: /YOUR/FILE }\n']),
  ].join('');
}

async function wantedByAlertmanager(directory: string, old: string): Promise<{ readonly items: Items }> {
  // The owner added our routes by hand.
  if (withoutLines(old).includes('hoster-page')) return { items: {} };
  return { items: routeItems(await readFile(join(directory, FILES.routes), 'utf8')) };
}

/** How many times a daemon is asked if it has read its configuration, and if a job has targets. */
const RELOAD_TRIES = 60;
const TARGET_TRIES = 20;

/**
 * Writes the planned lines once promtool or amtool has checked them, and reloads the daemon. If it refuses them, the file is
 * as it was.
 *
 * @param isForced reloads it also where its configuration stays
 */
export async function applyJoin(
  kind: Kind,
  context: JoinContext,
  isForced: boolean,
  clock: Clock,
): Promise<void> {
  const { daemons, directory, talk } = context;
  const daemon = daemons[kind];
  const plan = await readPlan(directory, kind);
  if (plan === undefined)
    throw new ConfigError([
      `${planPath(directory, kind)} is not there: run \`setup join plan ${kind}\` first`,
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
  const isDue = isChanged || isForced || (plan.is_joined && !(await isInForce(kind, daemon)));
  if (!isDue || (await reload(kind, daemon, clock))) return;
  await talk.say(`${kind} does not accept its configuration, as its log says.`);
  if (before === undefined || old === undefined) return;
  await writePlan(directory, kind, { ...plan, is_joined: false });
  await writeLike(before, `${path}.hoster-new`, old);
  await rename(`${path}.hoster-new`, path);
  if (await reload(kind, daemon, clock)) await talk.say(`So ${path} is as it was.`);
}

/** False after a run that was interrupted before the daemon was reloaded. */
async function isInForce(kind: Kind, daemon: Daemon): Promise<boolean> {
  return kind === 'alertmanager'
    ? await hasReceiver(daemon)
    : (await hasRules(daemon)) && (await hasJob(daemon));
}

/** What promtool and amtool are asked to check a file. */
const CHECKS = { prometheus: ['check', 'config'], alertmanager: ['check-config'] };

/** Runs a tool. Returns what it printed if it fails. */
function runTool(tool: string, argv: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(tool, argv, (error, out, err) => resolve(error === null ? undefined : (out + err).trimEnd()));
  });
}

/** Puts a text into the place of a configuration. Returns false, and says why, if that cannot be, or its tool refuses it. */
async function replace(
  kind: Kind,
  { configuration: path = '', tool = '', group, locked }: Daemon,
  fresh: string,
  { talk, secret }: JoinContext,
): Promise<boolean> {
  // Beside it, because it may name other files by relative paths.
  const beside = `${path}.hoster-new`;
  const stays = `so ${path} stays as it is.`;
  if (locked !== undefined) {
    await talk.say(`${locked}\nNobody could say whether it accepts the lines, ${stays}`);
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
      await talk.say(`The lines are in ${path}.`);
      return true;
    }
    await rm(beside);
    await talk.say(
      `${withoutSecret(refusal, secret)}\n${tool} refuses the lines, as it says above, ${stays}`,
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    await rm(beside, { force: true }).catch(() => undefined);
    await talk.say(`It cannot be written (${error.code}), ${stays}`);
  }
  return false;
}

/** Writes a new file with an owner and a mode, which nobody else reads before. */
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
async function reload(kind: Kind, daemon: Daemon, clock: Clock): Promise<boolean> {
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
 * Returns what is lacking so that alerts can arrive; a target appears some seconds after its job. Shows the lines that a
 * person has to add.
 */
export async function findLacking(context: JoinContext, clock: Clock): Promise<readonly string[]> {
  const { daemons, directory } = context;
  const { prometheus, alertmanager } = daemons;
  const plans = {
    prometheus: await readPlan(directory, 'prometheus'),
    alertmanager: await readPlan(directory, 'alertmanager'),
  };
  const isHopeless = plans.prometheus?.is_joined === false && 'scrape_configs' in plans.prometheus.items;
  let lacking: readonly string[] = [];
  await becomesTrue(isHopeless ? 0 : TARGET_TRIES, clock, async () => {
    const isScraping = await hasJob(prometheus);
    const isAlerting = await hasAlertmanager(prometheus, alertmanager);
    lacking = [
      isScraping ? [] : 'the job hoster of scrape_configs',
      (await hasRules(prometheus)) ? [] : 'the rules of rule_files',
      isAlerting ? [] : `the Alertmanager ${new URL(alertmanager.url).host} of alerting`,
      plans.alertmanager === undefined || (await hasReceiver(alertmanager))
        ? []
        : 'the routes and receivers of Alertmanager',
    ].flat();
    return isScraping && isAlerting;
  });
  for (const kind of lacking.length > 0 ? KINDS : []) {
    const plan = plans[kind];
    if (plan?.is_joined === false) await showMissing(kind, daemons[kind], plan.items, context);
  }
  return lacking;
}
