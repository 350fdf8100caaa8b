import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseDuration } from '../../../src/config/values.ts';
import { cleanText } from '../../../src/model/text.ts';
import { PROMETHEUS_FILE, ROOT, RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';

/** Every expression that is shipped, by where it stands. */
const EXPRESSIONS: readonly (readonly [place: string, expression: string])[] = [
  ...rules(),
  ...filesOf('docs/runbooks', '.md').flatMap((file) =>
    [...shippedText(file).matchAll(/```promql\n(.*?)```/gs)].map(([, text = '']) => [file, text] as const),
  ),
  ...filesOf('grafana/dashboards', '.json').flatMap((file) =>
    expressionsIn(JSON.parse(shippedText(file))).map((text) => [file, text] as const),
  ),
];

function rules(): readonly (readonly [string, string])[] {
  const { recordings, alerts } = readRules(shippedText(RULES_FILE));
  return [
    ...recordings.map(({ record, expr }) => [record, expr] as const),
    ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ];
}

function filesOf(folder: string, ending: string): readonly string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}

/** The values of every `expr` of a dashboard. */
function expressionsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'expr' && typeof each === 'string' ? [each] : expressionsIn(each),
  );
}

/** The places of the expressions in which a pattern occurs. */
function placesOf(pattern: RegExp): readonly string[] {
  return EXPRESSIONS.filter(([, expression]) => pattern.test(expression)).map(([place]) => place);
}

const { global: settings } = z
  .object({ global: z.object({ scrape_interval: z.string() }) })
  .parse(parse(shippedText(PROMETHEUS_FILE)));

describe('an expression for Prometheus 2.42 and 3', () => {
  it('is found in rules, runbooks and dashboards', () => {
    const kinds = [/^(?:incident|alert):/, /^Hoster/, /^docs\/runbooks\//, /^grafana\//];
    for (const kind of kinds)
      expect(EXPRESSIONS.filter(([place]) => kind.test(place)).length).toBeGreaterThan(1);
  });

  it('has only ranges that hold two samples, although their left end is open', () => {
    const scrape = parseDuration(settings.scrape_interval) ?? 0;
    const tooShort = EXPRESSIONS.flatMap(([place, expression]) =>
      [...expression.matchAll(/\[(\d\w*)(?::\w*)?\]/g)]
        // One step is the expression at the end of the range, which is in it.
        .filter(([range]) => range !== '[1ms:1ms]')
        .filter(([, range = '']) => (parseDuration(range) ?? 0) <= 2 * scrape)
        .map(([range]) => `${place}: ${range}`),
    );
    expect(tooShort).toEqual([]);
  });

  it('asks for an expression at another instant by its last value alone', () => {
    const others = EXPRESSIONS.flatMap(([place, expression]) =>
      expression.includes('[1ms:1ms]') && !/(?:last|max)_over_time\(/.test(expression) ? [place] : [],
    );
    expect(others).toEqual([]);
  });

  it('does not call holt_winters, which has another name', () => {
    expect(placesOf(/\bholt_winters\b/)).toEqual([]);
  });

  it('does not match whole numbers in le and quantile, which became 1.0', () => {
    expect(placesOf(/\b(?:le|quantile)\s*[=!]~?\s*"(?:[^"]*\|)?\d+(?:\|[^"]*)?"/)).toEqual([]);
  });

  it('meets no line break in a label, which a dot of a regular expression now matches', () => {
    expect(cleanText('rack\n1\r2\u2028')).not.toMatch(/[\n\r\u2028]/);
  });
});
