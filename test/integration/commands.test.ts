import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort, get, MAIN, start } from '../process.ts';
import { type RunningCommand, runCommand, startCommand } from '../run-command.ts';
import type { Simulator } from '../simulator.ts';
import { KEY, startMarketplace } from './exporter.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
let marketplace: RunningCommand;
let empty: Simulator;
let url = '';

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const goodKey = file('key', `${KEY}\n`);
const wrongKey = file('wrong-key', 'canary-key-wrong\n');

beforeAll(async () => {
  const simulate = ['simulate', '--port=0', `--key-file=${goodKey}`, '--phones=100'];
  marketplace = startCommand(simulate);
  url = (await marketplace.waitForOutput(/HOSTER_API_URL=(\S+)/))[1] ?? '';
  empty = await startMarketplace(0);
});

afterAll(async () => {
  await Promise.all([marketplace.stop(), empty.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Scrapes until the page matches. */
async function pageThatShows(base: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const { body } = await get(`${base}/metrics`).catch(() => ({ body: '' }));
    if (pattern.test(body)) return body;
    await setTimeout(20);
  }
}

const account = (apiUrl: string, keyFile = goodKey) => ({
  HOSTER_API_URL: apiUrl,
  HOSTER_API_KEY_FILE: keyFile,
});

describe('the command check', () => {
  it('reports which endpoints work', async () => {
    const { code, out } = await runCommand(['check'], account(url));
    // The tunnel exists at some hours only: the simulated marketplace follows the clock.
    const plain = out
      .replace(/(?:no )?tunnel found for phone .+/, 'tunnel found for phone <label>')
      .replace(/[\d.,]+ available/, '<amount> available')
      .replace(/local time \(.*\)/, 'local time (<zone>)')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>');
    expect(plain).toBe(`account  endpoint  works  finding
default  devices   yes    100 phones
default  tunnel    yes    tunnel found for phone <label>
default  balance   yes    <amount> available

polls    schedule        next in UTC          next in local time (<zone>)
devices  */30 * * * * *  <time>  <time>
tunnels  */30 * * * * *  <time>  <time>
balance  0 * * * * *     <time>  <time>
`);
    expect(code).toBe(0);
    const own = await runCommand(['check', '--time-zone=Europe/Kyiv'], account(url));
    expect(own.out).toContain('next in local time (Europe/Kyiv)');
  });

  it('says what rare schedules mean for messages', async () => {
    const rare = [
      '--poll.devices=0 0 * * * *',
      '--poll.tunnels=0 */5 * * * *',
      '--poll.balance=0 0 */6 * * *',
    ];
    const { code, out } = await runCommand(['check', ...rare], account(url));
    expect(out).toContain(`
poll.devices: polls are up to 1h apart, so alerts about phones open and resolve up to 1h later.

poll.balance: polls are up to 6h apart, so alerts about the balance open and resolve up to 6h later.
`);
    expect(out).not.toContain('messages about tunnels');
    expect(code).toBe(0);
  });

  it('warns of a key file that every user of the machine may read', async () => {
    const open = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
    onTestFinished(() => rmSync(open, { recursive: true }));
    const key = join(open, 'key');
    writeFileSync(key, `${KEY}\n`);
    const warning = `level=warn msg="every user of this machine can read the key file ${key}: run chmod o-rwx ${key}"`;
    const outcomes: boolean[] = [];
    for (const [folderMode, mode] of [
      [0o755, 0o644],
      [0o755, 0o640],
      [0o700, 0o644],
    ] as const) {
      chmodSync(open, folderMode);
      chmodSync(key, mode);
      const { code, error } = await runCommand(['check'], account(url, key));
      expect(code).toBe(0);
      outcomes.push(error.includes(warning));
    }
    expect(outcomes).toEqual([true, false, false]);
  });

  it('succeeds for an empty fleet', async () => {
    const { code, out } = await runCommand(['check'], account(empty.url));
    expect(out).toMatch(/devices +yes +0 phones. Is it the key of the right account\?\n/);
    expect(out).toMatch(/tunnel +- +not requested: there are no phones\n/);
    expect(code).toBe(0);
  });

  it.each([
    [
      'a wrong key',
      () => account(url, wrongKey),
      /devices +NO +HTTP 403 INVALID_API_KEY\. The API does not accept this key\./,
    ],
    [
      'a tunnel that it did not request because the device list failed',
      () => account(url, wrongKey),
      /tunnel +- +not requested: could not read the list of phones\n/,
    ],
    [
      'https on a server that speaks http',
      () => account(url.replace('http:', 'https:')),
      /devices +NO +.*: this server speaks http, not https\)\. .*Check the host and port in api_url/,
    ],
    [
      'a wrong address',
      () => account(`${url}/nowhere`),
      /devices +NO +HTTP 404\. .* The address was http:\S+\/nowhere\/hoster\/v1\/devices\. Without the path \/nowhere, api_url is http:\S+\d\./,
    ],
    [
      'a refused connection',
      () => account('http://127.0.0.1:9'),
      /devices +NO +.*ECONNREFUSED.*Check api_url, the firewall/,
    ],
    [
      'an unknown host name',
      () => account('https://nowhere.invalid'),
      /devices +NO +.*nowhere\.invalid.*Check its spelling/,
    ],
  ])('reports %s, with the action to take', async (_, environment, finding) => {
    const { code, out, error } = await runCommand(['check'], environment());
    expect(out).toMatch(finding);
    expect(code).toBe(1);
    expect(out + error).not.toContain('canary');
  });
});

describe('two accounts with the same phones', () => {
  it('are refused by check because of their device lists', async () => {
    const path = file(
      'same-phones.yml',
      `accounts:
  - { name: one, api_url: '${url}', api_key_file: key }
  - { name: two, api_url: '${url.replace('127.0.0.1', 'localhost')}', api_key_file: key }
`,
    );
    const { code, out } = await runCommand(['check', `--config.file=${path}`]);
    expect(out).toContain(
      'accounts "one" and "two" have the same phones, so each phone counts twice: remove one.\n',
    );
    expect(code).toBe(1);
  });

  it('are refused by check and warned of at the start because of their key', async () => {
    const path = file(
      'same-key.yml',
      `accounts:
  - { name: one, api_url: '${url}', api_key_file: key }
  - { name: two, api_url: '${url}', api_key_file: key }
`,
    );
    const { code, out, error } = await runCommand(['check', `--config.file=${path}`]);
    expect(out).toContain('accounts "one" and "two" have the same key, so each phone counts twice');
    expect(error).toContain('level=warn msg="accounts');
    expect(out + error).not.toContain(KEY);
    expect(code).toBe(1);
  });
});

describe('a command line that cannot be run', () => {
  it.each([
    ['no account', [], {}, /no account yet: .*set HOSTER_API_URL and HOSTER_API_KEY_FILE,/],
    ['an unknown command', ['chek'], {}, /unknown command "chek"\. Did you mean check\?/],
    [
      'an unknown flag',
      ['--web.listen-adress=x'],
      {},
      /--web\.listen-adress: unknown flag. Did you mean --web\.listen-address\?/,
    ],
    [
      'a missing key file',
      ['check'],
      account('https://api.example.com', '/nonexistent/key'),
      /cannot read the key file \/nonexistent\/key \(ENOENT\): create it with the API key in it, readable by this user/,
    ],
    [
      'a configuration file in the home folder of a shell',
      ['check', '--config.file=~/hoster.yml'],
      {},
      /~\/hoster\.yml: expected a path without ~, which only a shell expands: write \S+\/… instead of ~\/…/,
    ],
    [
      'an unknown key in the file',
      [`--config.file=${file('unknown.yml', 'accounts: []\npol:\n  devices: "0 * * * * *"\n')}`],
      {},
      /unknown\.yml:2:1: pol: unknown key. Did you mean poll\?/,
    ],
    [
      'a key on the command line',
      ['--api.key=canary-key-pasted'],
      {},
      /--api\.key: unknown flag. Did you mean --api\.key-file\?|Keys are not accepted on the command line/,
    ],
  ])('is refused with code 2 and a reason: %s', async (_, parameters, environment, message) => {
    const { code, out, error } = await runCommand(parameters, environment);
    expect(error).toMatch(message);
    expect(code).toBe(2);
    expect(out + error).not.toContain('canary');
  });

  it('fails with code 1 and a reason on a port in use, so that systemd tries again', async () => {
    const { port } = new URL(url);
    const { code, error } = await runCommand([`--web.listen-address=127.0.0.1:${port}`], account(url));
    expect(error).toContain(
      `cannot listen on 127.0.0.1:${port} (EADDRINUSE): another program uses it: stop it, or choose another address with --web.listen-address`,
    );
    expect(code).toBe(1);
  });
});

describe('a command line that wants information', () => {
  it.each(['help', 'help-all', 'version'])(
    'gets it with one hyphen too: -%s starts no daemon',
    async (name) => {
      const two = await runCommand([`--${name}`]);
      expect(two).toMatchObject({ code: 0, out: expect.stringContaining('hoster-exporter'), error: '' });
      expect(await runCommand([`-${name}`], account(url, '/nonexistent/key'))).toEqual(two);
    },
  );
});

describe('a Node that is too old', () => {
  const preload = file(
    'old.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: process.env.AS } });",
  );

  it.each([
    ['18.20.8', 2],
    ['20.18.0', 2],
    ['20.18.1', 0],
    ['26.0.0', 0],
  ])('gets one sentence from each command: %s exits with %i', (version, code) => {
    for (const command of ['check', 'setup', 'month']) {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--require', preload, MAIN, command, '--help'],
        { env: { ...process.env, AS: version }, encoding: 'utf8' },
      );
      expect([status, stderr]).toEqual([
        code,
        code === 0
          ? ''
          : `hoster-exporter: needs Node.js 20.18.1 or newer, and this is ${version}: install a newer one\n`,
      ]);
    }
  });
});

it('the help lists the commands, the default first', async () => {
  const { out } = await runCommand(['--help']);
  const [, listed = ''] = /^Commands:\n(.*?)\n\n/ms.exec(out) ?? [];
  expect(listed.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim())).toEqual([
    'run',
    'check',
    'once',
    'setup',
    'demo',
    'simulate',
    'maintenance',
    'month',
    'incidents',
    'tags',
    'telegram',
    'healthcheck',
  ]);
});

