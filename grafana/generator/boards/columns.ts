import { type Column, TO_PHONE, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { firingAlerts, ROWS } from '../promql.ts';

/** Columns that several dashboards have. A link to a phone needs all three of these columns in its table. */
export const PHONE: Column = { title: 'Phone', label: 'phone', link: TO_PHONE, width: 200 };
export const ACCOUNT: Column = { title: 'Account', label: 'account', width: 110 };
export const ID: Column = { title: 'Id', label: 'device_id' };

/** The firing alerts that meet some matchers. */
export function alertTable(width: number, height: number, matchers: readonly string[] = []): Tile {
  const alerts = `max by (alertname, severity, account, device_id) (${firingAlerts(...matchers)})`;
  return table({
    title: 'Firing alerts',
    description:
      'Alerts that fire now. Begin with the critical ones; the runbook in the notification says what each means and what to do.',
    noValue: 'No alert fires.',
    width,
    height,
    columns: [
      { title: 'Severity', label: 'severity', width: 90 },
      { title: 'Alert', label: 'alertname' },
      ACCOUNT,
      { title: 'Id', label: 'device_id', link: TO_PHONE },
    ],
    labelsOf: [{ expression: `topk(${ROWS}, ${alerts})` }],
    sortBy: ['Severity', 'ascending'],
  });
}
