import { END_REASONS } from '../../../src/model/incident.ts';
import { sayInEnglish } from '../../../src/text/say.ts';
import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import {
  COLOURS,
  COLUMN,
  MARKETPLACE,
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
import { namedStates } from '../panels/tile.ts';
import { timeline } from '../panels/timeline.ts';
import { INCIDENT_SINCE, ofAccount, PROBLEM_SINCE, per, perPhone, ROWS, THIS_PHONE } from '../promql.ts';
import { device, incidents, rows } from '../variables.ts';
import { ACCOUNT, at, cell, incidentTable, PROBLEM_COLUMN } from './columns.ts';
import { dataTile, NO_ROWS } from './tiles.ts';

/** A fact about this phone. */
const fact = (name: string, ...matchers: readonly string[]): string =>
  perPhone(name, THIS_PHONE, ...matchers);
const series = (name: string, ...matchers: readonly string[]): string =>
  ofAccount(name, THIS_PHONE, ...matchers);

/** A status of this phone, named by the subject and its value. */
const status = (title: string, name: string, label = 'status') => ({
  expression: per(label, series(name)),
  legend: `${title}: {{${label}}}`,
});

const [LIMIT, HEARTBEAT] = ['hoster_device_offline_after_seconds', 'hoster_device_heartbeat_age_seconds'];
const ENDS = Object.fromEntries(END_REASONS.map((each) => [each, sayInEnglish(`end-${each}`)]));

/** The statuses of the phone; the exporter says what is wrong with it. */
const STATUSES = [
  {
    ...status('Problem', PROBLEM_SINCE, 'problem'),
    expression: `0*${per('problem', series(PROBLEM_SINCE))}+1`,
  },
  { expression: `max(${series(LIMIT)}) > 0 unless on() ${series(PROBLEM_SINCE)}`, legend: 'Problem: none' },
  status('Rental', 'hoster_device_rental_status'),
  status('Market', 'hoster_device_marketplace_status'),
];
const SET_UP = status('Set-up', 'hoster_device_setup_status');
const TUNNEL_STATE = status('Tunnel', 'hoster_tunnel_uptime_status');
const ROTATES = status('Rotation', 'hoster_device_rotation_status');

const of = (title: string, states: Readonly<Record<string, State>>) =>
  namedStates(Object.values(states), (text) => `${title}: ${text}`);

const NONE: State = { value: 'none', text: 'None', colour: COLOURS.good };

const LOOKS = [
  ...of('Problem', { ...PROBLEM, none: NONE }),
  ...of('Rental', RENTAL),
  ...of('Market', MARKETPLACE),
  ...of('Set-up', SETUP),
  ...of('Tunnel', { up: TUNNEL.up, down: TUNNEL.down }),
  ...of('Rotation', ROTATION),
];

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile(),
    stat({
      title: 'State',
      description:
        'The most costly problem of the phone: if it is offline, check power, mobile data and the app. Who rents it: a customer (sold), you (self-rented) or nobody (idle); avoid restarting a sold phone. If it is not listed or not set up, it earns nothing: finish that in the hoster dashboard.',
      size: [16, 5],
      targets: [
        ...STATUSES,
        SET_UP,
        TUNNEL_STATE,
        { expression: `absent(${series('hoster_device_info')})`, legend: 'No data' },
      ],
      isText: true,
      states: LOOKS,
      rows: true,
      titleSize: 16,
      valueSize: 16,
    }),
    stat({
      title: 'Heartbeat',
      description:
        'Age of the last heartbeat at the last poll, and the age after which this phone is offline, learned from its usual gaps. Check the phone if the age is above the limit.',
      unit: 's',
      size: [8, 5],
      targets: [
        { expression: fact(HEARTBEAT), legend: 'age' },
        { expression: fact(LIMIT), legend: 'limit' },
      ],
      decimals: 0,
    }),
    timeline({
      title: 'States',
      description:
        'States of the phone over time, one row for each. A rental that ends together with the heartbeat was lost to an outage. Gaps in all rows are times without data.',
      size: [24, 8],
      targets: [...STATUSES, TUNNEL_STATE, ROTATES],
      rows: LOOKS,
    }),
    table({
      title: 'Details',
      description:
        'Details from the marketplace, the start and the cause of its problem, and the start of its rental status as far as known. Quote the ID when you contact the marketplace.',
      size: [24, 4],
      columns: [
        { title: 'Label', label: 'label', width: 210 },
        { title: 'Model', label: 'model', width: 105 },
        at('Problem since', fact(PROBLEM_SINCE), 112),
        { title: 'Cause', label: 'value', width: 110 },
        at('Status since ≤', fact('hoster_device_rental_status_since_timestamp_seconds'), 115),
        { title: 'ID', label: 'device_id', minWidth: 200 },
        { title: 'Note', label: 'text', width: 110 },
      ],
      labelsOf: [
        per('account,device_id,label,model', series('hoster_device_info')),
        per('account,device_id,value', series('hoster_device_common_cause')),
        per('account,device_id,text', series('hoster_device_note_info')),
      ],
      sortBy: ['Label', 'ascending'],
    }),
    incidentTable('Open incidents of this phone', 5),
  ],
};

/** The share of a past time in which the phone was not offline, as far as known. */
const online = (range: string) => {
  const offline = `max(${series(PROBLEM_SINCE, 'problem=~".*offline|given_up"')})`;
  return {
    expression: `1 - avg_over_time((${offline} > bool 0 or 0*max(${series(LIMIT)}))[${range}:5m])`,
    legend: range,
  };
};

