import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bcryptMatches } from '../../src/http/web-config/bcrypt.ts';
import { createCertificate } from '../certificate.ts';
import { MAIN, start } from '../process.ts';
import { runCommand } from '../run-command.ts';
import type { Simulator } from '../simulator.ts';
import { listen } from './api-client.ts';
import { KEY, startMarketplace } from './exporter.ts';
import { serveProxy } from './proxy.ts';
import { startStandInTelegram, TOKEN } from './stand-in-telegram.ts';

/*
 * `hoster-exporter setup`, as a process where its start matters, with a simulated marketplace and stand-ins of Telegram and of
 * mail servers. Nobody can be asked here: what a person is asked is in the unit tests.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-setup-'));
let marketplace: Simulator;
let telegram: Awaited<ReturnType<typeof startStandInTelegram>>;
let runs = 0;

beforeAll(async () => {
  marketplace = await startMarketplace(50);
  telegram = await startStandInTelegram();
});

afterAll(async () => {
  telegram.close();
  await marketplace.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(content: string): string {
  runs += 1;
  const path = join(folder, `file-${runs}`);
  writeFileSync(path, content);
  return path;
}

const account = () => ({
  HOSTER_API_URL: marketplace.url,
  HOSTER_API_KEY_FILE: file(`\ufeff"${KEY}"\r\n`),
  HOSTER_CHANNEL: 'none',
});

const withTelegram = () => ({
  ...account(),
  HOSTER_CHANNEL: 'Telegram',
  HOSTER_CHANNEL_SECRET_FILE: file(`${TOKEN}\r\n`),
  HOSTER_TELEGRAM_API: telegram.url,
  HOSTER_TELEGRAM_CHAT: '7',
});

async function setUp(directory: string, environment: Record<string, string>, argv: readonly string[] = []) {
  const { code, out, error } = await runCommand(['setup', `--directory=${directory}`, ...argv], environment);
  return { code, said: out + error };
}

/** The same as a process of its own, which has an environment from its start. */
async function setUpAsProcess(directory: string, environment: Record<string, string>) {
  const program = start(process.execPath, [MAIN, 'setup', `--directory=${directory}`], environment);
  const [code] = await once(program.child, 'close');
  return { code, said: program.output() };
}

function place(): string {
  runs += 1;
  return join(folder, `place-${runs}`);
}

