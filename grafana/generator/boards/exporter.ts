import { MEANINGS } from '../alerts.ts';
import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, coded, DATA, LIMITS, PROBLEM, SEVERITY } from '../palette.ts';
import { graph, MINUTES } from '../panels/graph.ts';
import { stat } from '../panels/stat.ts';
import { FIRST_ROWS, smallestFirst } from '../panels/steps.ts';
import { table } from '../panels/table.ts';
import { timeline } from '../panels/timeline.ts';
import { alerts, inState, ofAccount, ofProcess, per, perAccount, ROWS } from '../promql.ts';
import { rows } from '../variables.ts';
import { at, cell, dataColumns } from './columns.ts';
import { dataTile, NO_ROWS } from './tiles.ts';

const BUILD = ofProcess('hoster_exporter_build_info');
const FAILURES = ofAccount('hoster_exporter_api_request_failures_total');
const REQUESTS = ofAccount('hoster_exporter_api_requests_total');
const STATE = 'hoster_exporter_data_state';

/** Failed files of a kind, 0 included. */
const failed = (name: string): string => `sum(${ofProcess(`hoster_exporter_${name}_successful`)} == bool 0)`;

/** Firing alerts, the labels of their rows, and the order of their severities. */
const FIRING = alerts('severity!="none"', 'alertstate="firing"');
const OF_ALERTS = 'alertname,severity,account,value,instance';
const PROBLEMS = Object.fromEntries(Object.values(PROBLEM).map(({ value, text }) => [value, text]));
const RANKS = Object.keys(SEVERITY)
  .map((severity, index) => `label_replace(vector(${index}),"severity","${severity}","","")`)
  .join(' or ');

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile(),
    stat({
      title: 'Exporters',
      size: [5, 4],
      description:
        'Exporters that Prometheus scrapes, and those of the last week that it cannot scrape. While one is down, there is no data for its accounts: start it, then check its log.',
      targets: [
        { expression: `count(${per('job,instance', BUILD)})`, legend: 'up' },
        {
          expression: `count(${per('job,instance', `last_over_time(${BUILD}[7d])`)} unless on(job,instance) ${BUILD}) or 0*count(${BUILD})`,
          legend: 'down',
        },
      ],
      fields: [{}, { limits: LIMITS.anyIsBad }],
    }),
    stat({
      title: 'Failing',
      size: [5, 4],
      description:
        'Share of requests without a usable response in the last five minutes, for the worst account. The graphs below show the reasons.',
      unit: 'percentunit',
      targets: [
        {
          expression: `topk(1,sum by(account)(increase(${FAILURES}[5m]))/(sum by(account)(increase(${FAILURES}[5m]))+sum by(account)(increase(${ofAccount('hoster_exporter_api_requests_total', 'code=~"200|404"')}[5m]))>0)) and on() ${BUILD}`,
          legend: '{{account}}',
        },
      ],
      limits: LIMITS.shareIsBad,
      decimals: 1,
    }),
    stat({
      title: 'Clock',
      size: [6, 4],
      description:
        'Largest difference between our clock and that of the API. If it exceeds half a minute, set up time synchronization on this machine.',
      unit: 's',
      targets: [
        {
          expression: `max(abs(${ofAccount('hoster_exporter_api_clock_skew_seconds')}))`,
          legend: 'off, 30 s is too much',
        },
      ],
      limits: [COLOURS.plain, [30, COLOURS.poor]],
      decimals: 1,
    }),
    stat({
      title: 'Bad files',
      size: [8, 4],
      description:
        'Configuration, state, key, incident and month files that cannot be used. Exporters keep using the last good one. Run "hoster-exporter check", and check the permissions and the free space of the folder.',
      targets: [
        { expression: failed('config_last_reload'), legend: 'config' },
        { expression: failed('state_last_save'), legend: 'state' },
        { expression: failed('state_load'), legend: 'load' },
        { expression: failed('files_last_write'), legend: 'archive' },
        {
          expression: `sum(increase(${ofAccount('hoster_exporter_key_file_errors_total')}[10m])) and on() ${BUILD}`,
          legend: 'key',
        },
      ],
      limits: LIMITS.anyIsBad,
      decimals: 0,
      titleSize: 12,
      valueSize: 20,
    }),
    table({
      title: 'Firing alerts',
      description:
        'Firing alerts of these accounts and exporters as Prometheus has them, those about exporters and the API included. The runbook of each is on the exporter, below /runbooks/.',
      noValue: 'No rows, no data, or Prometheus has not loaded our rules',
      isList: true,
      size: [24, 6],
      columns: [
        { title: 'Alert', label: 'alertname', words: MEANINGS, width: 240 },
        { title: 'Severity', label: 'severity', states: Object.values(SEVERITY), width: 95 },
        { title: 'Account', label: 'account', width: 110 },
        { title: 'Subject', label: 'value', words: PROBLEMS, width: 130 },
        { title: 'Instance', label: 'instance', width: 150 },
        cell('Number', `count by(${OF_ALERTS})(${FIRING})`, 75),
      ],
      inputs: { rank: `group by(${OF_ALERTS})(${FIRING}) * on(severity) group_left() (${RANKS})` },
      steps: [smallestFirst('rank'), FIRST_ROWS],
    }),
  ],
};

/** Colours of the APIs, with shades for several codes or reasons. */
const BY_ENDPOINT = [
  ['/^devices/', COLOURS.good],
  ['/^tunnel/', COLOURS.own],
  ['/^balance/', COLOURS.waiting],
] as const;

const perSecond = (counter: string, by: string): string =>
  `sum by(${by})(rate(${counter}[$__rate_interval]))`;

