import { END_TEXTS } from '../../../src/model/incident.ts';
import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import {
  COLOURS,
  COLUMN,
  HEALTHY,
  MARKETPLACE,
  NO_TUNNEL,
  PROBLEM,
  RENTAL,
  ROTATION,
  SETUP,
  type State,
  TUNNEL,
} from '../palette.ts';
import { graph, MINUTES } from '../panels/graph.ts';
import { ranking } from '../panels/ranking.ts';
import { stat } from '../panels/stat.ts';
import { table } from '../panels/table.ts';
import { timeline } from '../panels/timeline.ts';
import {
  AS_LAST_READ,
  type Collector,
  dated,
  grown,
  knownAccounts,
  labelled,
  lastRead,
  ofAccount,
  onlyRead,
  orLastRead,
  perAccount,
  perPhone,
  renamed,
  THIS_PHONE,
  unreadAccounts,
  whileRead,
} from '../promql.ts';
import * as phones from '../queries/phones.ts';
import { logins, uptime } from '../queries/tunnels.ts';
import { device, last, rows, unread } from '../variables.ts';
import { ACCOUNT, alertTable, CAUSE, NAME_WIDTH } from './columns.ts';
import { dataTile, INSTANT, NO_HISTORY, UNKNOWN } from './tiles.ts';

const SMALL = { noValue: UNKNOWN, width: 4, height: 4 } as const;
const NO_TUNNEL_KNOWN = 'No tunnel, or unknown';
const NOTHING_SEEN = 'No data for this phone in this time range.';

/** States of the phone now, each with the query of its codes and its texts. */
const STATES: readonly {
  readonly title: string;
  readonly codes: string;
  readonly states: readonly State[];
  readonly collector?: Collector;
}[] = [
  { title: 'Problem', codes: phones.problemState(THIS_PHONE), states: [...Object.values(PROBLEM), HEALTHY] },
  { title: 'Rental', codes: phones.rentalState(THIS_PHONE), states: Object.values(RENTAL) },
  { title: 'Marketplace', codes: phones.marketplaceState(THIS_PHONE), states: Object.values(MARKETPLACE) },
  { title: 'Set-up', codes: phones.setupState(THIS_PHONE), states: Object.values(SETUP) },
  {
    title: 'Tunnel',
    codes: phones.orElse(phones.tunnelState(THIS_PHONE), NO_TUNNEL, THIS_PHONE),
    states: [...Object.values(TUNNEL), NO_TUNNEL],
    collector: 'tunnels',
  },
];

const heartbeat = phones.heartbeatAge(THIS_PHONE);
const limit = perPhone(ofAccount('hoster_device_offline_after_seconds', THIS_PHONE));
const offline = phones.problemSince(
  THIS_PHONE,
  'problem=~"sold_offline|self_rented_offline|offline|given_up"',
);

/** The account of the phone, or all accounts while no phone is known. */
const ITS_ACCOUNT = `(${perAccount(lastRead(ofAccount('hoster_device_info', THIS_PHONE)))} or on () ${knownAccounts()})`;

const muted = phones.problemSince(THIS_PHONE, 'problem="in_maintenance"');

/** The age of the heartbeat, named by its state. In maintenance a phone has no other problem, so its age is compared. */
const heartbeatNow = [
  labelled(`(${onlyRead(heartbeat)}) and on (account, device_id) ${offline}`, 'offline'),
  labelled(
    `(${onlyRead(heartbeat)}) > on (account, device_id) ${limit} and on (account, device_id) ${muted}`,
    'offline, in maintenance',
  ),
  labelled(onlyRead(heartbeat), 'online'),
  labelled(
    `${perPhone(lastRead(ofAccount('hoster_device_heartbeat_age_seconds', THIS_PHONE)))} and on (account) ${unreadAccounts()}`,
    AS_LAST_READ,
  ),
].join('\nor on (account, device_id) ');

/** Start and cause of its problem, as last read if no process reports them. */
const SINCE = `(${phones.problemSince(THIS_PHONE)} or ${phones.problemSinceBefore(THIS_PHONE)})`;
const CAUSES = ofAccount('hoster_device_common_cause', THIS_PHONE);
const ITS_CAUSE = `(${perPhone(CAUSES, 'value')} or ${perPhone(lastRead(CAUSES), 'value')} and on (account, device_id) ${phones.problemSinceBefore(THIS_PHONE)})`;

