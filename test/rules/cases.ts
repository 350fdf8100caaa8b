import type { ExporterTimeline, Shown, Span } from './timeline.ts';

/** An alert from before it fires to its end, with its texts. */
export type Case = {
  readonly alert: string;
  /** It does not fire yet, fires, and has ended at these minutes. */
  readonly minutes: readonly [before: number, fires: number, ended: number];
  readonly exporter: Omit<ExporterTimeline, 'instance'>;
  /** Labels beside those that the rule gives it. */
  readonly labels: Readonly<Record<string, string>>;
  /** Its texts, without the runbook. */
  readonly annotations: Readonly<Record<string, string>>;
};

const during =
  ([from, until]: Span): Shown =>
  (minute) =>
    Number(minute >= from && minute < until);

const unless =
  ([from, until]: Span): Shown =>
  (minute) =>
    Number(minute < from || minute >= until);

/** A counter that rises for an hour from the fifth minute on. */
const counting: Shown = (minute) => Math.min(Math.max(0, minute - 5), 55);

const only =
  ([from, until]: Span, value: number): Shown =>
  (minute) =>
    minute >= from && minute < until ? value : undefined;

const phone = (problem: string) => ({
  ...{ account: 'a', device_id: 'p1', label: 'rack/p1', model: 'M1', group: 'rack', problem },
});

const silent = (problem: string, span: Span, since = 0) => [{ id: 'p1', problem, since, span }];

const API_DOWN = [
  ['fresh', 0],
  ['held', 10],
  ['expired', 25],
  ['fresh', 90],
] as const;

const LAST_SUCCESS = {
  'hoster_exporter_poll_last_success_timestamp_seconds{account="a",collector="devices"}': (minute: number) =>
    60 * (minute < 10 || minute >= 90 ? minute : 10),
  'hoster_exporter_poll_interval_seconds{account="a",collector="devices"}': () => 30,
  'hoster_exporter_api_request_failures_total{account="a",endpoint="devices",reason="server"}': (
    minute: number,
  ) => Math.max(0, 2 * (Math.min(minute, 90) - 10)),
  'hoster_exporter_api_request_failures_total{account="a",endpoint="devices",reason="timeout"}': () => 0,
};

const causeOf = (kind: string, value: string) => ({
  phones: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'],
  problems: ['p1', 'p2', 'p3', 'p4', 'p5'].map((id) => ({
    ...{ id, problem: id < 'p4' ? 'sold_silent' : 'silent', since: 60 },
    span: [3, 10] as const,
  })),
  causes: [{ kind, value, ids: ['p1', 'p2', 'p3', 'p4', 'p5'], span: [4, 10] as const }],
  series: {
    [`hoster_common_cause_start_timestamp_seconds{account="a",kind="${kind}",value="${value}"}`]: only(
      [4, 10],
      60,
    ),
  },
});

const THIRTY = Array.from({ length: 30 }, (_, index) => `p${index + 1}`);

