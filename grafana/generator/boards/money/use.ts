import type { Row } from '../../layout.ts';
import { RENTAL } from '../../palette.ts';
import { graph } from '../../panels/graph.ts';
import { wholeDays } from '../../promql.ts';
import { perSoldHourByCurrency, phoneHours } from '../../queries/money.ts';
import { MONEY } from './unit.ts';

/** Panels of the use of the phones. */
export const use: Row = {
  title: 'Use of the phones',
  tiles: [
    graph(
      {
        title: 'Hours by day',
        description:
          'What the hours of all phones together went to, day by day, without the day that is not over. A shorter bar is a day that was not wholly observed, or a smaller fleet.',
        noValue: 'No whole day yet',
        unit: 'none',
        width: 12,
        height: 9,
        interval: '1d',
        range: '30d',
        targets: [
          {
            expression: wholeDays(phoneHours('.+', 'rental_status', '1d', ' offset -1d')),
            legend: '{{rental_status}}',
          },
        ],
      },
      { style: 'bars', stacked: true, states: Object.values(RENTAL), decimals: 0 },
    ),
    graph(
      {
        title: 'A sold hour by day',
        description:
          'Upward movements of the available balance of a day by its sold hours, without the day that is not over. Settlements come in lumps: read weeks, not days.',
        noValue: 'No whole day yet',
        unit: MONEY,
        width: 12,
        height: 9,
        interval: '1d',
        range: '30d',
        targets: [
          { expression: wholeDays(perSoldHourByCurrency('1d', ' offset -1d')), legend: '{{currency}}' },
        ],
      },
      { decimals: 2 },
    ),
  ],
};
