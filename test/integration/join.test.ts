import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { Kind } from '../../src/features/setup/daemon.ts';
import { freePort, MAIN, start } from '../process.ts';
import { ROOT } from '../rules/shipped.ts';
import { runCommand } from '../run-command.ts';

/* `setup join` as a process, next to a stand-in for a Prometheus or an Alertmanager, which is also a process. */

const folder = mkdtempSync(join(tmpdir(), 'hoster-join-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Stand-ins of promtool and amtool: what has WRONG in it is refused.
const tools = join(folder, 'tools');
mkdirSync(tools);
for (const name of ['promtool', 'amtool']) {
  const path = join(tools, name);
  const lines = [
    '#!/bin/sh',
    'for file; do :; done',
    'while IFS= read -r line; do',
    '  case $line in *WRONG*) echo "$line"; exit 1 ;; esac',
    'done < "$file"',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o755);
}
const PATH = [tools, dirname(process.execPath), process.env['PATH']].join(delimiter);

let worlds = 0;

type World = {
  readonly configuration?: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly routes?: string;
};

/** Starts an owner's daemon, with a `setup` folder next to it. */
async function world(kind: Kind, { configuration = '', flags = [], environment = {}, routes }: World = {}) {
  worlds += 1;
  const own = join(folder, String(worlds));
  const directory = join(own, 'setup');
  mkdirSync(join(directory, 'alertmanager/secrets'), { recursive: true });
  const file = join(own, `${kind}.yml`);
  writeFileSync(file, configuration, { mode: 0o644 });
  writeFileSync(join(directory, 'alertmanager/alertmanager.yml'), routes ?? shipped('webhook'));
  writeFileSync(join(directory, 'setup.yml'), 'channel: telegram\n');
  writeFileSync(join(directory, 'alertmanager/secrets/telegram-bot-token'), '1:geheim');
  const port = await freePort();
  const argv = [`--config.file=${file}`, `--web.listen-address=:${port}`, ...flags];
  const daemon = start(
    process.execPath,
    [join(import.meta.dirname, 'stand-in-daemon.mjs'), ...argv],
    environment,
  );
  onTestFinished(async () => void (await daemon.stop()));
  await daemon.waitForOutput(/ready/);
  const pid = daemon.child.pid ?? 0;
  const run = async (...words: readonly string[]) => {
    const argv = ['setup', 'join', `--directory=${directory}`, `--${kind}=${pid}`, ...words];
    const { code, out, error } = await runCommand(argv, { PATH });
    return { code, said: out + error };
  };
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  /** Makes the daemon load its file, as its owner does. */
  const reload = async (): Promise<void> => {
    const before = await metrics();
    process.kill(pid, 'SIGHUP');
    while ((await metrics()) === before);
  };
  return {
    ...{ own, directory, file, port, run, reload, metrics, target: join(directory, 'join') },
    read: () => readFileSync(file, 'utf8'),
    lines: () => readFileSync(join(directory, `join/${kind}.yml`), 'utf8'),
    found: () => parse(readFileSync(join(directory, 'join.yml'), 'utf8')),
  };
}

function shipped(channel: string): string {
  return readFileSync(join(ROOT, `config/alertmanager/alertmanager.${channel}.yml`), 'utf8');
}

const PROMETHEUS = `# of an owner
scrape_configs:
  - job_name: mine
    static_configs: [{ targets: ['127.0.0.1:1'] }]
`;

const ALERTMANAGER = `route:
  receiver: mine
receivers:
  - name: mine
`;

describe('setup join next to a Prometheus', () => {
  it('prints the lines for job, rules and Alertmanager, writes them to a file, and changes nothing of the owner', async () => {
    const { run, read, file, target, lines, own, metrics } = await world('prometheus', {
      configuration: PROMETHEUS,
    });
    const before = await metrics();
    const { code, said } = await run();
    expect(code).toBe(1);
    expect(said).toContain(`Add these lines to ${file} (they are in ${target}/prometheus.yml):\n\n`);
    const added = {
      scrape_configs: [
        { job_name: 'hoster', scrape_interval: '15s', static_configs: [{ targets: ['127.0.0.1:9823'] }] },
      ],
      rule_files: [join(target, 'hoster.rules.yml')],
      alerting: { alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:9093'] }] }] },
    };
    expect(parse(said.slice(said.indexOf('  scrape_configs'), said.indexOf('Then reload')))).toEqual(added);
    expect(parse(lines())).toEqual(added);
    expect(readFileSync(join(target, 'hoster.rules.yml'), 'utf8')).toBe(
      readFileSync(join(ROOT, 'config/prometheus/hoster.rules.yml'), 'utf8'),
    );
    expect(said).toContain('Until then, no alert fires.\n');
    expect([read(), await metrics(), readdirSync(own).sort()]).toEqual([
      PROMETHEUS,
      before,
      ['prometheus.yml', 'setup'],
    ]);
  });

  it('says that the lines wait for a reload, and then that nothing is missing', async () => {
    const { run, file, lines, reload } = await world('prometheus', { configuration: PROMETHEUS });
    await run();
    writeFileSync(file, lines());
    const waiting = await run();
    expect(waiting.code).toBe(1);
    expect(waiting.said).toContain(
      'Prometheus has not loaded the latest files: reload it, for example with:',
    );
    expect(waiting.said).not.toContain('Add these lines');
    await reload();
    expect(await run()).toEqual({
      code: 0,
      said: expect.stringContaining(`${file} has what alerts need.\n`),
    });
  });

  it('prints only what is missing', async () => {
    const configuration = `${PROMETHEUS}  - job_name: hoster\nrule_files: [rules/*.yml]\n`;
    const { run } = await world('prometheus', { configuration });
    const { said } = await run();
    expect(said).toContain('  alerting:\n');
    expect(said).not.toContain('job_name');
    expect(said).not.toContain('rule_files');
    expect(said).toMatch(/Until then, Prometheus sends no alerts to this Alertmanager\.\n$/);
  });

  it('reminds its owner of a reload if the rules are newer than what is loaded', async () => {
    const { run, file, lines, target, reload } = await world('prometheus', { configuration: PROMETHEUS });
    await run();
    writeFileSync(file, lines());
    await reload();
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(target, 'hoster.rules.yml'), later, later);
    expect(await run()).toEqual({
      code: 0,
      said: expect.stringContaining('has not loaded the latest files'),
    });
  });

  it('shows what promtool says about the file of the owner', async () => {
    const { run, file } = await world('prometheus', { configuration: `${PROMETHEUS}# WRONG\n` });
    const { code, said } = await run();
    expect(code).toBe(1);
    expect(said).toContain(`# WRONG\npromtool refuses ${file} (see above). Correct it.`);
  });

  it('writes to another folder, and names its paths, whatever is in its name', async () => {
    const { run, own } = await world('prometheus', { configuration: PROMETHEUS });
    const target = join(own, `-Міст "O'Neill" & Co`);
    const { said } = await run(`--to=${target}`);
    expect(parse(readFileSync(join(target, 'prometheus.yml'), 'utf8')).rule_files).toEqual([
      join(target, 'hoster.rules.yml'),
    ]);
    expect(said).toContain(target);
  });

  it('says that an agent has no rules', async () => {
    const { run } = await world('prometheus', { configuration: PROMETHEUS, flags: ['--agent'] });
    expect((await run()).said).toContain('This Prometheus is an agent, which has no rules.');
  });

  it('finds it behind a prefix, and looks into its file if it requires a password', async () => {
    const behind = await world('prometheus', {
      ...{ configuration: PROMETHEUS, flags: ['--web.route-prefix=/prom/'] },
    });
    await behind.run();
    expect(behind.found()).toMatchObject({ prometheus: `http://127.0.0.1:${behind.port}/prom` });
    const locked = await world('prometheus', { configuration: PROMETHEUS, environment: { LOCKED: '1' } });
    const { code, said } = await locked.run();
    expect(code).toBe(1);
    expect(said).toContain('It requires a password, so its loaded configuration is unknown.\nAdd these');
    writeFileSync(locked.file, locked.lines());
    expect(await locked.run()).toMatchObject({ code: 0 });
  });

  it.each([999999999, process.ppid])('says what to do where process %i is none', async (pid) => {
    const program = start(process.execPath, [MAIN, 'setup', 'join', `--prometheus=${pid}`]);
    const [code] = await once(program.child, 'close');
    expect([code, program.output()]).toEqual([
      2,
      `hoster-exporter: --prometheus: process ${pid} is not a Prometheus that this user can inspect: check \`ps ax\`, and run it as root\n`,
    ]);
  });
});

describe('setup join next to an Alertmanager', () => {
  it('prints receivers, times and routes with names of their own', async () => {
    const { run, read, lines, target } = await world('alertmanager', { configuration: ALERTMANAGER });
    const { code, said } = await run();
    expect(code).toBe(1);
    expect(said).toContain('Until then, alerts go only where your own routes send them.');
    expect(said).toMatch(/^ +receiver: hoster-page$/m);
    expect(read()).toBe(ALERTMANAGER);
    const added = parse(lines(), { merge: true });
    expect(added).toMatchObject({
      route: { routes: [{ matchers: ['alertname=~"Hoster.+"'], receiver: 'hoster-notify' }] },
      time_intervals: [{ name: 'hoster-night' }],
    });
    expect(added.receivers.map(({ name }: { name: string }) => name)).toEqual([
      ...['hoster-page', 'hoster-notify', 'hoster-digest', 'hoster-watchdog'],
    ]);
    const digest = added.route.routes[0].routes.at(-1);
    expect(digest).toMatchObject({ receiver: 'hoster-digest', mute_time_intervals: ['hoster-night'] });
    const templates = readdirSync(join(ROOT, 'config/alertmanager/templates'));
    expect(readdirSync(join(target, 'templates'))).toEqual(
      templates.filter((name) => name.endsWith('.tmpl')),
    );
  });

  it('finds nothing missing once it has loaded the lines', async () => {
    const { run, file, lines, reload } = await world('alertmanager', { configuration: ALERTMANAGER });
    await run();
    writeFileSync(file, lines());
    await reload();
    expect(await run()).toMatchObject({ code: 0 });
  });

  it('says how a Prometheus of this project reaches it behind a prefix', async () => {
    const { run, found, port, directory } = await world('alertmanager', {
      ...{ configuration: ALERTMANAGER, flags: ['--web.external-url=https://example.com/am/'] },
    });
    await run();
    expect(found()).toMatchObject({ alertmanager: `http://127.0.0.1:${port}/am`, is_locked: false });
    expect(readFileSync(join(directory, 'destination'), 'utf8')).toBe('      path_prefix: /am\n');
  });

  it('gives its own mail its own settings', async () => {
    const { run, lines } = await world('alertmanager', {
      ...{ configuration: ALERTMANAGER, routes: shipped('mail') },
    });
    await run();
    const { global, receivers } = parse(lines(), { merge: true });
    expect(global).toBeUndefined();
    for (const receiver of receivers.slice(0, 3))
      expect(receiver.email_configs[0]).toMatchObject({ smarthost: expect.any(String) });
  });

  it('never shows the secret, and keeps other users from its file', async () => {
    const routes = shipped('webhook').replace(/url_file: .*/, "url: '1:geheim'");
    const { run, lines, target } = await world('alertmanager', { configuration: ALERTMANAGER, routes });
    expect((await run()).said).not.toContain('geheim');
    expect(lines()).toContain('1:geheim');
    expect(statSync(join(target, 'alertmanager.yml')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['is no YAML', 'route: [', /alertmanager\.yml:/],
    ['has no route', 'receivers: []\n', /expected a route: run `hoster-exporter setup` again/],
  ])('says so if its own file %s', async (_, routes, said) => {
    const { run } = await world('alertmanager', { configuration: ALERTMANAGER, routes });
    expect(await run()).toEqual({ code: 2, said: expect.stringMatching(said) });
  });
});
