import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { stat } from '../../panels/stat.ts';
import { knownAccounts, ofAccount, perAccount, total } from '../../promql.ts';
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
        targets: [
          {
            expression: total(
              `${perAccount(ofAccount('hoster_account_api_access', 'state="granted"'))} == bool 0`,
            ),
          },
        ],
      },
      { limits: LIMITS.anyIsBad },
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
        title: 'Failing now',
        description:
          'Share of the requests to the API of the last five minutes that brought no usable response. Above one in a hundred, look at the reasons below.',
        noValue: 'No requests in this time.',
        unit: 'percentunit',
        targets: [{ expression: failureShare((counter) => `sum(increase(${counter}[5m]))`) }],
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
