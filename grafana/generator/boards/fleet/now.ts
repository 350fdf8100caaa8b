import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { stat } from '../../panels/stat.ts';
import { countPresent, ofAccount, perAccount, SILENT_AFTER, total } from '../../promql.ts';
import { balance, byCurrency } from '../../queries/money.ts';
import * as phones from '../../queries/phones.ts';
import { notWorking } from '../../queries/tunnels.ts';
import { NO_PHONES } from '../no-data.ts';

export const now: Row = {
  title: 'Now',
  tiles: [
    stat({
      title: 'Phones online',
      description: 'Phones whose last heartbeat is recent enough. Compare with the number of phones you own.',
      noValue: NO_PHONES,
      unit: 'none',
      width: 3,
      height: 4,
      targets: [{ expression: total(`${phones.heartbeatAge()} <= bool ${SILENT_AFTER}`) }],
    }),
    stat(
      {
        title: 'Silent phones',
        description:
          'Phones that have not reported for longer than "Silent after". Many at once are a matter of power or network: look there first. One alone: restart it. Which ones, the table below says.',
        noValue: NO_PHONES,
        unit: 'none',
        width: 3,
        height: 4,
        targets: [{ expression: total(`${phones.heartbeatAge()} > bool ${SILENT_AFTER}`) }],
      },
      { limits: LIMITS.anyIsPoor },
    ),
    stat(
      {
        title: 'Sold and silent',
        description:
          'Phones that somebody pays for and that do not report: refunds are due. Fix these before all others.',
        noValue: NO_PHONES,
        unit: 'none',
        width: 3,
        height: 4,
        targets: [
          {
            expression: countPresent(phones.soldAndSilent()),
          },
        ],
      },
      { limits: LIMITS.anyIsBad },
    ),
    stat(
      {
        title: 'Rented',
        description:
          'Share of the phones that is sold or self-rented. If it stays low, compare models and prices on the Money dashboard.',
        noValue: NO_PHONES,
        unit: 'percentunit',
        width: 3,
        height: 4,
        targets: [
          {
            expression: `sum(${phones.phones(phones.IN_USE)}) / (sum(${phones.phones()}) > 0)`,
          },
        ],
      },
      { limits: LIMITS.occupancy, decimals: 0 },
    ),
    stat(
      {
        title: 'Idle, not listed',
        description:
          'Phones that nobody rents and nobody can rent: put them on the marketplace, or they earn nothing.',
        noValue: NO_PHONES,
        unit: 'none',
        width: 3,
        height: 4,
        targets: [
          {
            expression: `sum(${phones.phones('rental_status="idle"', 'marketplace_status="not_listed"')})`,
          },
        ],
      },
      { limits: LIMITS.anyIsPoor },
    ),
    stat(
      {
        title: 'Tunnels not up',
        description:
          'Self-rented phones whose tunnel is down or missing. The Tunnels dashboard says which and for how long.',
        noValue: 'No self-rented phones.',
        unit: 'none',
        width: 3,
        height: 4,
        targets: [{ expression: notWorking() }],
      },
      { limits: LIMITS.anyIsBad },
    ),
    stat(
      {
        title: 'Available balance',
        description:
          'What can be spent or withdrawn, by currency. Self-rent is refused (HTTP 402) when it does not cover the rental.',
        noValue: 'No balance read yet: see the Exporter dashboard.',
        unit: 'currency:',
        width: 3,
        height: 4,
        targets: [{ expression: byCurrency(balance('available')), legend: '{{currency}}' }],
      },
      { sparkline: true, decimals: 2 },
    ),
    stat(
      {
        title: 'Age of the data',
        description:
          'Time since the device list was last read, of the account that waits longest. Above a few minutes everything here is old: see the Exporter dashboard.',
        noValue: 'The device list was never read.',
        unit: 's',
        width: 3,
        height: 4,
        targets: [
          {
            expression: `max(time() - ${perAccount(
              ofAccount('hoster_exporter_poll_last_success_timestamp_seconds', 'collector="devices"'),
            )})`,
          },
        ],
      },
      { limits: LIMITS.dataAge, decimals: 0 },
    ),
  ],
};
