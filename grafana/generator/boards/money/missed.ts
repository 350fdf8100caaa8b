import type { Row } from '../../layout.ts';
import { LIMITS, MARKETPLACE } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { first, named, ROWS } from '../../promql.ts';
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
        'Phones that nobody rents, the longest first. "Missed" is an estimate: idle hours times what a sold hour brought on average in this account. Not listed: list it. Listed: try another price.',
      noValue: 'No phone is idle.',
      width: 14,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Idle for',
          target: { expression: named(`topk(${ROWS}, ${idleFor})`) },
          unit: 's',
          decimals: 0,
          limits: LIMITS.idle,
          width: 100,
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
          width: 110,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Idle for', 'descending'],
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
          target: { expression: named(`topk(${ROWS}, ${phones.soldAndSilent()})`) },
          unit: 's',
          decimals: 0,
          limits: LIMITS.heartbeatAge,
          width: 100,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Silent for', 'descending'],
    }),
  ],
};
