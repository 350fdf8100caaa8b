import type { Row } from '../../layout.ts';
import { LIMITS, MARKETPLACE, NO_DURATION, orUnread } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { chosen, named, orUnknown } from '../../promql.ts';
import { perSoldHour } from '../../queries/money.ts';
import * as phones from '../../queries/phones.ts';
import { ACCOUNT, ID, PHONE } from '../columns.ts';
import { MONEY } from './unit.ts';

const SECONDS_PER_HOUR = 3600;

const IDLE = chosen('idle');
const SOLD_SILENT = chosen('sold_silent');

const missedIncome = `${phones.idleFor(IDLE)} / ${SECONDS_PER_HOUR} * on (account) group_left () (${perSoldHour()})`;

/** The phones that cost money as they are. */
export const missed: Row = {
  title: 'Money left lying',
  tiles: [
    table({
      title: 'Idle for longest',
      description:
        'Phones that nobody rents, the longest first. "Missed" is an estimate: known idle hours times what a sold hour brought on average in this account. Not listed: list it. Listed: try another price.',
      noValue: 'None of the phones that are read',
      isList: true,
      width: 14,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Idle for ≥',
          target: {
            expression: orUnknown(named(phones.idleFor(IDLE), IDLE), NO_DURATION.code),
          },
          states: [NO_DURATION],
          unit: 's',
          decimals: 0,
          limits: LIMITS.idle,
          width: 115,
        },
        {
          title: 'Missed',
          target: { expression: missedIncome },
          unit: MONEY,
          decimals: 2,
          width: 90,
        },
        {
          title: 'Market',
          target: { expression: phones.marketplaceState(IDLE) },
          states: orUnread(MARKETPLACE),
          width: 95,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Idle for ≥', 'descending'],
    }),
    table({
      title: 'Sold and silent',
      description:
        'Phones that somebody pays for and that do not report, the longest first: each is a refund in the making. Bring them back or end the rental.',
      noValue: 'None of the phones that are read',
      isList: true,
      width: 10,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Silent for',
          target: {
            expression: orUnknown(named(phones.soldAndSilent(SOLD_SILENT), SOLD_SILENT), NO_DURATION.code),
          },
          states: [NO_DURATION],
          unit: 's',
          decimals: 0,
          width: 120,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Silent for', 'descending'],
    }),
  ],
};
