import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { sendTestMessage } from '../../src/features/setup/test-message.ts';
import { type Inbox, type Message, openHttpInbox, openMailInbox } from '../rules/inbox.ts';
import { type AlertLabels, isInhibited, readInhibitRules } from '../rules/inhibition.ts';
import { RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { type Alertmanager, startAlertmanager } from './alertmanager.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-alertmanager-'));
const { alerts } = readRules(shippedText(RULES_FILE));
let alertmanager: Alertmanager;
let http: Inbox;
let mail: Inbox;

/** Tells Alertmanager what Prometheus would: an alert as its rule makes it, with these labels and texts. */
async function fire(
  firing: readonly AlertLabels[],
  texts: Readonly<Record<string, string>> = {},
  endsAt?: string,
): Promise<void> {
  const annotations = { summary: '', description: 'Somebody pays for it.', runbook_url: 'docs/x', ...texts };
  const body = firing.map((labels) => ({ labels, annotations, ...(endsAt === undefined ? {} : { endsAt }) }));
  const { status } = await fetch(`${alertmanager.url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

const Alerts = z.array(
  z.object({ labels: z.record(z.string(), z.string()), status: z.object({ state: z.string() }) }),
);

/** The alerts of an account that Alertmanager keeps quiet. */
async function suppressed(account: string): Promise<readonly AlertLabels[]> {
  const answer = await fetch(`${alertmanager.url}/api/v2/alerts?filter=account="${account}"`);
  return Alerts.parse(await answer.json())
    .filter(({ status }) => status.state === 'suppressed')
    .map(({ labels }) => labels);
}

/** Looks again until there is something; everything here takes a few seconds. */
async function eventually<Value>(look: () => Value | undefined): Promise<Value | undefined> {
  for (let tries = 0; tries < 120; tries += 1) {
    const found = look();
    if (found !== undefined) return found;
    await wait(250);
  }
  return undefined;
}

function alertOf(name: string, labels: AlertLabels): AlertLabels {
  const rule = alerts.find(({ alert }) => alert === name);
  return { alertname: name, ...rule?.labels, ...labels };
}

beforeAll(async () => {
  http = await openHttpInbox();
  mail = await openMailInbox();
  alertmanager = await startAlertmanager(folder, { http, mail });
});

afterAll(async () => {
  await alertmanager?.stop();
  await Promise.all([http?.close(), mail?.close()]);
  rmSync(folder, { recursive: true });
});

const TEXTS = {
  summary: 'Rack A / <1> & co: sold and offline',
  since: 'since 24 Nov 14:02 CET',
  over: 'back after 21m',
};

const LINES = {
  begin: '[CRITICAL] Rack A / <1> & co: sold and offline since 24 Nov 14:02 CET (account channels)',
  end: '[RESOLVED] Rack A / <1> & co: sold and offline, back after 21m (account channels)',
};

const escaped = (line: string): string =>
  line.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');

const Telegram = z.object({ text: z.string() });
const Slack = z.object({
  attachments: z.array(z.object({ title: z.string(), text: z.string(), color: z.string() })),
});

describe('a page of Alertmanager and its end', () => {
  beforeAll(async () => {
    const labels = { account: 'channels', label: 'Rack A / <1> & co', device_id: 'p1' };
    const alert = alertOf('HosterSoldPhoneOffline', labels);
    await fire([alert], TEXTS);
    await eventually(() => mail.messages[0]);
    await fire([alert], TEXTS, new Date(systemClock.now()).toISOString());
    await eventually(() => mail.messages[1]);
  });

  const bodiesOf = (path: RegExp) =>
    http.messages.filter((each) => path.test(each.path)).map(({ body }) => safeJson(body));

  it('come to Telegram as what is wrong, what to do, and how it ended', () => {
    const [begin, end] = bodiesOf(/sendMessage$/).map((body) => Telegram.parse(body).text.trim());
    expect(begin).toBe(`${LINES.begin}\n\nSomebody pays for it.`);
    expect(end).toBe(LINES.end);
  });

  it('come to Slack with what Slack would misread escaped', () => {
    const [begin, end] = bodiesOf(/^\/slack$/).map((body) => Slack.parse(body).attachments[0]);
    expect(begin).toMatchObject({ title: escaped(LINES.begin), color: 'danger' });
    expect(end).toMatchObject({ title: escaped(LINES.end), color: 'good' });
  });

  it('come by mail with the first line as the subject', () => {
    const [begin = '', end = ''] = mail.messages.map(({ body }) => body);
    expect(begin).toContain(`Subject: ${LINES.begin}`);
    expect(begin).toMatch(/content-type: text\/plain/i);
    expect(begin).not.toMatch(/text\/html/i);
    expect(end).toContain(`Subject: ${LINES.end}`);
  });

  it('come to a webhook with their texts in the annotations', () => {
    const Posted = z.object({
      receiver: z.string(),
      status: z.string(),
      alerts: z.array(z.object({ annotations: z.object({ summary: z.string(), over: z.string() }) })),
    });
    const [begin, end] = bodiesOf(/^\/webhook$/).map((body) => Posted.parse(body));
    expect(begin).toMatchObject({ receiver: 'page', status: 'firing' });
    expect(begin?.alerts[0]?.annotations.summary).toBe(TEXTS.summary);
    expect(end).toMatchObject({ receiver: 'page', status: 'resolved' });
    expect(end?.alerts[0]?.annotations.over).toBe(TEXTS.over);
  });
});

describe('a flood that doubles', () => {
  it('is a page each time, and ends once', async () => {
    const account = 'flood';
    const flood = { account, problem: 'many_sold_offline', incident: 'many_sold_offline-1' };
    const sized = (size: string) =>
      alertOf('HosterManyPhonesOffline', { ...flood, severity: 'critical', size });
    const texts = (sold: number) => ({
      summary: `Phones of account flood are offline, ${sold} sold`,
      since: 'since 24 Nov 14:02 CET',
      over: 'back after 21m',
    });
    const titles = () =>
      http.messages
        .filter(({ path, body }) => /sendMessage$/.test(path) && body.includes(account))
        .map(({ body }) => Telegram.parse(safeJson(body)).text.trim().split('\n')[0]);
    const now = () => new Date(systemClock.now()).toISOString();
    const pages = [5, 10, 21].map(
      (sold) => `[CRITICAL] Phones of account flood are offline, ${sold} sold since 24 Nov 14:02 CET`,
    );
    await fire([sized('4')], texts(5));
    await eventually(() => titles()[0]);
    await fire([sized('4')], texts(5), now());
    await fire([sized('8')], texts(10));
    await eventually(() => titles()[1]);
    await fire([sized('8')], texts(10), now());
    await fire([sized('16')], texts(21));
    await eventually(() => titles()[2]);
    await fire([sized('16')], texts(21), now());
    await eventually(() => titles()[3]);
    // Nothing more comes.
    await wait(5_000);
    expect(titles()).toEqual([
      ...pages,
      '[RESOLVED] Phones of account flood are offline, 21 sold, back after 21m',
    ]);
  });
});

describe('a list in a message', () => {
  it('is cut at ten lines, and fits into the 4,096 characters of Telegram with the longest labels', async () => {
    const phones = Array.from({ length: 60 }, (_, index) => ({
      ...{ account: 'list', device_id: `p${index}`, label: `${index}-${'x'.repeat(125)}` },
    }));
    for (const labels of phones)
      await fire([alertOf('HosterCredentialChanged', labels)], { summary: `${labels.label}: left the list` });
    const body = await eventually(
      () =>
        http.messages.find(({ path, body }) => /sendMessage$/.test(path) && /left the list/.test(body))?.body,
    );
    const { text } = Telegram.parse(safeJson(body));
    expect(text.length).toBeLessThan(4_096);
    expect(text.split('\n').filter((line) => /^- .*x: left/.test(line))).toHaveLength(10);
    expect(text).toContain('60 in total');
  });
});

describe('the test message of setup', () => {
  it('is sent as a page', async () => {
    const url = new URL(alertmanager.url);
    expect(await sendTestMessage(url, 'webhook', false, systemClock)).toBe(true);
    const isTest = ({ path, body }: Message) =>
      path === '/webhook' && body.includes('Test alert: no phone is offline');
    const sent = await eventually(() => http.messages.find(isTest));
    expect(safeJson(sent?.body)).toMatchObject({ receiver: 'page', status: 'firing' });
  });
});

function safeJson(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

describe('the inhibition rules of alertmanager.yml', () => {
  it.each([
    ['everything at once', /./],
    ['all but the key', /^(?!HosterKey)/],
    ['all but API and key', /^(?!HosterApiU|HosterKey)/],
  ])('inhibit in Alertmanager as the unit tests expect: %s', async (name, pattern) => {
    const account = `quiet ${name}`;
    const firing = alerts
      .filter(({ alert, labels }) => pattern.test(alert) && labels.scope !== 'exporter')
      .map(({ alert, labels }) => ({
        alertname: alert,
        ...labels,
        account,
        ...(['device', 'tunnel', 'event'].includes(labels.scope) ? { device_id: 'p1' } : {}),
      }));
    await fire(firing);
    const expected = firing.filter((alert) => isInhibited(alert, firing, readInhibitRules()));
    const names = (labels: readonly AlertLabels[]) => labels.map(({ alertname }) => alertname).sort();
    expect(names(await suppressed(account))).toEqual(names(expected));
  });
});
