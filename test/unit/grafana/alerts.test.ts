import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';
import { BOARDS, expressionsOf, panelsOf } from './board.ts';

/** Alerts that may stand in a table: all but the sign of life. */
const ALERTS = readRules(shippedText(RULES_FILE)).alerts.filter(({ labels }) => labels.severity !== 'none');
const NAMES = [...new Set(ALERTS.map(({ alert }) => alert))].sort();

/** Words in place of the values of a column. */
const Mappings = z.tuple([
  z.object({
    type: z.literal('value'),
    options: z.record(z.string(), z.object({ text: z.string().min(1) })),
  }),
]);

const TABLES = BOARDS.flatMap((board) =>
  panelsOf(board)
    .filter(
      (panel) =>
        panel.type === 'table' && expressionsOf(panel).some((expression) => expression.includes('ALERTS{')),
    )
    .map((panel) => ({ place: `${board.file}: ${panel.title}`, panel })),
);

it('one dashboard has a table of alerts', () => {
  expect(TABLES.map(({ place }) => place)).toEqual(['exporter.json: Firing alerts']);
});

describe.each(TABLES)('the table of alerts $place', ({ panel }) => {
  it('explains each alert of the rules, and nothing else', () => {
    const column = panel.fieldConfig?.overrides.find(({ matcher }) => matcher.options === 'alertname');
    const mappings = column?.properties.find(({ id }) => id === 'mappings')?.value;
    expect(Object.keys(Mappings.parse(mappings)[0].options).sort()).toEqual(NAMES);
  });
});
