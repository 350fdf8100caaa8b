import { COLOURS, LIMITS, type Limits } from '../palette.ts';
import { stat } from '../panels/stat.ts';
import type { Tile } from '../panels/tile.ts';
import { type Collector, counted, orRemembered, tally, unreadAccounts } from '../promql.ts';
import { graceEndsAt, lastSuccess, oldestUnread, unreadSince } from '../queries/exporter.ts';

/** Text for missing facts. */
export const UNKNOWN = 'Unknown';

/** Text of a graph without data. */
export const NO_HISTORY = 'No data, or less than one step of this time range';

/** An instant in a table. */
export const INSTANT = 'time:MM/DD HH:mm';

/** An instant in a tile: the time, with the date if it was not today. */
export const TIME_OR_DATE = 'dateTimeAsIsoNoDateIfToday';

/** The unit of money with all cents, and a space instead of a symbol, because the series is named by its currency. */
export const MONEY = 'currency:financial: ';

/** The state of the data of a collector; if it is not fresh, the reason and the start for the oldest accounts. */
export function dataTile(
  collector: Collector = 'devices',
  { width = 4, height = 4, accounts }: { width?: number; height?: number; accounts?: string } = {},
): Tile {
  const only = (vector: string): string =>
    accounts === undefined ? vector : `(${vector}) and on (account) ${accounts}`;
  return stat(
    {
      title: 'Data',
      description:
        'Is the data current? If not, the reason and the start for the two oldest accounts. Numbers are meanwhile as last read, and say so. After an outage, phones get time to report before they count as offline.',
      noValue: 'Unknown: no exporter was scraped',
      unit: TIME_OR_DATE,
      width,
      height,
      targets: [
        { expression: oldestUnread(only(unreadSince(collector))), legend: '{{of}}{{why}} since' },
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
      valueSize: 20,
      byName: [
        ['/^Fresh/', COLOURS.good],
        ['/until$/', COLOURS.waiting],
      ],
      zero: 'the start',
    },
  );
}

/** A number of all accounts in a group of tiles. */
export type Count = {
  readonly title: string;
  /** By account. */
  readonly perAccount?: string;
  /** By account: the whole of which it is a part. */
  readonly of?: string;
  /** Any other number, instead of one by account. */
  readonly expression?: string;
  readonly limits?: Limits;
  readonly collector?: Collector;
  /** It is from before an outage while phones have time to report. */
  readonly waits?: boolean;
  readonly unit?: string;
  readonly decimals?: number;
  /** Address of a click. */
  readonly link?: string;
};

/** Numbers side by side in one panel, which stays small on a telephone. */
export function counts(
  subject: {
    readonly title: string;
    readonly description: string;
    readonly width?: number;
    readonly height?: number;
  },
  numbers: readonly Count[],
): Tile {
  const targets = numbers.map(({ title, perAccount = '', of: whole, expression, ...how }) => {
    const number = expression ?? tally(perAccount, how);
    if (whole === undefined) return { expression: number, legend: `${title}{{as}}` };
    const all = `label_replace(${counted('n', `sum(${orRemembered(whole)})`)}, "n", "of $1", "n", "(.*)")`;
    return {
      expression: `${number}\n* on () group_left (n) (0 * ${all} + 1)`,
      legend: `${title}, {{n}}{{as}}`,
    };
  });
  const fields = numbers.map(({ limits = LIMITS.none, unit, decimals = 0, link }) => ({
    limits,
    decimals,
    ...(unit === undefined ? {} : { unit }),
    ...(link === undefined ? {} : { link: { title: 'Show them', url: link } }),
  }));
  return stat(
    { noValue: UNKNOWN, unit: 'none', width: 24, height: 4, ...subject, targets },
    { named: true, titleSize: 13, fields },
  );
}