const read = (directory: string, name: string): string => readFileSync(join(directory, name), 'utf8');
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('setup without a terminal', () => {
  it('checks the account and the channel, and writes configuration, key, routes and secret', async () => {
    const directory = place();
    const { code, said } = await setUpAsProcess(directory, {
      ...withTelegram(),
      HOSTER_TIME_ZONE: 'Europe/Kyiv',
    });
    expect(said).toContain('Found: 50 phones');
    expect(said).toContain('Using chat 7.');
    expect(code).toBe(0);
    expect(parse(read(directory, 'exporter/hoster-exporter.yml'))).toEqual({
      accounts: [
        { name: 'default', api_url: marketplace.url, api_key_file: join(directory, 'exporter/key') },
      ],
      time_zone: 'Europe/Kyiv',
    });
    expect(read(directory, 'exporter/key')).toBe(`${KEY}\n`);
    expect(read(directory, 'alertmanager/secrets/telegram-bot-token')).toBe(TOKEN);
    expect(read(directory, 'alertmanager/alertmanager.yml')).toContain('chat_id: 7\n');
    expect(
      ['exporter/key', 'alertmanager/alertmanager.yml', 'alertmanager/secrets/telegram-bot-token'].map(
        (name) => modeOf(join(directory, name)),
      ),
    ).toEqual(['600', '640', '640']);
    expect(said).not.toContain(KEY);
    expect(said).not.toContain(TOKEN);
  });

  it('remembers the answers, changes one, and keeps everything else that a person wrote', async () => {
    const directory = place();
    await setUp(directory, withTelegram());
    const path = join(directory, 'exporter/hoster-exporter.yml');
    writeFileSync(path, `${readFileSync(path, 'utf8')}offline: { after: 10m } # mine\n`);
    const telegramApi = { HOSTER_TELEGRAM_API: telegram.url };
    const before = readFileSync(path, 'utf8');
    expect(await setUp(directory, telegramApi)).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toBe(before);
    const { said } = await setUp(directory, { ...telegramApi, HOSTER_CURRENCY: 'EUR' });
    expect(said).toMatch(/^Changes to exporter\/hoster-exporter\.yml:\n(?:.*\n)*\+ {5}currency: EUR$/m);
    expect(parse(readFileSync(path, 'utf8')).accounts[0].currency).toBe('EUR');
    expect(readFileSync(path, 'utf8')).toContain('offline: { after: 10m } # mine');
    expect(readFileSync(`${path}.before`, 'utf8')).toBe(before);
    await setUp(directory, { ...telegramApi, HOSTER_CURRENCY: 'none' });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('prints a command for the next step that a shell takes, also for a folder with a blank', async () => {
    const directory = `${place()} of mine`;
    const { said } = await setUp(directory, account());
    expect(said).toContain(
      `Next: hoster-exporter --config.file="${directory}/exporter/hoster-exporter.yml"\n`,
    );
  });

  it('lets every user read the files where containers have users of their own', async () => {
    const directory = place();
    await setUp(directory, withTelegram(), ['--shared', '--key-file=/k', '--secrets=/s', '--templates=/t']);
    expect(modeOf(join(directory, 'alertmanager/secrets/telegram-bot-token'))).toBe('644');
    expect(modeOf(join(directory, 'alertmanager/secrets'))).toBe('755');
    expect(read(directory, 'exporter/hoster-exporter.yml')).toContain('api_key_file: /k\n');
    expect(read(directory, 'alertmanager/alertmanager.yml')).toContain(
      'bot_token_file: /s/telegram-bot-token\n',
    );
    expect(read(directory, 'alertmanager/alertmanager.yml')).toContain('- /t/*.tmpl\n');
  });

  it('makes a login for the buttons of the page in containers, once', async () => {
    const directory = place();
    const { said } = await setUp(directory, withTelegram(), ['--shared']);
    const password = read(directory, 'page-password').trim();
    expect(password).toMatch(/^[\w-]{16}$/);
    expect(said).not.toContain(password);
    expect(said).toContain('The buttons on the fleet page ask for a login: owner');
    const { owner } = parse(read(directory, 'exporter/web.yml')).basic_auth_users;
    expect(bcryptMatches(password, owner)).toBe(true);
    const { web } = parse(read(directory, 'exporter/hoster-exporter.yml'));
    expect(web).toEqual({ config_file: 'web.yml', anonymous_reading: true });
    const again = await setUp(directory, withTelegram(), ['--shared']);
    expect(again.said).not.toContain('ask for a login');
    expect(read(directory, 'page-password').trim()).toBe(password);
  });

  it('takes a folder whose name has blanks, quotes and an umlaut', async () => {
    const directory = join(place(), `O'Neill's "phönes" & Co`);
    expect(await setUp(directory, withTelegram())).toMatchObject({ code: 0 });
    const { accounts } = parse(read(directory, 'exporter/hoster-exporter.yml'));
    expect(accounts[0].api_key_file).toBe(join(directory, 'exporter/key'));
    const { receivers } = parse(read(directory, 'alertmanager/alertmanager.yml'));
    expect(receivers[0].telegram_configs[0].bot_token_file).toBe(
      join(directory, 'alertmanager/secrets/telegram-bot-token'),
    );
  });

  it('sends into the topic that is named', async () => {
    const directory = place();
    await setUp(directory, { ...withTelegram(), HOSTER_TELEGRAM_TOPIC: '5' });
    expect(read(directory, 'alertmanager/alertmanager.yml')).toContain('message_thread_id: 5\n');
  });

  it('follows a group that became a supergroup', async () => {
    telegram.moved = new Map([[-42, 7]]);
    const directory = place();
    const { code, said } = await setUp(directory, { ...withTelegram(), HOSTER_TELEGRAM_CHAT: '-42' });
    expect(said).toContain('The group became a supergroup. Its number is now 7.');
    expect(code).toBe(0);
    expect(read(directory, 'alertmanager/alertmanager.yml')).toContain('chat_id: 7\n');
  });

  it.each([
    ['HOSTER_API_URL', 'http://192.0.2.1', /expected https, since plain http would send the API key/],
    ['HOSTER_API_KEY_FILE', () => file('wrong'), /HTTP 403 .*API does not accept this key/],
    ['HOSTER_API_KEY_FILE', () => file('API_KEY=abc'), /has a name before the key/],
    ['HOSTER_CURRENCY', 'euros', /"euros" is not a currency code such as EUR/],
    ['HOSTER_TIME_ZONE', 'Kyiv', /HOSTER_TIME_ZONE: got "Kyiv", expected/],
    ['HOSTER_CHANNEL', 'telegram:4711', /Unknown channel "telegram:4711"\. Expected one of: telegram, ntfy/],
    ['HOSTER_CHANNEL_SECRET_FILE', () => file('nonsense'), /That is not a bot token/],
    ['HOSTER_CHANNEL_SECRET_FILE', () => file('1:wrong'), /Telegram refused this token/],
    ['HOSTER_CHANNEL_SECRET_FILE', '/nowhere', /cannot be read/],
    ['HOSTER_TELEGRAM_CHAT', '999', /Telegram refused chat 999: Bad Request: chat not found/],
    ['HOSTER_TELEGRAM_CHAT', '@me', /"@me" is not a chat number/],
  ])('writes nothing with a wrong %s, and says why (%s)', async (name, value, reason) => {
    telegram.moved = new Map();
    const directory = place();
    const text = typeof value === 'string' ? value : value();
    const { code, said } = await setUp(directory, { ...withTelegram(), [name]: text });
    expect(said).toMatch(reason);
    expect(code).toBe(2);
    expect(() => statSync(directory)).toThrow('ENOENT');
  });

  it.each([
    ['a key twice', 'time_zone: UTC\ntime_zone: UTC\n', /:2:1: duplicate key/],
    ['a tab', 'accounts:\n\t- name: a\n', /:2:1: a tab: indent YAML with spaces/],
    ['a second document', 'a: 1\n---\nb: 2\n', /:2:1: a second document/],
    ['an alias of nothing', 'a: *nobody\n', /:1:4: aliases/],
    ['a text', 'hello\n', /:1:1: got a text, expected a map/],
    ['a list', '- hello\n', /:1:1: got a list, expected a map/],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0x3a, 0xff]), /:1:3: invalid UTF-8/],
  ])(
    'writes nothing over a file of %s that it reads back, and says where it is wrong',
    async (_, text, said) => {
      for (const name of ['exporter/hoster-exporter.yml', 'setup.yml']) {
        const directory = place();
        mkdirSync(join(directory, 'exporter'), { recursive: true });
        writeFileSync(join(directory, name), text);
        const before = readdirSync(directory, { recursive: true });
        const result = await setUp(directory, account());
        expect(result.said).toMatch(said);
        expect(result.said).toContain(`${join(directory, name)}:`);
        expect(result.code).toBe(2);
        expect(readdirSync(directory, { recursive: true })).toEqual(before);
      }
    },
  );

  it.each(['exporter/hoster-exporter.yml', 'exporter/key', 'setup.yml', 'alertmanager/alertmanager.yml'])(
    'says that a folder is in place of %s',
    async (name) => {
      const directory = place();
      mkdirSync(join(directory, name), { recursive: true });
      const { code, said } = await setUp(directory, account());
      expect([code, said]).toEqual([2, expect.stringContaining(`${name}: a folder, expected a file`)]);
    },
  );

  it.each([
    'https://user:p4ssw0rd@api.example',
    'https://api.example/?key=p4ssw0rd',
    'https://api.example/#p4ssw0rd',
  ])('never repeats the password of an address (%s)', async (url) => {
    const directory = place();
    const refused = await setUp(directory, { ...account(), HOSTER_API_URL: url });
    expect(refused).toEqual({ code: 2, said: expect.not.stringContaining('p4ssw0rd') });
    expect(refused.said).toContain('got [not shown], expected an address without');
    mkdirSync(join(directory, 'exporter'), { recursive: true });
    writeFileSync(
      join(directory, 'exporter/hoster-exporter.yml'),
      `accounts:\n  - api_url: ${url}\n    api_key_file: k\n`,
    );
    expect(await setUp(directory, account())).toEqual({
      code: 0,
      said: expect.not.stringContaining('p4ssw0rd'),
    });
  });

  it.each([
    ['ntfy', 'https://ntfy.sh', 'topic'],
    ['ntfy', 'https://ntfy.sh//', 'topic'],
    ['slack', 'https://hooks.slack.com/', 'webhook'],
    ['discord', 'https://discord.com?wait=true', 'webhook'],
  ])('refuses an address for %s that is only that of a server (%s)', async (channel, address, what) => {
    const { code, said } = await setUp(place(), {
      ...account(),
      ...{ HOSTER_CHANNEL: channel, HOSTER_CHANNEL_SECRET_FILE: file(address) },
    });
    expect([code, said]).toEqual([2, expect.stringContaining(`That address names no ${what}.`)]);
  });

  it('keeps several accounts unchanged, however they are written', async () => {
    const directory = place();
    await setUp(directory, account());
    const path = join(directory, 'exporter/hoster-exporter.yml');
    const [one, other] = ['one', 'other'].map((name) => ({
      name,
      api_url: marketplace.url,
      api_key_file: 'key',
    }));
    const text = JSON.stringify({ accounts: [one, other] });
    writeFileSync(path, text);
    expect(await setUp(directory, account())).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('says what to do for a user without a home folder, and with a wrong address of Telegram', async () => {
    const homeless = start(process.execPath, [MAIN, 'setup'], { HOME: '' });
    const [code] = await once(homeless.child, 'close');
    expect([code, homeless.output()]).toEqual([
      2,
      expect.stringContaining('this user has no home folder: name a folder'),
    ]);
    const wrong = await setUp(place(), { ...withTelegram(), HOSTER_TELEGRAM_API: 'nowhere' });
    expect([wrong.code, wrong.said]).toEqual([
      2,
      expect.stringContaining('HOSTER_TELEGRAM_API: got "nowhere"'),
    ]);
  });

  it('takes /hoster/v1 off the address, and adds the scheme', async () => {
    const directory = place();
    await setUp(directory, { ...account(), HOSTER_API_URL: `${marketplace.url}/hoster/v1/devices` });
    expect(read(directory, 'exporter/hoster-exporter.yml')).toContain(`api_url: ${marketplace.url}\n`);
  });

  it('continues with the existing answers while the API is down, and accepts no new ones', async () => {
    const away = await startMarketplace(5);
    const directory = place();
    expect(await setUp(directory, { ...account(), HOSTER_API_URL: away.url })).toMatchObject({ code: 0 });
    await away.close();
    const again = await setUp(directory, {});
    expect(again.said).toMatch(/^devices, balance: no usable response \(ECONNREFUSED/m);
    expect(again.code).toBe(0);
    expect(await setUp(place(), { ...account(), HOSTER_API_URL: away.url })).toMatchObject({ code: 2 });
  });

  it('goes through the proxy of the environment where nothing responds without it, and says so', async () => {
    const proxy = await serveProxy();
    const directory = place();
    const telegramPort = new URL(telegram.url).port;
    const { code, said } = await setUp(directory, {
      ...withTelegram(),
      https_proxy: `http://127.0.0.1:${proxy.port}`,
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      // No resolver knows it, but the proxy takes every host for this machine.
      HOSTER_TELEGRAM_API: `http://telegram.invalid:${telegramPort}`,
    });
    expect(said).toContain(
      'The service responds only through the proxy in your environment, so alerts will use it.',
    );
    expect(code).toBe(0);
    expect(read(directory, 'alertmanager/alertmanager.yml')).toContain(
      `http_config: { proxy_url: http://127.0.0.1:${proxy.port} }\n`,
    );
    expect(proxy.asked[0]).toBe(`telegram.invalid:${telegramPort}`);
  });
});

/** A mail server that takes one login, at a port with STARTTLS. It takes no message. */
async function startMail(password: string | undefined, user = 'me@example.com') {
  const { certificate: cert, key } = createCertificate({ name: 'mail', hosts: ['localhost'] });
  const secureContext = createSecureContext({ cert, key });
  const talk = (socket: Socket, isSecure: boolean): void => {
    const auth = password === undefined ? '' : '250-AUTH PLAIN\r\n';
    const expected = Buffer.from(`\0${user}\0${password}`).toString('base64');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const line = data.toString();
      if (/^EHLO/i.test(line)) socket.write(`250-mail\r\n${isSecure ? auth : '250-STARTTLS\r\n'}250 OK\r\n`);
      else if (/^STARTTLS/i.test(line)) {
        socket.write('220 go\r\n');
        socket.removeAllListeners('data');
        talk(new TLSSocket(socket, { isServer: true, secureContext }), true);
      } else if (/^AUTH PLAIN/i.test(line))
        socket.write(line.includes(expected) ? '235 ok\r\n' : '535 5.7.8 Error: authentication failed\r\n');
      else socket.write('221 bye\r\n');
    });
  };
  const server = createServer((socket) => {
    socket.write('220 mail\r\n');
    talk(socket, false);
  });
  const port = await listen(server);
  return { port, authority: file(cert), close: () => server.close() };
}

