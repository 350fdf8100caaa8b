import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CASES } from '../../rules/cases.ts';
import { ROOT, RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';

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

const HEADINGS = ['## Impact', '## Diagnosis', '## Steps', '## When to ignore it'];

const UNITS: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day' };

/** Each alert once; some have a rule for each of two severities. */
const names = [...new Set(alerts.map(({ alert }) => alert))];

/** "5m" as a reader says it. */
function inWords(duration: string): string {
  if (duration === '0s') return 'at once';
  const [, count = '', unit = ''] = /^(\d+)([mhd])$/.exec(duration) ?? [];
  return `after ${count} ${UNITS[unit]}${count === '1' ? '' : 's'}`;
}

/** The values of a label, where one is a template that makes one of two. */
function valuesOf(labels: readonly string[]): readonly string[] {
  return [...new Set(labels.flatMap((label) => label.match(/(?<=\}\})\w+(?=\{\{)/g) ?? [label]))];
}

function row(name: string): string {
  const own = alerts.filter(({ alert }) => alert === name);
  const { summary = 'Prometheus and Alertmanager work', since = '' } =
    CASES.find(({ alert }) => alert === name)?.annotations ?? {};
  const severities = valuesOf(own.map(({ labels }) => labels.severity)).join(', ');
  const times = [...new Set(own.map((alert) => inWords(alert.for)))].join(', ');
  const scope = valuesOf(own.map(({ labels }) => labels.scope)).join(', ');
  return `| [${name}](${name}.md) | ${`${summary} ${since}`.trim()} | ${severities} | ${scope} | ${times} |`;
}

const INDEX = `# Runbooks

One page for each alert. This table is derived from \`config/prometheus/hoster.rules.yml\` by \`npm run docs\`.

**critical** wakes somebody, **warning** is for today, **info** comes in a digest, or at once if its scope is *event*.
[ALERTING.md](../ALERTING.md) says how an alert becomes a message, and when.

| alert | message | severity | scope | fires |
|---|---|---|---|---|
${names.map(row).join('\n')}

Messages link to these pages if \`web.external_url\` of the exporter is set.
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
        valuesOf(own.map(({ labels }) => labels.severity))
          .map((severity) => `\`${severity}\``)
          .join(' or '),
        valuesOf(own.map(({ labels }) => labels.scope)).join('` or `'),
        [...new Set(own.map((alert) => inWords(alert.for)))].join(' and '),
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

describe.each(alerts.map((alert) => [alert.alert, alert] as const))('%s', (_name, alert) => {
  const { annotations, labels } = alert;

  it('has the whole address of its runbook, and none without an address of the exporter', () => {
    expect(annotations.runbook_url).toBe(
      `{{ with query "hoster_exporter_external_url_info" }}{{ . | first | label "url" }}/runbooks/${alert.alert}{{ end }}`,
    );
  });

  it('names the phone in its first line, if it is about one', () => {
    const isOnPhone = /device|tunnel|event|escalation/.test(labels.scope);
    expect(annotations.summary.includes('or .Labels.label .Labels.device_id')).toBe(isOnPhone);
  });

  it('says how it ended and since when it is wrong, if it is an incident of the exporter', () => {
    const isIncident = labels.scope !== 'exporter';
    expect(annotations.over !== undefined).toBe(isIncident);
    expect(annotations.since !== undefined).toBe(isIncident);
  });

  it('says in one line what to do', () => {
    expect(annotations.description).toMatch(/^.+\.$|\{\{ end \}\}$/);
  });
});

describe('the links to Grafana in messages', () => {
  it('lead to boards that exist, with variables that these have', () => {
    const board = /define "hoster.board" \}\}(.*)$/m.exec(
      shippedText('config/alertmanager/templates/hoster.tmpl'),
    )?.[1];
    const uids = [...(board ?? '').matchAll(/\}\}(\w+)\{\{ (?:else|end)/g)].map(([, uid]) => `hoster-${uid}`);
    const known = [...variablesByDashboard.keys()];
    expect(uids.slice(0, 4).filter((uid) => !known.includes(uid))).toEqual([]);
    for (const uid of uids.slice(0, 4)) expect(variablesByDashboard.get(uid)).toContain('account');
    expect(variablesByDashboard.get('hoster-device')).toContain('device_id');
  });
});
