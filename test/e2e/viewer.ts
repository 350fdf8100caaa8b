import type { Demo } from './demo.ts';
import type { Prometheus } from './prometheus.ts';

/** Somebody who looks at the dashboards at a moment, in seconds since 1970, and what he has chosen in them. */
export type Viewer = { readonly at: number; readonly variables: Readonly<Record<string, string>> };

const SELF_RENTED =
  '(hoster_tunnel_up == 1) and on (device_id) hoster_device_rotation_status and on (device_id) hoster_tunnel_oldest_credential_timestamp_seconds';
const SOLD_AND_SILENT =
  '(hoster_device_heartbeat_age_seconds > 900) and on (device_id) (hoster_device_rental_status{status="sold"} == 1)';

const SHOWN =
  'topk(25, hoster_device_rental_status_since_timestamp_seconds) or on (device_id) hoster_tunnel_live';

/** A reader who has chosen everything, and a phone that is self-rented and of which there is everything to see. */
export async function viewerAt(prometheus: Prometheus, at: number): Promise<Viewer> {
  const idsOf = async (expression: string) =>
    (await prometheus.query(expression, at)).map(({ metric }) => metric['device_id'] ?? '');
  // One whose tunnel was there before: dashboards look at some steps of the past only.
  const forLong = await idsOf(`${SELF_RENTED} and on (device_id) (hoster_tunnel_up offset 10m)`);
  const [rented = ''] = [...forLong, ...(await idsOf(SELF_RENTED))];
  // Which phones the timelines show: Grafana asks each dashboard's own variable for them.
  const shown = (await idsOf(SHOWN)).join('|');
  const all = { job: '.+', instance: '.+', account: '.+' };
  return { at, variables: { ...all, limit: '25', silent_after: '900', device_id: rented, shown } };
}

/** The last time in the history, apart from its end, at which there was some trouble to see: the phones live by chance. */
export async function timeWithAlerts({ prometheus, historyEnd }: Demo): Promise<number> {
  const range = { start: historyEnd - 2 * 3600, end: historyEnd - 600, step: 60 };
  const silences = await prometheus.queryRange(SOLD_AND_SILENT, range);
  return Math.max(...silences.flatMap(({ values }) => values.map(([at]) => at)));
}
