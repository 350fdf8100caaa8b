import type { Collector } from '../../../src/model/enums.ts';
import { COLOURS, COLUMN, UNKNOWN } from '../palette.ts';
import { type GraphSubject, graph } from '../panels/graph.ts';
import { type Field, type StatSubject, stat } from '../panels/stat.ts';
import type { Tile } from '../panels/tile.ts';
import { DATA_SINCE, ofAccount, ofDay, per } from '../promql.ts';

/** Text of a list without rows. */
export const NO_ROWS = 'No rows, or no data: see Data at the top';

/** An instant in a table, and the time since then. */
export const INSTANT = 'time:MM/DD HH:mm';
export const AGO = 'dateTimeFromNow';

/** The unit of money with all cents, and a space instead of a symbol, because the series is named by its currency. */
export const MONEY = 'currency:financial: ';
export const CENTS = { unit: MONEY, decimals: 2 } as const;

/** Since when and why accounts have no current data at the end of the time range, also while no exporter is scraped. */
export function dataTile(collector: Collector = 'devices', isReport = false): Tile {
  const of = `collector="${collector}"`;
  const late = ofAccount(DATA_SINCE, of, 'state!="fresh"');
  const polled = 'hoster_exporter_poll_last_attempt_timestamp_seconds';
  const gone = per('account', `last_over_time(${ofAccount(polled, of)}[${isReport ? '$__range' : '1d'}])`);
  return stat({
    title: 'Data',
    description: isReport
      ? 'Was the data current at the end of the time range? If not, since when and why. Hours without data count for no phone; "known" says how many days there are.'
      : 'Is the data current? If not, since when and why: stale data is shown for a few minutes, then panels say "No data". Start an exporter that is gone; for other reasons see the Exporter dashboard. After an outage, phones get time to report before they count as offline.',
    noValue: `No data: no exporter was scraped in ${isReport ? 'this time range' : 'the last day'}`,
    unit: 'dateTimeAsIsoNoDateIfToday',
    size: [24, 3],
    targets: [
      {
        expression: `bottomk(4,1000*${per('account,state,why', late)})`,
        legend: '{{account}}: {{state}} ({{why}}), last read',
      },
      {
        expression: `bottomk(4,1000*${gone} unless on(account) ${ofAccount('hoster_up')})`,
        legend: `{{account}}: no ${isReport ? 'data after' : 'exporter since'}`,
      },
      {
        expression: `1000*max(${ofAccount('hoster_grace_period_end_timestamp_seconds')})`,
        legend: 'Waiting for phones until',
      },
      {
        expression: `1000*min(${ofAccount(DATA_SINCE, of, 'state="fresh"')}) unless on() ${late}`,
        legend: 'Fresh, read at',
      },
    ],
    colour: COLOURS.bad,
    valueSize: 20,
    byName: [
      ['/^Fresh/', COLOURS.good],
      ['/until$/', COLOURS.waiting],
    ],
  });
}

/** A number in a group of tiles. */
export type Count = Field & { readonly title: string; readonly expression: string };

/** Numbers side by side in one panel. */
export function counts({
  numbers,
  ...look
}: Omit<StatSubject, 'targets'> & { readonly numbers: readonly Count[] }): Tile {
  const targets = numbers.map(({ title, expression }) => ({ expression, legend: title }));
  return stat({ titleSize: 13, fields: numbers, targets, ...look });
}

/** Hours of all phones by column for each finished day. */
export function hoursByDay(subject: Omit<GraphSubject, 'title' | 'targets'>): Tile {
  const days = per('account,column', ofDay(ofAccount('hoster_account_day_seconds')));
  return graph({
    ...subject,
    title: 'Hours by day',
    noValue: 'No data: no finished day in this time range',
    unit: MONEY,
    interval: '1d',
    targets: [{ expression: `sum by(column)(${days})/3600`, legend: '{{column}}' }],
    style: 'bars',
    stacked: true,
    states: [...Object.values(COLUMN), UNKNOWN],
    decimals: 0,
  });
}