describe('the command simulate', () => {
  it.each([5, 250])('prints commands that take one of %i phones, and a rack', async (phones) => {
    const simulator = startCommand(['simulate', '--port=0', `--phones=${phones}`]);
    onTestFinished(async () => void (await simulator.stop()));
    const [, address = ''] = await simulator.waitForOutput(/curl -X PUT (\S+\/-\/faults\/label\/\S+)/);
    const response = await fetch(address, { method: 'PUT' });
    expect(await response.json()).toMatchObject({ data: { active: [{ phones: 1 }] } });
    const [rack = ''] = /\S+\/-\/faults\/group\/\S+/.exec(simulator.output()) ?? [];
    expect((await fetch(rack, { method: 'PUT' })).status).toBe(200);
  });

  it('refuses settings of the daemon', async () => {
    const { code, error } = await runCommand(['simulate', '--api.url=https://api.example.com']);
    expect([code, error]).toEqual([2, 'hoster-exporter: --api.url: unknown flag. See --help\n']);
  });

  it('says that its port is taken', async () => {
    const { port } = new URL(url);
    expect(await runCommand(['simulate', `--port=${port}`])).toEqual({
      code: 1,
      out: '',
      error: `cannot listen on 127.0.0.1:${port} (EADDRINUSE): choose another port with --port\n`,
    });
  });
});

