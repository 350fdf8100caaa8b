import type { Row } from '../../layout.ts';
import { HEARTBEAT, MARKETPLACE, orUnread, RENTAL, ROTATION, SETUP, TUNNEL } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { chosen, named, onlyRead } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { ACCOUNT, ID, PHONE } from '../columns.ts';
import { NO_PHONES } from '../no-data.ts';

const SILENT = chosen('silent');

export const list: Row = {
  title: 'Phones',
  tiles: [
    table({
      title: 'Phones, the longest silent first',
      description:
        'As many phones as "Rows" says. Click one for its history; use the filters in the header to find one. Those that never reported are always among them. "For" begins when this exporter first saw the rental.',
      noValue: NO_PHONES,
      isList: true,
      width: 24,
      height: 15,
      columns: [
        PHONE,
        {
          title: 'Heartbeat',
          target: { expression: named(phones.heartbeatState(SILENT), SILENT) },
          states: orUnread(HEARTBEAT),
          width: 110,
        },
        {
          title: 'Heartbeat, ago',
          target: { expression: onlyRead(phones.heartbeatAge(SILENT)) },
          unit: 's',
          decimals: 0,
          width: 160,
        },
        {
          title: 'Rental',
          target: { expression: phones.rentalState(SILENT) },
          states: orUnread(RENTAL),
          width: 100,
        },
        {
          title: 'For ≥',
          target: { expression: phones.rentalStatusFor(SILENT) },
          unit: 's',
          decimals: 0,
          width: 80,
        },
        {
          title: 'Market',
          target: { expression: phones.marketplaceState(SILENT) },
          states: orUnread(MARKETPLACE),
          width: 110,
        },
        {
          title: 'Tunnel',
          target: { expression: phones.tunnelState(SILENT) },
          states: orUnread(TUNNEL),
          width: 90,
        },
        {
          title: 'Rotation',
          target: { expression: phones.rotationState(SILENT) },
          states: orUnread(ROTATION),
          width: 110,
        },
        {
          title: 'Set-up',
          target: { expression: phones.setupState(SILENT) },
          states: orUnread(SETUP),
          width: 130,
        },
        { title: 'Brand', label: 'brand', width: 90 },
        { title: 'Model', label: 'model', width: 120 },
        { title: 'App', label: 'app_version', width: 80 },
        ACCOUNT,
        ID,
      ],
      labelsOf: [{ expression: phones.descriptionColumns(SILENT) }],
      sortBy: ['Heartbeat, ago', 'descending'],
    }),
  ],
};