/** A fact of this phone in the table that describes it. */
function described(vector: string): { readonly expression: string } {
  const labels = phones.descriptionColumns(THIS_PHONE);
  return { expression: `0 * ${labels} + on (account, device_id) group_left () (${vector})` };
}

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile('devices', { accounts: ITS_ACCOUNT }),
    stat(
      {
        ...SMALL,
        title: 'State',
        description:
          'The most costly problem of the phone: if it is offline, check power, mobile data and the app. Who rents it: a customer (sold), you (self-rented) or nobody (idle); avoid restarting a sold phone. If it is not listed or not set up, it earns nothing: finish that in the hoster dashboard. If its tunnel is down or missing, renew the tunnel or the self-rental. Grey if not current.',
        unit: 'none',
        width: 14,
        targets: STATES.map(({ title, codes, collector }) => ({
          expression: orLastRead(codes, collector),
          legend: title,
        })),
      },
      { named: true, states: STATES.flatMap(({ states }) => states) },
    ),
    stat(
      {
        ...SMALL,
        width: 6,
        title: 'Heartbeat',
        description:
          'Age of the last heartbeat at the last poll, and the age after which this phone is offline, learned from its usual gaps.',
        unit: 's',
        targets: [
          { expression: heartbeatNow, legend: '{{as}}' },
          { expression: limit, legend: 'limit' },
        ],
      },
      {
        named: true,
        decimals: 0,
        byName: [
          ['/^offline$/', COLOURS.poor],
          ['/^offline, in maintenance$/', COLOURS.own],
          ['/^online$/', COLOURS.good],
        ],
      },
    ),
    timeline(
      {
        title: 'States',
        description:
          'States of the phone over time; grey if not current. A rental that ends together with the heartbeat was lost to an outage. Gaps are times without data.',
        noValue: NOTHING_SEEN,
        width: 24,
        height: 8,
        targets: [
          { expression: whileRead(phones.problemState(THIS_PHONE)), legend: 'Problem' },
          { expression: whileRead(phones.rentalState(THIS_PHONE)), legend: 'Rental' },
          { expression: whileRead(phones.marketplaceState(THIS_PHONE)), legend: 'Marketplace' },
          { expression: whileRead(phones.tunnelState(THIS_PHONE), 'tunnels'), legend: 'Tunnel' },
          { expression: whileRead(phones.rotationState(THIS_PHONE)), legend: 'Rotation' },
        ],
      },
      [PROBLEM, RENTAL, MARKETPLACE, TUNNEL, ROTATION]
        .flatMap((states) => Object.values(states))
        .concat(HEALTHY),
      ofAccount('hoster_device_offline_after_seconds', THIS_PHONE),
    ),
    table({
      title: 'Details',
      description:
        'Details from the marketplace, the start and the cause of its problem, and the minimum age of its rental status. Quote the ID when you contact the marketplace.',
      noValue: 'Unknown: no data for a day',
      width: 24,
      height: 4,
      columns: [
        { title: 'Label', label: 'label', width: 210 },
        { title: 'Model', label: 'model', width: 105 },
        { title: 'Problem since', target: described(`1000 * ${SINCE}`), unit: INSTANT, width: 112 },
        CAUSE,
        {
          title: 'Status for ≥',
          target: described(phones.rentalStatusFor(THIS_PHONE)),
          unit: 's',
          decimals: 0,
          width: 104,
        },
        { title: 'Id', label: 'device_id', minWidth: 220 },
      ],
      labelsOf: [
        { expression: phones.descriptionColumns(THIS_PHONE) },
        { expression: perPhone(renamed(ITS_CAUSE, 'value', 'cause'), 'cause') },
      ],
      sortBy: ['Label', 'ascending'],
    }),
    alertTable('Firing alerts', {
      height: 5,
      none: 'No alert for this phone or its account',
      phone: THIS_PHONE,
    }),
  ],
};

/** The online share of a past time, sampled every five minutes, and the known share. */
function online(range: string): readonly { readonly expression: string; readonly legend: string }[] {
  const samples = { '1d': 288, '7d': 2_016, '30d': 8_640 }[range] ?? 1;
  const known = `count_over_time((${heartbeat})[${range}:5m])`;
  const reports = `count_over_time((${heartbeat} unless on (account, device_id) ${offline})[${range}:5m])`;
  const share = `(${reports} or 0 * ${known}) / ${known} and ${known} >= ${samples / 10}`;
  return [
    { expression: dated(share, 'online'), legend: `${range} {{as}}` },
    { expression: `${known} / ${samples}`, legend: `${range} known` },
  ];
}

