import { argumentOf, BOARDS } from '../unit/grafana/board.ts';
import type { Demo } from './demo.ts';
import { fill, rangeOf } from './grafana.ts';
import type { Prometheus } from './prometheus.ts';

/** Somebody who looks at the dashboards at a moment, in seconds since 1970, and what he has chosen in them. */
export type Viewer = {
  readonly at: number;
  /** Values of the variables of a dashboard, by the name of its file. */
  readonly variablesOf: (board: string) => Readonly<Record<string, string>>;
  /** Those of a phone that has an open incident. */
  readonly troubled: Readonly<Record<string, string>>;
};

const SELF_RENTED =
  '(hoster_tunnel_up == 1) and on (device_id) hoster_device_rotation_status and on (device_id) hoster_tunnel_oldest_credential_timestamp_seconds unless on (device_id) hoster_device_problem_since_timestamp_seconds';
const SOLD_AND_OFFLINE =
  '(hoster_device_heartbeat_age_seconds > 900) and on (device_id) (hoster_device_rental_status{status="sold"} == 1)';

const OPEN_INCIDENTS = 'hoster_incident_since_timestamp_seconds{device_id!=""}';

/** A reader who has chosen everything, including a healthy self-rented phone with all its data. */
export async function viewerAt(prometheus: Prometheus, at: number): Promise<Viewer> {
  const idsOf = async (expression: string) =>
    (await prometheus.query(expression, at)).map(({ metric }) => metric['device_id'] ?? '');
  // One whose tunnel was there before: dashboards look at some steps of the past only.
  const forLong = await idsOf(`${SELF_RENTED} and on (device_id) (hoster_tunnel_up offset 10m)`);
  const [rented = ''] = [...forLong, ...(await idsOf(SELF_RENTED))];
  const all = { job: '.+', instance: '.+', account: '.+' };
  const chosen = { ...all, limit: '25', only: '.+', group: '.*', tag: '.*', device_id: rented };
  const boards = new Map<string, Record<string, string>>();
  // One may use those before it.
  for (const { board, name, query, label, from } of HIDDEN) {
    const variables = boards.get(board) ?? { ...chosen };
    boards.set(board, variables);
    const { start, end, step } = rangeOf(from, at);
    const filled = fill(query, { rangeSeconds: end - start, end, stepSeconds: step, variables });
    const samples = await prometheus.query(filled, at);
    variables[name] = samples.map(({ metric }) => metric[label] ?? '').join('|');
  }
  const [incident] = await prometheus.query(OPEN_INCIDENTS, at);
  const { device_id = '', incident: open = '' } = incident?.metric ?? {};
  return {
    at,
    variablesOf: (board) => boards.get(board) ?? chosen,
    troubled: { ...chosen, device_id, open },
  };
}

/** The variables of dashboards that Prometheus gives a value, such as the phones that a table shows, and the label that has it. */
const HIDDEN = BOARDS.flatMap(({ file, dashboard: { templating, time } }) =>
  templating.list
    .filter(({ type, hide }) => type === 'query' && hide === 2)
    .filter(({ query = '' }) => query.startsWith('query_result('))
    .map(({ name, query = '', regex = '' }) => ({
      board: file,
      name,
      query: argumentOf(query),
      label: /^\/(\w+)="/.exec(regex)?.[1] ?? '',
      from: time.from,
    })),
);

/** The last time in the history, apart from its end, at which there was some trouble to see: the phones live by chance. */
export async function timeWithAlerts({ prometheus, historyEnd }: Demo): Promise<number> {
  const range = { start: historyEnd - 2 * 3600, end: historyEnd - 600, step: 60 };
  const outages = await prometheus.queryRange(SOLD_AND_OFFLINE, range);
  return Math.max(...outages.flatMap(({ values }) => values.map(([at]) => at)));
}
