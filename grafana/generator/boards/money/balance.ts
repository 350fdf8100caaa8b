import type { Row } from '../../layout.ts';
import { DATA } from '../../palette.ts';
import { barsByDay } from '../../panels/bars.ts';
import { graph } from '../../panels/graph.ts';
import { table } from '../../panels/table.ts';
import { knownAccounts, ROWS, wholeDays } from '../../promql.ts';
import { accountState } from '../../queries/exporter.ts';
import { balance as amount, byCurrency, movement, withCurrency } from '../../queries/money.ts';
import { NO_BALANCE, NO_HISTORY } from '../no-data.ts';
import { MONEY } from './unit.ts';

/** Each bar covers the day that it stands at, as far as the day has come. */
const DAY = '[1d] offset -1d';

const CENTS = { unit: MONEY, decimals: 2, width: 120 } as const;

/** The balance over time, its movements by day, and both by account. */
export const balance: Row = {
  title: 'Balance',
  tiles: [
    graph(
      {
        title: 'Balance',
        description:
          'Available and pending by currency. Steps down are withdrawals or self-rent; a flat line while phones are sold is worth a question.',
        noValue: NO_HISTORY,
        unit: MONEY,
        width: 12,
        height: 9,
        targets: [
          { expression: byCurrency(amount('available')), legend: 'Available, {{currency}}' },
          { expression: byCurrency(amount('pending')), legend: 'Pending, {{currency}}' },
        ],
      },
      { decimals: 2 },
    ),
    barsByDay(
      {
        title: 'Movements per day',
        description:
          'Upward and downward movements of the available balance, as observed, without the day that is not over. Not a statement of account: opposite movements between two polls cancel out.',
        noValue: 'No whole day yet',
        unit: MONEY,
        width: 12,
        height: 9,
        range: '30d',
        targets: [
          {
            expression: wholeDays(byCurrency(movement('increase', 'available', DAY))),
            legend: 'In, {{currency}}',
          },
          {
            expression: wholeDays(`0 - ${byCurrency(movement('decrease', 'available', DAY))}`),
            legend: 'Out, {{currency}}',
          },
        ],
      },
      2,
    ),
    table({
      title: 'Accounts',
      description:
        'The balance of each account and how it moved in the time range. An account whose available balance nears zero cannot self-rent: top it up.',
      noValue: NO_BALANCE,
      width: 24,
      height: 6,
      columns: [
        { title: 'Account', label: 'account' },
        {
          title: 'State',
          target: inTable(accountState()),
          states: Object.values(DATA),
          width: 110,
        },
        { title: 'Currency', label: 'currency', width: 110 },
        {
          title: 'Available',
          target: inTable(withCurrency(amount('available'))),
          ...CENTS,
        },
        { title: 'Pending', target: inTable(amount('pending')), ...CENTS },
        { title: 'Total', target: inTable(amount('total')), ...CENTS },
        {
          title: 'Into it',
          target: inTable(movement('increase', 'available', '[$__range]')),
          ...CENTS,
        },
        {
          title: 'Out of it',
          target: inTable(movement('decrease', 'available', '[$__range]')),
          ...CENTS,
        },
      ],
      sortBy: ['State', 'descending'],
      thenBy: ['Available', 'descending'],
    }),
  ],
};

function inTable(perAccount: string): { readonly expression: string } {
  return { expression: `(${perAccount})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
}
