import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CASES } from '../rules/cases.ts';
import { newer } from '../rules/newer.ts';
import { SCENARIOS } from '../rules/outages.ts';
import { caseFile, INTERVALS, rulesWithoutTexts, scenarioFile } from '../rules/promtool.ts';
import { run } from '../rules/run.ts';
import {
  ALERTMANAGER_FILE,
  PROMETHEUS_FILE,
  ROOT,
  RULES_FILE,
  readRules,
  shippedText,
} from '../rules/shipped.ts';
import { readShortened, shortenDurations } from '../rules/shorten.ts';
import { type ExporterTimeline, STEP, seriesOf } from '../rules/timeline.ts';
import { CHANNELS, configurationFor } from '../unit/stack/channels.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-rules-'));
const shortened = readShortened();

/** Writes a file into a folder of this test, and says where it is. */
function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('promtool', () => {
  it('finds no problem in the rules', async () => {
    const { code, said } = await run('promtool', [
      'check',
      'rules',
      '--lint=all',
      '--lint-fatal',
      RULES_FILE,
    ]);
    expect(said).not.toMatch(/FAILED|duplicate/);
    expect(code).toBe(0);
  });

  it('accepts prometheus.yml and what it loads', async () => {
    expect((await run('promtool', ['check', 'config', PROMETHEUS_FILE])).code).toBe(0);
  });

  it('accepts the rules as the end-to-end tests shorten them', async () => {
    const file = written('short.rules.yml', shortenDurations(shippedText(RULES_FILE), shortened));
    const { code, said } = await run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', file]);
    expect(said).not.toContain('FAILED');
    expect(code).toBe(0);
  });

  it('parses the query of each runbook', async () => {
    const rules = readdirSync(join(ROOT, 'docs/runbooks')).flatMap((file) =>
      [...shippedText(`docs/runbooks/${file}`).matchAll(/```promql\n(.*?)```/gs)].map(([, expr = '']) => ({
        record: `runbook:${file.replace('.md', '')}`,
        expr,
      })),
    );
    const file = written('runbooks.yml', JSON.stringify({ groups: [{ name: 'runbooks', rules }] }));
    const { code, said } = await run('promtool', ['check', 'rules', file]);
    expect(said).toContain(`${rules.length} rules found`);
    expect(code).toBe(0);
  });

  it('keeps a label such as cluster, and tells two installations with the same account name apart', async () => {
    const low = {
      incident: 'i',
      problem: 'balance_low',
      since: 60,
      open: [2, 30],
      reason: 'resolved',
    } as const;
    const many = { incident: 'm', problem: 'many_offline', since: 60, open: [2, 30] } as const;
    const exporters: readonly (readonly [cluster: string, exporter: ExporterTimeline])[] = [
      ['north', { instance: 'n1', incidents: [low, { ...many, notified: [[9, 2]] }] }],
      // A replica, which is down from the tenth minute on.
      ['north', { instance: 'n2', up: [[0, 10]], incidents: [low] }],
      // The same incidents end earlier, and here the account has another one.
      ['south', { instance: 's1', incidents: [{ ...low, open: [2, 5] }] }],
      ['south', { instance: 's2', up: [[0, 6]], incidents: [{ ...low, incident: 'j', problem: 'left' }] }],
    ];
    const of = (alert: string, labels: string) =>
      `ALERTS{account="a",alertname="${alert}",alertstate="firing",${labels}}`;
    const lowIn = (cluster: string) =>
      of('HosterBalanceLow', `cluster="${cluster}",problem="balance_low",scope="money",severity="warning"`);
    const firing = (alert: string, minute: number, ...series: readonly string[]) => ({
      ...{ expr: `ALERTS{alertname="${alert}",alertstate="firing"}`, eval_time: `${minute}m` },
      exp_samples: series.map((labels) => ({ labels, value: 1 })),
    });
    const many9 =
      'cluster="north",incident="m",problem="many_offline",scope="fleet",severity="warning",size="8"';
    const down = (instance: string, cluster: string) =>
      `ALERTS{alertname="HosterExporterDown",alertstate="firing",cluster="${cluster}",instance="${instance}",job="hoster",pod="${instance}",scope="exporter",severity="warning"}`;
    const cases = written(
      'site.test.yml',
      JSON.stringify({
        rule_files: ['rules.yml'],
        evaluation_interval: `${STEP}s`,
        group_eval_order: ['hoster.incidents', 'hoster'],
        tests: [
          {
            interval: `${STEP}s`,
            input_series: exporters.flatMap(([cluster, exporter]) =>
              seriesOf(exporter, 60, { cluster, pod: exporter.instance }),
            ),
            promql_expr_test: [
              firing('HosterBalanceLow', 4, lowIn('north'), lowIn('south')),
              firing('HosterBalanceLow', 20, lowIn('north')),
              firing('HosterBalanceLow', 40),
              firing('HosterManyPhonesOffline', 20, of('HosterManyPhonesOffline', many9)),
              firing('HosterExporterDown', 30, down('n2', 'north'), down('s2', 'south')),
            ],
          },
        ],
      }),
    );
    const { said } = await run('promtool', ['test', 'rules', cases]);
    expect(said).toContain('SUCCESS');
  });

  written('rules.yml', shippedText(RULES_FILE));
  for (const minutes of INTERVALS) written(`alerts-${minutes}m.yml`, rulesWithoutTexts(`${minutes}m`));

  /** Runs promtool, and returns what it says of cases that fail. */
  async function failures(name: string, file: unknown): Promise<string> {
    const cases = written(`${name.replaceAll(/\W+/g, '-')}.yml`, JSON.stringify(file));
    const { said } = await run('promtool', ['test', 'rules', cases]);
    return said.replaceAll(/^(?:Unit Testing: .*|\s*SUCCESS|)\n/gm, '');
  }

  it.concurrent.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'confirms: %s',
    async (name, scenario) => {
      expect(await failures(name, scenarioFile(scenario))).toBe('');
    },
    // Some last for more than a day.
    400_000,
  );

  it.concurrent.each(CASES.map((each) => [each.alert, Object.values(each.labels).join(' '), each] as const))(
    'confirms the texts of %s %s',
    async (name, kind, each) => {
      const rules = readRules(shippedText(RULES_FILE)).alerts.filter(({ alert }) => alert === name);
      expect(rules.length).toBeGreaterThan(0);
      // The critical alert on an outage with sold phones inhibits the warning.
      const hasSold = /\d sold phones/.test(each.annotations['summary'] ?? '');
      const firing = rules.slice(0, name === 'HosterCommonCause' && hasSold ? 2 : 1);
      expect(await failures(`${name} ${kind}`, caseFile(each, firing))).toBe('');
    },
  );
});