describe('setup gets from PowerShell and cmd', () => {
  const path = 'expected the path of a folder without quotes, and without a backslash at its end';
  const nobody = 'HOSTER_API_URL is not set: set it, or run this in a terminal';

  // What is typed, in which shell, and the arguments that Windows makes of it.
  it.each([
    [String.raw`--directory="C:\my phones"`, 'all', [String.raw`--directory=C:\my phones`], nobody],
    [String.raw`--directory="C:\phones\\"`, 'all', ['--directory=C:\\phones\\'], nobody],
    [
      String.raw`"--directory=C:\phones\" --shared`,
      'all',
      [String.raw`--directory=C:\phones" --shared`],
      path,
    ],
    [String.raw`--directory='C:\phones'`, 'cmd', [String.raw`--directory='C:\phones'`], path],
    [String.raw`--directory “C:\phones”`, 'cmd', ['--directory', String.raw`“C:\phones”`], path],
    ['--directory=""', 'all', ['--directory='], '--directory: got an empty text'],
    ['--directory ""', 'PowerShell 5', ['--directory'], '--directory: needs a value: write --directory=…'],
    ['--secrets "" --shared', 'PowerShell 5', ['--secrets', '--shared'], '--secrets: needs a value: write'],
    [`--secrets='a "b c"'`, 'PowerShell 5', ['--secrets=a b', 'c'], 'got "c", expected only flags'],
  ])('%s (%s) as %j', async (_, _shell, argv, sentence) => {
    const { code, error } = await runCommand(['setup', ...argv], {});
    expect(error).toContain(sentence);
    expect(code).toBe(2);
  });
});

