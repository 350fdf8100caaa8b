import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, DATA, LIMITS } from '../palette.ts';
import { graph, MINUTES } from '../panels/graph.ts';
import { stat } from '../panels/stat.ts';
import { table } from '../panels/table.ts';
import { timeline } from '../panels/timeline.ts';
import { knownAccounts, ofAccount, ofProcess, onlyRead, perAccount, ROWS } from '../promql.ts';
import {
  accountState,
  buildInfo,
  byDataAge,
  dataState,
  failures,
  lastSuccess,
  perInstance,
  perSecond,
  quantile,
  reached,
  requests,
  unreadSince,
  worstFailureShare,
} from '../queries/exporter.ts';
import * as phones from '../queries/phones.ts';
import { rows } from '../variables.ts';
import { dataTile, INSTANT, UNKNOWN } from './tiles.ts';

const NOT_SCRAPED = 'Unknown: not scraped';
const SMALL = { noValue: UNKNOWN, unit: 'none', width: 5, height: 4 } as const;

/** Exporters with a bad file, by the name of the file. */
function badFiles(): string {
  const withFile = (vector: string, text: string): string =>
    `label_replace(${vector}, "file", "${text}", "", "")`;
  const bad = (name: string, text: string): string => withFile(`sum(${ofProcess(name)} == bool 0) > 0`, text);
  return [
    bad('hoster_exporter_config_last_reload_successful', 'configuration bad'),
    bad('hoster_exporter_state_last_save_successful', 'state not saved'),
    bad('hoster_exporter_state_load_successful', 'state not loaded'),
    withFile(
      `sum(increase(${ofAccount('hoster_exporter_key_file_errors_total')}[10m])) > 0`,
      'key unreadable',
    ),
    withFile(
      `sum(${ofProcess('hoster_exporter_config_last_reload_successful')} == bool 0) == 0`,
      'all files',
    ),
  ].join('\nor on () ');
}

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile(),
    stat(
      {
        ...SMALL,
        title: 'Down',
        description:
          'Exporters that Prometheus cannot scrape. While one is down, there is no data for its accounts: start it, then check its log.',
        targets: [
          {
            expression: `sum(${reached()} == bool 0) * on () group_left (n) (0 * count_values("n", count(${reached()})) + 1)`,
            legend: 'of {{n}}',
          },
        ],
      },
      { limits: LIMITS.anyIsBad, named: true },
    ),
    stat(
      {
        ...SMALL,
        title: 'Failing',
        description:
          'Share of requests without a usable response in the last five minutes, for the worst account; 100 % for an account without data. The graphs below show the reasons.',
        unit: 'percentunit',
        targets: [{ expression: worstFailureShare(), legend: '{{as}}' }],
      },
      { limits: LIMITS.shareIsBad, named: true, decimals: 1 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Clock',
        description:
          'Largest difference between our clock and that of the API. If it exceeds half a minute, set up time synchronization on this machine.',
        unit: 's',
        targets: [
          {
            expression: `max(abs(${ofAccount('hoster_exporter_api_clock_skew_seconds')}))`,
            legend: 'off, 30 s is too much',
          },
        ],
      },
      { limits: [COLOURS.plain, [30, COLOURS.poor]], named: true, decimals: 1 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Files',
        description:
          'Exporters with a bad configuration, state or key file. They keep using the last good one. Run "hoster-exporter check", and check the permissions and the free space of the folder.',
        targets: [{ expression: badFiles(), legend: '{{file}}' }],
      },
      { limits: LIMITS.anyIsBad, named: true, decimals: 0, calm: 'OK' },
    ),
  ],
};

function ofAccounts(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
}

function ofList(name: string): { readonly expression: string } {
  return ofAccounts(onlyRead(perAccount(ofAccount(name))));
}

/** Colours of the APIs, with shades for several codes or reasons. */
const BY_ENDPOINT = [
  ['/^devices/', COLOURS.good],
  ['/^tunnel/', COLOURS.own],
  ['/^balance/', COLOURS.waiting],
] as const;

