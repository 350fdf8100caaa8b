import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, get, MAIN, type Running, start } from '../process.ts';

/*
 * The program as a person meets it: the built one, in processes of its own.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
let marketplace: Running;
let empty: Running;
let url = '';
let emptyUrl = '';

type Said = { readonly code: number | null; readonly out: string; readonly error: string };

/** Runs the program to its end. */
async function say(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const child = spawn(process.execPath, [MAIN, ...parameters], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], out, error] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, error };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const goodKey = file('key', 'canary-key-good\n');
const wrongKey = file('wrong-key', 'canary-key-wrong\n');

async function addressOf(simulator: Running): Promise<string> {
  return (await simulator.hears(/HOSTER_API_URL=(\S+)/))[1] ?? '';
}

beforeAll(async () => {
  const simulate = ['simulate', '--port=0', `--key-file=${goodKey}`];
  marketplace = start(process.execPath, [MAIN, ...simulate, '--phones=100']);
  empty = start(process.execPath, [MAIN, ...simulate, '--phones=0']);
  url = await addressOf(marketplace);
  emptyUrl = await addressOf(empty);
});

afterAll(async () => {
  await Promise.all([marketplace.stop(), empty.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const account = (apiUrl: string, keyFile = goodKey) => ({
  HOSTER_API_URL: apiUrl,
  HOSTER_API_KEY_FILE: keyFile,
});

describe('check', () => {
  it('says what works', async () => {
    const { code, out } = await say(['check'], account(url));
    // Whether a tunnel is there depends on the hour, as the simulated marketplace lives by the clock.
    expect(
      out.replace(/phone [0-9a-f]{24} has (?:one|none)/, 'phone <id> has one or none'),
    ).toBe(`account  endpoint  works  finding
default  devices   yes    100 phones
default  tunnel    yes    phone <id> has one or none
default  balance   yes    readable
`);
    expect(code).toBe(0);
  });

  it('takes an empty fleet for what it is', async () => {
    const { code, out } = await say(['check'], account(emptyUrl));
    expect(out).toBe(`account  endpoint  works  finding
default  devices   yes    0 phones
default  tunnel    -      not asked: no self-rented phone on the first page of devices
default  balance   yes    readable
`);
    expect(code).toBe(0);
  });

  it.each([
    [
      'a wrong key',
      () => account(url, wrongKey),
      /devices +NO +.*HTTP 403 INVALID_API_KEY\. .*Check the key and the account\./,
    ],
    [
      'a wrong address',
      () => account(`${url}/nowhere`),
      /devices +NO +.*HTTP 404\. .*Check that api_url is the base address/,
    ],
    [
      'a host that refuses',
      () => account('http://127.0.0.1:9'),
      /devices +NO +.*ECONNREFUSED.*Check api_url, the firewall/,
    ],
    [
      'a name that nobody knows',
      () => account('https://nowhere.invalid'),
      /devices +NO +.*nowhere\.invalid.*Check its spelling/,
    ],
  ])('says of %s what was got and what to do', async (_, environment, finding) => {
    const { code, out, error } = await say(['check'], environment());
    expect(out).toMatch(finding);
    expect(code).toBe(1);
    expect(out + error).not.toContain('canary');
  });
});

describe('what can not start', () => {
  it.each([
    ['no account', [], {}, /no account: set HOSTER_API_URL with HOSTER_API_KEY_FILE or HOSTER_API_KEY/],
    ['an unknown command', ['chek'], {}, /got the command "chek": did you mean check\?/],
    [
      'an unknown flag',
      ['--web.listen-adress=x'],
      {},
      /--web\.listen-adress: unknown flag; did you mean --web\.listen-address\?/,
    ],
    [
      'a missing key file',
      ['check'],
      account('https://api.example.com', '/nonexistent/key'),
      /cannot read the key file \/nonexistent\/key \(ENOENT\): create it with the API key in it, readable by this user/,
    ],
    [
      'an unknown key in the file',
      [`--config.file=${file('unknown.yml', 'accounts: []\npol:\n  devices: "0 * * * * *"\n')}`],
      {},
      /unknown\.yml:2:1: pol: unknown key; did you mean poll\?/,
    ],
    [
      'a key on the command line',
      ['--api.key=canary-key-pasted'],
      {},
      /--api\.key: unknown flag; did you mean --api\.key-file\?|a key never travels on the command line/,
    ],
  ])('says why: %s', async (_, parameters, environment, message) => {
    const { code, out, error } = await say(parameters, environment);
    expect(error).toMatch(message);
    expect(code).toBe(2);
    expect(out + error).not.toContain('canary');
  });

  it('says why: the port is taken', async () => {
    const { port } = new URL(url);
    const { code, error } = await say([`--web.listen-address=127.0.0.1:${port}`], account(url));
    expect(error).toContain(
      `cannot listen on 127.0.0.1:${port} (EADDRINUSE): another program uses it: stop that one, or choose another with --web.listen-address`,
    );
    expect(code).toBe(2);
  });
});

describe('once', () => {
  it('prints the exposition', async () => {
    const { code, out } = await say(['once'], account(url));
    expect(out.match(/^hoster_device_info\{/gm)).toHaveLength(100);
    expect(code).toBe(0);
  });

  it('fails where a poll fails, and still prints what there is to say', async () => {
    const { code, out, error } = await say(['once'], account(url, wrongKey));
    expect(out).toContain('hoster_up{account="default"} 0');
    expect(error).toContain('reason=unauthorized');
    expect(code).toBe(1);
  });
});

describe('the daemon', () => {
  it('serves, is healthy and ready, and ends at SIGTERM within two seconds', async () => {
    const port = await freePort();
    const address = [`--web.listen-address=127.0.0.1:${port}`];
    const daemon = start(process.execPath, [MAIN, ...address], account(url));
    await daemon.hears(/msg="first poll succeeded" .*collector=tunnels/);
    const base = `http://127.0.0.1:${port}`;
    expect((await get(`${base}/metrics`)).body.match(/^hoster_device_info\{/gm)).toHaveLength(100);
    expect((await get(`${base}/-/ready`)).status).toBe(200);
    expect((await say(['healthcheck', ...address])).code).toBe(0);
    const asked = performance.now();
    expect(await daemon.stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(2_000);
    const { code, error } = await say(['healthcheck', ...address]);
    expect(error).toMatch(
      /^unhealthy: http:\/\/127\.0\.0\.1:\d+\/-\/healthy did not answer \(.*ECONNREFUSED/,
    );
    expect(code).toBe(1);
  });

  it('lives on with a key that is refused', async () => {
    const daemon = start(
      process.execPath,
      [MAIN, '--web.listen-address=127.0.0.1:0'],
      account(url, wrongKey),
    );
    const [, base] = await daemon.hears(/msg=listening url=(\S+)/);
    await daemon.hears(/collector=balance reason=unauthorized/);
    await daemon.hears(/collector=devices reason=unauthorized/);
    const { body } = await get(`${base}/metrics`);
    expect(body).toContain('hoster_account_api_access{account="default",state="invalid_key"} 1');
    expect(body).not.toContain('hoster_device_info{');
    expect(await daemon.stop()).toBe(0);
  });
});

describe('the demo', () => {
  it('says what to open, and ends at SIGTERM', async () => {
    const demo = start(process.execPath, [MAIN, 'demo', '--phones=3', '--web.listen-address=127.0.0.1:0']);
    const [, metrics] = await demo.hears(/Metrics +(\S+)/);
    await demo.hears(/Ctrl-C ends both\./);
    expect((await get(metrics ?? '')).body.match(/^hoster_device_info\{/gm)).toHaveLength(3);
    expect(await demo.stop()).toBe(0);
  });
});
