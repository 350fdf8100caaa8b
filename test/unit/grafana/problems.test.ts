import { expect, it } from 'vitest';
import { PROBLEM, SEVERITY } from '../../../grafana/generator/palette.ts';
import { PROBLEMS } from '../../../src/model/problem.ts';
import { BOARDS, expressionsOf, panelsOf } from './board.ts';

it('the dashboards have a text for each problem of the exporter, in its order of cost', () => {
  expect(Object.keys(PROBLEM)).toEqual([...PROBLEMS]);
});

it('the dashboards show what the exporter judges: no recording rule, no limit of silence of their own', () => {
  const expressions = BOARDS.flatMap((board) => panelsOf(board).flatMap(expressionsOf));
  expect(expressions.filter((expression) => /hoster:|silent_after/.test(expression))).toEqual([]);
});

it('no dashboard has yellow, which is hard to read on white', () => {
  expect(BOARDS.filter(({ text }) => /"(\w+-)*yellow"/.test(text)).map(({ file }) => file)).toEqual([]);
});

it('a problem of a phone has the colour of the severity of its alert', () => {
  const { critical, warning } = SEVERITY;
  const bad = Object.values(PROBLEM).filter(({ colour }) => colour === critical.colour);
  const poor = Object.values(PROBLEM).filter(({ colour }) => colour === warning.colour);
  expect(bad.map(({ value }) => value)).toEqual(['sold_offline']);
  expect(poor.map(({ value }) => value)).toContain('self_rented_offline');
});

it('the queries of panels are short: 120 characters in the middle', () => {
  const lengths = BOARDS.flatMap((board) => panelsOf(board).flatMap(expressionsOf)).map(
    ({ length }) => length,
  );
  expect(lengths.toSorted((one, other) => one - other)[lengths.length >> 1]).toBeLessThanOrEqual(120);
});

it('the dashboards stay small: 85 panels in all, 16 of them about the exporter', () => {
  const counts = new Map(BOARDS.map((board) => [board.file, panelsOf(board).length]));
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(85);
  expect(counts.get('exporter.json')).toBeLessThanOrEqual(16);
});
