import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Inbox, type Message, openHttpInbox, openMailInbox } from '../rules/inbox.ts';
import { type AlertLabels, isInhibited, readInhibitRules } from '../rules/inhibition.ts';
import { run } from '../rules/run.ts';
import { RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { type Alertmanager, startAlertmanager } from './alertmanager.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-alertmanager-'));
const { alerts } = readRules(shippedText(RULES_FILE));
let alertmanager: Alertmanager;
let http: Inbox;
let mail: Inbox;

/** Tells Alertmanager what Prometheus would: an alert as its rule makes it, with these labels. */
async function fire(firing: readonly AlertLabels[], summary = ''): Promise<void> {
  const body = firing.map((labels) => ({
    labels,
    annotations: {
      summary,
      description: 'Somebody pays for it.',
      dashboard_url: '/d/x',
      runbook_url: 'docs/x',
    },
  }));
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

describe('a page of Alertmanager', () => {
  beforeAll(async () => {
    const labels = { account: 'channels', label: 'Rack A / <1>', device_id: 'p1' };
    await fire([alertOf('HosterRentedDeviceOffline', labels)], 'Rack A / <1> & co is rented and silent');
  });

  const bodyOf = (path: RegExp) => eventually(() => http.messages.find((each) => path.test(each.path))?.body);

  it('names the phone in the first line for Telegram', async () => {
    const { text: sent } = z.object({ text: z.string() }).parse(safeJson(await bodyOf(/sendMessage$/)));
    expect(sent.split('\n')[0]).toBe('[PAGE] Rack A / <1> & co is rented and silent');
  });

  it('names the phone in the title for Slack, with what Slack would misread escaped', async () => {
    const { attachments } = z
      .object({ attachments: z.array(z.object({ title: z.string(), text: z.string(), color: z.string() })) })
      .parse(safeJson(await bodyOf(/^\/slack$/)));
    expect(attachments[0]?.title).toBe('[PAGE] Rack A / &lt;1&gt; &amp; co is rented and silent');
    expect(attachments[0]?.color).toBe('danger');
  });

  it('names the phone in the subject and the first line of a mail', async () => {
    const sent = (await eventually(() => mail.messages[0]?.body)) ?? '';
    expect(sent).toContain('Subject: [PAGE] Rack A / <1> & co is rented and silent');
    expect(sent).toMatch(/\r\n\r\n\[PAGE\] Rack A \/ <1> & co is rented and silent\r?\n/);
  });

  it('names the phone in the annotations for a webhook', async () => {
    const { receiver, alerts: sent } = z
      .object({
        receiver: z.string(),
        alerts: z.array(z.object({ annotations: z.object({ summary: z.string() }) })),
      })
      .parse(safeJson(await bodyOf(/^\/webhook$/)));
    expect(receiver).toBe('page');
    expect(sent[0]?.annotations.summary).toBe('Rack A / <1> & co is rented and silent');
  });
});

describe('the test alert of docs/STACK.md', () => {
  it('is sent as a page', async () => {
    const [, command = ''] =
      /^docker compose exec alertmanager (amtool (?:.*\\\n)*.*)$/m.exec(shippedText('docs/STACK.md')) ?? [];
    // An end beyond the test.
    const here = command
      .replace('http://localhost:9093', alertmanager.url)
      .replace("'+2 minutes'", "'+1 day'");
    expect(await run('sh', ['-c', here])).toEqual({ code: 0, said: '' });
    const isTest = ({ path, body }: Message) =>
      path === '/webhook' && body.includes('A test: nothing is silent');
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
    ['all but the exporter', /^(?!HosterAccountUnwatched)/],
    ['all but exporter, API and key', /^(?!HosterA(ccount|pi)|HosterDataStale)/],
    ['phones and tunnels alone', /^Hoster(Rented)?Device|^HosterTunnel/],
  ])('inhibit in Alertmanager as the unit tests expect: %s', async (name, pattern) => {
    const account = `quiet ${name}`;
    const firing = alerts
      .filter(
        ({ alert, labels }) => pattern.test(alert) && (labels.scope !== 'exporter' || /Account/.test(alert)),
      )
      .map(({ alert, labels }) => ({
        alertname: alert,
        ...labels,
        account,
        ...(['device', 'tunnel'].includes(labels.scope) ? { device_id: 'p1' } : {}),
      }));
    await fire(firing);
    const expected = firing.filter((alert) => isInhibited(alert, firing, readInhibitRules()));
    const names = (labels: readonly AlertLabels[]) => labels.map(({ alertname }) => alertname).sort();
    expect(names(await suppressed(account))).toEqual(names(expected));
  });
});