describe('amtool', () => {
  it('accepts alertmanager.yml and its templates', async () => {
    const { code, said } = await run('amtool', ['check-config', ALERTMANAGER_FILE]);
    expect(said).not.toContain('FAILED');
    expect(code).toBe(0);
  });

  it('accepts the nights of alertmanager.yml once their lines no longer begin with #', async () => {
    const shipped = shippedText(ALERTMANAGER_FILE).replace(
      'templates/*.tmpl',
      join(ROOT, 'config/alertmanager/templates/*.tmpl'),
    );
    const nights = shipped.replaceAll('#mute_time_intervals', 'mute_time_intervals');
    const count = (text: string): number => text.match(/^ *mute_time_intervals/gm)?.length ?? 0;
    expect(count(nights) - count(shipped)).toBe(3);
    const { code } = await run('amtool', ['check-config', written('nights.yml', nights)]);
    expect(code).toBe(0);
  });

  it.each(CHANNELS.map((channel) => [channel.name, channel] as const))(
    'accepts alertmanager.%s.yml, with secrets where version 0.25 reads them, or ntfy by a newer one',
    async (name, channel) => {
      const amtool = name === 'ntfy' ? newer('amtool') : 'amtool';
      const text = configurationFor(channel)
        .replace('templates/*.tmpl', join(ROOT, 'config/alertmanager/templates/*.tmpl'))
        .replaceAll('YOUR_CHAT_ID', '1')
        .replace(/bot_token_file: .*/, 'bot_token: x')
        .replace(/ token_file: .*/, ' token: x')
        .replace(/webhook_url_file: .*/, 'webhook_url: https://discord.com/api/webhooks/1/x')
        .replace(/\burl_file: .*/, 'url: http://127.0.0.1:9/x');
      const { code, said } = await run(amtool, ['check-config', written(`alertmanager.${name}.yml`, text)]);
      expect(said).not.toContain('FAILED');
      expect(code).toBe(0);
    },
  );

  it.each([
    ['critical', 'page'],
    ['warning', 'notify'],
    ['info', 'digest'],
  ])('routes alerts with the severity %s to the receiver %s', async (severity, receiver) => {
    const { alerts } = readRules(shippedText(RULES_FILE));
    const own = alerts.filter(({ labels }) => labels.severity === severity);
    expect(own.length).toBeGreaterThan(0);
    for (const { alert, labels } of own) {
      const route = ['config', 'routes', 'test', `--config.file=${ALERTMANAGER_FILE}`];
      const asked = [`alertname=${alert}`, `severity=${severity}`, `scope=${labels.scope}`, 'account=main'];
      const { code, said } = await run('amtool', [...route, `--verify.receivers=${receiver}`, ...asked]);
      expect(`${alert}: ${said.split('\n')[0]} ${code}`).toBe(`${alert}: ${receiver} 0`);
    }
  });
});
