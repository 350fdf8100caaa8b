import type { Row } from '../../layout.ts';
import { HEARTBEAT, LIMITS, MARKETPLACE, RENTAL, ROTATION, SETUP, TUNNEL } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { first, named } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { ACCOUNT, ID, PHONE } from '../columns.ts';
import { NO_PHONES } from '../no-data.ts';

export const list: Row = {
  title: 'Phones',
  tiles: [
    table({
      title: 'Phones, the longest silent first',
      description:
        'As many phones as "Rows" says. Click one for its history; use the filters in the header to find one. Those that never reported are always among them.',
      noValue: NO_PHONES,
      width: 24,
      height: 14,
      columns: [
        PHONE,
        {
          title: 'Heartbeat',
          target: { expression: named(first(phones.heartbeatState(), phones.bySilence())) },
          states: Object.values(HEARTBEAT),
          width: 110,
        },
        {
          title: 'Heartbeat, ago',
          target: inList(phones.heartbeatAge()),
          unit: 's',
          decimals: 0,
          limits: LIMITS.heartbeatAge,
          width: 140,
        },
        { title: 'Rental', target: inList(phones.rentalState()), states: Object.values(RENTAL), width: 100 },
        {
          title: 'For at least',
          target: inList(phones.rentalStatusFor()),
          unit: 's',
          decimals: 0,
          width: 90,
        },
        {
          title: 'Marketplace',
          target: inList(phones.marketplaceState()),
          states: Object.values(MARKETPLACE),
          width: 110,
        },
        { title: 'Tunnel', target: inList(phones.tunnelState()), states: Object.values(TUNNEL), width: 90 },
        {
          title: 'Rotation',
          target: inList(phones.rotationState()),
          states: Object.values(ROTATION),
          width: 110,
        },
        { title: 'Set-up', target: inList(phones.setupState()), states: Object.values(SETUP), width: 130 },
        { title: 'Brand', label: 'brand', width: 100 },
        { title: 'Model', label: 'model', width: 130 },
        { title: 'App', label: 'app_version', width: 80 },
        ACCOUNT,
        ID,
      ],
      labelsOf: [inList(phones.descriptionColumns())],
      sortBy: ['Heartbeat, ago', 'descending'],
    }),
  ],
};

function inList(vector: string): { readonly expression: string } {
  return { expression: first(vector, phones.bySilence()) };
}
