import { describe, expect, it } from 'vitest';
import { BOARDS } from './board.ts';
import { RULES } from './rules/all.ts';

describe('grafana/dashboards', () => {
  it('holds the six dashboards', () => {
    expect(BOARDS.map(({ file }) => file)).toEqual([
      'device.json',
      'exporter.json',
      'fleet.json',
      'money.json',
      'month.json',
      'tunnels.json',
    ]);
  });
});

describe.each(BOARDS)('the dashboard $file', (board) => {
  it.each(RULES)('$name', ({ breaches }) => {
    expect(breaches(board)).toEqual([]);
  });
});