/** Exporters that lost the phone within the time range: its sums restarted. */
const ITS_SUMS_ANEW = `changes(${ofAccount('hoster_device_first_listed_timestamp_seconds', THIS_PHONE)}[$__range]) > 0`;

/** Titles of incidents of a phone. */
const INCIDENT_WORDS = {
  ...Object.fromEntries(Object.values(PROBLEM).map(({ value, text }) => [value, text])),
  flapping: 'Flapping',
  credential_changed: 'Login changed',
  left: 'Removed',
  earns_nothing: 'Earns nothing',
  common_cause: 'Outage with others',
};

const TOLD = 'hoster_incident_since_timestamp_seconds';

/** Incidents of this phone in the time range, and of its common causes. */
const OWN = `max by (account, incident, problem) (last_over_time(${ofAccount(TOLD, THIS_PHONE)}[$__range]))`;
const OF_CAUSES = `last_over_time((${perAccount(ofAccount(TOLD, 'kind!=""'), 'incident', 'problem', 'kind', 'value')} and on (account, kind, value) ${perAccount(CAUSES, 'kind', 'value')})[$__range:1m])`;
const INCIDENTS = `max by (account, incident, problem, cause) (${OWN} or ${renamed(OF_CAUSES, 'value', 'cause')})`;
const ENDED = `max by (account, incident, problem, reason) (last_over_time(${ofAccount('hoster_incident_ended_seconds')}[$__range])) and on (account, incident) ${INCIDENTS}`;

const history: Row = {
  title: 'History',
  tiles: [
    table({
      title: 'Incidents of this phone',
      description:
        'Incidents of this phone in the time range, alone or with a common cause, with their duration and end. If the same one repeats, check the phone, its cable and its place.',
      noValue: 'No incidents of this phone in this time range',
      width: 24,
      height: 6,
      columns: [
        { title: 'Problem', label: 'problem', words: INCIDENT_WORDS, width: NAME_WIDTH },
        CAUSE,
        { title: 'Since', target: { expression: `1000 * ${INCIDENTS}` }, unit: INSTANT, width: 120 },
        {
          title: 'Lasted',
          target: { expression: ENDED },
          unit: 's',
          decimals: 0,
          empty: 'until now',
          width: 100,
        },
        { title: 'Ended', label: 'reason', words: END_TEXTS, empty: 'still open', width: 160 },
      ],
      sortBy: ['Since', 'descending'],
    }),
    graph(
      {
        title: 'Age of the heartbeat',
        description:
          'Regular teeth below the limit are normal. A ramp is an outage; at its end, the phone came back online.',
        noValue: NO_HISTORY,
        unit: MINUTES,
        width: 10,
        height: 8,
        targets: [
          { expression: `(${onlyRead(heartbeat)}) / 60`, legend: 'Age' },
          { expression: `${limit} / 60`, legend: 'Limit' },
        ],
      },
      { limit: 'Limit', byName: [['Limit', COLOURS.poor]] },
    ),
    ranking(
      {
        title: 'Use of its time',
        description:
          'States of this phone in the time range, as far as known. If it is often idle, compare its price and model with phones that sell.',
        noValue: NOTHING_SEEN,
        unit: 's',
        width: 6,
        height: 8,
        targets: [
          {
            expression: `max by (column) (${grown(ofAccount('hoster_device_time_seconds', THIS_PHONE))} unless on (account, job, instance) ${ITS_SUMS_ANEW})`,
          },
        ],
      },
      'column',
      Object.values(COLUMN),
    ),
    stat(
      {
        title: 'Online',
        description:
          'Share of the last day, week and month in which the phone was not offline, and the known share; at least a tenth must be known. If it is worse than its neighbours, change its place, cable or power supply.',
        noValue: 'No data.',
        unit: 'percentunit',
        width: 8,
        height: 8,
        targets: ['1d', '7d', '30d'].flatMap(online),
      },
      { named: true, decimals: 0, rows: true },
    ),
  ],
};

/** A fact about the logins on the tunnel. */
function ofLogins(name: string): { readonly expression: string } {
  return { expression: perPhone(ofAccount(`hoster_tunnel_${name}`, THIS_PHONE)) };
}

/** A status in the words of the API. */
function word(name: string, as: string): { readonly expression: string } {
  return { expression: perPhone(renamed(perPhone(ofAccount(name, THIS_PHONE), 'status'), 'status', as), as) };
}

