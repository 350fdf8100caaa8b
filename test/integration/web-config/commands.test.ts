import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import type { Command } from '../../../src/cli/command.ts';
import { healthcheck } from '../../../src/cli/healthcheck.ts';
import { dependenciesOf } from '../../dependencies.ts';
import { runCommand } from '../../run-command.ts';
import { BAD_FILES, USERS } from './cases.ts';
import { runProgram, startDaemon, stopDaemons } from './program.ts';
import { closeServers, outcomeOf, place, serve, showing, TLS } from './test-server.ts';

afterEach(closeServers);
afterAll(stopDaemons);

const POLICY = '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.pem\n';

/** Runs a command in this process. */
async function run(command: Command, argv: readonly string[]) {
  const output = { out: '', error: '' };
  const code = await command.run(argv, {
    ...dependenciesOf(),
    print: async (text) => {
      output.out += text;
    },
    printError: (text) => {
      output.error += text;
    },
    colour: false,
    environment: {},
    readFile: async (path) => readFileSync(path, 'utf8'),
    isReadableByAll: async () => false,
    openLog: (level) => createLog({ level, format: 'logfmt', destination: { write: () => {} } }),
    interrupted: new Promise(() => {}),
    onHangup: () => {},
  });
  return { code, ...output };
}

describe('the start of the daemon', () => {
  it('ends with code 2 and the fault of the web configuration file', async () => {
    const file = place('bad.yml', BAD_FILES[1]?.[1] ?? '');
    const { code, error } = await runCommand(['demo', '--phones=1', `--web.config.file=${file}`]);
    expect(error).toMatch(
      /bad\.yml:2:3: tls_server_config\.cert_filse: unknown key. Did you mean cert_file\?/,
    );
    expect(code).toBe(2);
  });

  it('ends with code 2 when the web configuration file does not exist', async () => {
    const { code, error } = await runCommand(['demo', '--web.config.file=/nowhere/web.yml']);
    expect(error).toContain(
      '/nowhere/web.yml: no such file: create it, or name another one with --web.config.file',
    );
    expect(code).toBe(2);
  });
});

describe('the daemon', () => {
  it('refuses every client while its web configuration file is invalid, and logs the fault once', async () => {
    const { url, output, rewrite, waitForOutput, flags } = await startDaemon(TLS + USERS);
    const alice = { user: 'alice', password: 'alice123' };
    expect(url).toMatch(/^https:/);
    expect([await outcomeOf(`${url}/metrics`, alice), await outcomeOf(`${url}/metrics`)]).toEqual([200, 401]);
    expect(await runProgram(['healthcheck', ...flags])).toEqual({ code: 0, out: '', error: '' });
    rewrite(`${TLS}basic_auth_users:\n  alice: canary-clear\n`);
    await expect.poll(() => outcomeOf(`${url}/metrics`, alice), { timeout: 5_000 }).toBe('refused');
    await waitForOutput(
      /level=error msg="the web configuration is invalid: requests get status 500, and TLS handshakes fail, until you correct the file"/,
    );
    expect(await outcomeOf(`${url}/metrics`, alice)).toBe('refused');
    rewrite(TLS + USERS);
    await expect.poll(() => outcomeOf(`${url}/metrics`, alice), { timeout: 5_000 }).toBe(200);
    expect(output().match(/the web configuration is invalid/g)).toHaveLength(1);
    expect(output()).not.toContain('canary');
  });

  it('checks right and wrong passwords in its worker thread, and stops', async () => {
    const { url, stop } = await startDaemon(USERS);
    const outcomes = [];
    for (const user of ['alice', 'carol', 'dave']) {
      outcomes.push(await outcomeOf(url, { user, password: `${user}123` }));
      outcomes.push(await outcomeOf(url, { user, password: 'wrong' }));
    }
    expect(outcomes).toEqual([200, 401, 200, 401, 200, 401]);
    expect(await stop()).toBe(0);
  });

  it('lets in a client with a certificate of a known authority only', async () => {
    const { url } = await startDaemon(TLS + POLICY);
    expect([await outcomeOf(url, showing('client')), await outcomeOf(url)]).toEqual([200, 'refused']);
  });
});

describe('a command', () => {
  it('reaches a daemon whose certificate is of an authority in client.ca_file', async () => {
    const { flags } = await startDaemon(TLS + USERS);
    const list = ['maintenance', 'list', ...flags, `--login-file=${place('login', 'alice:alice123')}`];
    expect((await runCommand(list)).error).toContain('is not trusted here');
    expect(await runCommand([...list, `--client.ca-file=${place('authority.pem')}`])).toEqual({
      ...{ code: 0, out: 'No phone is in maintenance.\n', error: '' },
    });
  });
});

describe('healthcheck', () => {
  it.each([
    ['plain HTTP', '', '127.0.0.1'],
    ['every address of the machine', '', ''],
    ['IPv6', TLS, '[::1]'],
    ['passwords', USERS, '127.0.0.1'],
    ['TLS', TLS, '127.0.0.1'],
    ['TLS and passwords', TLS + USERS, '127.0.0.1'],
    ['client certificates', TLS + POLICY, '127.0.0.1'],
    ['client certificates and TLS 1.3', `${TLS}${POLICY}  min_version: TLS13\n`, '127.0.0.1'],
  ])('succeeds with %s, and fails after the server has closed', async (_, file, host) => {
    const { flags, close } = await serve(file, { host });
    expect(await run(healthcheck, flags)).toEqual({ code: 0, out: '', error: '' });
    await close();
    expect((await run(healthcheck, flags)).code).toBe(1);
  });

  it('fails while the web configuration file is invalid', async () => {
    const { flags, rewrite } = await serve(TLS);
    rewrite('{');
    await expect(run(healthcheck, flags)).rejects.toThrow('a bracket, quote, colon or comma is missing');
  });
});
