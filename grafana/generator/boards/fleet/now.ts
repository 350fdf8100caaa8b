import type { Row } from '../../layout.ts';
import { DATA, LIMITS } from '../../palette.ts';
import { stat } from '../../panels/stat.ts';
import { TO_ACCOUNT, table } from '../../panels/table.ts';
import {
  countOfRead,
  knownAccounts,
  ofAccount,
  ofRule,
  onlyRead,
  perAccount,
  ROWS,
  SILENT_AFTER,
  total,
  unseenAccounts,
} from '../../promql.ts';
import { accountState, lastSuccess } from '../../queries/exporter.ts';
import { balance, byCurrency, withCurrency } from '../../queries/money.ts';
import * as phones from '../../queries/phones.ts';
import { notWorking } from '../../queries/tunnels.ts';
import { count } from '../count.ts';
import { MONEY } from '../money/unit.ts';
import { NO_BALANCE, NO_PHONES } from '../no-data.ts';

const ALL_ACCOUNTS = knownAccounts();

/** A fact of each account, of as many as "Rows" says. */
function inTable(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (account) bottomk(${ROWS}, ${ALL_ACCOUNTS})` };
}

export const now: Row = {
  title: 'Now',
  tiles: [
    count(
      'Online',
      'Phones whose last heartbeat is recent enough. Compare with the number of phones you own.',
      countOfRead(`${phones.heartbeatAge()} <= ${SILENT_AFTER}`),
    ),
    count(
      'Silent',
      'Phones that have not reported for longer than "Silent after". Many at once are a matter of power or network: look there first. One alone: restart it. Which ones, the table below says.',
      total(phones.silentPhones()),
      LIMITS.anyIsPoor,
    ),
    count(
      'Sold, silent',
      'Phones that somebody pays for and that do not report, by the threshold of the alerts: refunds are due. Fix these before all others.',
      `count(${phones.soldAndSilent()}) or 0 * max(${ofRule('hoster:devices:count')})`,
      LIMITS.anyIsBad,
    ),
    count(
      'No tunnel',
      'Self-rented phones whose tunnel is down or missing. The Tunnels dashboard says which and for how long.',
      notWorking(),
      LIMITS.anyIsBad,
    ),
    count(
      'Not read',
      'Accounts of the last day whose phones were not read for 3 minutes: they are in no other number of this line. The table below says which.',
      `count(${unseenAccounts()}) or 0 * count(${ALL_ACCOUNTS})`,
      LIMITS.anyIsBad,
    ),
    stat(
      {
        title: 'Data age',
        description:
          'Time since the device list was last read, of the account that waits longest. Above a few minutes everything here is old: see the Exporter dashboard.',
        noValue: NO_PHONES,
        unit: 's',
        width: 4,
        height: 4,
        targets: [{ expression: `max(time() - ${lastSuccess('collector="devices"')})` }],
      },
      { limits: LIMITS.dataAge, decimals: 0 },
    ),
    table({
      title: 'Accounts',
      description:
        'One row per account of the last day: first those without data, then those with silent phones. Click one to see it alone. "Not scraped": no exporter reports it now.',
      noValue: 'No exporter was ever scraped.',
      width: 16,
      height: 6,
      columns: [
        { title: 'Account', label: 'account', link: TO_ACCOUNT, minWidth: 90 },
        {
          title: 'State',
          target: inTable(accountState()),
          states: Object.values(DATA),
          width: 95,
        },
        {
          title: 'Data, ago',
          target: inTable(`time() - max by (account) (${lastSuccess('collector="devices"')})`),
          unit: 's',
          decimals: 0,
          limits: LIMITS.dataAge,
          width: 80,
        },
        {
          title: 'Phones',
          target: inTable(perAccount(ofAccount('hoster_devices_reported'))),
          width: 70,
        },
        {
          title: 'Silent',
          target: inTable(phones.silentPhones()),
          limits: LIMITS.anyIsPoor,
          width: 75,
        },
        {
          title: 'Sold',
          target: inTable(`sum by (account) (${onlyRead(phones.phones('rental_status="sold"'))})`),
          width: 55,
        },
        {
          title: 'Balance',
          target: inTable(withCurrency(balance('available'))),
          unit: MONEY,
          decimals: 2,
          width: 95,
        },
        { title: 'Currency', label: 'currency', width: 85 },
      ],
      sortBy: ['State', 'descending'],
      thenBy: ['Silent', 'descending'],
    }),
    stat(
      {
        title: 'Rented',
        description:
          'Share of the phones that is sold or self-rented. If it stays low, compare models and prices on the Money dashboard.',
        noValue: NO_PHONES,
        unit: 'percentunit',
        width: 4,
        height: 6,
        targets: [
          {
            expression: phones.occupancy(''),
          },
        ],
      },
      { limits: LIMITS.occupancy, decimals: 0 },
    ),
    stat(
      {
        title: 'Balance',
        description:
          'What can be spent or withdrawn, by currency. Self-rent is refused (HTTP 402) when it does not cover the rental.',
        noValue: NO_BALANCE,
        unit: MONEY,
        width: 4,
        height: 6,
        targets: [{ expression: byCurrency(balance('available')), legend: '{{currency}}' }],
      },
      { named: true, decimals: 2 },
    ),
  ],
};
