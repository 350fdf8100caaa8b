import { describe, expect, it } from 'vitest';
import type { MonthDocumentRow } from '../../../../src/features/month/document.ts';
import { monthVerdict } from '../../../../src/features/month/words.ts';

describe('what a month asks an owner to do', () => {
  const row = (name: string, own: Partial<MonthDocumentRow> = {}): MonthDocumentRow => ({
    ...{ account: 'main', id: name, name, phones: 1, interruptions: 0 },
    ...{ sold_online: 0, sold_offline: 0, self_rented: 0, idle: 0, other: 0, maintenance: 0, unknown: 0 },
    ...own,
  });
  const told = (by: 'phone' | 'group', ...rows: readonly MonthDocumentRow[]) =>
    monthVerdict({ month: '2026-10', by, rows }, () => 'EUR');

  it('names the three phones that were sold and offline longest, and what maintenance work took', () => {
    const rows = [10, 40, 20, 30].map((hours) => row(`p${hours}`, { sold_offline: hours * 3_600 }));
    expect(told('phone', ...rows, row('idle', { maintenance: 7_200 }))).toBe(
      'Most sold time lost: p40 (40.0 h), p30 (30.0 h), p20 (20.0 h). Offline in maintenance: 2.0 h.',
    );
  });

  it('goes by what it cost where the owner named prices', () => {
    const cheap = row('cheap', { sold_offline: 72_000, estimate: { offlineCents: 100, idleCents: 0 } });
    const dear = row('dear', { sold_offline: 36_000, estimate: { offlineCents: 500, idleCents: 0 } });
    expect(told('phone', cheap, dear)).toBe(
      'Most sold time lost: dear (10.0 h, about €5.00), cheap (20.0 h, about €1.00).',
    );
  });

  it('says if nothing needs attention', () => {
    expect(told('phone', row('a'))).toBe('No phone was sold and offline for an hour or more.');
    expect(told('group', row('a'))).toBe('');
  });

  it('never compares what phones cost in two currencies', () => {
    const estimateOf = (offlineCents: number) => ({ estimate: { offlineCents, idleCents: 0 } });
    const euros = row('euros', { account: 'euros', sold_offline: 72_000, ...estimateOf(100) });
    const dollars = row('dollars', { account: 'dollars', sold_offline: 36_000, ...estimateOf(500) });
    const document = { month: '2026-10', by: 'phone', rows: [dollars, euros] };
    expect(monthVerdict(document, (account) => (account === 'euros' ? 'EUR' : 'USD'))).toMatch(
      /lost: euros \(20\.0 h, about €1\.00\), dollars /,
    );
  });
});
