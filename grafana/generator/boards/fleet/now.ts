import type { Row } from '../../layout.ts';
import { DATA, LIMITS } from '../../palette.ts';
import { stat } from '../../panels/stat.ts';
import { TO_ACCOUNT, table } from '../../panels/table.ts';
import {
  knownAccounts,
  ofAccount,
  ofReadAccounts,
  onlyRead,
  perAccount,
  ROWS,
  unseenAccounts,
} from '../../promql.ts';
import { accountState, lastSuccess } from '../../queries/exporter.ts';
import { balance, byCurrency } from '../../queries/money.ts';
import * as phones from '../../queries/phones.ts';
import { notWorking } from '../../queries/tunnels.ts';
import { REASON, WHY } from '../columns.ts';
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
      'Phones that are set up and report. Compare with the number of phones you own.',
      ofReadAccounts(`sum(${onlyRead(phones.onlinePhones())})`),
    ),
    count(
      'Silent',
      'Phones that have not reported for longer than their silence limit; those that were never set up or are given up do not count. Many at once are a matter of power or network: look there first. Which ones, the table below says.',
      ofReadAccounts(`sum(${onlyRead(phones.silentPhones())})`),
      LIMITS.anyIsPoor,
    ),
    count(
      'Sold, silent',
      'Phones that somebody pays for and that do not report: refunds are due. Fix these before all others.',
      ofReadAccounts(`sum(${onlyRead(phones.phonesWith('sold_silent'))})`),
      LIMITS.anyIsBad,
    ),
    count(
      'No tunnel',
      'Self-rented phones whose tunnel is down or missing. The Tunnels dashboard says which and for how long.',
      ofReadAccounts(notWorking(), 'tunnels'),
      LIMITS.anyIsBad,
    ),
    count(
      'Not read',
      'Accounts of the last day whose phones were not read for 3 minutes: they are in no other number of this line. The table below says which.',
      `label_replace(count(${unseenAccounts()}) or 0 * count(${ALL_ACCOUNTS}), "as", "\u00a0", "", "")`,
      LIMITS.anyIsBad,
    ),
    stat(
      {
        title: 'Judged in',
        description:
          'After an outage of the marketplace phones get time to report again: so long until the last of them is judged. Until then "Silent" counts only those that were silent before.',
        noValue: 'Judged now, or unknown',
        unit: 's',
        width: 4,
        height: 4,
        targets: [
          {
            expression: `max(${ofAccount('hoster_silence_judged_at_timestamp_seconds')} - time()) > 0`,
          },
        ],
      },
      { decimals: 0 },
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
          target: inTable(onlyRead(phones.silentPhones())),
          limits: LIMITS.anyIsPoor,
          width: 75,
        },
        REASON,
      ],
      labelsOf: [inTable(WHY)],
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
        targets: [{ expression: ofReadAccounts(phones.occupancy('')), legend: '{{as}}' }],
      },
      { limits: LIMITS.occupancy, named: true, decimals: 0 },
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
        targets: [
          {
            expression: ofReadAccounts(byCurrency(balance('available')), 'balance'),
            legend: '{{currency}} {{as}}',
          },
        ],
      },
      { named: true, decimals: 2 },
    ),
  ],
};
