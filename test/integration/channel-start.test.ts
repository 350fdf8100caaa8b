import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMPOSE } from '../unit/stack/compose.ts';

/*
 * config/alertmanager/start.sh, which starts Alertmanager in compose.yaml, with a stand-in for Alertmanager.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-channel-'));
const files = join(folder, 'config');
const secrets = join(folder, 'secrets');
const written = join(folder, 'alertmanager.yml');

beforeAll(() => {
  cpSync('config/alertmanager', files, { recursive: true });
  for (const name of readdirSync(files).filter((file) => file.endsWith('.yml'))) {
    const text = readFileSync(join(files, name), 'utf8');
    writeFileSync(join(files, name), text.replaceAll('/etc/alertmanager/secrets', secrets));
  }
  mkdirSync(secrets);
  for (const name of ['telegram-bot-token', 'slack-webhook-url', 'smtp-password', 'webhook-url']) {
    writeFileSync(join(secrets, name), 'x');
  }
  writeFileSync(join(folder, 'alertmanager'), '#!/bin/sh\necho "$@"\n');
  chmodSync(join(folder, 'alertmanager'), 0o755);
});

function start(channel: string) {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [join(files, 'start.sh'), written, '--storage.path=/x'],
    {
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env['PATH']}`, HOSTER_CHANNEL: channel },
    },
  );
  return { status, stdout, stderr: stderr.trim() };
}

describe('HOSTER_CHANNEL', () => {
  it.each([
    'telegram:-4711',
    'mail:smtp.example.com:me@example.com',
    'ntfy:phones',
    'slack',
    'webhook',
    'none',
  ])('starts Alertmanager with the configuration of %s, and no blank left in it', (channel) => {
    expect(start(channel)).toEqual({
      status: 0,
      stdout: `--config.file=${written} --storage.path=/x\n`,
      stderr: '',
    });
    const text = readFileSync(written, 'utf8').replaceAll(/^#.*$/gm, '');
    expect(text).not.toContain('YOUR_');
    expect(text.includes(`${files}/templates/*.tmpl`)).toBe(channel !== 'none');
  });

  it('fills the blanks in', () => {
    start('telegram:-4711');
    expect(readFileSync(written, 'utf8')).toContain('chat_id: -4711\n');
    start('mail:smtp.example.com:me@example.com');
    expect(readFileSync(written, 'utf8')).toContain("smtp_smarthost: 'smtp.example.com:587'\n");
    expect(readFileSync(written, 'utf8')).toContain("to: 'me@example.com'\n");
    start('ntfy:my-phones');
    expect(readFileSync(written, 'utf8')).toMatch(
      /url: https:\/\/ntfy\.sh\n +payload:\n +topic: my-phones\n/,
    );
    start('ntfy:https://ntfy.example.com/my-phones');
    expect(readFileSync(written, 'utf8')).toMatch(
      /url: https:\/\/ntfy\.example\.com\n +payload:\n +topic: my-phones\n/,
    );
  });

  it.each([
    [
      'telegramm',
      'expected telegram:CHAT, mail:SERVER:ADDRESS, ntfy:TOPIC, discord, slack, webhook, none or own.',
    ],
    ['', 'expected telegram:CHAT, mail:SERVER:ADDRESS, ntfy:TOPIC, discord, slack, webhook, none or own.'],
    [
      'ntfy',
      'expected the topic too, such as ntfy:my-phones-8231, or ntfy:https://ntfy.example.com/my-phones.',
    ],
    ['telegram', 'expected the number of the chat too, such as telegram:123456789.'],
    [
      'mail:me@example.com',
      'expected the server and the address too, such as mail:smtp.example.com:me@example.com.',
    ],
    [
      'discord',
      'a secret is expected in secrets/alertmanager/discord-webhook-url, which is not there or empty.',
    ],
  ])('is refused as "%s", with what is expected', (channel, reason) => {
    expect(start(channel)).toEqual({
      status: 2,
      stdout: '',
      stderr: `HOSTER_CHANNEL is "${channel}": ${reason}`,
    });
  });

  it('is none as shipped, and otherwise what .env says', () => {
    expect(COMPOSE.services['alertmanager']?.environment['HOSTER_CHANNEL']).toContain('HOSTER_CHANNEL:-none');
    expect(readFileSync('.env', 'utf8')).toMatch(/^HOSTER_CHANNEL=none$/m);
  });
});