const OWN = `last_over_time(${series(INCIDENT_SINCE, 'device_id!=""')}[$__range])`;
const TIME = series('hoster_device_time_seconds');

const history: Row = {
  title: 'History',
  tiles: [
    table({
      title: 'Incidents of this phone',
      description:
        'Incidents of this phone alone in the time range, with their duration and end; those that ended in the last day of the range. If the same one repeats, check the phone, its cable and its place.',
      noValue: NO_ROWS,
      size: [24, 6],
      columns: [
        PROBLEM_COLUMN,
        at('Since', `topk(${ROWS},${per('account,incident,problem', OWN)})`, 120),
        cell(
          'Lasted',
          per(
            'account,incident,problem,reason',
            `${ofAccount('hoster_incident_ended_seconds')} and on(account,incident) ${OWN}`,
          ),
          100,
          { unit: 's', decimals: 0 },
        ),
        { title: 'Ended', label: 'reason', words: ENDS, width: 160 },
      ],
      sortBy: ['Since', 'descending'],
    }),
    graph({
      title: 'Age of the heartbeat',
      description:
        'Regular teeth below the limit are normal. A ramp is an outage; at its end, the phone came back online.',
      unit: MINUTES,
      size: [10, 8],
      targets: [
        { expression: `${fact(HEARTBEAT)} / 60`, legend: 'Age' },
        { expression: `${fact(LIMIT)} / 60`, legend: 'Limit' },
      ],
      limit: 'Limit',
      byName: [['Limit', COLOURS.poor]],
    }),
    ranking(
      {
        title: 'Use of its time',
        description:
          'States of this phone in the time range, as far as known. If it is often idle, compare its price and model with phones that sell.',
        unit: 's',
        size: [6, 8],
        targets: [{ expression: per('column', `${TIME} - (${TIME} offset $__range or 0*${TIME}) >= 0`) }],
      },
      'column',
      Object.values(COLUMN),
    ),
    stat({
      title: 'Online',
      description:
        'Share of the last day, week and month in which the phone was not offline, of the time with data. If it is worse than its neighbours, change its place, cable or power supply.',
      unit: 'percentunit',
      size: [8, 8],
      targets: ['1d', '7d', '30d'].map(online),
      decimals: 1,
      rows: true,
    }),
  ],
};

const CREDENTIALS = 'hoster_tunnel_credentials';

const tunnel: Row = {
  title: 'Tunnel',
  tiles: [
    stat({
      title: 'Tunnel up',
      description:
        'Share of the time range in which the tunnel was up, as far as known. Compare its gaps with those of the heartbeat above.',
      unit: 'percentunit',
      size: [6, 4],
      targets: [
        {
          expression: per('account', `avg_over_time(${series('hoster_tunnel_up')}[$__range])`),
          legend: 'up',
        },
      ],
      decimals: 2,
    }),
    table({
      title: 'Logins',
      description:
        'Logins on the tunnel. Without an active one nobody can use it: create one in the hoster dashboard. If you did not make the last change, check who has access to the account.',
      size: [18, 4],
      columns: [
        cell('Active', fact(CREDENTIALS, 'status="active"'), 80),
        cell(
          'Inactive',
          `sum by(account,device_id)(${per('account,device_id,status', series(CREDENTIALS, 'status!="active"'))})`,
          80,
        ),
        at('Oldest', fact('hoster_tunnel_oldest_credential_timestamp_seconds')),
        at('Last change', fact('hoster_tunnel_last_credential_change_timestamp_seconds')),
      ],
      sortBy: ['Active', 'descending'],
    }),
  ],
};

/** A status in the words of the API. */
const word = (name: string, as: string): string =>
  per(`account,device_id,${as}`, `label_replace(${series(name)}, "${as}", "$1", "status", "(.*)")`);

/** Undocumented values, and features that are off by default. */
const optional: Row = {
  title: 'Values of the API',
  collapsed: true,
  tiles: [
    table({
      title: 'Statuses',
      description:
        'The statuses as the API returns them, the version of the app, and the ID of a self-rental to quote when you contact the marketplace (only with features.rental_ids). Ask the marketplace about unknown values.',
      size: [24, 4],
      columns: [
        { title: 'Self-rent', label: 'self_rent' },
        { title: 'Rotation', label: 'rotation' },
        cell('IP lasts', fact('hoster_device_rotation_interval_seconds'), 90, { unit: 's' }),
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
        per('account,device_id,rental_id', series('hoster_device_self_rent_info')),
        per('account,device_id,app_version', series('hoster_device_info')),
      ],
      sortBy: ['Account', 'ascending'],
    }),
    table({
      title: 'Tunnel endpoints',
      description:
        'Address and ports for a client or a probe. Exported only with features.tunnel_endpoints, because it lists reachable proxies.',
      noValue: 'No data, or features.tunnel_endpoints is off (the default)',
      size: [24, 4],
      columns: [
        { title: 'Host', label: 'host' },
        { title: 'SOCKS5', label: 'socks5_port', width: 90 },
        { title: 'HTTPS', label: 'https_port', width: 90 },
        { title: 'Transparent SOCKS5', label: 'transparent_socks5_port', width: 160 },
        { title: 'Tunnel', label: 'tunnel_id' },
      ],
      labelsOf: [`topk(1,${series('hoster_tunnel_info')})`],
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
  variables: [rows(), device(), incidents(THIS_PHONE, 'device_id!=""')],
  incidents: ['device_id=~"$device_id|"'],
  rows: [now, history, tunnel, optional],
};