export const CASES: readonly Case[] = [
  {
    alert: 'HosterExporterDown',
    minutes: [11.75, 12, 20],
    exporter: {
      up: [
        [0, 10],
        [20, 99],
      ],
    },
    labels: { job: 'hoster', instance: 'e' },
    annotations: {
      summary: 'The exporter at e does not respond',
      description:
        'Nobody sees its phones. On its machine: systemctl status hoster-exporter, or docker compose ps.',
      over: 'The exporter at e responds again, or is no target any more',
      runbook_url: '/runbooks/HosterExporterDown',
    },
  },
  {
    alert: 'HosterExporterRestarting',
    minutes: [6, 10, 50],
    exporter: {
      series: { process_start_time_seconds: (minute) => 60 * 2 * Math.floor(Math.min(minute, 11) / 2) },
    },
    labels: { job: 'hoster', instance: 'e' },
    annotations: {
      summary: 'The exporter at e keeps restarting',
      description: 'It started 5 times within 30 minutes. Its log says why.',
      over: 'The exporter at e has not restarted for a while',
    },
  },
  {
    alert: 'HosterFileUnusable',
    minutes: [14.75, 15, 26],
    exporter: {
      series: { hoster_exporter_config_last_reload_successful: unless([10, 20]) },
    },
    labels: { job: 'hoster', instance: 'e', file: 'configuration' },
    annotations: {
      summary: 'The exporter at e cannot use its configuration file',
      description:
        'It goes on with what it had; after a restart it may not. Its log names the file and the reason.',
      over: 'The exporter at e can use its configuration file again',
    },
  },
  {
    alert: 'HosterFileUnusable',
    minutes: [14.75, 16, 36],
    exporter: {
      series: { 'hoster_exporter_key_file_errors_total{account="a"}': (minute) => (minute < 10 ? 0 : 3) },
    },
    labels: { job: 'hoster', instance: 'e', account: 'a', file: 'key' },
    annotations: {
      summary: 'The exporter at e cannot use its key file of account a',
      description:
        'It goes on with what it had; after a restart it may not. Its log names the file and the reason.',
      over: 'The exporter at e can use its key file of account a again',
    },
  },
  {
    alert: 'HosterFileUnusable',
    minutes: [14.75, 15, 26],
    exporter: {
      series: { hoster_exporter_state_last_save_successful: unless([10, 20]) },
    },
    labels: { job: 'hoster', instance: 'e', file: 'state' },
    annotations: {
      summary: 'The exporter at e cannot use its state file',
      description:
        'It goes on with what it had; after a restart it may not. Its log names the file and the reason.',
      over: 'The exporter at e can use its state file again',
    },
  },
  {
    alert: 'HosterKeyRefused',
    minutes: [10.75, 11, 20],
    exporter: {
      data: [
        ['fresh', 0],
        ['held', 10],
        ['fresh', 20],
      ],
      series: { 'hoster_account_api_access{account="a",state="suspended"}': during([10, 20]) },
    },
    labels: { account: 'a', problem: 'key_refused' },
    annotations: {
      summary: 'The marketplace refuses the key of account a',
      description:
        'The key is wrong, or the account is suspended: one code stands for both, so check both. Nobody sees its phones.',
      over: 'The marketplace takes the key of account a again',
    },
  },
  {
    alert: 'HosterApiUnavailable',
    minutes: [14.75, 15, 93],
    exporter: { data: API_DOWN, series: LAST_SUCCESS },
    labels: { account: 'a', problem: 'api_unavailable' },
    annotations: {
      summary: 'The phones of account a cannot be seen: polls of the API fail',
      since: 'since 1 Jan 00:10 UTC',
      description:
        'Reason of the failures: server. What was wrong with them before still stands. Wait: you are told again if it lasts for an hour.',
      over: 'The phones of account a can be seen again',
    },
  },
  {
    alert: 'HosterApiUnavailable',
    minutes: [31.25, 32, 40],
    exporter: {
      series: {
        'hoster_exporter_poll_last_success_timestamp_seconds{account="a",collector="devices"}': (minute) =>
          60 * (minute < 10 || minute >= 40 ? minute : 10),
        'hoster_exporter_poll_interval_seconds{account="a",collector="devices"}': () => 30,
      },
    },
    labels: { account: 'a', problem: 'polls_stopped' },
    annotations: {
      summary: 'The phones of account a cannot be seen: the exporter stopped polling',
      since: 'since 1 Jan 00:10 UTC',
      description:
        'What was wrong with them before still stands. Restart the exporter, and compare its clock with that of Prometheus.',
      over: 'The phones of account a can be seen again',
    },
  },
  {
    alert: 'HosterApiDegraded',
    minutes: [34.75, 35, 60],
    exporter: { series: { 'hoster_exporter_list_complete{account="a"}': unless([5, 60]) } },
    labels: { account: 'a', problem: 'list_incomplete' },
    annotations: {
      summary: 'The API shows the phones of account a only in part: the list is not complete',
      description:
        'What is shown of some phones is old or absent. Look for a newer version of the exporter, then ask the marketplace.',
      over: 'The API no longer shows the phones of account a only in part',
    },
  },
  {
    alert: 'HosterApiDegraded',
    minutes: [35, 40, 122],
    exporter: {
      series: {
        'hoster_exporter_items_rejected_total{account="a",collector="devices",reason="no_id"}': counting,
      },
    },
    labels: { account: 'a', problem: 'devices_rejected' },
    annotations: {
      summary: 'The API shows the phones of account a only in part: some have no identifier',
      description:
        'What is shown of some phones is old or absent. Look for a newer version of the exporter, then ask the marketplace.',
      over: 'The API no longer shows the phones of account a only in part',
    },
  },
  {
    alert: 'HosterApiDegraded',
    minutes: [35, 40, 122],
    exporter: {
      series: { 'hoster_exporter_schema_violations_total{account="a",endpoint="devices"}': counting },
    },
    labels: { account: 'a', problem: 'fields_unreadable' },
    annotations: {
      summary: 'The API shows the phones of account a only in part: fields have a wrong type',
      description:
        'What is shown of some phones is old or absent. Look for a newer version of the exporter, then ask the marketplace.',
      over: 'The API no longer shows the phones of account a only in part',
    },
  },
  {
    alert: 'HosterApiDegraded',
    minutes: [34.75, 35, 60],
    exporter: {
      series: { 'hoster_devices_with_problem{account="a",problem="heartbeat_unreadable"}': during([5, 60]) },
    },
    labels: { account: 'a', problem: 'heartbeats_unreadable' },
    annotations: {
      summary: 'The API shows the phones of account a only in part: some have no readable heartbeat',
      description:
        'What is shown of some phones is old or absent. Look for a newer version of the exporter, then ask the marketplace.',
      over: 'The API no longer shows the phones of account a only in part',
    },
  },
  {
    alert: 'HosterApiDegraded',
    minutes: [34.75, 35, 60],
    exporter: { series: { 'hoster_exporter_tunnels_unanswered{account="a"}': during([5, 60]) } },
    labels: { account: 'a', problem: 'tunnels_unanswered' },
    annotations: {
      summary: 'The API shows the phones of account a only in part: tunnels get no response',
      description:
        'What is shown of some phones is old or absent. Look for a newer version of the exporter, then ask the marketplace.',
      over: 'The API no longer shows the phones of account a only in part',
    },
  },
  ...[
    ['group', 'rack-01', 'of rack-01', 'Look at power, hub, switch and uplink of that place.'],
    [
      'account',
      'a',
      'of account a',
      'Look at the uplink and the power of the site, then at the marketplace.',
    ],
    [
      ...['app_version', '3.0.0', 'with the app version 3.0.0'],
      'An update, or a fault of that kind of phone: try one of them by hand.',
    ],
    ['tunnel_host', 'host-1', 'with the tunnel host host-1', 'A proxy host of the marketplace: ask it.'],
  ].map(
    ([kind = '', value = '', which = '', todo = '']): Case => ({
      alert: 'HosterCommonCause',
      minutes: [3.75, 4, 10],
      exporter: causeOf(kind, value),
      labels: { account: 'a', kind, value, problem: 'common_cause' },
      annotations: {
        summary: `5 phones ${which} are silent since 1 Jan 00:01 UTC, 3 of them sold`,
        description: `${todo} The fleet page lists them.`,
        over: `Most phones ${which} are back, or another cause explains them`,
      },
    }),
  ),
  ...[
    ['sold_silent', 'critical', ', 7 of them sold'],
    ['silent', 'warning', ''],
  ].map(
    ([problem = '', severity = '', sold = '']): Case => ({
      alert: 'HosterManyPhonesSilent',
      minutes: [3.75, 4, 11],
      exporter: {
        phones: THIRTY,
        problems: THIRTY.slice(0, 12).map((id, index) => ({
          ...{ id, problem: index < 7 ? problem : 'silent', since: 60 + index, span: [3, 10] },
        })),
      },
      labels: { account: 'a', severity },
      annotations: {
        summary: `At least 12 phones of account a are silent${sold}: no common cause is known`,
        description:
          'Look at the uplink of the site, then at the phones: rack/p12, rack/p11, rack/p10, rack/p9, rack/p8, … The fleet page lists them.',
        over: 'Few silent phones of account a are left without a cause, or another message tells of them',
      },
    }),
  ),
  {
    alert: 'HosterRentedPhoneSilent',
    minutes: [9.75, 10, 31],
    exporter: {
      problems: silent('sold_silent', [9, 30], 5 * 60),
      series: {
        'hoster_device_back_timestamp_seconds{account="a",device_id="p1"}': only([30, 99], 29.5 * 60),
      },
    },
    labels: phone('sold_silent'),
    annotations: {
      summary: 'rack/p1 is sold and silent',
      since: 'since 00:05 UTC, 5 min ago',
      description: 'Somebody pays for the phone (M1). Restart it, or look at its power and its SIM.',
      over: 'rack/p1: its alert ended; it was renamed, or nothing was heard of it',
    },
  },
  {
    alert: 'HosterPhoneSilent',
    minutes: [9.75, 90, 121],
    exporter: { problems: silent('silent', [9, 120], 5 * 60) },
    labels: phone('silent'),
    annotations: {
      summary: 'rack/p1 is silent',
      since: 'since 00:05 UTC, 1 h 25 min ago',
      description:
        'Nobody can rent the phone (M1) until it reports. Restart it, or look at its power and its SIM.',
      over: 'rack/p1: its alert ended; it was renamed, or nothing was heard of it',
    },
  },
  {
    alert: 'HosterPhoneSilent',
    minutes: [9.75, 10, 31],
    exporter: { problems: silent('self_rented_silent', [9, 30], 5 * 60) },
    labels: phone('self_rented_silent'),
    annotations: {
      summary: 'rack/p1 is self-rented and silent',
      since: 'since 00:05 UTC, 5 min ago',
      description:
        'You pay for the phone (M1) and cannot use it. Restart it, or look at its power and its SIM.',
      over: 'rack/p1: its alert ended; it was renamed, or nothing was heard of it',
    },
  },
  ...[
    ['tunnel_missing', 'missing'],
    ['tunnel_down', 'down'],
    ['tunnel_without_login', 'without a login'],
  ].map(
    ([problem = '', state = '']): Case => ({
      alert: 'HosterTunnelDown',
      minutes: [9.75, 10, 31],
      exporter: { problems: silent(problem, [9, 30], 9 * 60) },
      labels: phone(problem),
      annotations: {
        summary: `The tunnel of rack/p1 is ${state}`,
        since: 'since 00:09 UTC, 1 min ago',
        description:
          'You pay for a proxy that nobody can use, though the phone reports. Rent it anew; if several are down, ask the marketplace.',
        over: 'The tunnel of rack/p1 is not needed any more, or nothing was heard of it',
      },
    }),
  ),
  {
    alert: 'HosterPhoneLeft',
    minutes: [9.75, 10, 21],
    exporter: {
      listed: { p1: [0, 10] },
      series: {
        'hoster_device_left_timestamp_seconds{account="a",device_id="p1",label="rack/p1"}': only(
          [10, 99],
          9 * 60,
        ),
      },
    },
    labels: { account: 'a', device_id: 'p1', label: 'rack/p1' },
    annotations: {
      summary: 'rack/p1 left the device list',
      description:
        'It was archived, or the marketplace lost it: if you did not archive it, ask the marketplace.',
    },
  },
  {
    alert: 'HosterBalanceLow',
    minutes: [14.75, 15, 30],
    exporter: {
      series: {
        'hoster_balance_available_cents{account="a"}': (minute) => (minute >= 10 && minute < 30 ? 300 : 900),
        'hoster_balance_low_limit_cents{account="a"}': () => 500,
        'hoster_account_info{account="a",currency="EUR"}': () => 1,
      },
    },
    labels: { account: 'a', problem: 'balance_low' },
    annotations: {
      summary: 'The balance of account a is low: EUR 3.00',
      description:
        'Without balance the marketplace refuses the next self-rent. Pay in, or lower balance_low_cents.',
      over: 'The balance of account a is no longer low',
    },
  },
  ...[
    ['not_set_up', 'has not been set up', 'Finish its set-up, or archive it.'],
    ['not_listed', 'has not been listed', 'List it on the marketplace.'],
    ['rotation_stopped', 'has not changed its address', 'Switch its rotation on again.'],
    ['idle_too_long', 'has been idle', 'Compare its price and its place with those that are rented.'],
    ['given_up', 'is given up: silent', 'Repair it, or archive it.'],
  ].map(
    ([problem = '', what = '', description = '']): Case => ({
      alert: 'HosterPhoneEarnsNothing',
      minutes: [359, 362, 372],
      exporter: { problems: silent(problem, [0, 370], 0) },
      labels: phone(problem),
      annotations: { summary: `rack/p1 ${what} for 6 h`, description },
    }),
  ),
  {
    alert: 'HosterPhoneFlapping',
    minutes: [29, 45, 190],
    exporter: {
      problems: [0, 1, 2, 3, 4].map((index) => ({
        ...{ id: 'p1', problem: 'silent', since: index * 600, span: [3 + index * 10, 8 + index * 10] },
      })),
    },
    labels: { account: 'a', device_id: 'p1' },
    annotations: {
      summary: 'rack/p1 comes and goes',
      description:
        'It was silent more than four times within two hours. Whoever rents it loses the connection each time.',
    },
  },
  {
    alert: 'HosterCredentialChanged',
    minutes: [9, 11, 72],
    exporter: {
      series: {
        'hoster_tunnel_last_credential_change_timestamp_seconds{account="a",device_id="p1"}': (minute) =>
          minute < 10 ? 0 : 600,
      },
    },
    labels: { account: 'a', device_id: 'p1' },
    annotations: {
      summary: 'Somebody changed a login on the tunnel of rack/p1',
      description: 'If it was not you, look who has access.',
    },
  },
];
