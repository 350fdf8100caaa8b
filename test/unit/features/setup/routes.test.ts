import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Destination } from '../../../../src/features/setup/channels.ts';
import { configurationOf, type RouteOptions, routesOf } from '../../../../src/features/setup/routes.ts';
import { ROOT } from '../../../rules/shipped.ts';

const OPTIONS: RouteOptions = {
  alertmanagerVersion: '0.34.0',
  secretsFolder: '/etc/alertmanager/secrets',
  templatesFolder: 'templates',
  proxy: 'http://proxy.example.com:3128',
  telegramApi: new URL('https://api.telegram.org'),
};

const DESTINATIONS: readonly Destination[] = [
  { channel: 'telegram', secret: '1:x', chat: -1001234567890 },
  { channel: 'ntfy', secret: 'https://ntfy.example.com/my-phones' },
  { channel: 'pushover', secret: 'app', pushover_user: 'me' },
  { channel: 'discord', secret: 'https://discord.com/api/webhooks/1/x' },
  { channel: 'slack', secret: 'https://hooks.slack.com/x' },
  { channel: 'mail', secret: 'p', mail_server: 'mail.example.com:587', mail_address: 'me@example.com' },
  { channel: 'webhook', secret: 'https://example.com/x' },
  { channel: 'none', secret: '' },
];

function shipped(channel: string): string {
  return readFileSync(join(ROOT, `config/alertmanager/alertmanager.${channel}.yml`), 'utf8');
}

function written(to: Destination, options: Partial<RouteOptions> = {}): string {
  return routesOf(shipped(to.channel), to, { ...OPTIONS, ...options });
}

it('mutes the night in the time zone that was asked for, and else in UTC', () => {
  const night = (text: string) => parse(text, { merge: true }).time_intervals[0].time_intervals[0].location;
  expect(night(written({ channel: 'none', secret: '' }, { timeZone: 'Europe/Kyiv' }))).toBe('Europe/Kyiv');
  expect(night(written({ channel: 'none', secret: '' }))).toBe('UTC');
});

const pageOf = (text: string) => parse(text, { merge: true }).receivers[0];

