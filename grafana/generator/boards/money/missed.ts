import type { Row } from '../../layout.ts';
import { LIMITS, MARKETPLACE } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { first, named, orUnknown, ROWS } from '../../promql.ts';
import { perSoldHour } from '../../queries/money.ts';
import * as phones from '../../queries/phones.ts';
import { ACCOUNT, ID, PHONE } from '../columns.ts';
import { MONEY } from './unit.ts';

const SECONDS_PER_HOUR = 3600;

/** For how long each idle phone has been idle, in seconds. */
const idleFor = `(${phones.rentalStatusFor()} and on (account, device_id) ${phones.rentalIs('idle')})`;

const missedIncome = `${idleFor} / ${SECONDS_PER_HOUR} * on (account) group_left () (${perSoldHour()})`;

/** The phones that cost money as they are. */
export const missed: Row = {
  title: 'Money left lying',
  tiles: [
    table({
      title: 'Idle for longest',
      description:
        'Phones that nobody rents, the longest first. "Missed" is an estimate: known idle hours times what a sold hour brought on average in this account. Not listed: list it. Listed: try another price.',
      noValue: 'No phone is idle.',
      width: 14,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Idle for at least',
          target: { expression: orUnknown(named(`topk(${ROWS}, ${idleFor})`), 'NaN') },
          unit: 's',
          decimals: 0,
          limits: LIMITS.idle,
          width: 150,
        },
        {
          title: 'Missed',
          target: { expression: first(missedIncome, idleFor) },
          unit: MONEY,
          decimals: 2,
          width: 90,
        },
        {
          title: 'Marketplace',
          target: { expression: first(phones.marketplaceState(), idleFor) },
          states: Object.values(MARKETPLACE),
          width: 130,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Idle for at least', 'descending'],
    }),
    table({
      title: 'Sold and silent',
      description:
        'Phones that somebody pays for and that do not report, the longest first: each is a refund in the making. Bring them back or end the rental.',
      noValue: 'Every sold phone reports.',
      width: 10,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Silent for',
          target: { expression: orUnknown(named(`topk(${ROWS}, ${phones.soldAndSilent()})`), 'NaN') },
          unit: 's',
          decimals: 0,
          limits: LIMITS.heartbeatAge,
          width: 120,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Silent for', 'descending'],
    }),
  ],
};
