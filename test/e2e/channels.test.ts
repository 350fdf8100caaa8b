import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { createCertificate } from '../certificate.ts';
import { freePort, start } from '../process.ts';
import { type Inbox, openHttpInbox, openMailInbox, openProxyInbox } from '../rules/inbox.ts';
import { newer } from '../rules/newer.ts';
import { ROOT, RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { CHANNELS, type Channel, configurationFor } from '../unit/stack/channels.ts';

/*
 * Each channel file, on an Alertmanager as new as the pinned one, sends a page, a warning and an end to a stand-in of its
 * service. What the service would show is read from the bytes.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-channels-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What somebody may have typed into the label of a phone. */
const LABEL = "# 'r/1' <b> & *x* _y_ <!channel> @everyone";
const NOTE = 'SIM <b> & *x* until 03/27';
const PAGE = `${LABEL}: sold and offline since 24 Nov 14:02 CET (account north)`;
const WARNING = `${LABEL}: offline since 24 Nov 14:02 CET (account north)`;
const END = `${LABEL}: sold and offline, back after 21m (account north)`;

const { alerts } = readRules(shippedText(RULES_FILE));

type Ended = { readonly device: string; readonly over: string; readonly endsAt?: string };

function alertOf(name: string, words: string, own: Partial<Ended> = {}) {
  const { device = 'p1', over = 'back after 21m', endsAt } = own;
  const labels = alerts.find(({ alert }) => alert === name)?.labels;
  return {
    labels: { alertname: name, ...labels, account: 'north', device_id: device },
    annotations: {
      summary: `${LABEL}: ${words}`,
      since: 'since 24 Nov 14:02 CET',
      description: 'Restart it.',
      over,
      note: NOTE,
      acknowledge: `1763989320_so${device}`,
      runbook_url: `https://hoster.example.com/runbooks/${name}`,
    },
    ...(endsAt === undefined ? {} : { endsAt }),
  };
}

/** Returns the file of a channel with addresses and secrets of this test, and with short waits. */
function adapted(channel: Channel, own: string, http: Inbox, mail: Inbox, proxy: Inbox): string {
  const url = `http://127.0.0.1:${http.port}`;
  for (const name of ['discord-webhook-url', 'slack-webhook-url', 'webhook-url'])
    writeFileSync(join(own, name), `${url}/${channel.name}`);
  writeFileSync(join(own, 'telegram-bot-token'), '1:x');
  writeFileSync(join(own, 'smtp-password'), 'secret');
  writeFileSync(join(own, 'pushover-token'), 'app-token');
  return (
    configurationFor(channel)
      .replace('templates/*.tmpl', join(ROOT, 'config/alertmanager/templates/*.tmpl'))
      .replaceAll('/etc/alertmanager/secrets/', `${own}/`)
      .replaceAll(/group_wait: 5s|group_interval: 1m/g, (setting) => `${setting.split(':')[0]}: 1s`)
      // As setup writes it for a chat that answers.
      .replace(
        channel.name === 'telegram' ? 'template "hoster.text"' : 'template of another channel',
        'template "hoster.telegram"',
      )
      .replace('chat_id: YOUR_CHAT_ID', `chat_id: 1\n        api_url: '${url}'`)
      .replace('url: https://ntfy.sh', `url: ${url}/ntfy`)
      .replaceAll('YOUR_TOPIC', 'my-phones')
      .replace('user_key: YOUR_USER_KEY', 'user_key: my-user')
      // Alertmanager knows one address of Pushover, so the stand-in is its proxy.
      .replace(
        /( +)retry: 1m/,
        `$&\n$1http_config: { proxy_url: 'http://127.0.0.1:${proxy.port}', tls_config: { insecure_skip_verify: true } }`,
      )
      .replace("'YOUR_MAIL_SERVER:587'", `'127.0.0.1:${mail.port}'\n  smtp_require_tls: false`)
      .replaceAll('YOUR_ADDRESS', 'me@example.com')
  );
}

const now = (): string => new Date(systemClock.now()).toISOString();

const ended = (own: Partial<Ended> = {}) =>
  alertOf('HosterSoldPhoneOffline', 'sold and offline', { endsAt: now(), ...own });

/** A page, a warning, and the end of the page. Alerts of one post become one message. */
const PAGE_TO_END = [
  () => [alertOf('HosterSoldPhoneOffline', 'sold and offline')],
  () => [alertOf('HosterPhoneOffline', 'offline')],
  () => [ended()],
];

/** Returns what the service of a channel gets of alerts. */
async function sentBy(channel: Channel, posts = PAGE_TO_END): Promise<readonly string[]> {
  const own = mkdtempSync(join(folder, channel.name));
  const { key, certificate: cert } = createCertificate({ name: 'stand-in', hosts: ['api.pushover.net'] });
  const inboxes = [
    await openHttpInbox(),
    await openMailInbox(),
    await openProxyInbox({ key, cert }),
  ] as const;
  const file = join(own, 'alertmanager.yml');
  writeFileSync(file, adapted(channel, own, ...inboxes));
  const port = await freePort();
  const alertmanager = start(newer('prometheus-alertmanager'), [
    `--config.file=${file}`,
    `--storage.path=${join(own, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ]);
  const messages = () => inboxes.flatMap((inbox) => inbox.messages.map(({ body }) => body));
  const post = async (posted: readonly unknown[], expected: number): Promise<string> => {
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(posted),
    });
    expect(status).toBe(200);
    for (let tries = 0; tries < 80 && messages().length < expected; tries += 1) await wait(250);
    const message = messages()[expected - 1];
    if (message === undefined)
      throw new Error(`${channel.name} got nothing: ${alertmanager.output().match(/err=.*/)?.[0]}`);
    return message;
  };
  try {
    await alertmanager.waitForOutput(/Listening on/);
    const sent: string[] = [];
    for (const [index, alertsOf] of posts.entries()) sent.push(await post(alertsOf(), index + 1));
    return sent;
  } finally {
    await alertmanager.stop();
    await Promise.all(inboxes.map((inbox) => inbox.close()));
  }
}

const Telegram = z.object({
  text: z.string(),
  disable_notification: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  parse_mode: z.string().optional(),
});
const Ntfy = z.strictObject({
  topic: z.literal('my-phones'),
  title: z.string(),
  message: z.string(),
  priority: z.number(),
});
const Discord = z.object({
  content: z.literal('').optional(),
  embeds: z.tuple([z.object({ title: z.string(), description: z.string() })]),
});
const Slack = z.object({
  attachments: z.tuple([
    z.object({ title: z.string(), text: z.string(), color: z.string(), mrkdwn_in: z.array(z.string()) }),
  ]),
});
const Pushover = z.object({
  token: z.literal('app-token'),
  user: z.literal('my-user'),
  title: z.string(),
  message: z.string(),
  priority: z.string(),
  retry: z.string().optional(),
  expire: z.string().optional(),
});
const Webhook = z.object({
  status: z.string(),
  receiver: z.string(),
  alerts: z.tuple([z.object({ annotations: z.record(z.string(), z.string()) })]),
});

const LINK = 'Runbook: https://hoster.example.com/runbooks/HosterSoldPhoneOffline';

/** What each service shows of a page, a warning and an end. */
const SHOWN: Readonly<Record<string, (bodies: readonly string[]) => void>> = {
  telegram: (bodies) => {
    const messages = bodies.map((body) => Telegram.parse(JSON.parse(body)));
    expect(messages.map(({ text }) => text.split('\n')[0])).toEqual([
      `[CRITICAL] ${PAGE}`,
      `[WARNING] ${WARNING}`,
      `[RESOLVED] ${END}`,
    ]);
    expect(messages.map((each) => String(each.disable_notification ?? false))).toEqual([
      'false',
      'true',
      'false',
    ]);
    expect(messages.map((each) => each.parse_mode ?? '')).toEqual(['', '', '']);
    expect(messages[0]?.text).toContain(LINK);
    expect(messages[0]?.text).toContain(`Restart it.\nNote: ${NOTE}\n`);
    expect(messages.map(({ text }) => text.trimEnd().split('\n').at(-1))).toEqual([
      'I’m on it: /ack_1763989320_sop1',
      'I’m on it: /ack_1763989320_sop1',
      'Notes: /notes_1763989320_sop1',
    ]);
  },
  ntfy: (bodies) => {
    // Nobody sees this character.
    const messages = bodies.map((body) => Ntfy.parse(JSON.parse(body.replaceAll('\u0080', ''))));
    expect(messages.map(({ title }) => title)).toEqual([
      `[CRITICAL] ${PAGE}`,
      `[WARNING] ${WARNING}`,
      `[RESOLVED] ${END}`,
    ]);
    expect(messages.map(({ priority }) => priority)).toEqual([5, 3, 3]);
    expect(messages.map(({ message }) => message)).toEqual([
      `Restart it.\nNote: ${NOTE}\nhttps://hoster.example.com/`,
      `Restart it.\nNote: ${NOTE}\nhttps://hoster.example.com/`,
      'Phones now:\nhttps://hoster.example.com/',
    ]);
  },
  discord: (bodies) => {
    const embeds = bodies.map((body) => Discord.parse(JSON.parse(body)).embeds[0]);
    expect(embeds.map(({ title }) => title)).toEqual(['[CRITICAL]', '[WARNING]', '[RESOLVED]']);
    const escaped = (text: string) => text.replaceAll(/[*_<>@#]/g, '\\$&');
    expect(embeds.map(({ description }) => description.split('\n')[0])).toEqual(
      [PAGE, WARNING, END].map(escaped),
    );
    expect(embeds[0]?.description).toContain(LINK);
    expect(embeds[0]?.description).toContain(`Note: ${escaped(NOTE)}`);
  },
  slack: (bodies) => {
    const attachments = bodies.map((body) => Slack.parse(JSON.parse(body)).attachments[0]);
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(attachments.map(({ title }) => title)).toEqual(
      [`[CRITICAL] ${PAGE}`, `[WARNING] ${WARNING}`, `[RESOLVED] ${END}`].map(escaped),
    );
    expect(attachments[0]?.text).toContain(`Note: ${escaped(NOTE)}`);
    expect(attachments.map(({ color }) => color)).toEqual(['danger', 'warning', 'good']);
    expect(attachments.flatMap(({ mrkdwn_in: markup }) => markup)).not.toContain('text');
  },
  pushover: (bodies) => {
    const messages = bodies.map((body) => Pushover.parse(Object.fromEntries(new URLSearchParams(body))));
    expect(messages.map(({ title }) => title)).toEqual([
      `[CRITICAL] ${PAGE}`,
      `[WARNING] ${WARNING}`,
      `[RESOLVED] ${END}`,
    ]);
    expect(messages.map(({ priority }) => priority)).toEqual(['2', '-1', '-1']);
    expect(messages[0]).toMatchObject({ retry: '60', expire: '3600' });
    expect(messages[0]?.message).toContain(LINK);
  },
  mail: (bodies) => {
    const subjects = bodies.map((body) => /^Subject: (.*)\r\n/m.exec(body)?.[1]);
    expect(subjects).toEqual([`[CRITICAL] ${PAGE}`, `[WARNING] ${WARNING}`, `[RESOLVED] ${END}`]);
    expect(bodies.filter((body) => /text\/html/i.test(body))).toEqual([]);
  },
  webhook: (bodies) => {
    const posted = bodies.map((body) => Webhook.parse(JSON.parse(body)));
    expect(posted.map(({ receiver, status }) => `${receiver} ${status}`)).toEqual([
      'page firing',
      'notify firing',
      'page resolved',
    ]);
    expect(posted[0]?.alerts[0].annotations['summary']).toBe(`${LABEL}: sold and offline`);
    expect(posted[2]?.alerts[0].annotations['over']).toBe('back after 21m');
  },
};

describe('a page, a warning and an end come through Alertmanager 0.33 as text', () => {
  it.concurrent.each(CHANNELS.map((channel) => [channel.name, channel] as const))(
    'to %s',
    async (name, channel) => {
      SHOWN[name]?.(await sentBy(channel));
      expect(Object.keys(SHOWN)).toContain(name);
    },
  );
});

describe('what has ended', () => {
  const telegram = CHANNELS.filter(({ name }) => name === 'telegram');

  it.concurrent.each([
    ['back after 21m', '[RESOLVED]'],
    ['in maintenance after 13m', '[MUTED]'],
    ['account removed', '[MUTED]'],
    ['rented after 13m', '[CHANGED]'],
    ['rental ended after 13m', '[CHANGED]'],
    ['left after 2h 1m', '[CHANGED]'],
  ])('as %s is %s', async (over, word) => {
    for (const channel of telegram) {
      const [, end] = await sentBy(channel, [
        () => [alertOf('HosterSoldPhoneOffline', 'sold and offline')],
        () => [ended({ over })],
      ]);
      expect(end).toContain(`${word} ${LABEL.replaceAll('"', '\\"')}`.slice(0, 12));
    }
  });

  it.concurrent('is said in each line of a message, with a command for each alert', async () => {
    const tunnel = (own: Partial<Ended>) => alertOf('HosterTunnelDown', 'tunnel down', own);
    for (const channel of telegram) {
      const [first = '', second = ''] = await sentBy(channel, [
        () => ['p1', 'p2', 'p3'].map((device) => tunnel({ device })),
        () => [
          tunnel({ over: 'in maintenance after 13m', endsAt: now() }),
          tunnel({ device: 'p2', endsAt: now() }),
        ],
      ]);
      const lines = (body: string) => Telegram.parse(JSON.parse(body)).text.trimEnd().split('\n');
      const open = `${LABEL}: tunnel down since 24 Nov 14:02 CET (account north)`;
      expect(lines(first).filter((line) => line.startsWith('- '))).toEqual(
        ['p1', 'p2', 'p3'].map((device) => `- ${open} /ack_1763989320_so${device}`),
      );
      expect(lines(first).at(-1)).toBe('I’m on it: tap the command next to it');
      expect(lines(second).filter((line) => line.startsWith('- '))).toEqual([
        `- [MUTED] ${LABEL}: tunnel down, in maintenance after 13m (account north) /notes_1763989320_sop1`,
        `- [RESOLVED] ${LABEL}: tunnel down, back after 21m (account north) /notes_1763989320_sop2`,
        `- ${open} /ack_1763989320_sop3`,
      ]);
    }
  });
});