const tunnel: Row = {
  title: 'Tunnel',
  tiles: [
    stat(
      {
        title: 'Tunnel up',
        description:
          'Share of the time range in which the tunnel was up, as far as known. Compare its gaps with those of the heartbeat above.',
        noValue: NO_TUNNEL_KNOWN,
        unit: 'percentunit',
        width: 6,
        height: 4,
        maxDataPoints: 300,
        targets: [
          { expression: dated(uptime(THIS_PHONE), 'up', { collector: 'tunnels' }), legend: '{{as}}' },
        ],
      },
      { named: true, decimals: 2 },
    ),
    table({
      title: 'Logins',
      description:
        'Logins on the tunnel. Without an active one nobody can use it: create one in the hoster dashboard. If you did not make the last change, check who has access to the account.',
      noValue: NO_TUNNEL_KNOWN,
      width: 18,
      height: 4,
      columns: [
        {
          title: 'Active',
          target: { expression: perPhone(logins('status="active"', THIS_PHONE)) },
          width: 80,
        },
        {
          title: 'Inactive',
          target: { expression: `sum by (account, device_id) (${logins('status!="active"', THIS_PHONE)})` },
          width: 80,
        },
        {
          title: 'Oldest',
          target: { expression: `1000 * ${ofLogins('oldest_credential_timestamp_seconds').expression}` },
          unit: INSTANT,
        },
        {
          title: 'Last change',
          target: { expression: `1000 * ${ofLogins('last_credential_change_timestamp_seconds').expression}` },
          unit: INSTANT,
        },
      ],
      sortBy: ['Active', 'descending'],
    }),
  ],
};

/** Undocumented values, and features that are off by default. */
const optional: Row = {
  title: 'Values of the API',
  collapsed: true,
  tiles: [
    table({
      title: 'Statuses',
      description:
        'The statuses as the API returns them, the version of the app, and the ID of a self-rental to quote when you contact the marketplace (only with features.rental_ids). Ask the marketplace about unknown values.',
      noValue: 'The API returns none of them for this phone.',
      width: 24,
      height: 4,
      columns: [
        { title: 'Self-rent', label: 'self_rent' },
        { title: 'Rotation', label: 'rotation' },
        {
          title: 'IP lasts',
          target: {
            expression: perPhone(ofAccount('hoster_device_rotation_interval_seconds', THIS_PHONE)),
          },
          unit: 's',
          width: 90,
        },
        { title: 'Tunnel', label: 'tunnel' },
        { title: 'Uptime', label: 'uptime' },
        { title: 'Rental', label: 'rental_id' },
        { title: 'App', label: 'app_version', width: 80 },
        ACCOUNT,
      ],
      labelsOf: [
        word('hoster_device_self_rent_status', 'self_rent'),
        word('hoster_device_rotation_status', 'rotation'),
        word('hoster_tunnel_status', 'tunnel'),
        word('hoster_tunnel_uptime_status', 'uptime'),
        { expression: perPhone(ofAccount('hoster_device_self_rent_info', THIS_PHONE), 'rental_id') },
        { expression: phones.descriptionColumns(THIS_PHONE) },
      ],
      sortBy: ['Account', 'ascending'],
    }),
    table({
      title: 'Tunnel endpoints',
      description:
        'Address and ports for a client or a probe. Exported only with features.tunnel_endpoints, because it lists reachable proxies.',
      noValue: 'No tunnel, or features.tunnel_endpoints is off (the default).',
      width: 24,
      height: 4,
      columns: [
        { title: 'Host', label: 'host' },
        { title: 'SOCKS5', label: 'socks5_port', width: 90 },
        { title: 'HTTPS', label: 'https_port', width: 90 },
        { title: 'Transparent SOCKS5', label: 'transparent_socks5_port', width: 160 },
        { title: 'Tunnel', label: 'tunnel_id' },
      ],
      labelsOf: [
        {
          expression: `max by (host, socks5_port, https_port, transparent_socks5_port, tunnel_id) (${ofAccount('hoster_tunnel_info', THIS_PHONE)})`,
        },
      ],
      sortBy: ['Host', 'ascending'],
    }),
  ],
};

/** Dashboard of one phone. */
export const deviceBoard: Board = {
  name: 'device',
  title: 'Hoster / Device',
  description: 'One phone: its details, its current state, its history and its tunnel.',
  from: 'now-24h',
  variables: [unread(), last(), device(), rows()],
  incidents: ['device_id=~"$device_id|"'],
  rows: [now, history, tunnel, optional],
};
