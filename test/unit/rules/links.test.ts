import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Alerting, ROOT, RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';

const { alerts } = readRules(shippedText(RULES_FILE));

const Dashboard = z.object({
  uid: z.string(),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
});

const variablesByDashboard: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(join(ROOT, 'grafana/dashboards'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { uid, templating } = Dashboard.parse(JSON.parse(shippedText(`grafana/dashboards/${file}`)));
      return [uid, templating.list.map(({ name }) => name)];
    }),
);

const HEADINGS = ['## What it costs', '## How to see it', '## What to do', '## When to ignore it'];

const UNITS: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day' };

/** Each alert once; some have a rule for each of two severities. */
const names = [...new Set(alerts.map(({ alert }) => alert))];

/** "5m" as a reader says it. */
function inWords(duration: string): string {
  if (duration === '0s') return 'at once';
  const [, count = '', unit = ''] = /^(\d+)([mhd])$/.exec(duration) ?? [];
  return `after ${count} ${UNITS[unit]}${count === '1' ? '' : 's'}`;
}

function row({ alert, annotations, labels, for: after }: Alerting): string {
  const what = annotations.summary
    .replace(/\{\{ or \$labels\.label \$labels\.device_id \}\}/g, '*phone*')
    .replace(
      /\{\{ if eq \$value -1\.0 \}\}.*?\{\{ else if eq \$value \$value \}\}(.*?)\{\{ else \}\}.*?\{\{ end \}\}/g,
      '$1',
    )
    .replace(/\{\{ if eq \$labels\.\w+ "\w+" \}\}(.*?)\{\{ else \}\}.*?\{\{ end \}\}/g, '$1')
    .replace(/\{\{ with printf .*?\{\{ end \}\}/g, '')
    .replace(/\{\{ if eq \$value \$value \}\}(.*?)(?:\{\{ else \}\}.*?)?\{\{ end \}\}/g, '$1')
    .replace(/\{\{ (?:if|with) \$labels\.\w+ \}\}(.*?)(?:\{\{ else \}\}.*?)?\{\{ end \}\}/g, '$1')
    .replace(/\{\{ \$value \| humanizeDuration \}\}/g, '*time*')
    .replace(/\{\{ (?:printf "%.0f" )?\$value \}\}/g, '*number*')
    .replace(/\{\{ \. \}\}/g, '*…*')
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*');
  return `| [${alert}](${alert}.md) | ${what} | ${labels.severity} | ${labels.scope} | ${inWords(after)} |`;
}

const INDEX = `# Runbooks

There is one page for each alert: what it costs, how to see it, what to do, and when to ignore it. This table is derived
from \`config/prometheus/hoster.rules.yml\` by \`npm run docs\`.

**critical** wakes somebody, **warning** is for today, **info** comes in a digest. *Scope* is the subject of the alert.
A cause inhibits its consequences: exporter, then account and API, then fleet, then tunnels, then the single phone.

\`config/prometheus/hoster.thresholds.yml\` has the thresholds, one on each line.

While the API or the exporter fails, alerts on phones, tunnels or money neither begin nor end, because nothing new is
known about them. The messages of alerts that stay active in this way contain no figures.

| alert | message | severity | scope | fires |
|---|---|---|---|---|
${alerts.map(row).join('\n')}

Two things to know about messages:

- If an alert ends while another one inhibits it, Alertmanager sends no resolved message.
- They link to these pages and to the fleet page if \`web.external_url\` of the exporter is set, and to Grafana if its
  address stands in \`config/alertmanager/templates/addresses.tmpl\`.
`;

describe('docs/runbooks', () => {
  it('has an index of all alerts', async () => {
    await expect(INDEX).toMatchFileSnapshot('../../../docs/runbooks/README.md');
  });

  it('has a page per alert, and no other', () => {
    const pages = readdirSync(join(ROOT, 'docs/runbooks')).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(names.map((name) => `${name}.md`).sort());
  });

  it.each(names)(
    '%s says what it is, what it costs, how to see it, what to do and when to ignore it',
    (name) => {
      const own = alerts.filter(({ alert }) => alert === name);
      const [severities, scopes, times] = [
        [...new Set(own.map(({ labels }) => `\`${labels.severity}\``))].join(' or '),
        [...new Set(own.map(({ labels }) => labels.scope))].join(),
        [...new Set(own.map((alert) => inWords(alert.for)))].join(),
      ];
      const lines = shippedText(`docs/runbooks/${name}.md`).split('\n');
      expect(lines[0]).toBe(`# ${name}`);
      expect(lines[2]).toBe(`${severities} · scope \`${scopes}\` · fires ${times}`);
      expect(lines.filter((line) => line.startsWith('## '))).toEqual(HEADINGS);
      expect(lines.filter((line) => line === '```promql')).toHaveLength(1);
      expect(lines.filter((line) => /^1\. /.test(line))).toHaveLength(1);
    },
  );
});

describe.each(alerts.map((alert) => [alert.alert, alert] as const))('%s', (name, alert) => {
  const { annotations, labels, expr } = alert;

  it('links to its runbook', () => {
    expect(annotations.runbook_url).toBe(
      `{{ with query "hoster_exporter_external_url_info" }}{{ . | first | label "url" }}{{ end }}/runbooks/${name}`,
    );
  });

  it('links to a dashboard that exists, with variables that it has', () => {
    const [, uid = '', query = ''] = /^\/d\/([\w-]+)(?:\?(.*))?$/.exec(annotations.dashboard_url) ?? [];
    const variables = variablesByDashboard.get(uid) ?? [];
    const set = [...query.matchAll(/var-(\w+)=/g)].map(([, variable = '']) => variable);
    expect([...variablesByDashboard.keys()]).toContain(uid);
    expect(set.filter((variable) => !variables.includes(variable))).toEqual([]);
    expect(set.includes('device_id')).toBe(['device', 'tunnel'].includes(labels.scope));
  });

  it('names the phone in its first line, if it is about one', () => {
    const isOnPhone = ['device', 'tunnel'].includes(labels.scope);
    expect(/group_left \(label, model, group\)|by \(account, device_id, label\)/.test(expr)).toBe(isOnPhone);
    expect(annotations.summary.includes('{{ or $labels.label $labels.device_id }}')).toBe(isOnPhone);
  });

  it('does not print a figure that a held alert lacks', () => {
    const texts = annotations.summary + annotations.description;
    const figures = texts.match(/\$value(?! \$value| -1\.0)/g) ?? [];
    const guarded = /\bif eq \$value \$value \}\}/.test(texts);
    expect(figures.length === 0 || guarded || !expr.includes('hoster:alert_held:nan')).toBe(true);
  });
});
