import { type Column, TO_PHONE, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { firingAlerts, ROWS } from '../promql.ts';

/** Columns that several dashboards have. A link to a phone needs all three of these columns in its table. */
export const PHONE: Column = { title: 'Phone', label: 'phone', link: TO_PHONE };
export const ACCOUNT: Column = { title: 'Account', label: 'account', width: 110 };
export const ID: Column = { title: 'Id', label: 'device_id', width: 90 };

/** The firing alerts that meet some matchers, the longest first within a severity. */
export function alertTable(
  title: string,
  width: number,
  height: number,
  matchers: readonly string[] = [],
): Tile {
  const labels = 'alertname, severity, account, label, device_id';
  const since = `max by (${labels}) (time() - ALERTS_FOR_STATE{alertname=~"Hoster.+"})`;
  const firing = (...more: readonly string[]): string =>
    `max by (${labels}) (${firingAlerts(...matchers, ...more)})`;
  // Of the alerts on one phone the worst alone: two of them say the same.
  const ofPhones = ['critical', 'warning', 'info'].map(
    (severity, index) => `${firing('device_id!=""', `severity="${severity}"`)} * ${3 - index}`,
  );
  const shown = `(${firing('device_id=""')} or topk by (account, device_id) (1, ${ofPhones.join(' or ')}))`;
  return table({
    title,
    description:
      'Alerts that fire now, of each phone the worst. Begin with the critical ones; /runbooks/ and the name of the alert behind the address of the exporter says what to do.',
    noValue: 'None fires, as far as Prometheus can tell.',
    isList: true,
    width,
    height,
    columns: [
      { title: 'Severity', label: 'severity', width: 90 },
      { title: 'Alert', label: 'alertname', width: 240 },
      { title: 'Phone', label: 'label', link: TO_PHONE },
      {
        title: 'Told for',
        target: { expression: `topk(${ROWS}, ${since} and on (${labels}) ${shown})` },
        unit: 's',
        decimals: 0,
        width: 90,
      },
      ACCOUNT,
      ID,
    ],
    sortBy: ['Severity', 'ascending'],
    thenBy: ['Told for', 'descending'],
  });
}
