import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startMarketplace } from '../integration/exporter.ts';
import { ROOT } from '../rules/shipped.ts';
import type { Simulator } from '../simulator.ts';

/*
 * install.sh on a copy of this machine that is thrown away, with a stand-in for systemctl, a simulated marketplace and a
 * stand-in for Telegram.
 */

const TOKEN = '123456:canary-token';

const SCRIPTS = [
  ...['machine.sh', 'story.sh', 'systemctl'].map((name) => `test/image/installer/${name}`),
  ...['hoster-exporter', 'leave', 'preinst', 'postinst', 'postrm', 'prerm'].map(
    (name) => `packaging/deb/${name}`,
  ),
  'packaging/build-deb.sh',
];

const folder = mkdtempSync(join(tmpdir(), 'hoster-install-'));
const machine = ['--mount', '--pid', '--fork', '--kill-child', 'test/image/installer/machine.sh'];

function tryMachine(): string | undefined {
  const empty = join(folder, 'try');
  mkdirSync(empty);
  const tools = ['promtool', 'amtool', 'curl'].every((tool) => spawnSync('which', [tool]).status === 0);
  if (!tools) return 'needs prometheus, prometheus-alertmanager and curl';
  return spawnSync('unshare', [...machine, empty, 'true']).status === 0
    ? undefined
    : 'needs root and overlayfs';
}

const reason = tryMachine();

let marketplace: Simulator;
let telegram: Server;
const messages: string[] = [];
/** What each step said, by its name. */
const steps = new Map<string, string>();

