import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort, type Running, start } from '../process.ts';
import { type Inbox, openHttpInbox, openMailInbox } from '../rules/inbox.ts';
import { type AlertLabels, isInhibited, readInhibitRules } from '../rules/inhibition.ts';
import { ALERTMANAGER_FILE, ROOT, RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { readShortened, shortenDurations } from '../rules/shorten.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-alertmanager-'));
const { alerts } = readRules(shippedText(RULES_FILE));
let alertmanager: Running;
let address = '';
let http: Inbox;
let mail: Inbox;

/** The shipped configuration with its addresses and secrets replaced by ones of this test, and nothing else. */
function configuration(): string {
  const secrets = { 'smtp-password': 'secret', 'slack-webhook-url': `http://127.0.0.1:${http.port}/slack` };
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder, name), secret);
  return shortenDurations(shippedText(ALERTMANAGER_FILE), readShortened())
    .replaceAll('/etc/alertmanager/secrets/', `${folder}/`)
    .replace('templates/*.tmpl', join(ROOT, 'config/alertmanager/templates/*.tmpl'))
    .replace("'mail.example.com:587'", `'127.0.0.1:${mail.port}'\n  smtp_require_tls: false`)
    .replace('chat_id: 1', `chat_id: 1\n        api_url: 'http://127.0.0.1:${http.port}'`)
    .replace('http://127.0.0.1:9824/alerts', `http://127.0.0.1:${http.port}/webhook`);
}

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
  const { status } = await fetch(`${address}/api/v2/alerts`, {
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
  const answer = await fetch(`${address}/api/v2/alerts?filter=account="${account}"`);
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
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'alertmanager.yml'), configuration());
  alertmanager = start('prometheus-alertmanager', [
    `--config.file=${folder}/alertmanager.yml`,
    `--storage.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ]);
  await alertmanager.hears(/Listening on/);
});

afterAll(async () => {
  await alertmanager?.stop();
  await Promise.all([http?.close(), mail?.close()]);
  rmSync(folder, { recursive: true });
});

describe('a page', () => {
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

function safeJson(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

describe('what keeps quiet about what', () => {
  it.each([
    ['everything at once', /./],
    ['all but the exporter', /^(?!HosterAccountUnwatched)/],
    ['all but exporter, API and key', /^(?!HosterA(ccount|pi)|HosterDataStale)/],
    ['phones and tunnels alone', /^Hoster(Rented)?Device|^HosterTunnel/],
  ])('is what the unit tests think it is: %s', async (name, pattern) => {
    const account = `quiet ${name}`;
    const firing = alerts
      .filter(
        ({ alert, labels }) => pattern.test(alert) && (labels.scope !== 'exporter' || /Account/.test(alert)),
      )
      .map(({ alert, labels }) =>
        alertOf(alert, {
          account,
          ...(['device', 'tunnel'].includes(labels.scope) ? { device_id: 'p1' } : {}),
        }),
      );
    await fire(firing);
    const expected = firing.filter((alert) => isInhibited(alert, firing, readInhibitRules()));
    const names = (labels: readonly AlertLabels[]) => labels.map(({ alertname }) => alertname).sort();
    expect(names(await suppressed(account))).toEqual(names(expected));
  });
});