describe.each(DESTINATIONS.map((to) => [to.channel, to] as const))('the routes to %s', (channel, to) => {
  it('differ from the shipped file in the blanks and in the comment at the top alone', () => {
    const old = shipped(channel)
      .replace(/^(?:#.*\n)*/, '')
      .split('\n');
    const fresh = written(to)
      .replace(/^(?:#.*\n)*/, '')
      .split('\n');
    const others = fresh.filter((line) => !old.includes(line));
    expect(others.length).toBeLessThanOrEqual(5);
    expect(written(to)).not.toContain('YOUR_');
    expect(
      written(to)
        .split('\n')
        .slice(0, 2)
        .every((line) => line.startsWith('#')),
    ).toBe(true);
  });

  it('hold no secret where the version reads it from a file', () => {
    if (channel === 'ntfy' || channel === 'none') return;
    expect(written(to)).not.toMatch(new RegExp(`: '?"?${to.secret}['"]?$`, 'm'));
  });

  it.each([
    ['0.25.0', 'url', 'https://hc-ping.com/x'],
    ['0.34.0', 'url_file', '/etc/alertmanager/secrets/watchdog-url'],
  ])('send to a watchdog, and change in nothing else, for Alertmanager %s', (version, setting, value) => {
    if (channel === 'none') return;
    const options = { alertmanagerVersion: version };
    const plain = parse(written(to, options), { merge: true });
    for (const is_proxied of [false, true]) {
      const watchdog = { address: 'https://hc-ping.com/x', is_proxied };
      const webhook = {
        ...{ [setting]: value, send_resolved: false },
        ...(is_proxied && { http_config: { proxy_url: OPTIONS.proxy } }),
      };
      expect(parse(written(to, { ...options, watchdog }), { merge: true })).toEqual({
        ...plain,
        receivers: [...plain.receivers.slice(0, -1), { name: 'watchdog', webhook_configs: [webhook] }],
      });
    }
  });

  it('are the same receivers, plus a proxy', () => {
    if (channel === 'none' || channel === 'mail') return;
    const [[key = '', value] = []] = Object.entries(pageOf(written({ ...to, is_proxied: true }))).slice(1);
    const [plain] = Object.entries(pageOf(written(to))).slice(1);
    expect([key, value]).toEqual([
      plain?.[0],
      [{ ...Object(plain?.[1])[0], http_config: { proxy_url: OPTIONS.proxy } }],
    ]);
  });
});

describe('the routes', () => {
  it('hold a secret that an old Alertmanager cannot read from a file', () => {
    const settings = DESTINATIONS.flatMap((to) =>
      ['telegram', 'discord', 'webhook', 'pushover'].includes(to.channel)
        ? [
            Object.values<readonly object[]>(pageOf(written(to, { alertmanagerVersion: '0.25.0' }))).at(
              -1,
            )?.[0],
          ]
        : [],
    );
    expect(settings).toMatchObject([
      { bot_token: '1:x' },
      { token: 'app' },
      { webhook_url: 'https://discord.com/api/webhooks/1/x' },
      { url: 'https://example.com/x' },
    ]);
    expect(JSON.stringify(settings)).not.toContain('_file"');
  });

  it('quote a secret that YAML would take for something else', () => {
    const secret = "https://example.com/#'{x}: y";
    const text = written({ channel: 'webhook', secret }, { alertmanagerVersion: '0.25.0' });
    expect(pageOf(text).webhook_configs[0].url).toBe(secret);
  });

  it('name folders of Windows, and those with blanks and signs', () => {
    for (const folder of ['C:\\Users\\me\\.hoster', "/home/me/it's: a #1 folder"]) {
      const text = written(
        { channel: 'slack', secret: 'https://x' },
        { secretsFolder: folder, templatesFolder: folder },
      );
      expect(parse(text).templates).toEqual([`${folder}/*.tmpl`]);
      expect(pageOf(text).slack_configs[0].api_url_file).toBe(`${folder}/slack-webhook-url`);
    }
  });

  it('send to a topic of a group where Alertmanager can', () => {
    const to = { channel: 'telegram', secret: '1:x', chat: -100, topic: 5 } as const;
    expect(pageOf(written(to)).telegram_configs[0]).toMatchObject({ chat_id: -100, message_thread_id: 5 });
    expect(() => written(to, { alertmanagerVersion: '0.27.0' })).toThrow(
      'Alertmanager before 0.28 cannot send into a topic: upgrade it, or answer 0 for the topic.',
    );
  });

  it('have the text of ntfy in the address before 0.31, in a payload from 0.32 on, and nothing for 0.31', () => {
    const to = { channel: 'ntfy', secret: 'https://ntfy.example.com/my-phones?x=1' } as const;
    expect(pageOf(written(to)).webhook_configs[0]).toMatchObject({
      url: 'https://ntfy.example.com',
      payload: { topic: 'my-phones' },
    });
    const [old] = pageOf(written(to, { alertmanagerVersion: '0.25.0' })).webhook_configs;
    expect(old.url).toMatch(/^https:\/\/ntfy\.example\.com\/my-phones\?tpl=1&t=/);
    expect(Object.keys(old)).toEqual(['url', 'send_resolved']);
    expect(() => written(to, { alertmanagerVersion: '0.31.0' })).toThrow('0.31 cannot send to ntfy');
  });

  it('ask for no STARTTLS at port 465, and for no login without a password', () => {
    const to = {
      channel: 'mail',
      secret: '',
      mail_server: 'm.example.com:465',
      mail_address: 'a@b.example',
    } as const;
    expect(parse(written(to)).global).toEqual({
      smtp_smarthost: 'm.example.com:465',
      smtp_require_tls: false,
      smtp_from: 'a@b.example',
    });
  });
});

describe('the configuration of the exporter', () => {
  const answers = {
    api_url: 'https://api.example.com',
    api_key_file: '/k',
    currency: undefined,
    time_zone: 'Europe/Kyiv',
    is_proxied: false,
  };

  it('is made if there is none', () => {
    expect(parse(configurationOf(undefined, { ...answers, currency: 'EUR', is_proxied: true }))).toEqual({
      accounts: [
        { name: 'default', api_url: 'https://api.example.com', api_key_file: '/k', currency: 'EUR' },
      ],
      time_zone: 'Europe/Kyiv',
      client: { proxy_from_environment: true },
    });
  });

  it('keeps everything that a person wrote, comments and order included', () => {
    const mine = [
      'time_zone: UTC # mine',
      'accounts:',
      '- { name: north, api_url: "http://127.0.0.1:1", api_key_file: /k } # one',
      'offline: { after: 10m }',
      '',
    ].join('\n');
    expect(configurationOf(mine, answers)).toBe(
      mine.replace('UTC', 'Europe/Kyiv').replace('"http://127.0.0.1:1"', 'https://api.example.com'),
    );
    expect(configurationOf(configurationOf(mine, answers), answers)).toBe(configurationOf(mine, answers));
  });

  it('adds and takes away a currency', () => {
    const plain = configurationOf(undefined, answers);
    const added = configurationOf(plain, { ...answers, currency: 'EUR' });
    expect(parse(added).accounts[0].currency).toBe('EUR');
    expect(configurationOf(added, answers)).toBe(plain);
  });
});
