import type { Row } from '../../layout.ts';
import { RENTAL } from '../../palette.ts';
import { graph } from '../../panels/graph.ts';
import { timeline } from '../../panels/timeline.ts';
import { chosen, named, ofAccount, onlyRead, owned } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { NO_HISTORY } from '../no-data.ts';

const CHANGED = chosen('changed');

export const rentals: Row = {
  title: 'Rentals',
  tiles: [
    graph(
      {
        title: 'Phones by rental status',
        description:
          'The whole fleet over time. A step down of the whole is phones that left the fleet; a growing idle band is income missed.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 8,
        height: 8,
        targets: [
          {
            expression: `sum by (rental_status) (${onlyRead(phones.phones())})`,
            legend: '{{rental_status}}',
          },
        ],
      },
      { stacked: true, states: Object.values(RENTAL), decimals: 0 },
    ),
    graph(
      {
        title: 'Rented share by account',
        description:
          'Share of phones that is sold or self-rented. One account that falls alone has a cause of its own; all together, it is the market.',
        noValue: NO_HISTORY,
        unit: 'percentunit',
        width: 8,
        height: 8,
        targets: [{ expression: phones.occupancy('account'), legend: '{{account}}' }],
      },
      { max: 1 },
    ),
    graph(
      {
        title: 'Silent phones by account',
        description:
          'Phones without a heartbeat for longer than their silence limit. While an account is not read, what was known last. Compare steps with power cuts, router restarts and updates of the app.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 8,
        height: 8,
        targets: [{ expression: phones.silentPhones(), legend: '{{account}}' }],
      },
      { decimals: 0 },
    ),
    timeline(
      {
        title: 'Rental of the phones that changed last',
        description:
          'One row per phone, those whose rental changed last on top of the choice; "Rows" says how many. Phones that flip between sold and idle lose their renters: look at their heartbeats.',
        noValue: NO_HISTORY,
        width: 24,
        height: 12,
        targets: [
          {
            expression: owned(named(phones.rentalState(CHANGED), CHANGED)),
            legend: '{{owner}}{{phone}}',
          },
        ],
      },
      Object.values(RENTAL),
      ofAccount('hoster_device_rental_status', CHANGED),
    ),
  ],
};
