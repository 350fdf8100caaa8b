import { COLOURS, LIMITS, type Limits } from '../palette.ts';
import { stat } from '../panels/stat.ts';
import type { Tile } from '../panels/tile.ts';
import { type Collector, owned, tally, unreadAccounts } from '../promql.ts';
import { judgedAt, lastSuccess, unreadSince } from '../queries/exporter.ts';

/** Text in place of missing facts. */
export const UNKNOWN = 'Unknown';

/** Text of a graph without a line: nothing is known of its time range, or not yet. */
export const NO_HISTORY = 'Nothing known, or less than a step of this time';

/** An instant in a table. */
export const INSTANT = 'time:MM-DD HH:mm';

/** An instant in a tile: the time of today, with the date if it was another day. */
const TIME_OR_DATE = 'dateTimeAsIsoNoDateIfToday';

/** The unit of money: every cent, and a space in place of a symbol, since the series is called by its currency. */
export const MONEY = 'currency:financial: ';

/** Whether the data of a collector can be believed, and else why not and since when, of the account that waits longest. */
export function dataTile(collector: Collector = 'devices', width = 4, accounts?: string): Tile {
  const only = (vector: string): string =>
    accounts === undefined ? vector : `(${vector}) and on (account) ${accounts}`;
  return stat(
    {
      title: 'Data',
      description:
        'Why the account that waits longest is not read, and since when. Meanwhile numbers are grey: the accounts that are read, or what was last read. After an outage phones get time to report before silence is judged again.',
      noValue: 'Unknown: no exporter was scraped',
      unit: TIME_OR_DATE,
      width,
      height: 4,
      targets: [
        {
          expression: `bottomk(1, ${owned(only(unreadSince(collector)))})`,
          legend: '{{owner}}{{why}} since',
        },
        { expression: `1000 * max(${only(judgedAt())})`, legend: 'Waiting for phones until' },
        {
          expression: `1000 * min(${only(lastSuccess(collector))}) unless on () (${only(unreadAccounts(collector))} or ${only(judgedAt())})`,
          legend: 'Fresh, read at',
        },
      ],
    },
    {
      limits: [COLOURS.bad],
      named: true,
      byName: [
        ['/^Fresh/', COLOURS.good],
        ['/until$/', COLOURS.waiting],
      ],
      zero: 'the start',
    },
  );
}

/** A small tile with a number of phones of all accounts, and its course. */
export function count(
  title: string,
  description: string,
  perAccount: string,
  {
    width = 4,
    limits = LIMITS.none,
    ...of
  }: { width?: number; limits?: Limits; collector?: Collector; waits?: boolean } = {},
): Tile {
  const targets = [{ expression: tally(perAccount, of), legend: '{{as}}' }];
  return stat(
    { title, description, noValue: UNKNOWN, unit: 'none', width, height: 4, targets },
    { limits, named: true, decimals: 0, course: true },
  );
}
