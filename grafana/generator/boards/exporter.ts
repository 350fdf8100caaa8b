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

/** What of the files of exporters is bad: as many as are, by words. */
function badFiles(): string {
  const told = (vector: string, text: string): string =>
    `label_replace(${vector}, "file", "${text}", "", "")`;
  const bad = (name: string, text: string): string => told(`sum(${ofProcess(name)} == bool 0) > 0`, text);
  return [
    bad('hoster_exporter_config_last_reload_successful', 'configuration bad'),
    bad('hoster_exporter_state_last_save_successful', 'state not saved'),
    bad('hoster_exporter_state_load_successful', 'state not loaded'),
    told(`sum(increase(${ofAccount('hoster_exporter_key_file_errors_total')}[10m])) > 0`, 'key unreadable'),
    told(`sum(${ofProcess('hoster_exporter_config_last_reload_successful')} == bool 0) == 0`, 'all well'),
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
          'Exporters that Prometheus could not scrape. While one is down nothing of its accounts is known: start it, then read its log.',
        targets: [{ expression: `sum(${reached()} == bool 0)` }],
      },
      { limits: LIMITS.anyIsBad },
    ),
    stat(
      {
        ...SMALL,
        title: 'Failing',
        description:
          'Share of the requests of the last five minutes that brought no usable response, of the account where it is largest; all of them of an account that is not read. The graphs below have the reasons.',
        unit: 'percentunit',
        targets: [{ expression: worstFailureShare(), legend: '{{account}}' }],
      },
      { limits: LIMITS.shareIsBad, named: true, decimals: 1 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Clock',
        description:
          'By how much the clock of the API and ours differ, the largest of all accounts. More than half a minute: set up time synchronisation on this machine.',
        unit: 's',
        targets: [{ expression: `max(abs(${ofAccount('hoster_exporter_api_clock_skew_seconds')}))` }],
      },
      { decimals: 1 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Files',
        description:
          'Exporters with a bad file: configuration, state or key. The last good one stays in use. Run "hoster-exporter check", and check the rights and the space of the folder.',
        targets: [{ expression: badFiles(), legend: '{{file}}' }],
      },
      { limits: LIMITS.anyIsBad, named: true, decimals: 0 },
    ),
  ],
};

function ofAccounts(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
}

function ofList(name: string): { readonly expression: string } {
  return ofAccounts(onlyRead(perAccount(ofAccount(name))));
}

/** Colours of what is polled: of several codes or reasons, shades. */
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
        'Why an account is not read, and whether its device list is what the API says there is; nothing of that is said while it is not read. Suspect: many phones are missing at once, and later lists must confirm it. Incomplete for long: report it to the marketplace.',
      noValue: NOT_SCRAPED,
      width: 24,
      height: 6,
      columns: [
        { title: 'Account', label: 'account' },
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
          'Fresh: from the last poll. Old: polls fail, and the last good reading is shown. Too old: its series were withdrawn after poll.stale_after. The longest unread rows, as many as "Rows" says.',
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
          'Time since the last successful poll, by collector; the account that waits longest. A ramp is an API that fails, or a poll that never ends.',
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
        title: 'Answers of the API',
        description:
          'By endpoint and code, per second. Codes from 500 are its trouble, 401 and 403 are the key, 404 on tunnel is a phone without a tunnel.',
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
          'Requests without a usable response, per second. dns, connect, tls: your network; timeout, server, throttled: the API; schema: it changed its responses, so report it to this project.',
        noValue: NOT_SCRAPED,
        unit: 'reqps',
        width: 6,
        height: 8,
        targets: [
          { expression: `${perSecond(failures, 'api, reason')} > 0`, legend: '{{api}} {{reason}}' },
          { expression: `sum(rate(${failures}[$__rate_interval])) == 0`, legend: 'none' },
        ],
      },
      { leastMax: 0.1, byName: BY_ENDPOINT },
    ),
    graph(
      {
        title: 'Time to the response (95 %)',
        description:
          'Most requests are quicker than this. Slower by the day: the API has trouble; slow at once: look at your network.',
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
        'What runs where. A young process that nobody restarted has crashed: read its log. Different versions: an update stopped half-way. A processor near 100 % or memory that climbs for days: report it with the version.',
      noValue: NOT_SCRAPED,
      width: 24,
      height: 6,
      columns: [
        { title: 'Instance', label: 'instance', minWidth: 130 },
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
          title: 'Runs for',
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
          title: 'Processor',
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

/** Can what the other dashboards say be believed? */
export const exporterBoard: Board = {
  name: 'exporter',
  title: 'Hoster / Exporter',
  description: 'Whether the exporter reads the API, how old its data is, and how it is itself.',
  from: 'now-6h',
  variables: [rows()],
  rows: [now, polls, processes],
};
