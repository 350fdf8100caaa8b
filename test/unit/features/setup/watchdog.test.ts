import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { setUp } from '../../../../src/features/setup/setup.ts';
import { listen } from '../../../integration/api-client.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const pings: string[] = [];
/** Knows one check, as healthchecks.io. Other addresses are not found. */
const service = createServer((request, response) => {
  pings.push(`${request.method} ${request.url}`);
  response.writeHead(request.url === '/known' ? 200 : 404).end();
});
let url = '';

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(service)}`;
});

afterAll(() => {
  service.close();
});

type Run = {
  readonly lines?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly isQuiet?: boolean;
  readonly alertmanagerVersion?: string;
  readonly proxies?: Readonly<Record<'https', string>>;
};

/** Sets up with a webhook as the channel. Without lines there is no terminal. */
async function run(directory: string, own: Run = {}) {
  const { lines, environment = {}, isQuiet = false, alertmanagerVersion = '0.34.0' } = own;
  const left = [...(lines ?? [])];
  const said: string[] = [];
  const ask = async (question: string): Promise<string> => {
    said.push(question);
    return question.startsWith('Ping address') ? (left.shift() ?? '') : '';
  };
  const secrets: Readonly<Record<string, string>> = {
    key: 'a-key',
    hook: `${url}/hook`,
    ping: `${url}/known`,
  };
  await setUp({
    ...{ directory, isShared: false, alertmanagerVersion, newPassword: () => 'new' },
    ...{ keyFile: '/key', secretsFolder: '/secrets', templatesFolder: '/templates' },
    networks: [{ authorities: undefined, proxies: undefined }],
    wizard: {
      prompt: lines === undefined ? undefined : { ask },
      print: async (sentence) => void said.push(sentence),
      environment: {
        ...{ HOSTER_API_URL: 'https://api.example.com', HOSTER_API_KEY_FILE: 'key' },
        ...{ HOSTER_CHANNEL: 'webhook', HOSTER_CHANNEL_SECRET_FILE: 'hook', ...environment },
      },
      readFile: async (path) => secrets[path] ?? '',
      isQuiet,
    },
    checkAddress: async () => ({ isProxied: false }),
    checkAccount: async () => ({ works: true, isOutage: false, isRefused: false, findings: '' }),
  });
  const routes = readFileSync(join(directory, 'alertmanager/alertmanager.yml'), 'utf8');
  const receiver: unknown = parse(routes, { merge: true }).receivers.at(-1);
  return { said: said.join('\n'), routes, receiver, asked: said.filter((each) => each.startsWith('Ping')) };
}

const secretOf = (directory: string): string =>
  readFileSync(join(directory, 'alertmanager/secrets/watchdog-url'), 'utf8');
const WITHOUT = { name: 'watchdog' };
const WITH = {
  ...WITHOUT,
  webhook_configs: [{ url_file: '/secrets/watchdog-url', send_resolved: false }],
};

describe('setup and the watchdog', () => {
  it('enables its receiver with the address that a person types, and pings it', async () => {
    const directory = temporaryFolder();
    pings.length = 0;
    const { receiver, said, routes } = await run(directory, { lines: [`${url}/known`] });
    expect(receiver).toEqual(WITH);
    expect(secretOf(directory)).toBe(`${url}/known`);
    expect(pings).toContain('POST /known');
    expect(said).toContain('If this machine stops, it cannot send an alert.');
    expect(routes).not.toContain('To use one');
  });

  it('asks again for an address that the service does not know, or that is none', async () => {
    const { said, receiver } = await run(temporaryFolder(), {
      lines: ['hc-ping', `${url}/other`, `${url}/known`],
    });
    expect(said).toContain('That is not an address: it should begin with https://.');
    expect(said).toContain('The watchdog responds with status 404.');
    expect(receiver).toEqual(WITH);
  });

  it.each([[''], ['none'], ['None']])(
    'leaves it out for the answer "%s", and then asks no more',
    async (typed) => {
      const directory = temporaryFolder();
      expect(await run(directory, { lines: [typed] })).toMatchObject({ receiver: WITHOUT });
      const again = await run(directory, { lines: [`${url}/known`], isQuiet: true });
      expect(again).toMatchObject({ receiver: WITHOUT, asked: [] });
      expect(again.said).not.toContain('If this machine stops');
    },
  );

  it('takes it from a variable, and keeps it in later runs with and without a terminal', async () => {
    const directory = temporaryFolder();
    const environment = { HOSTER_WATCHDOG_URL_FILE: 'ping' };
    expect(await run(directory, { environment })).toMatchObject({ receiver: WITH });
    expect(await run(directory)).toMatchObject({ receiver: WITH });
    expect(await run(directory, { lines: [], isQuiet: true })).toMatchObject({ receiver: WITH, asked: [] });
    const kept = await run(directory, { lines: [''] });
    expect(kept).toMatchObject({
      receiver: WITH,
      asked: [expect.stringContaining('[keep the current one]')],
    });
    expect(await run(directory, { lines: ['none'] })).toMatchObject({ receiver: WITHOUT });
  });

  it('asks for it once in an installation that is older than the question', async () => {
    const directory = temporaryFolder();
    await run(directory, { lines: [''] });
    const answers = join(directory, 'setup.yml');
    writeFileSync(answers, readFileSync(answers, 'utf8').replace(/^has_watchdog.*\n/m, ''));
    const { receiver, asked } = await run(directory, { lines: [`${url}/known`], isQuiet: true });
    expect(receiver).toEqual(WITH);
    expect(asked).toHaveLength(1);
  });

  it('takes over the address that somebody has put into the file by hand', async () => {
    const directory = temporaryFolder();
    await run(directory, { lines: [''] });
    const answers = join(directory, 'setup.yml');
    writeFileSync(answers, readFileSync(answers, 'utf8').replace(/^has_watchdog.*\n/m, ''));
    mkdirSync(join(directory, 'alertmanager/secrets'), { recursive: true });
    writeFileSync(join(directory, 'alertmanager/secrets/watchdog-url'), `${url}/known\n`);
    expect(await run(directory)).toMatchObject({ receiver: WITH });
  });

  it('is not asked for a channel that nobody reads', async () => {
    const environment = { HOSTER_CHANNEL: 'none' };
    expect(await run(temporaryFolder(), { lines: [], environment })).toMatchObject({
      asked: [],
      receiver: WITHOUT,
    });
  });

  it('writes the address itself for an old Alertmanager, and never shows it', async () => {
    const directory = temporaryFolder();
    await run(directory, { lines: [''], alertmanagerVersion: '0.25.0' });
    const { receiver, said } = await run(directory, {
      lines: [`${url}/known`],
      alertmanagerVersion: '0.25.0',
    });
    expect(receiver).toEqual({
      ...WITHOUT,
      webhook_configs: [{ url: `${url}/known`, send_resolved: false }],
    });
    expect(said).toContain('Changes to alertmanager/alertmanager.yml:');
    expect(said).not.toContain('/known');
  });
});
