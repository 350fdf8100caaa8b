import { type Column, TO_PHONE, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { firingAlerts, ROWS } from '../promql.ts';

/** Columns and tables that several dashboards have. A link to a phone needs all three of these columns in its table. */
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

/** What stands in place of facts about phones that are not there. */
export const NO_PHONES = 'No phones read yet: see the Exporter dashboard.';

/** What stands in place of facts about money that are not there. */
export const NO_BALANCE = 'No balance read yet: see the Exporter dashboard.';

/** What stands in place of facts about the exporter that are not there. */
export const NO_EXPORTER = 'Nothing scraped: is the exporter running, and does Prometheus know its address?';

/** The unit of money: the API names no currency, so the series is called by it instead. */
export const MONEY = 'currency:';

/** What stands in place of facts about tunnels that are not there. */
export const NO_TUNNELS = 'No tunnels: no phone is self-rented.';