const polls: Row = {
  title: 'Polls',
  tiles: [
    table({
      title: 'Accounts',
      description:
        'Why an account has no data, and whether its device list is as long as the API says. Suspect: many phones are missing at once, and later lists must confirm it. If a list stays incomplete, report it to the marketplace.',
      noValue: NOT_SCRAPED,
      width: 24,
      height: 6,
      columns: [
        { title: 'Account', label: 'account', width: 150 },
        { title: 'Data', target: ofAccounts(accountState()), states: Object.values(DATA), width: 100 },
        { title: 'Why', label: 'why', width: 150 },
        {
          title: 'Last read',
          target: ofAccounts(`1000 * ${lastSuccess('devices')}`),
          unit: INSTANT,
          width: 150,
        },
        { title: 'Reported', target: ofList('hoster_devices_reported'), width: 85 },
        { title: 'Shown', target: ofAccounts(`sum by (account) (${onlyRead(phones.phones())})`), width: 70 },
        {
          title: 'Complete',
          target: ofList('hoster_exporter_list_complete'),
          unit: 'bool_yes_no',
          width: 85,
        },
        { title: 'Suspect', target: ofList('hoster_exporter_list_suspect'), unit: 'bool_yes_no', width: 75 },
      ],
      labelsOf: [ofAccounts(`max by (account, why) (${unreadSince()})`)],
      sortBy: ['Data', 'descending'],
    }),
    timeline(
      {
        title: 'State of the data',
        description:
          'Fresh: from the last poll. Stale: polls fail, and the last data is shown. Expired: removed after poll.stale_after. Shows the rows without data for longest; "Rows" sets their number.',
        noValue: NOT_SCRAPED,
        width: 24,
        height: 8,
        targets: [
          {
            expression: `(${dataState()})\nand on (account, collector) topk(${ROWS}, ${byDataAge()})`,
            legend: '{{account}} {{collector}}',
          },
        ],
      },
      Object.values(DATA),
      ofAccount('hoster_exporter_data_state'),
    ),
    graph(
      {
        title: 'Age of the data',
        description:
          'Time since the last successful poll, by collector, for the oldest account. A ramp means that the API fails or a poll hangs.',
        noValue: NOT_SCRAPED,
        unit: MINUTES,
        width: 6,
        height: 8,
        targets: (['devices', 'tunnels', 'balance'] as const).map((collector) => ({
          expression: `max(time() - ${lastSuccess(collector)}) / 60`,
          legend: collector,
        })),
      },
      { byName: BY_ENDPOINT },
    ),
    graph(
      {
        title: 'Responses of the API',
        description:
          'Per second, by API and code. 5xx: the API fails; 401 and 403: the key; 404 on tunnel: a phone without a tunnel.',
        noValue: NOT_SCRAPED,
        unit: 'reqps',
        width: 6,
        height: 8,
        targets: [{ expression: perSecond(requests, 'api, code'), legend: '{{api}} {{code}}' }],
      },
      { stacked: true, byName: BY_ENDPOINT },
    ),
    graph(
      {
        title: 'Failures by reason',
        description:
          'Requests without a usable response, per second. dns, connect, tls: your network; timeout, server, throttled: the API; schema: its responses have changed, so report it to this project.',
        noValue: NOT_SCRAPED,
        unit: 'reqps',
        width: 6,
        height: 8,
        targets: [
          { expression: `${perSecond(failures, 'api, reason')} > 0`, legend: '{{api}} {{reason}}' },
          { expression: `sum(rate(${failures}[$__rate_interval])) == 0`, legend: 'none' },
        ],
      },
      { leastMax: 0.1, byName: [...BY_ENDPOINT, ['/^none$/', COLOURS.unknown]] },
    ),
    graph(
      {
        title: 'Response time (95th percentile)',
        description:
          '95 % of the requests are faster. If it rises over days, the API is slow; if it jumps, check your network.',
        noValue: NOT_SCRAPED,
        unit: 's',
        width: 6,
        height: 8,
        targets: [
          {
            expression: quantile(
              0.95,
              ofAccount('hoster_exporter_api_request_duration_seconds_bucket'),
              'api',
            ),
            legend: '{{api}}',
          },
        ],
      },
      { byName: BY_ENDPOINT },
    ),
  ],
};

const UNREACHED_FIRST = `bottomk(${ROWS}, ${reached()})`;

function among(vector: string): { readonly expression: string } {
  return { expression: `${vector}\nand on (job, instance) ${UNREACHED_FIRST}` };
}

const processes: Row = {
  title: 'Processes',
  tiles: [
    table({
      title: 'Exporters',
      description:
        'A young process that nobody restarted has crashed: check its log. Different versions mean an incomplete update. If a process uses nearly 100 % of a CPU, or its memory grows for days, report it with the version.',
      noValue: NOT_SCRAPED,
      width: 24,
      height: 6,
      columns: [
        { title: 'Instance', label: 'instance', width: 200 },
        {
          title: 'Up',
          target: { expression: UNREACHED_FIRST },
          unit: 'bool_yes_no',
          limits: [COLOURS.bad, [1, COLOURS.good]],
          width: 60,
        },
        { title: 'Version', label: 'version', width: 90 },
        { title: 'Node.js', label: 'node_version', width: 95 },
        {
          title: 'Uptime',
          target: among(`time() - ${perInstance(ofProcess('process_start_time_seconds'))}`),
          unit: 's',
          decimals: 0,
          width: 90,
        },
        {
          title: 'Memory',
          target: among(perInstance(ofProcess('process_resident_memory_bytes'))),
          unit: 'bytes',
          width: 90,
        },
        {
          title: 'CPU',
          target: among(perInstance(`rate(${ofProcess('process_cpu_seconds_total')}[$__rate_interval])`)),
          unit: 'percentunit',
          decimals: 1,
          width: 95,
        },
        {
          title: 'Scrape',
          target: among(perInstance(ofProcess('scrape_duration_seconds'))),
          unit: 's',
          width: 85,
        },
        {
          title: 'Series',
          target: among(perInstance(ofProcess('hoster_exporter_series_exposed'))),
          width: 80,
        },
      ],
      labelsOf: [among(buildInfo())],
      sortBy: ['Up', 'ascending'],
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