describe('the command incidents', () => {
  it('prints nothing of another server that could control the terminal', async ({ onTestFinished }) => {
    const server = createServer((_, response) =>
      response.writeHead(404).end('\u001b]0;owned\u0007\u001b[2J gone'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, error } = await runCommand(['incidents', `--url=http://127.0.0.1:${port}`]);
    expect([code, error]).toEqual([1, `http://127.0.0.1:${port}: \uFFFD]0;owned\uFFFD\uFFFD[2J gone\n`]);
  });

  it.each([
    [
      ['ack', 'x'],
      'incidents: expected acknowledge, unacknowledge, note, note-phone, correct-note, correct-note-phone, remove-note, remove-note-phone, or only flags. See hoster-exporter incidents --help',
    ],
    [['acknowledge'], 'incidents acknowledge: expected the ID of an open incident'],
    [['note', 'x'], 'incidents note: expected the ID of an incident, and the note in quotes'],
    [['note-phone'], 'incidents note-phone: expected the ID or label of a phone, and the note in quotes'],
  ])('says what it expects in place of %j', async (argv, expected) => {
    const { code, error } = await runCommand(['incidents', ...argv]);
    expect([code, error]).toEqual([2, `hoster-exporter: ${expected}\n`]);
  });
});

describe('a note in the terminal', () => {
  it.each([
    [['note', 'x', '-- loose cable'], 1, 'did not respond'],
    [['note', '--', 'x', '--url'], 1, 'did not respond'],
    [['note', 'x', '--url=http://127.0.0.1:1'], 2, 'expected the ID of an incident, and the note in quotes'],
  ])('may begin with dashes: %j', async (argv, expected, text) => {
    const flags = ['--web.listen-address=127.0.0.1:1'];
    const { code, error } = await runCommand(['incidents', ...argv, ...(expected === 1 ? flags : [])]);
    expect([code, error]).toEqual([expected, expect.stringContaining(text)]);
  });
});

describe('the command once', () => {
  it('prints the exposition', async () => {
    const { code, out } = await runCommand(['once'], account(url));
    expect(out.match(/^hoster_device_info\{/gm)).toHaveLength(100);
    expect(code).toBe(0);
  });

  it('prints no metrics of its own process, which would collide with those from node_exporter', async () => {
    const { out } = await runCommand(['once'], account(url));
    const families = Array.from(out.matchAll(/^# TYPE (\w+)/gm), ([, name = '']) => name);
    expect(families).toContain('hoster_exporter_build_info');
    expect(families.filter((name) => !name.startsWith('hoster_'))).toEqual([]);
    expect(out).not.toMatch(/^(?:process|nodejs)_/m);
  });

  it('fails if a poll fails, and prints the exposition all the same', async () => {
    const { code, out, error } = await runCommand(['once'], account(url, wrongKey));
    expect(out).toContain('hoster_up{account="default"} 0');
    expect(error).toContain('reason=unauthorized');
    expect(code).toBe(1);
  });
});

describe('the daemon', () => {
  it('serves, is healthy and ready, and ends on SIGTERM', async () => {
    const port = await freePort();
    const address = [`--web.listen-address=127.0.0.1:${port}`];
    const daemon = start(process.execPath, [MAIN, ...address], account(url));
    const base = `http://127.0.0.1:${port}`;
    const page = await pageThatShows(base, /^hoster_device_info\{/m);
    expect(page.match(/^hoster_device_info\{/gm)).toHaveLength(100);
    await daemon.waitForOutput(/msg="first poll succeeded" .*collector=tunnels/);
    while ((await get(`${base}/-/ready`)).status !== 200) await setTimeout(20);
    expect((await runCommand(['healthcheck', ...address])).code).toBe(0);
    expect(await daemon.stop()).toBe(0);
    const { code, error } = await runCommand(['healthcheck', ...address]);
    expect(error).toMatch(/^unhealthy: http:\/\/127\.0\.0\.1:\d+ did not respond \(.*ECONNREFUSED/);
    expect(code).toBe(1);
  });

  it('continues with a key that the API refuses', async () => {
    const daemon = startCommand(['--web.listen-address=127.0.0.1:0'], account(url, wrongKey));
    const [, base] = await daemon.waitForOutput(/msg=listening url=(\S+)/);
    await daemon.waitForOutput(/collector=balance reason=unauthorized/);
    await daemon.waitForOutput(/collector=devices reason=unauthorized/);
    // The page follows the log within moments.
    const page = await pageThatShows(
      base ?? '',
      /^hoster_account_api_access\{account="default",state="invalid_key"\} 1$/m,
    );
    expect(page).not.toContain('hoster_device_info{');
    expect(await daemon.stop()).toBe(0);
  });
});

describe('the command demo', () => {
  it('prints the addresses to open, and ends on SIGTERM', async () => {
    const demo = start(process.execPath, [MAIN, 'demo', '--phones=3', '--web.listen-address=127.0.0.1:0']);
    const [, metrics] = await demo.waitForOutput(/Metrics +(\S+)/);
    await demo.waitForOutput(/Press Ctrl-C to quit\./);
    expect((await get(metrics ?? '')).body.match(/^hoster_device_info\{/gm)).toHaveLength(3);
    expect(await demo.stop()).toBe(0);
  });

  it('has switches for faults, to which the fleet page links', async () => {
    const demo = startCommand(['demo', '--phones=80', '--web.listen-address=127.0.0.1:0']);
    const [, url = ''] = await demo.waitForOutput(/Open +(\S+)/);
    const { exporter } = JSON.parse((await get(`${url}api/v1/fleet?phones=no`)).body);
    expect(exporter.links).toEqual([{ href: 'demo', title: 'Try a fault' }]);
    const post = async (query: string) =>
      await (await fetch(`${url}demo?${query}`, { method: 'POST' })).text();
    expect((await get(`${url}demo`)).body).toContain('Active: <b>none</b>');
    expect(await post('fault=down')).toContain('Active: <b>down</b>');
    expect(await post('fault=group/rack-03')).toMatch(/Active: <b>down, group\/rack-03 \(\d+ phones\)<\/b>/);
    expect(await post('')).toContain('Active: <b>none</b>');
    expect(await demo.stop()).toBe(0);
  });

  it('has watched for two days, takes maintenance, and leaves nothing behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
    const parameters = [MAIN, 'demo', '--phones=80', '--web.listen-address=127.0.0.1:0'];
    const demo = start(process.execPath, parameters, { TMPDIR: folder });
    const [, url = ''] = await demo.waitForOutput(/Open +(\S+)/);
    const json = async (path: string) => JSON.parse((await get(new URL(path, url).href)).body);
    const [history] = (await json('/api/v1/history?hours=48')).accounts;
    expect(history.listed.filter((each: number | null) => each === null).length).toBeLessThan(3);
    expect(history.balance_cents.at(-3)).toBeGreaterThan(0);
    expect((await json('/api/v1/fleet')).exporter.allowsChanges).toBe(true);
    const months = [0, 2].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 7));
    const lived = await Promise.all(
      [...new Set(months)].map(async (month) => await json(`/api/v1/month?month=${month}`)),
    );
    expect(lived.flatMap(({ days }) => days).length).toBeGreaterThanOrEqual(3);
    expect(lived.map(({ unreadableLines = 0 }) => unreadableLines)).toEqual(lived.map(() => 0));
    expect(await demo.stop()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
