import { codeOf } from '../../src/fleet/code.ts';
import type { IncidentProblem } from '../../src/model/incident.ts';
import type { ExporterTimeline, ShownIncident, Span } from './timeline.ts';

/** An alert from before it fires to its end, with its texts. */
export type Case = {
  readonly alert: string;
  /** It does not fire yet, fires, and has ended at these minutes. */
  readonly minutes: readonly [before: number, fires: number, ended: number];
  readonly exporter: Omit<ExporterTimeline, 'instance'>;
  /** Other exporters next to it. */
  readonly others?: readonly ExporterTimeline[];
  /** Labels other than those that the rule adds; the rule's templates as rendered. */
  readonly labels: Readonly<Record<string, string>>;
  /** Its texts, without the address of the runbooks. */
  readonly annotations: Readonly<Record<string, string>>;
};

const OPEN: Span = [5, 20];
const BERLIN = {
  'hoster_exporter_time_zone_offset_seconds{time_zone="Europe/Berlin",abbreviation="CET"}': () => 3600,
};
const UNKNOWN = 'resolved, reason unknown';

/** A case of an incident that is open from the fifth minute to the twentieth, at the tenth. */
function incidentCase(
  alert: string,
  incident: Omit<ShownIncident, 'incident' | 'since' | 'open'>,
  annotations: Readonly<Record<string, string>>,
  more: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly series?: ExporterTimeline['series'];
    readonly fires?: number;
  } = {},
): Case {
  const { problem, device_id, kind, value, group } = incident;
  const shown = { ...{ device_id, kind, value, group }, ...more.labels };
  return {
    alert,
    minutes: [4.75, more.fires ?? 10, 22],
    exporter: {
      incidents: [{ incident: `${problem}-1`, since: 240, open: OPEN, reason: 'notified', ...incident }],
      ...(more.series === undefined ? {} : { series: more.series }),
    },
    labels: {
      ...{ account: 'a', problem },
      ...Object.fromEntries(
        Object.entries(shown).filter((each): each is [string, string] => (each[1] ?? '') !== ''),
      ),
    },
    annotations: {
      since: 'since 1 Jan 00:04 UTC',
      over: UNKNOWN,
      note: '',
      acknowledge: `240_${codeOf({ problem, phone: device_id, value })}`,
      ...annotations,
    },
  };
}

const phone = (problem: IncidentProblem, value = '') => ({
  ...{ problem, device_id: 'p1', label: 'rack/p1', group: 'rack', value },
});

/** An incident that is escalated from a minute on. */
const escalated = (incident: string, from: number): ExporterTimeline['series'] => ({
  [`hoster_incident_escalated{account="a",incident="${incident}"}`]: (minute) =>
    minute < from ? undefined : 1,
});

const CALL = 'Acknowledge it in the chat or on the fleet page, or call whoever is responsible.';
const LOOK = 'Check power, mobile data and the app.';
const DOWN = 'Run systemctl status hoster-exporter or docker compose ps on its machine.';
const TUNNEL = 'You are paying for a proxy that you cannot use. Rent it again, or ask the marketplace.';
const SHARED = 'Check what they share: power and internet on site, an app update, a proxy host.';
const NO_CAUSE = 'No common cause found. Check the internet connection on site, then the phones.';
const DEGRADED = 'Look for a newer version of the exporter, then ask the marketplace.';
const EARN = 'Set it up, list it, check its price, or archive it.';
const KEPT = 'It keeps its data, but only until it restarts. See its page or its log.';