async function startTelegram(): Promise<string> {
  telegram = createServer(async (request, response) => {
    const body = await text(request);
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/hook')) {
      response.end('{}');
    } else if (!request.url?.includes(TOKEN)) {
      response.writeHead(401).end('{"ok":false,"error_code":401,"description":"Unauthorized"}');
    } else if (request.url.endsWith('/getUpdates')) {
      response.end('{"ok":true,"result":[{"update_id":1,"message":{"chat":{"id":4711,"type":"private"}}}]}');
    } else if (request.url.endsWith('/getChat') && body.includes('999')) {
      response
        .writeHead(400)
        .end('{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}');
    } else if (/"text":"Test: /.test(body)) {
      // Setup tries the chat, and deletes this message.
      response.end('{"ok":true,"result":{"message_id":1,"date":1,"chat":{"id":4711,"type":"private"}}}');
    } else if (request.url.endsWith('/sendMessage') && /"chat_id": *"?888\b/.test(body)) {
      response
        .writeHead(403)
        .end('{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}');
    } else {
      if (request.url.endsWith('/sendMessage')) messages.push(body);
      response.end('{"ok":true,"result":{"message_id":1,"date":1,"chat":{"id":4711,"type":"private"}}}');
    }
  });
  await new Promise<void>((resolve) => telegram.listen(0, '127.0.0.1', resolve));
  const address = telegram.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe.skipIf(reason !== undefined)(
  `install.sh${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    beforeAll(async () => {
      const place = join(folder, 'machine');
      mkdirSync(place);
      const secret = (name: string, value: string): string => {
        writeFileSync(join(folder, name), value, { mode: 0o600 });
        return join(folder, name);
      };
      marketplace = await startMarketplace(50);
      const telegramApi = await startTelegram();
      const child = spawn('unshare', [...machine, place, '/mnt/test/image/installer/story.sh'], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          HOSTER_API_URL: marketplace.url,
          HOSTER_API_KEY_FILE: secret('key', KEY),
          HOSTER_CHANNEL: 'telegram',
          HOSTER_CHANNEL_SECRET_FILE: secret('token', TOKEN),
          HOSTER_TELEGRAM_API: telegramApi,
          HOSTER_WATCHDOG_URL_FILE: secret('watchdog', `${telegramApi}/hook/canary`),
        },
      });
      const said = await text(child.stdout);
      for (const step of said.split(/^## /m).slice(1)) steps.set(step.slice(0, step.indexOf(':')), step);
    }, 300_000);

    afterAll(async () => {
      telegram.close();
      await marketplace.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('is run in a session with a decimal comma and another script', ({ skip }) => {
      skip(!steps.get('session')?.includes(','), 'needs the Debian package locales');
      expect(steps.get('session')).toMatch(/^session: \d+,\d\n$/);
    });

    it('changes nothing in a dry run', () => {
      expect(steps.get('dry')).toContain('Nothing was changed');
      expect(steps.get('dry')).toContain('as before');
    });

    it('says what is missing or wrong before it does anything', () => {
      expect(steps.get('channel')).toMatch(/^channel: 1 0 restarts/);
      expect(steps.get('channel')).toContain('HOSTER_CHANNEL is "pigeon", which is not one of: telegram');
      expect(steps.get('nobody')).toContain('HOSTER_API_URL is not set.');
      expect(steps.get('user')).toContain('Run: sudo /mnt/install.sh');
    });

    it('does a dry run for every user and in every shell', () => {
      expect(steps.get('user_dry')).toMatch(/^user_dry: 0 0 restarts/);
      expect(steps.get('user_dry')).toContain('would write /etc/hoster-exporter/key');
      expect(steps.get('user_dry')).toContain('Nothing was changed');
      expect(steps.get('shell')).toMatch(/^shell: 0 0 restarts/);
    });

    it('says in a sentence what to do where it comes through a pipe', () => {
      expect(steps.get('piped')).toMatch(/^piped: 1 .*\nThis script needs the whole project folder, .*\n$/);
      expect(steps.get('piped_shell')).toMatch(
        /^piped_shell: 1 .*\nRun it in the project folder: sudo \.\/install\.sh\nas before/,
      );
    });

    it('removes data only with what it installed', () => {
      expect(steps.get('purge_alone')).toMatch(/^purge_alone: 2 0 restarts/);
      expect(steps.get('purge_alone')).toContain('The option --purge goes with --uninstall.');
      expect(steps.get('purge_alone')).toContain('as before');
    });

    it('removes what a run has kept that was interrupted at its questions', () => {
      expect(steps.get('purge_answers')).toMatch(/^purge_answers: 0 0 restarts/);
      expect(steps.get('purge_answers')).toContain(
        'The answers and packages of an interrupted run were removed.',
      );
      expect(steps.get('purge_answers')).toContain('as before');
    });

    it('says which port is taken and by what, and changes nothing', () => {
      expect(steps.get('port')).toMatch(/^port: 1 0 restarts/);
      expect(steps.get('port')).toContain('hoster-exporter needs port 9823, which is in use: by node.');
      expect(steps.get('other_port')).toContain('as before');
    });

    it('gives Prometheus another port where its own is taken', () => {
      expect(steps.get('other_port')).toMatch(/^other_port: 0 0 restarts/);
      expect(steps.get('other_port')).toContain(
        'Port 9090 is in use: by node, so prometheus gets port 9190.',
      );
    });

    it('says how to go on where the disk is full, and changes nothing', () => {
      expect(steps.get('full')).toMatch(/^full: [12] 0 restarts/);
      expect(steps.get('full')).toMatch(/^Only \d+ MB are free in \/run\/small, where/m);
      expect(steps.get('full')).toContain('as before');
    });

    it('checks the key, the token and the chat before it starts a service', () => {
      expect(steps.get('early_key')).toMatch(/^early_key: 1 0 restarts/);
      expect(steps.get('early_key')).toMatch(/^devices, balance: HTTP 403 .*key/m);
      expect(steps.get('early_token')).toMatch(/^early_token: 1 0 restarts/);
      expect(steps.get('early_token')).toContain('Telegram refused this token.');
      expect(steps.get('early_chat')).toMatch(/^early_chat: 1 0 restarts/);
      expect(steps.get('early_chat')).toContain('Telegram refused chat 999: Bad Request: chat not found.');
      expect(steps.get('early_chat')).toContain('no service');
    });

    it('says "sent" only when the channel accepted the test message, and else the error', () => {
      expect(steps.get('blocked')).toMatch(/^blocked: 1 1 restarts/);
      expect(steps.get('blocked')).not.toContain('Sent');
      expect(steps.get('blocked')).toContain('bot was blocked by the user');
      expect(steps.get('blocked')).toContain('The test alert could not be sent to telegram.');
    });

    it('says which package cannot be had', () => {
      expect(steps.get('registry')).toMatch(/^registry: 1 0 restarts/);
      expect(steps.get('registry')).toMatch(/^file:\/\/\S+\.tgz could not be had: .+\.$/m);
    });

    it('does not use a package whose checksum is wrong', () => {
      expect(steps.get('checksum')).toMatch(/^checksum: 1 0 restarts/);
      expect(steps.get('checksum')).toMatch(
        /^\S+ [\d.]+ from file:\S+ has a wrong checksum and is not used\.$/m,
      );
    });

    it('installs everything, and sends a test message', () => {
      expect(steps.get('install')).toMatch(/^install: 0 3 restarts/);
      expect(steps.get('install')).toContain('50 phones');
      expect(steps.get('install')).toContain('Sent: telegram accepted the test alert.');
      expect(steps.get('install')).toMatch(/ready$/m);
      expect(messages[0]).toContain('[CRITICAL] Test alert: no phone is offline');
      expect(messages[0]).toContain('4711');
    });

    it('restarts nothing when it is run again', () => {
      expect(steps.get('again')).toMatch(/^again: 0 0 restarts/);
    });

    it('previews only what would change', () => {
      expect(steps.get('preview')).toMatch(/^preview: 0 0 restarts/);
      expect(steps.get('preview')?.match(/would .+/g)).toEqual(['would send a test alert']);
      expect(steps.get('upgrade_preview')?.match(/would .+/g)).toEqual([
        expect.stringMatching(/^would build it in a copy of \/run\/newer, and install it$/),
        'would run: systemctl restart hoster-exporter',
        'would send a test alert',
      ]);
    });

    it('continues with a key that the API refuses now, and says so', () => {
      expect(steps.get('refused')).toMatch(/^refused: 0 1 restarts/);
      expect(steps.get('refused')).toMatch(
        /HTTP 403 .*\nYour earlier answer stays in use; correct it later\./,
      );
      expect(steps.get('repaired')).toMatch(/^repaired: 0 1 restarts/);
    });

    it('removes the secret of a channel that is no longer used', () => {
      expect(steps.get('other_channel')).toMatch(/^other_channel: 0 1 restarts/);
      expect(steps.get('other_channel')).toMatch(/\nmine\nwatchdog-url\nwebhook-url\n.*\/hook\/…\n$/);
    });

    it('upgrades from a folder whose files cannot be executed', () => {
      expect(steps.get('upgrade')).toMatch(/^upgrade: 0 \d restarts/);
      expect(steps.get('upgrade')).toMatch(/\nhoster-exporter 99\.0\.0 .*\n$/);
      expect(steps.get('downgrade')).toMatch(/^downgrade: 0 \d restarts/);
    });

    it('says what is wrong with an answer, and changes nothing', () => {
      expect(steps.get('currency')).toMatch(/^currency: 1 0 restarts/);
      expect(steps.get('currency')).toContain('HOSTER_CURRENCY: "euros" is not a currency code such as EUR.');
      expect(steps.get('address')).toMatch(/^address: 1 0 restarts/);
      expect(steps.get('key')).toMatch(/^key: 1 0 restarts/);
      expect(steps.get('key')).toMatch(/^devices, balance: HTTP 403 .*key/m);
      expect(steps.get('token')).toMatch(/^token: 1 0 restarts/);
      expect(steps.get('token')).toContain('Telegram refused this token.');
      expect(steps.get('plain')).toMatch(/^plain: 1 0 restarts/);
      expect(steps.get('plain')).toContain('expected https, since plain http would send the API key');
    });

    it('leaves a file that a person changed, and puts the new one next to it', () => {
      // It starts again with what it reads.
      expect(steps.get('changed')).toMatch(/^changed: 0 1 restarts/);
      expect(steps.get('changed')).toContain(
        '/etc/prometheus/prometheus.yml was changed by hand and is kept.',
      );
      expect(steps.get('changed')).toMatch(/# mine\n$/);
    });

    it('prints the lines for a Prometheus and an Alertmanager of an owner, and changes neither', () => {
      expect(steps.get('own')).toMatch(/^own: 1 0 restarts/);
      expect(steps.get('own')).toContain('    - job_name: hoster\n');
      expect(steps.get('own')).toMatch(/^ +receiver: hoster-page$/m);
      expect(steps.get('own')).not.toContain('Sent');
      expect(steps.get('own')).toMatch(
        /\nAlerts cannot arrive yet: your own servers lack the lines above\.\n/,
      );
      expect(steps.get('own')).toMatch(/^as it was\nno job$/m);
    });

    it('checks the lines in the next run, and sends the test alert through the Alertmanager of the owner', () => {
      expect(steps.get('own_unloaded')).toMatch(/^own_unloaded: 1 0 restarts/);
      expect(steps.get('own_unloaded')).toContain('Alertmanager has not loaded the latest files: reload it');
      expect(steps.get('own_loaded')).toMatch(/^own_loaded: 0 0 restarts/);
      expect(steps.get('own_loaded')).toContain('Sent: telegram accepted the test alert.');
      expect(steps.get('own_loaded')).toMatch(/^has the job$/m);
    });

    it('says which lines of the owner to remove, and leaves them', () => {
      expect(steps.get('removed')).toContain('remove what you added for hoster-exporter');
      expect(steps.get('removed')).toMatch(/has the job\nas it was$/m);
    });

    it('keeps a copy of a file that it is told to replace', () => {
      expect(steps.get('replaced')).toMatch(/^replaced: 0 1 restarts/);
      expect(steps.get('replaced')).toContain('# mine');
    });

    it('lets the bot answer in the chat to which messages go, where that is wanted', () => {
      expect(steps.get('install')).not.toContain('hoster-exporter-telegram');
      expect(steps.get('answers')).toMatch(/^answers: 0 2 restarts/);
      expect(steps.get('answers')).toMatch(/^token +yes/m);
      expect(steps.get('answers')).toMatch(/^chat 4711 +yes/m);
      expect(steps.get('answers')).toMatch(/^exporter +yes .*50 phones$/m);
      // Of this run and of that in a terminal.
      expect(messages.filter((message) => message.includes('Now try /status.'))).toHaveLength(2);
    });

    it('says what is wrong with an answer in a terminal, and asks again', () => {
      const said = steps.get('talk')?.replaceAll('\r', '');
      expect(said).toMatch(/^talk: 0 1 restarts/);
      const problems = [
        'HTTP 403',
        'Unknown channel "Pigeon". Expected one of: telegram',
        'That is not a bot token',
        'Telegram refused this token.',
        'Telegram refused chat 999: Bad Request: chat not found.',
        'Using chat 4711.',
        'Sent: telegram accepted the test alert.',
      ];
      const places = problems.map((problem) => said?.indexOf(problem) ?? -1);
      expect(places).toEqual(places.filter((place) => place > 0).toSorted((one, other) => one - other));
    });

    it('names no temporary file', () => {
      expect([...steps.values()].join('\n')).not.toMatch(/\/tmp\./);
    });

    it('removes only packages that it brought and that nobody else needs, and says which', () => {
      for (const step of ['plan', 'removed']) {
        expect(steps.get(step)).toContain('removing the packages: curl hoster-exporter\n');
        expect(steps.get(step)).toMatch(
          /keeping the packages: test-library test-named, which you installed too or other packages need or recommend/,
        );
      }
      expect(steps.get('plan')).toContain('Nothing was changed');
      expect(steps.get('removed')).toMatch(
        /^curl config-files\nowner-tool installed\ntest-library installed\ntest-named installed$/m,
      );
    });

    it('names the files that a person wrote or changed, and keeps them', () => {
      expect(steps.get('removed')).toContain(
        'keeping /etc/prometheus/hoster.rules.yml, which was changed since',
      );
      expect(steps.get('purged')).toContain('removing /etc/prometheus/hoster.rules.yml, which was changed');
      expect(steps.get('purged')).toContain(
        'keeping /etc/hoster-exporter/mine, which this script did not write',
      );
      expect(steps.get('purged')).toMatch(/^Everything else was removed\.\nof a person$/m);
    });

    it('leaves the machine as it was when it is removed, and the key and secrets only until they are purged', () => {
      expect(steps.get('removed')).toMatch(/^removed: 0 /);
      expect(steps.get('removed')).toContain(
        'keeping /etc/alertmanager/secrets/telegram-bot-token, until the package is purged',
      );
      expect(steps.get('removed_again')).toMatch(/^removed_again: 0 /);
      expect(steps.get('purged')).toMatch(/^purged: 0 /);
      expect(steps.get('purged')).toContain('as before');
      expect(steps.get('purged')).toContain('of a person');
      expect(steps.get('purged')).toMatch(/^711\nno folder of a run$/m);
    });

    it('is a script in which shellcheck finds nothing', ({ skip }) => {
      const { status, stdout, error } = spawnSync(
        'shellcheck',
        ['--external-sources', 'install.sh', 'config/alertmanager/start.sh', ...SCRIPTS],
        {
          encoding: 'utf8',
        },
      );
      skip(error !== undefined, 'needs shellcheck');
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
      // A list is an array, so that a folder may have any name.
      const parts = readdirSync(join(ROOT, 'packaging/deb')).map((name) => `packaging/deb/${name}`);
      const unquoted = ['install.sh', ...parts, ...SCRIPTS].filter((path) =>
        readFileSync(join(ROOT, path), 'utf8').includes('disable=SC2086'),
      );
      expect(unquoted).toEqual([]);
    });

    it('tells no secret', () => {
      expect([...steps.values()].join('\n')).not.toContain('canary');
    });
  },
);
