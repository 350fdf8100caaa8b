import { expect, it } from 'vitest';
import { PROBLEM } from '../../../grafana/generator/palette.ts';
import { RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';

it('the dashboards have a text for each problem code of the rules, and for no other', () => {
  const { recordings } = readRules(shippedText(RULES_FILE));
  const rule = recordings.find(({ record }) => record === 'hoster:device_problem:code');
  const codes = [...(rule?.expr ?? '').matchAll(/\* 0 \+ (\d+)/g)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(PROBLEM).map(({ code }) => code));
});
