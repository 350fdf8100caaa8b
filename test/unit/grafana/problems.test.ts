import { expect, it } from 'vitest';
import { PROBLEM } from '../../../grafana/generator/palette.ts';
import { PROBLEMS } from '../../../src/model/problem.ts';
import { readRules, shippedText } from '../../rules/shipped.ts';
import { BOARDS, expressionsOf, panelsOf } from './board.ts';
import { RECORDED } from './names.ts';

const MONTH_FILE = 'config/prometheus/hoster-month.rules.yml';

it('the dashboards have a text for each problem of the exporter, in its order of cost', () => {
  expect(Object.keys(PROBLEM)).toEqual([...PROBLEMS]);
});

it('the dashboards show what the exporter judges: no recording rule, no limit of silence of their own', () => {
  // A month is summed from what is recorded each five minutes: raw samples of it would be too many.
  const others = BOARDS.filter(({ file }) => file !== 'month.json');
  const expressions = others.flatMap((board) => panelsOf(board).flatMap(expressionsOf));
  expect(expressions.filter((expression) => /hoster:|silent_after|\$__range:6h/.test(expression))).toEqual(
    [],
  );
});

it('a month is summed from the recordings of its rules', () => {
  const { recordings } = readRules(shippedText(MONTH_FILE), MONTH_FILE);
  expect(RECORDED.map(([name]) => name)).toEqual(recordings.map(({ record }) => record));
});

it('the dashboards stay small: 85 panels in all, 16 of them about the exporter', () => {
  const counts = new Map(BOARDS.map((board) => [board.file, panelsOf(board).length]));
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(85);
  expect(counts.get('exporter.json')).toBeLessThanOrEqual(16);
});