describe('setup for mail', () => {
  const mail = (port: number, authority: string, password?: string) => ({
    ...account(),
    HOSTER_CHANNEL: 'mail',
    HOSTER_MAIL_SERVER: `localhost:${port}`,
    HOSTER_MAIL_ADDRESS: 'me@example.com',
    NODE_EXTRA_CA_CERTS: authority,
    ...(password !== undefined && { HOSTER_CHANNEL_SECRET_FILE: file(`${password}\r\n`) }),
  });

  it('logs in before anything is written, and refuses a wrong password', async () => {
    const { port, authority, close } = await startMail('geheim');
    const directory = place();
    const wrong = await setUpAsProcess(directory, mail(port, authority, 'wrong'));
    expect(wrong.said).toMatch(/refused the login: .*535 5\.7\.8 Error: authentication failed/);
    expect(wrong.code).toBe(2);
    expect(() => statSync(directory)).toThrow('ENOENT');
    expect(await setUpAsProcess(directory, mail(port, authority, 'geheim'))).toMatchObject({ code: 0 });
    const { global } = parse(read(directory, 'alertmanager/alertmanager.yml'));
    expect(global).toMatchObject({
      smtp_smarthost: `localhost:${port}`,
      smtp_auth_username: 'me@example.com',
    });
    close();
  });

  it('logs in as a user that is not an address, and remembers it', async () => {
    const { port, authority, close } = await startMail('geheim', 'apikey');
    const directory = place();
    const answers = { ...mail(port, authority, 'geheim'), HOSTER_MAIL_USER: 'apikey' };
    expect(await setUpAsProcess(directory, answers)).toMatchObject({ code: 0 });
    expect(await setUpAsProcess(directory, { NODE_EXTRA_CA_CERTS: authority })).toMatchObject({ code: 0 });
    const { global } = parse(read(directory, 'alertmanager/alertmanager.yml'));
    expect(global).toMatchObject({ smtp_from: 'me@example.com', smtp_auth_username: 'apikey' });
    close();
  });

  it('needs no password where the server wants none', async () => {
    const { port, authority, close } = await startMail(undefined);
    const directory = place();
    expect(await setUpAsProcess(directory, mail(port, authority))).toMatchObject({ code: 0 });
    expect(read(directory, 'alertmanager/alertmanager.yml')).not.toContain('smtp_auth');
    close();
  });

  it('says why a server takes no mail, port by port', async () => {
    const { said, code } = await setUpAsProcess(place(), {
      ...mail(1, ''),
      HOSTER_MAIL_SERVER: 'localhost',
    });
    expect(said).toMatch(/localhost does not accept mail here \(port 587: .*; port 465: .*\)\./);
    expect(code).toBe(2);
  });
});
