import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { language } from '../../text/say.ts';
import {
  isOlderThan,
  type Kind,
  type LocalDaemon,
  type Parts,
  PROGRAMS,
  partsOf,
  refusalOfTool,
} from './daemon.ts';
import { shownText, writeFile } from './files.ts';
import { linesForAlertmanager, SHIPPED } from './routes.ts';
import { FILES } from './setup.ts';

/*
 * The lines that an existing Prometheus or Alertmanager needs. They are written to files and printed for its owner to add: no
 * other program's configuration is changed here. A later run checks them.
 */

/** An existing daemon, or the address of one that install.sh installs. */
export type Reference = LocalDaemon | { readonly url: string };

export type JoinContext = {
  readonly print: (sentence: string) => Promise<void>;
  readonly daemons: Readonly<Record<Kind, Reference>>;
  /** The folder of `setup`. */
  readonly directory: string;
  /** Folder for the lines, the rules and the templates, where the daemons read them. */
  readonly target: string;
  /** Secrets that are never shown. They may be empty. */
  readonly secrets: readonly string[];
  /** Folders of promtool and amtool. */
  readonly searchPath: string;
};

const KEYS: readonly (keyof Parts)[] = ['job', 'rules', 'destination', 'receivers'];

/** The parts that alerts need, each with the consequence if it is missing. */
const PARTS: Readonly<Record<Kind, Partial<Record<keyof Parts, string>>>> = {
  prometheus: {
    job: 'Prometheus does not scrape the exporter, so there are no graphs and no alerts',
    rules: 'no alert fires',
    destination: 'Prometheus sends no alerts to this Alertmanager',
  },
  alertmanager: { receivers: 'alerts go only where your own routes send them' },
};

/**
 * Writes the lines for the existing daemons, checks what they have, and prints what is missing.
 *
 * @returns true if nothing is missing
 */
export async function joinDaemons(context: JoinContext): Promise<boolean> {
  const { daemons, directory } = context;
  const { prometheus, alertmanager } = daemons;
  const settings = {
    prometheus: prometheus.url,
    alertmanager: alertmanager.url,
    is_locked: 'locked' in alertmanager,
  };
  await writeFile(join(directory, 'join.yml'), stringify(settings, { lineWidth: 0 }), 0o644);
  // For a Prometheus that install.sh installs.
  await writeFile(join(directory, 'destination'), indented(addressSettings(alertmanager), 4), 0o644);
  const results: boolean[] = [];
  for (const kind of ['prometheus', 'alertmanager'] as const) {
    const daemon = daemons[kind];
    if ('process' in daemon) results.push(await joinDaemon(kind, daemon, context));
  }
  return results.every((isComplete) => isComplete);
}

async function joinDaemon(kind: Kind, daemon: LocalDaemon, context: JoinContext): Promise<boolean> {
  const { print, secrets, target, daemons } = context;
  const { name, tool } = PROGRAMS[kind];
  const { configuration = `the configuration of ${name}`, locked = '', process } = daemon;
  const lines = kind === 'prometheus' ? prometheusLines(context) : await alertmanagerLines(context);
  const path = join(target, `${kind}.yml`);
  const head = `# Lines of hoster-exporter for ${configuration}. Add each item to its list there.\n`;
  // Alertmanager's lines may contain a secret.
  await writeFile(path, head + Object.values(lines).join(''), kind === 'prometheus' ? 0o644 : 0o600);
  const used = await copyUsedFiles(kind, target);
  await print(`Your ${name} at ${daemon.url} is not changed. ${locked}`.trim());
  const refusal = await refusalOfTool(kind, daemon, context.searchPath);
  if (refusal !== undefined)
    await print(`${shownText(refusal, secrets)}\n${tool} refuses ${configuration} (see above). Correct it.`);
  const { written, loaded } = await partsOf(kind, daemon, daemons.alertmanager.url);
  const missing = KEYS.filter((part) => PARTS[kind][part] !== undefined && !loaded[part]);
  const absent = missing.filter((part) => !written[part]);
  if (absent.length > 0) {
    const text = absent.map((part) => lines[part] ?? '').join('');
    await print(`Add these lines to ${configuration} (they are in ${path}):\n`);
    await print(shownText(indented(text, 2), secrets));
  }
  const reload = `reload it, for example with: sudo kill -HUP ${process}`;
  if (absent.length > 0) await print(`Then ${reload}`);
  else if (missing.length > 0 || (await isOlderThan(kind, daemon, [configuration, ...used])))
    await print(`${name} has not loaded the latest files: ${reload}`);
  for (const part of missing) await print(`Until then, ${PARTS[kind][part]}.`);
  const isComplete = missing.length === 0 && refusal === undefined;
  if (isComplete) await print(`${configuration} has what alerts need.`);
  return isComplete;
}

/** Returns the lines for Prometheus, by part. */
function prometheusLines({
  daemons: { alertmanager },
  target,
}: JoinContext): Partial<Record<keyof Parts, string>> {
  const host = new URL(alertmanager.url).host;
  return {
    job: `scrape_configs:
  - job_name: hoster
    scrape_interval: 15s
    static_configs: [{ targets: ['127.0.0.1:9823'] }]
`,
    rules: `rule_files:\n  - ${join(target, 'hoster.rules.yml')}\n`,
    destination: `alerting:
  alertmanagers:
    - static_configs: [{ targets: ['${host}'] }]
${indented(addressSettings(alertmanager), 4)}`,
  };
}

async function alertmanagerLines({ directory }: JoinContext): Promise<Partial<Record<keyof Parts, string>>> {
  const routes = join(directory, FILES.routes);
  return { receivers: linesForAlertmanager(await readFile(routes, 'utf8'), routes) };
}

/** Returns the settings for an Alertmanager's address, apart from the host. */
function addressSettings(daemon: Reference): string {
  const { pathname, protocol } = new URL(daemon.url);
  return [
    ...(pathname === '/' ? [] : [`  path_prefix: ${pathname}\n`]),
    ...(protocol === 'https:' ? ['  scheme: https\n', '  tls_config: { insecure_skip_verify: true }\n'] : []),
    ...('locked' in daemon ? ['  #basic_auth: { username: YOUR_USER, password_file: /YOUR/FILE }\n'] : []),
  ].join('');
}

/**
 * Copies the files that the lines refer to, in the language of the installation, unless they are the same. Returns their
 * paths.
 */
async function copyUsedFiles(kind: Kind, target: string): Promise<readonly string[]> {
  const folder = new URL(kind === 'prometheus' ? '../prometheus/' : 'templates/', SHIPPED);
  const translated = new Set(await readdir(new URL(`${language()}/`, folder)).catch(() => []));
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((each) => (each.isFile() && each.name !== 'prometheus.yml' ? each.name : []));
  const paths = names.map((name) => ({
    from: new URL(translated.has(name) ? `${language()}/${name}` : name, folder),
    path: join(target, kind === 'prometheus' ? name : `templates/${name}`),
  }));
  for (const { from, path } of paths) {
    const text = await readFile(from, 'utf8');
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) await writeFile(path, text, 0o644);
  }
  return paths.map(({ path }) => path);
}

/** Indents all lines that are not empty. */
function indented(lines: string, spaces: number): string {
  return lines.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}
