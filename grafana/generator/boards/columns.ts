import { MEANINGS } from '../alerts.ts';
import { SEVERITY, type State } from '../palette.ts';
import { type Column, TO_PHONE, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { coded, firingAlerts, ofAccount, ofProcess, ROWS, renamed } from '../promql.ts';
import { placeholder } from '../variables.ts';
import { NONE_OR_UNKNOWN } from './no-data.ts';

/** Columns that several dashboards have. A link to a phone needs all three of these columns in its table. */
export const PHONE: Column = { title: 'Phone', label: 'phone', link: TO_PHONE, minWidth: 150 };
export const ACCOUNT: Column = { title: 'Account', label: 'account', width: 110 };
/** Why polls of the phones of an account failed of late; a table needs {@link WHY} for it. */
export const REASON: Column = {
  title: 'Reason',
  label: 'reason',
  words: {
    dns: 'The name is not found',
    connect: 'No connection',
    reset: 'The connection breaks',
    timeout: 'No response in time',
    tls: 'TLS fails',
    redirect: 'It redirects',
    edge_block: 'Blocked before the API',
    server: 'The API answers 5xx',
    throttled: 'Too many requests',
    unauthorized: 'The key is refused',
    schema: 'The API changed',
  },
  width: 150,
};
export const WHY = `topk by (account) (1, sum by (account, reason) (increase(${ofAccount('hoster_exporter_api_request_failures_total', 'endpoint="devices"')}[15m])) > 0)`;
export const ID: Column = { title: 'Id', label: 'device_id', width: 195 };

const SEVERITIES = Object.values(SEVERITY);

/** Come after all alerts on an account, which may be their cause. */
const SEVERITY_OF_PHONES = SEVERITIES.map((state) => ({ ...state, code: state.code + SEVERITIES.length }));

/** Adds the label `runbook`, the address of the runbook of an alert, where an exporter knows its own address. */
function withRunbook(alerts: string): string {
  const address = `topk(1, ${ofProcess('hoster_exporter_external_url_info')}) or on () vector(1)`;
  const joined = `label_join((${alerts})\n* on () group_left (url) (${address}), "runbook", "/runbooks/", "url", "alertname")`;
  return `label_replace(${joined}, "runbook", "", "url", "")`;
}

/** The firing alerts that meet some matchers: those on an account first, then by severity, then the longest. */
export function alertTable(
  title: string,
  width: number,
  height: number,
  matchers: readonly string[] = [],
): Tile {
  const labels = 'alertname, severity, account, label, device_id';
  const firing = (states: readonly State[], device: string): string =>
    coded(
      states.map((state) => [
        `max by (${labels}) (${firingAlerts(...matchers, device, `severity="${state.value}"`)})`,
        state,
      ]),
    );
  // Of the alerts on one phone the worst alone: two of them say the same.
  const ofPhones = `bottomk by (account, device_id) (1, ${firing(SEVERITY_OF_PHONES, 'device_id!=""')})`;
  const worst = `(${firing(SEVERITIES, 'device_id=""')}\nor ${ofPhones})`;
  const shown = `bottomk(${ROWS}, ${worst})`;
  // The name of the alert twice: once in plain words, and once as the runbooks have it.
  const told = (vector: string): string => renamed(vector, 'alertname', 'meaning');
  const began = `ALERTS_FOR_STATE{alertname=~"Hoster.+"} and on (${labels}) ${shown}`;
  return table({
    title,
    description:
      'Alerts that fire now, of each phone the worst. Begin with the critical ones. What to do: open the runbook; without web.external_url in the exporter there is no link, so open /runbooks/ and the name of the alert behind the address of the exporter.',
    noValue: NONE_OR_UNKNOWN,
    isList: true,
    width,
    height,
    columns: [
      {
        title: 'Severity',
        target: { expression: told(withRunbook(shown)) },
        states: [...SEVERITIES, ...SEVERITY_OF_PHONES],
        width: 110,
      },
      { title: 'Phone', label: 'label', link: TO_PHONE, minWidth: 150 },
      { title: 'What it means', label: 'meaning', words: MEANINGS, minWidth: 190 },
      {
        title: 'Lasts for',
        target: { expression: told(`max by (${labels}) (time() - (${began}))`) },
        unit: 's',
        decimals: 0,
        width: 120,
      },
      {
        title: 'Runbook',
        label: 'runbook',
        isLink: true,
        link: { title: 'Open', url: placeholder('__value.raw') },
        width: 95,
      },
      { title: 'Alert', label: 'alertname', width: 220 },
      ACCOUNT,
      ID,
    ],
    sortBy: ['Severity', 'ascending'],
    thenBy: ['Lasts for', 'descending'],
  });
}
