import { COLOURS, LIMITS, type Limits } from '../palette.ts';
import { stat } from '../panels/stat.ts';
import type { Tile } from '../panels/tile.ts';
import { type Collector, owned, tally, unreadAccounts } from '../promql.ts';
import { graceEndsAt, lastSuccess, unreadSince } from '../queries/exporter.ts';

/** Text for missing facts. */
export const UNKNOWN = 'Unknown';

/** Text of a graph without data. */
export const NO_HISTORY = 'No data, or less than one step of this time range';

/** An instant in a table. */
export const INSTANT = 'time:MM-DD HH:mm';

/** An instant in a tile: the time, with the date if it was not today. */
const TIME_OR_DATE = 'dateTimeAsIsoNoDateIfToday';

/** The unit of money with all cents, and a space instead of a symbol, because the series is named by its currency. */
export const MONEY = 'currency:financial: ';

/** The state of the data of a collector; if it is not fresh, the reason and the start for the oldest account. */
export function dataTile(collector: Collector = 'devices', width = 4, accounts?: string): Tile {
  const only = (vector: string): string =>
    accounts === undefined ? vector : `(${vector}) and on (account) ${accounts}`;
  return stat(
    {
      title: 'Data',
      description:
        'Is the data current? If not, the reason and the start for the oldest account. Numbers are grey meanwhile: they cover only current accounts, or are as last read. After an outage, phones get time to report before they count as offline.',
      noValue: 'Unknown: no exporter was scraped',
      unit: TIME_OR_DATE,
      width,
      height: 4,
      targets: [
        {
          expression: `bottomk(1, ${owned(only(unreadSince(collector)))})`,
          legend: '{{owner}}{{why}} since',
        },
        { expression: `1000 * max(${only(graceEndsAt())})`, legend: 'Waiting for phones until' },
        {
          expression: `1000 * min(${only(lastSuccess(collector))}) unless on () (${only(unreadAccounts(collector))} or ${only(graceEndsAt())})`,
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

/** A small tile with a number of phones of all accounts, and its graph. */
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
