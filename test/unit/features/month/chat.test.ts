import { describe, expect, it } from 'vitest';
import { monthChat } from '../../../../src/features/month/chat.ts';
import type { MonthDocument } from '../../../../src/features/month/document.ts';
import type { ChatExporter } from '../../../../src/fleet/chat.ts';
import { view } from '../../fleet/fleet.ts';
import { talk } from '../chat/chat.ts';

const PARTS = [monthChat];

describe('the month', () => {
  const none = { self_rented: 0, idle: 0, other: 0, maintenance: 0, unknown: 0 };
  const facts = { account: 'main', phones: 1, interruptions: 3, ...none };
  const month: MonthDocument = {
    month: '2026-03',
    by: 'phone',
    rows: [
      { id: 'p1', name: 'x', ...facts, sold_online: 7_200, sold_offline: 3_600 },
      { id: 'p2', name: 'y', ...facts, sold_online: 3_600, sold_offline: 0 },
    ],
  };
  const content = JSON.stringify(month);

  it('tells shares, interruptions and what to visit, and of one phone its hours', async () => {
    const { ask } = talk({}, { status: 200, content }, PARTS);
    expect((await ask('/month')).text).toBe(
      '2026-03: Sold 100% of the time, available 75% of the sold time, 6 interruptions. Sold and offline 1.0 h.\nMost sold time lost: x (1.0 h).',
    );
    expect((await ask('/phone p1')).text).toContain('\n2026-03: sold online 2 h, sold offline 1 h\n');
    expect((await ask('/phone p3')).text).not.toContain('2026-03:');
    expect((await ask('/month 2026-13')).text).toBe('No report: 2026-13 is not a month such as 2026-10.');
  });

  it('lists every rack, or one rack alone', async () => {
    const [first, second] = month.rows;
    const rows = [
      { ...first, name: 'rack-01', estimate: { offlineCents: 1_250, idleCents: 0 } },
      { ...second, name: 'rack-02' },
    ];
    const byGroup = JSON.stringify({ ...month, by: 'group', rows });
    const { ask } = talk({}, { status: 200, content: byGroup }, PARTS);
    expect((await ask('/month racks')).text).toBe(
      [
        '2026-03: Sold 100% of the time, available 75% of the sold time, 6 interruptions. Sold and offline 1.0 h, about €12.50.',
        'rack-01: Sold 100% of the time, available 66.7% of the sold time, 3 interruptions. Sold and offline 1.0 h, about €12.50.',
        'rack-02: Sold 100% of the time, available 100% of the sold time, 3 interruptions.',
      ].join('\n'),
    );
    expect((await ask('/month 2026-03 01')).text).toMatch(
      /^2026-03: Sold 100% .* 3 interruptions\. .* €12\.50\.$/,
    );
  });

  it('that is not known is said to be that', async () => {
    const { ask } = talk({}, { status: 404, content: 'no data for 2026-08\n' }, PARTS);
    expect((await ask('/month 2026-08')).text).toBe('No report: no data for 2026-08.');
    expect((await ask('/phone p1')).text).not.toContain('month');
  });

  it('of another form is said to be that', async () => {
    expect((await talk({}, { status: 200, content: '[]' }, PARTS).ask('/month')).text).toMatch(
      /another version/,
    );
  });

  it('that ended is sent with its file on the first day of the next one', async () => {
    const asked: string[] = [];
    const exporter: ChatExporter = {
      request: async (_, path) => {
        asked.push(path);
        return { status: 200, content: path.includes('format=csv') ? 'name;account' : content };
      },
      view: async () => view(),
    };
    expect(await monthChat.morning?.(exporter, '2026-04-02')).toBeUndefined();
    expect(asked).toEqual([]);
    expect(await monthChat.morning?.(exporter, '2026-04-01')).toEqual({
      text: expect.stringMatching(/^2026-03: Sold 100%/),
      file: { name: 'phones-2026-03.csv', content: 'name;account' },
    });
    expect(asked[0]).toBe('/api/v1/month?month=2026-03');
  });
});
