import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { stat } from '../../panels/stat.ts';
import type { Tile } from '../../panels/tile.ts';
import { AS_LAST_READ, dated, ofReadAccounts } from '../../promql.ts';
import { balance, byCurrency, movement, perSoldHourByCurrency, phoneHours } from '../../queries/money.ts';
import { NO_BALANCE, NO_PHONES } from '../no-data.ts';
import { MONEY } from './unit.ts';

function money(title: string, description: string, expression: string): Tile {
  return stat(
    {
      title,
      description,
      noValue: NO_BALANCE,
      unit: MONEY,
      width: 5,
      height: 4,
      targets: [{ expression: ofReadAccounts(expression, 'balance'), legend: '{{currency}} {{as}}' }],
    },
    { named: true, decimals: 2 },
  );
}

/** Money and use in numbers. */
export const now: Row = {
  title: 'Now',
  tiles: [
    money(
      'Available',
      'What can be withdrawn or spent on self-rent. Too little and self-rent is refused (HTTP 402): top up before.',
      byCurrency(balance('available')),
    ),
    money(
      'Pending',
      'What is earned and not settled. It grows and never settles: ask the marketplace.',
      byCurrency(balance('pending')),
    ),
    money(
      'In, 24 hours',
      'Upward movements of the available balance that were observed. Nothing for a day while phones are sold: ask the marketplace.',
      byCurrency(movement('increase', 'available', '[1d]')),
    ),
    money(
      'A sold hour',
      'Upward movements of the available balance in the time range by hours that phones were sold. An average to compare months by, not a price; nothing is said of less than 20 observed hours.',
      perSoldHourByCurrency(),
    ),
    stat(
      {
        title: 'Sold share',
        description:
          'Sold hours of all phone-hours in the time range, as far as they were observed; grey while phones are not read. The number that more phones do not improve.',
        noValue: NO_PHONES,
        unit: 'percentunit',
        width: 4,
        height: 4,
        targets: [{ expression: dated(soldShare(), 'sold', { by: '' }), legend: '{{as}}' }],
      },
      { limits: LIMITS.occupancy, named: true, plain: [AS_LAST_READ], decimals: 1 },
    ),
  ],
};

function soldShare(): string {
  return `sum(${phoneHours('sold', 'account')}) / (sum(${phoneHours('.+', 'account')}) > 0)`;
}
