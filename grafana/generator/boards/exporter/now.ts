import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { stat } from '../../panels/stat.ts';
import {
  accountsRead,
  knownAccounts,
  ofAccount,
  ofReadAccounts,
  perAccount,
  total,
  unseenAccounts,
} from '../../promql.ts';
import { failureShare, lastSuccess, reached } from '../../queries/exporter.ts';
import { NO_EXPORTER } from '../no-data.ts';

const SMALL = { noValue: NO_EXPORTER, unit: 'none', width: 4, height: 4 } as const;

/** Can the data be believed? */
export const now: Row = {
  title: 'Now',
  tiles: [
    stat(
      {
        ...SMALL,
        title: 'Down',
        description:
          'Processes that Prometheus could not scrape. While one is down nothing of its accounts is known: start it, then read its log.',
        targets: [{ expression: total(`${reached()} == bool 0`) }],
      },
      { limits: LIMITS.anyIsBad },
    ),
    stat(
      {
        ...SMALL,
        title: 'Not read',
        description:
          'Accounts of the last day of which at least one kind of data was not read at the last attempt, or which no process reports. The timelines below say which.',
        targets: [
          {
            expression: `count(${knownAccounts()} unless on (account) ${perAccount(ofAccount('hoster_up'))} == 1) or 0 * count(${knownAccounts()})`,
          },
        ],
      },
      { limits: LIMITS.anyIsBad },
    ),
    stat(
      {
        ...SMALL,
        title: 'Key refused',
        description:
          'Accounts whose key the API does not accept. The API blurs its two answers, so check both: is the key right, and is the account suspended?',
        targets: [{ expression: refusedKeys(), legend: '{{as}}' }],
      },
      { limits: LIMITS.anyIsBad, named: true },
    ),
    stat(
      {
        ...SMALL,
        title: 'Oldest data',
        description:
          'Time since the reading that is oldest, of all accounts and collectors. Minutes: the API fails; the graphs below say how.',
        noValue: 'Nothing was ever read.',
        unit: 's',
        targets: [{ expression: `max(time() - ${lastSuccess()})` }],
      },
      { limits: LIMITS.dataAge, decimals: 0 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Failing',
        description:
          'Share of the requests to the API of the last five minutes that brought no usable response, of the worst account; all of them, if it is not read. Above one in a hundred, look at the reasons below.',
        noValue: NO_EXPORTER,
        unit: 'percentunit',
        targets: [
          {
            expression: `max(0 * (${unseenAccounts()}) + 1 or ${failureShare((counter) => `sum by (account) (increase(${counter}[5m]))`)})`,
          },
        ],
      },
      { limits: LIMITS.failures, decimals: 1 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Clock',
        description:
          'By how much the clock of the API and ours differ, the largest of all accounts. More than half a minute: set up time synchronisation on this machine.',
        noValue: 'The API told no time.',
        unit: 's',
        targets: [{ expression: `max(abs(${ofAccount('hoster_exporter_api_clock_skew_seconds')}))` }],
      },
      { limits: LIMITS.clockDifference, decimals: 1 },
    ),
  ],
};

/** Number of refused keys; 0 is said only of accounts that are read. */
function refusedKeys(): string {
  const refused = perAccount(`${ofAccount('hoster_account_api_access', 'state!="granted"')} == 1`);
  const none = ofReadAccounts(`0 * count(${accountsRead('devices')})`);
  return `label_replace(count(${refused}), "as", "\u00a0", "", "")\nor on () ${none}`;
}
