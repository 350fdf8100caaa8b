import { expect, it } from 'vitest';
import { messageOf } from '../../../../src/features/chat/bot.ts';
import { balanceText } from '../../../../src/features/chat/words.ts';
import { HISTORY_FIELDS } from '../../../../src/features/history/document.ts';
import { accountOf, view } from '../../fleet/fleet.ts';

const textOf = (text: string): string => messageOf({ text }).text;

it('says in /balance how it has changed today, and names accounts only if there are several', () => {
  expect(Object.keys(HISTORY_FIELDS.document)).toEqual(['observed']);
  const observed = [
    {
      account: 'main',
      today: { increaseCents: 1_450, decreaseCents: 200 },
      week: undefined,
      month: undefined,
    },
  ];
  expect(textOf(balanceText(view({ observed })))).toBe('€1,250.00, €95.73 pending, +€14.50, −€2.00 today');
  const accounts = [accountOf(), accountOf({ name: 'other', currency: 'UAH' })];
  expect(textOf(balanceText(view({ observed, accounts }))).split('\n')).toEqual([
    'main: €1,250.00, €95.73 pending, +€14.50, −€2.00 today',
    expect.stringMatching(/^other: UAH/),
  ]);
});