const failing = [
  ['fresh', 0],
  ['stale', 5],
  ['expired', 20],
  ['fresh', 40],
] as const;

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
      description: DOWN,
      runbook_url: '',
    },
  },
  {
    alert: 'HosterExporterBlind',
    minutes: [19.75, 20, 41],
    exporter: { data: { devices: failing } },
    others: [{ instance: 'f' }],
    labels: { job: 'hoster', instance: 'e', account: 'a' },
    annotations: {
      summary: 'The exporter at e has no data for account a, while another exporter has',
      description: 'Compare its network and its key with those of the other exporter.',
    },
  },
  {
    alert: 'HosterExporterStalled',
    minutes: [12, 13, 21],
    exporter: {
      series: {
        'hoster_exporter_poll_last_attempt_timestamp_seconds{account="a",collector="devices"}': (minute) =>
          60 * (minute >= 5 && minute < 20 ? 5 : minute),
        'hoster_exporter_poll_interval_seconds{account="a",collector="devices"}': () => 30,
      },
    },
    labels: { job: 'hoster', instance: 'e', account: 'a' },
    annotations: {
      summary: 'The exporter at e has not polled account a for 8m 0s',
      description: 'Restart it. Its log and the fleet page name a file system that does not respond.',
    },
  },
  {
    alert: 'HosterExporterRestarting',
    minutes: [10, 13, 60],
    exporter: {
      series: { process_start_time_seconds: (minute) => Math.floor(Math.min(minute, 15) / 3) * 180 },
    },
    labels: { job: 'hoster', instance: 'e' },
    annotations: {
      summary: 'The exporter at e keeps restarting',
      description: 'It started 4 times in 30 minutes. See its log.',
    },
  },
  ...(
    [
      ['configuration', 'hoster_exporter_config_last_reload_successful'],
      ['state', 'hoster_exporter_state_last_save_successful'],
    ] as const
  ).map(
    ([file, name]): Case => ({
      alert: 'HosterFileUnusable',
      minutes: [14.5, 15, 30],
      exporter: { series: { [name]: (minute) => Number(minute < 5 || minute >= 30) } },
      labels: { job: 'hoster', instance: 'e', file },
      annotations: { summary: `The exporter at e cannot use its ${file} file`, description: KEPT },
    }),
  ),
  {
    alert: 'HosterFileUnusable',
    minutes: [9.5, 10, 30],
    exporter: {
      series: {
        'hoster_exporter_files_last_write_successful{file="incident"}': (minute) =>
          Number(minute < 5 || minute >= 30),
      },
    },
    labels: { job: 'hoster', instance: 'e', file: 'incident' },
    annotations: { summary: 'The exporter at e cannot use its incident file', description: KEPT },
  },
  {
    alert: 'HosterFileUnusable',
    minutes: [4, 10, 40],
    exporter: {
      series: {
        'hoster_exporter_key_file_errors_total{account="a"}': (minute) =>
          Math.min(20, Math.max(0, minute - 5)),
      },
    },
    labels: { job: 'hoster', instance: 'e', account: 'a', file: 'key' },
    annotations: { summary: 'The exporter at e cannot use its key file', description: KEPT },
  },
  incidentCase(
    'HosterKeyRefused',
    { problem: 'key_refused' },
    {
      summary: 'API key refused: account a',
      description: 'The key is wrong or the account is suspended: check both.',
    },
  ),
  incidentCase(
    'HosterApiUnavailable',
    { problem: 'api_unavailable', value: 'timeout' },
    {
      summary: 'Marketplace API unavailable: account a (timeout)',
      description: 'Earlier alerts stay open. If it persists for an hour, you get a critical alert.',
    },
  ),
  incidentCase(
    'HosterApiUnavailable',
    { problem: 'api_unavailable', value: 'schema' },
    {
      summary: 'Marketplace API unavailable: account a (its responses have changed)',
      description: 'Earlier alerts stay open. If it persists for an hour, you get a critical alert.',
    },
  ),
  incidentCase(
    'HosterApiDegraded',
    { problem: 'api_degraded', value: 'list_incomplete' },
    { summary: 'Marketplace data incomplete: account a (list incomplete)', description: DEGRADED },
  ),
  incidentCase(
    'HosterApiDegraded',
    { problem: 'balance_unreadable' },
    { summary: 'Marketplace data incomplete: account a (balance unreadable)', description: DEGRADED },
  ),
  incidentCase(
    'HosterBalanceLow',
    { problem: 'balance_low', reason: 'paid_in' },
    {
      summary: 'Balance low: account a, EUR 3.00',
      description: 'Top it up: otherwise the marketplace refuses the next self-rental.',
    },
    {
      series: {
        'hoster_account_info{account="a",currency="EUR"}': () => 1,
        'hoster_balance_available_cents{account="a"}': () => 300,
      },
    },
  ),
  incidentCase(
    'HosterCommonCause',
    { problem: 'common_cause', kind: 'group', value: 'rack-01', group: 'rack-01', devices: [36, 4] },
    { summary: 'Outage: rack-01, 4 unsold and 36 sold phones offline', description: SHARED },
  ),
  incidentCase(
    'HosterCommonCause',
    { problem: 'common_cause', kind: 'carrier', value: 'Kyivstar', devices: [30, 2] },
    {
      summary: 'Outage: carrier Kyivstar, 2 unsold and 30 sold phones offline',
      description: SHARED,
      note: 'asked the carrier',
    },
    {
      series: {
        'hoster_incident_note_info{account="a",incident="common_cause-1",text="asked the carrier"}': () => 1,
      },
    },
  ),
  incidentCase(
    'HosterCommonCause',
    { problem: 'common_cause', kind: 'app_version', value: '3.0.0', devices: [5, 0], reason: 'back' },
    {
      summary: 'Outage: app version 3.0.0, 5 sold phones offline',
      description: SHARED,
      over: 'back after 16m',
    },
    { fires: 20.5 },
  ),
  incidentCase(
    'HosterManyPhonesOffline',
    { problem: 'many_sold_offline', notified: [[12, 5]], devices: [7, 5] },
    { summary: 'Outage: account a, 5 unsold and 7 sold phones offline', description: NO_CAUSE },
    { labels: { severity: 'critical', incident: 'many_sold_offline-1', size: '8' } },
  ),
  incidentCase(
    'HosterManyPhonesOffline',
    { problem: 'many_offline', notified: [[12, 5]], devices: [0, 12] },
    { summary: 'Outage: account a, 12 unsold phones offline', description: NO_CAUSE },
    { labels: { severity: 'warning', incident: 'many_offline-1', size: '8' } },
  ),
  incidentCase(
    'HosterSoldPhoneOffline',
    phone('sold_offline'),
    {
      summary: 'rack/p1: sold and offline',
      description: `A customer is paying for it. ${LOOK}`,
      note: 'battery swollen',
    },
    { series: { 'hoster_device_note_info{account="a",device_id="p1",text="battery swollen"}': () => 1 } },
  ),
  incidentCase(
    'HosterSoldPhoneOffline',
    { ...phone('sold_offline'), label: 'a "rack" {{ 1 }} \\ <b> & \u00ad 😀' },
    {
      summary: 'a "rack" {{ 1 }} \\ <b> & \u00ad 😀: sold and offline',
      description: `A customer is paying for it. ${LOOK}`,
      since: 'since 1 Jan 01:04 CET',
    },
    { series: BERLIN },
  ),
  incidentCase(
    'HosterSoldPhoneOffline',
    { ...phone('sold_offline'), label: '', reason: 'rental_ended' },
    {
      summary: 'p1: sold and offline',
      description: `A customer is paying for it. ${LOOK}`,
      over: 'rental ended after 16m',
    },
    { fires: 20.75 },
  ),
  incidentCase(
    'HosterSoldPhoneOffline',
    { ...phone('sold_offline'), reason: 'maintenance' },
    {
      summary: 'rack/p1: sold and offline',
      description: `A customer is paying for it. ${LOOK}`,
      over: 'in maintenance after 16m',
    },
    { fires: 20.75 },
  ),
  incidentCase('HosterPhoneOffline', phone('offline'), { summary: 'rack/p1: offline', description: LOOK }),
  incidentCase('HosterPhoneOffline', phone('self_rented_offline'), {
    summary: 'rack/p1: self rented and offline',
    description: LOOK,
  }),
  incidentCase('HosterPhoneOffline', phone('heartbeat_unreadable'), {
    summary: 'rack/p1: heartbeat unreadable',
    description: LOOK,
  }),
  incidentCase('HosterTunnelDown', phone('tunnel_missing'), {
    summary: 'rack/p1: tunnel missing',
    description: TUNNEL,
  }),
  incidentCase('HosterTunnelDown', phone('tunnel_without_login'), {
    summary: 'rack/p1: tunnel without login',
    description: TUNNEL,
  }),
  incidentCase(
    'HosterPhoneLeft',
    phone('left'),
    {
      summary: 'rack/p1: no longer on the marketplace',
      description: 'If you did not archive it, ask the marketplace.',
    },
    { labels: { severity: 'info', scope: 'event' } },
  ),
  incidentCase(
    'HosterPhoneLeft',
    { problem: 'many_left', value: '60', notified: [[60, 5]], devices: [0, 60] },
    {
      summary: 'account a: many no longer on the marketplace (60)',
      description: 'If you did not archive it, ask the marketplace.',
    },
    { labels: { severity: 'warning', scope: 'fleet' } },
  ),
  incidentCase('HosterPhoneEarnsNothing', phone('earns_nothing', 'not_listed'), {
    summary: 'rack/p1: earns nothing (not listed)',
    description: EARN,
  }),
  incidentCase('HosterPhoneFlapping', phone('flapping'), {
    summary: 'rack/p1: flapping',
    description: 'Check cable, charger and reception.',
  }),
  {
    ...incidentCase(
      'HosterIncidentNotAcknowledged',
      phone('sold_offline'),
      { summary: 'Not acknowledged: rack/p1', description: CALL, over: 'acknowledged or resolved' },
      { labels: { escalated: 'true' }, series: escalated('sold_offline-1', 15) },
    ),
    minutes: [14.75, 15, 22],
  },
  {
    // Somebody acknowledged it.
    ...incidentCase(
      'HosterIncidentNotAcknowledged',
      { problem: 'common_cause', kind: 'group', value: 'rack-01', group: 'rack-01', devices: [36, 4] },
      {
        summary: 'Not acknowledged: outage of rack-01',
        description: CALL,
        over: 'acknowledged or resolved',
      },
      {
        labels: { escalated: 'true' },
        series: {
          ...escalated('common_cause-1', 15),
          'hoster_incident_acknowledged_timestamp_seconds{account="a",incident="common_cause-1"}': (
            minute,
          ) => (minute < 18 ? undefined : 1_080),
        },
      },
    ),
    minutes: [14.75, 15, 18.25],
  },
  incidentCase(
    'HosterCredentialChanged',
    { problem: 'many_credentials_changed', value: '60', notified: [[60, 5]], devices: [0, 60] },
    {
      summary: 'account a: many credentials changed (60)',
      description: 'If it was not you, check who has access.',
    },
  ),
  incidentCase('HosterCredentialChanged', phone('credential_changed'), {
    summary: 'rack/p1: credential changed',
    description: 'If it was not you, check who has access.',
  }),
];
