import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { forSite } from '../../src/commands/rules.ts';
import { run } from '../rules/run.ts';
import {
  ALERTMANAGER_FILE,
  CASE_FILES,
  PROMETHEUS_FILE,
  ROOT,
  RULES_FILE,
  readRules,
  shippedText,
  THRESHOLDS_FILE,
} from '../rules/shipped.ts';
import { overrideThresholds, readShortened, shortenDurations } from '../rules/shorten.ts';
import { sliceCases } from '../rules/slice.ts';
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
    const files = [RULES_FILE, THRESHOLDS_FILE];
    const { code, said } = await run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', ...files]);
    expect(said).not.toMatch(/FAILED|duplicate/);
    expect(code).toBe(0);
  });

  it('accepts prometheus.yml and what it loads', async () => {
    expect((await run('promtool', ['check', 'config', PROMETHEUS_FILE])).code).toBe(0);
  });

  it('accepts the rules and thresholds as the end-to-end tests shorten them', async () => {
    const files = [
      written('rules.yml', shortenDurations(shippedText(RULES_FILE), shortened)),
      written('thresholds.yml', overrideThresholds(shippedText(THRESHOLDS_FILE), shortened)),
    ];
    const { code, said } = await run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', ...files]);
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

  it('distinguishes two installations with the same account name by a label of their own', async () => {
    const rules = written('site.rules.yml', forSite(shippedText(RULES_FILE), ['team'], 'hoster'));
    const thresholds = written('site.thresholds.yml', shippedText(THRESHOLDS_FILE));
    const of = (team: string, cents: number) => [
      { series: `up{job="hoster",instance="${team}",team="${team}"}`, values: '1x90' },
      ...['devices', 'tunnels', 'balance'].map((collector) => ({
        series: `hoster_exporter_data_state{job="hoster",instance="${team}",team="${team}",account="default",collector="${collector}",state="fresh"}`,
        values: '1x90',
      })),
      {
        series: `hoster_tunnel_live{job="hoster",instance="${team}",team="${team}",account="default",device_id="p1"}`,
        values: '1x90',
      },
      {
        series: `hoster_balance_available_cents{job="hoster",instance="${team}",team="${team}",account="default"}`,
        values: `${cents}x90`,
      },
    ];
    const cases = written(
      'site.test.yml',
      JSON.stringify({
        rule_files: [thresholds, rules],
        evaluation_interval: '1m',
        group_eval_order: ['hoster.thresholds', 'hoster.sight', 'hoster.facts'],
        tests: [
          {
            interval: '1m',
            input_series: [...of('north', 100), ...of('south', 900_000)],
            promql_expr_test: [
              {
                expr: 'ALERTS{alertname="HosterBalanceLow",alertstate="firing"}',
                eval_time: '60m',
                exp_samples: [
                  {
                    labels:
                      'ALERTS{account="default",alertname="HosterBalanceLow",alertstate="firing",scope="money",severity="warning",team="north"}',
                    value: 1,
                  },
                ],
              },
            ],
          },
        ],
      }),
    );
    const { code, said } = await run('promtool', ['test', 'rules', cases]);
    expect(said).toContain('SUCCESS');
    expect(code).toBe(0);
  });

  it.concurrent.each(CASE_FILES)('confirms every case of test/rules/%s', async (file) => {
    const slices = sliceCases(file, (index) => join(folder, `${file}.${index}.rules.yml`));
    const files = slices.map(({ rules, cases }, index) => {
      written(`${file}.${index}.rules.yml`, JSON.stringify(rules));
      return written(`${file}.${index}.yml`, JSON.stringify(cases));
    });
    const { code, said } = await run('promtool', ['test', 'rules', ...files]);
    expect(said.replaceAll(/^(?:Unit Testing: .*|\s*SUCCESS|)\n/gm, '')).toBe('');
    expect(code).toBe(0);
  });
});

describe('amtool', () => {
  it('accepts alertmanager.yml and its templates', async () => {
    const { code, said } = await run('amtool', ['check-config', ALERTMANAGER_FILE]);
    expect(said).not.toContain('FAILED');
    expect(code).toBe(0);
  });

  it.each(CHANNELS.map((channel) => [channel.name, channel] as const))(
    'accepts alertmanager.%s.yml, with secrets where version 0.25 reads them',
    async (name, channel) => {
      const text = configurationFor(channel)
        .replace('templates/*.tmpl', join(ROOT, 'config/alertmanager/templates/*.tmpl'))
        .replaceAll('YOUR_CHAT_ID', '1')
        .replace(/bot_token_file: .*/, 'bot_token: x')
        .replace(/webhook_url_file: .*/, 'webhook_url: https://discord.com/api/webhooks/1/x')
        .replace(/\burl_file: .*/, 'url: http://127.0.0.1:9/x');
      const { code, said } = await run('amtool', ['check-config', written(`alertmanager.${name}.yml`, text)]);
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