const COMPLETE = `${perAccount('hoster_exporter_list_complete')} and on(account) ${ofAccount('hoster_devices_reported')}`;
const YES_NO = { unit: 'bool_yes_no' } as const;

const polls: Row = {
  title: 'Polls',
  tiles: [
    table({
      title: 'Accounts',
      description:
        'Why an account has no data, and whether its device list is as long as the API says. Suspect: many phones are missing at once, and later lists must confirm it. If a list stays incomplete, report it to the marketplace.',
      size: [24, 6],
      columns: [
        ...dataColumns('devices'),
        cell('Polled', perAccount('hoster_exporter_poll_success', 'collector="devices"'), 65, YES_NO),
        cell('Reported', perAccount('hoster_devices_reported'), 85),
        cell('Shown', inState('.+', 'account'), 70),
        cell('Complete', COMPLETE, 85, YES_NO),
        cell('Suspect', perAccount('hoster_exporter_list_suspect'), 75, YES_NO),
        cell(
          'Violations',
          `sum by(account)(increase(${ofAccount('hoster_exporter_schema_violations_total')}[$__range]))`,
          92,
          { limits: LIMITS.anyIsPoor, unit: 'none', decimals: 0 },
        ),
      ],
      sortBy: ['Read', 'ascending'],
    }),
    timeline({
      title: 'State of the data',
      description:
        'Fresh: from the last poll. Stale: polls fail, and the last data is shown. Expired: removed after poll.stale_after. "Rows" limits the number of rows; a gap means that nothing was scraped.',
      size: [24, 8],
      targets: [
        {
          expression: `topk(${ROWS},${per('account,collector', `${ofAccount(STATE, 'state="fresh"')} or 2*${ofAccount(STATE, 'state="stale"')} or 3*${ofAccount(STATE, 'state="expired"')}`)} > 0)`,
          legend: '{{account}} {{collector}}',
        },
      ],
      codes: coded(1, DATA.fresh, DATA.stale, DATA.expired),
    }),
    graph({
      title: 'Age of the data',
      description:
        'Time since the last successful poll, by collector, for the oldest account. A ramp means that the API fails or a poll hangs.',
      unit: MINUTES,
      size: [12, 8],
      targets: [
        {
          expression: `max by(collector)(time()-${ofAccount('hoster_exporter_poll_last_success_timestamp_seconds')}) / 60`,
          legend: '{{collector}}',
        },
      ],
      byName: BY_ENDPOINT,
    }),
    graph({
      title: 'Responses of the API',
      description:
        'Per second, by API and code. 5xx: the API fails; 401 and 403: the key; 404 on tunnel: a phone without a tunnel.',
      unit: 'reqps',
      size: [12, 8],
      targets: [{ expression: perSecond(REQUESTS, 'api,code'), legend: '{{api}} {{code}}' }],
      stacked: true,
      byName: BY_ENDPOINT,
    }),
    graph({
      title: 'Failures by reason',
      description:
        'Requests without a usable response, per second. dns, connect, tls: your network; timeout, server, throttled: the API; schema: its responses have changed, so report it to this project.',
      unit: 'reqps',
      size: [12, 8],
      targets: [
        { expression: `${perSecond(FAILURES, 'api,reason')}>0`, legend: '{{api}} {{reason}}' },
        { expression: `sum(rate(${FAILURES}[$__rate_interval])) == 0`, legend: 'none' },
      ],
      byName: [...BY_ENDPOINT, ['/^none$/', COLOURS.unknown]],
    }),
    graph({
      title: 'Response time (95th percentile)',
      description:
        '95 % of the requests are faster. If it rises over days, the API is slow; if it jumps, check your network.',
      unit: 's',
      size: [12, 8],
      targets: [
        {
          expression: `histogram_quantile(0.95,${perSecond(ofAccount('hoster_exporter_api_request_duration_seconds_bucket'), 'le,api')})`,
          legend: '{{api}}',
        },
      ],
      byName: BY_ENDPOINT,
    }),
  ],
};

/** One series per process, limited to exporters: every program has metrics such as `process_*`. */
const ofExporters = (vector: string): string => per('instance', `${vector} and on(instance) ${BUILD}`);

const processes: Row = {
  title: 'Processes',
  tiles: [
    table({
      title: 'Exporters',
      description:
        'A young process that nobody restarted has crashed: check its log. Different versions mean an incomplete update. If a process uses nearly 100 % of a CPU, or its memory grows for days, report it with the version.',
      noValue: NO_ROWS,
      size: [24, 6],
      columns: [
        { title: 'Instance', label: 'instance', width: 200 },
        { title: 'Version', label: 'version', width: 90 },
        { title: 'Node.js', label: 'node_version', width: 95 },
        at('Started', ofExporters(ofProcess('process_start_time_seconds')), 120),
        cell('Memory', ofExporters(ofProcess('process_resident_memory_bytes')), 90, { unit: 'bytes' }),
        cell('CPU', ofExporters(`rate(${ofProcess('process_cpu_seconds_total')}[$__rate_interval])`), 95, {
          unit: 'percentunit',
          decimals: 1,
        }),
        cell('Scrape', ofExporters(ofProcess('scrape_duration_seconds')), 85, { unit: 's' }),
        cell('Series', `topk(${ROWS},${per('instance', ofProcess('hoster_exporter_series_exposed'))})`, 80),
      ],
      labelsOf: [per('instance,version,node_version', BUILD)],
      sortBy: ['Instance', 'ascending'],
    }),
  ],
};

/** Dashboard of the exporter: can the other dashboards be trusted? */
export const exporterBoard: Board = {
  name: 'exporter',
  title: 'Hoster / Exporter',
  description: 'Is the exporter reading the API, how old is its data, and is it healthy?',
  from: 'now-6h',
  variables: [rows()],
  rows: [now, polls, processes],
};
