import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { findDaemon, type Kind } from '../../src/features/setup/daemon.ts';
import { applyJoin, findMissing, type JoinContext, planJoin } from '../../src/features/setup/join.ts';
import { freePort, MAIN, start } from '../process.ts';
import { ROOT } from '../rules/shipped.ts';

/*
 * `setup join` as a process, beside a stand-in of a Prometheus or an Alertmanager that is a process, too.
 */

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

/** Waits are short, but long enough for a signal to arrive. */
const CLOCK: Clock = { ...systemClock, after: (_, callback) => systemClock.after(5, callback) };

type World = {
  readonly configuration?: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly routes?: string;
};

/** Starts a daemon of an owner, with a folder of `setup` beside it. */
async function world(kind: Kind, { configuration = '', flags = [], environment = {}, routes }: World = {}) {
  worlds += 1;
  const own = join(folder, String(worlds));
  const directory = join(own, 'setup');
  mkdirSync(join(directory, 'alertmanager/secrets'), { recursive: true });
  mkdirSync(join(own, 'rules'));
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
  /** The command in this process. */
  const run = async (word: 'plan' | 'apply' | 'check', isSure = false) => {
    const said: string[] = [];
    const wizard = {
      prompt: undefined,
      print: async (sentence: string) => void said.push(sentence),
      environment: {},
      readFile: async () => '',
      isQuiet: false,
    };
    const others = {
      prometheus: { url: 'http://127.0.0.1:9093' },
      alertmanager: { url: 'http://127.0.0.1:9093' },
    };
    const daemons = { ...others, [kind]: await findDaemon(kind, pid, PATH) };
    const context: JoinContext = { wizard, daemons, directory, secret: '1:geheim' };
    if (word === 'plan') await planJoin(kind, context, isSure);
    else if (word === 'apply') await applyJoin(kind, context, isSure, CLOCK);
    else said.push(`lacks ${(await findMissing(context, CLOCK)).join(', ')}`);
    return said.join('\n');
  };
  /** The command as a process. */
  const command = async (...words: readonly string[]) => {
    const argv = [MAIN, 'setup', 'join', ...words, `--directory=${directory}`, `--${kind}=${pid}`];
    const program = start(process.execPath, argv, { PATH });
    const [code] = await once(program.child, 'close');
    return { code, said: program.output() };
  };
  const planned = () => parse(readFileSync(join(directory, `join/${kind}.yml`), 'utf8'));
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return {
    own,
    directory,
    file,
    port,
    run,
    command,
    planned,
    read: () => readFileSync(file, 'utf8'),
    metrics,
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

describe('setup join beside a Prometheus', () => {
  it('adds job, rules and Alertmanager to its lists, and loads them', async () => {
    const { command, read, file, planned, metrics } = await world('prometheus', {
      configuration: PROMETHEUS,
    });
    const { code, said } = await command('plan', 'prometheus', '--yes');
    expect(code).toBe(0);
    expect(said).toContain('+   - job_name: hoster\n');
    expect(read()).toBe(PROMETHEUS);
    const rules_file = file.replace('prometheus.yml', 'hoster.rules.yml');
    expect(planned()).toMatchObject({
      ...{ configuration: file, is_joined: true, has_job: false, has_rules: false, rules_file },
    });
    expect(await command('apply', 'prometheus')).toEqual({ code: 0, said: `Added the lines to ${file}.\n` });
    expect(parse(read())).toEqual({
      scrape_configs: [
        { job_name: 'hoster', scrape_interval: '15s', static_configs: [{ targets: ['127.0.0.1:9823'] }] },
        { job_name: 'mine', static_configs: [{ targets: ['127.0.0.1:1'] }] },
      ],
      rule_files: [rules_file],
      alerting: { alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:9093'] }] }] },
    });
    expect(await metrics()).toContain('seconds 2\n');
    expect(await command('check')).toEqual({ code: 0, said: '' });
  });

  it('changes and loads nothing when it is run again, unless files are new', async () => {
    const { run, read, metrics } = await world('prometheus', { configuration: PROMETHEUS });
    await run('plan', true);
    await run('apply');
    const joined = read();
    expect(await run('plan')).not.toContain('+ ');
    expect(await run('apply')).toBe('');
    expect(await metrics()).toContain('seconds 2\n');
    await run('apply', true);
    expect(await metrics()).toContain('seconds 3\n');
    expect(read()).toBe(joined);
  });

  it('changes nothing where nobody says yes, and says which lines are missing', async () => {
    const { run, command, read, planned } = await world('prometheus', { configuration: PROMETHEUS });
    await run('plan');
    expect(planned()).toMatchObject({ is_joined: false });
    await run('apply');
    expect(read()).toBe(PROMETHEUS);
    const { code, said } = await command('check');
    expect(code).toBe(1);
    expect(said).toContain('  alerting:\n    alertmanagers:\n      - static_configs: [{ targets: [');
    expect(said).toContain(
      'missing the job hoster in scrape_configs, the rules in rule_files, the Alertmanager 127.0.0.1:9093 in alerting.\n',
    );
  });

  it('puts rules and job where its patterns include them', async () => {
    const configuration = `${PROMETHEUS}rule_files: [none/*.yml, rules/*.yml]\nscrape_config_files:\n- rules/h*.yml\n`;
    const { run, own, planned, directory } = await world('prometheus', { configuration });
    await run('plan', true);
    expect(planned()).toMatchObject({
      rules_file: join(own, 'rules/hoster.rules.yml'),
      job_file: join(own, 'rules/hoster.yml'),
    });
    expect(Object.keys(planned().items)).toEqual(['alerting.alertmanagers']);
    expect(parse(readFileSync(join(directory, 'join/job.yml'), 'utf8'))).toMatchObject({
      scrape_configs: [{ job_name: 'hoster' }],
    });
  });

  it('leaves an Alertmanager elsewhere alone', async () => {
    const configuration = `${PROMETHEUS}alerting: { alertmanagers: [{ static_configs: [{ targets: ['am:9093'] }] }] }\n`;
    const { run, planned } = await world('prometheus', { configuration });
    await run('plan', true);
    expect(Object.keys(planned().items)).toEqual(['rule_files', 'scrape_configs']);
  });

  it('adds the Alertmanager where the entries of its own name none, as in the file that comes with Prometheus', async () => {
    const configuration = `${PROMETHEUS}alerting:\n  alertmanagers:\n    - static_configs:\n        - targets:\n          # - alertmanager:9093\n    - static_configs: []\n`;
    const { run, planned } = await world('prometheus', { configuration });
    await run('plan', true);
    expect(Object.keys(planned().items)).toContain('alerting.alertmanagers');
  });

  it('prints the lines for an agent, which has no rules', async () => {
    const { run, read } = await world('prometheus', { configuration: PROMETHEUS, flags: ['--agent'] });
    const said = await run('plan', true);
    expect(said).toContain('This Prometheus is an agent, which has no rules.');
    expect(said).toContain('Missing');
    await run('apply');
    expect(read()).toBe(PROMETHEUS);
  });

  it('says why a file cannot be written', async () => {
    const { run, read, file } = await world('prometheus', { configuration: PROMETHEUS });
    await run('plan', true);
    mkdirSync(`${file}.hoster-new`);
    expect(await run('apply')).toContain(`It cannot be written (ERR_FS_EISDIR). ${file} was not changed.`);
    expect(read()).toBe(PROMETHEUS);
  });

  it('prints lines for lists in brackets', async () => {
    const configuration = 'scrape_configs: []\n';
    const { run, read, planned } = await world('prometheus', { configuration });
    const said = await run('plan', true);
    expect(said).toContain('  scrape_configs:\n    - job_name: hoster\n');
    expect(planned()).toMatchObject({ is_joined: false });
    await run('apply');
    expect(read()).toBe(configuration);
  });

  it('finds it behind a prefix, and prints lines where it wants a password', async () => {
    const flags = ['--web.route-prefix=/prom/'];
    const behind = await world('prometheus', { configuration: PROMETHEUS, flags });
    await behind.run('plan', true);
    expect(behind.planned()).toMatchObject({
      url: `http://127.0.0.1:${behind.port}/prom`,
      is_joined: true,
    });
    const locked = await world('prometheus', { configuration: PROMETHEUS, environment: { LOCKED: '1' } });
    const said = await locked.run('plan', true);
    expect(said).toContain('It requires a password, so its loaded configuration is unknown.\nMissing');
    await locked.run('apply');
    expect(locked.read()).toBe(PROMETHEUS);
    writeFileSync(
      locked.file,
      `${PROMETHEUS}  - job_name: hoster\nrule_files: [hoster.rules.yml]\nalerting: { alertmanagers: [{ static_configs: [{ targets: ['localhost:9093'] }] }] }\n`,
    );
    expect(await locked.run('plan')).not.toContain('missing');
    expect(await locked.run('check')).toBe('lacks ');
  });

  it('leaves the file as it is where promtool refuses it', async () => {
    const configuration = `${PROMETHEUS}# WRONG\n`;
    const { run, read, file } = await world('prometheus', { configuration });
    await run('plan', true);
    expect(await run('apply')).toContain(
      `# WRONG\n${tools}/promtool refused the lines (see above). ${file} was not changed.`,
    );
    expect(read()).toBe(configuration);
    expect(await run('check')).toContain('Missing');
  });

  it('puts the file back where Prometheus does not accept it', async () => {
    const configuration = `${PROMETHEUS}# REFUSED\n`;
    const { file, run, read } = await world('prometheus', { configuration });
    await run('plan', true);
    expect(await run('apply')).toMatch(/refused its configuration\. See its log\.$/);
    expect([read(), statSync(file).mode & 0o777]).toEqual([configuration, 0o644]);
  });

  it.each([999999999, process.ppid])('says what to do where process %i is none', async (pid) => {
    const program = start(process.execPath, [MAIN, 'setup', 'join', 'check', `--prometheus=${pid}`]);
    const [code] = await once(program.child, 'close');
    expect([code, program.output()]).toEqual([
      2,
      `hoster-exporter: --prometheus: process ${pid} is not a Prometheus that this user can inspect: check \`ps ax\`, and run it as root\n`,
    ]);
  });
});

it.each([
  ['apply', undefined, 'does not exist: run `setup join plan prometheus` first'],
  ['check', '[}', 'is not a plan: run `setup join plan prometheus` again'],
])('asks for a plan before %s', async (word, text, said) => {
  const { run, directory } = await world('prometheus', { configuration: PROMETHEUS });
  mkdirSync(join(directory, 'join'));
  if (text !== undefined) writeFileSync(join(directory, 'join/prometheus.yml'), text);
  await expect(run(word === 'apply' ? 'apply' : 'check')).rejects.toThrow(said);
});

describe('setup join beside an Alertmanager', () => {
  it('adds receivers, times and routes with names of their own', async () => {
    const { run, read, file } = await world('alertmanager', { configuration: ALERTMANAGER });
    await run('plan', true);
    expect(await run('apply')).toBe(`Added the lines to ${file}.`);
    const joined = parse(read(), { merge: true });
    expect(joined).toMatchObject({
      route: {
        receiver: 'mine',
        routes: [{ matchers: ['alertname=~"Hoster.+"'], receiver: 'hoster-notify' }],
      },
      time_intervals: [{ name: 'hoster-night' }],
    });
    expect(joined.receivers.map(({ name }: { name: string }) => name)).toEqual([
      'hoster-page',
      'hoster-notify',
      'hoster-digest',
      'hoster-watchdog',
      'mine',
    ]);
    const digest = joined.route.routes[0].routes.at(-1);
    expect(digest).toMatchObject({ receiver: 'hoster-digest', mute_time_intervals: ['hoster-night'] });
  });

  it('says how a Prometheus of this project reaches it behind a prefix', async () => {
    const flags = ['--web.external-url=https://example.com/am/'];
    const { run, planned, port, directory } = await world('alertmanager', {
      configuration: ALERTMANAGER,
      flags,
    });
    await run('plan', true);
    expect(planned()).toMatchObject({ url: `http://127.0.0.1:${port}/am`, is_joined: true });
    expect(readFileSync(join(directory, 'join/destination'), 'utf8')).toBe('      path_prefix: /am\n');
  });

  it('gives its own mail its own settings', async () => {
    const configuration = `global: { smtp_smarthost: 'mine:587' }\n${ALERTMANAGER}    email_configs: [&email { to: me@example.com }]\n`;
    const { run, read } = await world('alertmanager', { configuration, routes: shipped('mail') });
    await run('plan', true);
    await run('apply');
    const { global, receivers } = parse(read(), { merge: true });
    expect(global).toEqual({ smtp_smarthost: 'mine:587' });
    for (const { email_configs } of receivers.slice(0, 3))
      expect(email_configs[0]).toMatchObject({ smarthost: 'YOUR_MAIL_SERVER:587', to: 'YOUR_ADDRESS' });
    expect(receivers[4]).toEqual({ name: 'mine', email_configs: [{ to: 'me@example.com' }] });
  });

  it('shows no secret, and closes a file that gets one', async () => {
    const routes = shipped('telegram').replace(/bot_token_file: .*/, "bot_token: '1:geheim'");
    const { run, read, file } = await world('alertmanager', { configuration: ALERTMANAGER, routes });
    const said = await run('plan', true);
    expect(said).toContain("bot_token: '…'");
    expect(said).not.toContain('geheim');
    await run('apply');
    expect(read()).toContain('1:geheim');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    writeFileSync(file, ALERTMANAGER);
    chmodSync(file, 0o600);
    await run('apply');
    expect([read().includes('1:geheim'), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
  });

  it('shows no line of the owner but keys', async () => {
    const configuration = `${ALERTMANAGER}    webhook_configs:\n      - url: http://me:passwort@example.com\n`;
    const { run } = await world('alertmanager', { configuration });
    const said = await run('plan', true);
    expect(said).toMatch(/^ {2}receivers:$/m);
    expect(said).not.toContain('passwort');
  });

  it('adds its routes to a file that only speaks of them', async () => {
    const configuration = `# ask Ivan before you touch hoster-page\n${ALERTMANAGER}`;
    const { run, read, planned } = await world('alertmanager', { configuration });
    await run('plan', true);
    expect(planned()).toMatchObject({ is_joined: true, items: { receivers: expect.any(String) } });
    await run('apply');
    expect(read()).toContain('name: hoster-page');
  });

  it.each([
    ['route: [', /alertmanager\.yml:\d+:\d+: a bracket, quote, colon or comma is missing/],
    ['- a list\n', /alertmanager\.yml: expected a route: run `hoster-exporter setup` again/],
    ['a text\n', /alertmanager\.yml: expected a route: run `hoster-exporter setup` again/],
  ])('says where its own routes are wrong (%s)', async (routes, said) => {
    const { run, read } = await world('alertmanager', { configuration: ALERTMANAGER, routes });
    await expect(run('plan', true)).rejects.toThrow(said);
    expect(read()).toBe(ALERTMANAGER);
  });

  it('leaves routes that a person wrote', async () => {
    const configuration = `${ALERTMANAGER}  - name: hoster-page\n`;
    const { run, read, planned } = await world('alertmanager', { configuration });
    await run('plan', true);
    expect(planned()).toMatchObject({ is_joined: true, items: {} });
    await run('apply');
    expect(read()).toBe(configuration);
  });

  it('says which words it expects', async () => {
    const program = start(process.execPath, [MAIN, 'setup', 'join', 'plan', 'grafana']);
    const [code] = await once(program.child, 'close');
    expect([code, program.output()]).toEqual([
      2,
      'hoster-exporter: setup join: expected plan or apply, with prometheus or alertmanager, or check\n',
    ]);
  });
});
