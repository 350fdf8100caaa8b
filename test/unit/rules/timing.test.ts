import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { secondsOf } from '../../rules/duration.ts';
import {
  ALERTMANAGER_FILE,
  PROMETHEUS_FILE,
  RULES_FILE,
  readRules,
  shippedText,
} from '../../rules/shipped.ts';
import { durationsIn, readShortened, shortenDurations } from '../../rules/shorten.ts';

const shortened = readShortened();

const FILES = [RULES_FILE, ALERTMANAGER_FILE, PROMETHEUS_FILE];

const Route = z.object({
  route: z.object({ group_wait: z.string(), group_interval: z.string() }),
});

describe.each([
  ['as shipped', (text: string) => text],
  ['shortened for the end-to-end tests', (text: string) => shortenDurations(text, shortened)],
])('the times of messages, %s', (_, adapt) => {
  const { alerts } = readRules(adapt(shippedText(RULES_FILE)));
  const { route } = Route.parse(parse(adapt(shippedText(ALERTMANAGER_FILE)), { merge: true }));

  it('wake nobody for an exporter update while another exporter sees its accounts', () => {
    const [critical, warning] = alerts.filter(({ alert }) => alert === 'HosterExporterDown');
    expect(secondsOf(warning?.for ?? '')).toBeGreaterThan(2 * secondsOf(critical?.for ?? ''));
  });

  it('end an outage once: its page lasts until the warning that it inhibits has ended', () => {
    const kept = alerts.filter(({ keep_firing_for }) => keep_firing_for !== undefined);
    expect(kept.map(({ alert, labels }) => `${alert} ${labels.severity}`)).toEqual([
      'HosterApiUnavailable critical',
    ]);
    expect(secondsOf(kept[0]?.keep_firing_for ?? '')).toBeGreaterThan(secondsOf(route.group_interval));
  });

  it('have a message wait for a few seconds only: the exporter has gathered what belongs together', () => {
    expect(secondsOf(route.group_wait)).toBeLessThanOrEqual(5);
  });
});

describe('the override file', () => {
  const order = Object.entries(shortened.durations).map(
    ([long, short]) => [secondsOf(long), secondsOf(short)] as const,
  );

  it('lists each duration of the shipped files, and no other', () => {
    const shipped = new Set(FILES.flatMap((file) => durationsIn(shippedText(file))));
    expect(Object.keys(shortened.durations).sort()).toEqual([...shipped].sort());
  });

  it('keeps the order of the durations', () => {
    expect(order.map(([long]) => long)).toEqual(order.map(([long]) => long).sort((a, b) => a - b));
    expect(order.map(([, short]) => short)).toEqual(order.map(([, short]) => short).sort((a, b) => a - b));
  });

  it.each(FILES)('changes nothing but durations in %s', (file) => {
    const [text, shorter] = [shippedText(file), shortenDurations(shippedText(file), shortened)];
    const blank = (value: string) => value.replaceAll(/\d+[smhd]\b/g, '…');
    expect(shorter).not.toBe(text);
    expect(blank(shorter)).toBe(blank(text));
  });

  it('reports missing durations', () => {
    expect(() => shortenDurations('for: 5m', { durations: {} })).toThrow(
      'test/rules/shortened.yml does not say what 5m becomes.',
    );
  });
});

describe('prometheus.yml', () => {
  it('loads the rules', () => {
    expect(parse(shippedText(PROMETHEUS_FILE)).rule_files).toEqual(['hoster.rules.yml']);
  });
});
