import type { CauseKind } from './cause.ts';
import { COLLECTORS } from './enums.ts';

/*
 * An incident opens, people are notified, and it ends for a reason. docs/ALERTING.md has the table below in words.
 */

/** Reasons for which incidents end. */
export const END_REASONS = [
  'back',
  'left',
  'returned',
  'rented',
  'rental_ended',
  'given_up',
  'not_set_up',
  'offline',
  'works_again',
  'readable',
  'mended',
  'answers_again',
  'key_taken',
  'paid_in',
  'limit_removed',
  'calm',
  'notified',
  'maintenance',
  'limit_changed',
  'clock_set',
] as const;

export type EndReason = (typeof END_REASONS)[number];

/** Reason for which incidents of a phone end when its maintenance starts. */
export const MUTED: EndReason = 'maintenance';

/** Text of each reason, for people. */
export const END_TEXTS: Readonly<Record<EndReason, string>> = {
  back: 'back online',
  left: 'left the device list',
  returned: 'listed again',
  rented: 'rented now',
  rental_ended: 'rental ended',
  given_up: 'given up',
  not_set_up: 'not set up any more',
  offline: 'the phone itself is offline',
  works_again: 'works again',
  readable: 'readable again',
  mended: 'fixed',
  answers_again: 'responds again',
  key_taken: 'key accepted',
  paid_in: 'topped up',
  limit_removed: 'limit removed',
  calm: 'stable again',
  notified: 'one-time event',
  maintenance: 'in maintenance',
  limit_changed: 'threshold changed',
  clock_set: 'the clock was wrong',
};

/** Problems of incidents: of a phone, of several phones, of an account. */
export const INCIDENT_PROBLEMS = [
  'sold_offline',
  'self_rented_offline',
  'offline',
  'heartbeat_unreadable',
  'flapping',
  'tunnel_missing',
  'tunnel_down',
  'tunnel_without_login',
  'credential_changed',
  'left',
  'earns_nothing',
  'common_cause',
  'many_sold_offline',
  'many_offline',
  'many_left',
  'many_credentials_changed',
  'key_refused',
  'api_unavailable',
  'api_degraded',
  'tunnels_unreadable',
  'balance_unreadable',
  'balance_low',
] as const;

export type IncidentProblem = (typeof INCIDENT_PROBLEMS)[number];

/** Subject of a kind of incident, when it opens and why it ends. */
type IncidentRow = {
  readonly alert: string;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly subject: 'phone' | 'phones' | 'account';
  readonly opens: string;
  readonly ends: readonly EndReason[];
};

const ENDS_OF_A_PHONE = ['left', 'maintenance', 'clock_set'] as const;
const OFFLINE_END_REASONS = ['back', 'not_set_up', 'limit_changed', ...ENDS_OF_A_PHONE] as const;

export const INCIDENTS: Readonly<Record<IncidentProblem, IncidentRow>> = {
  sold_offline: {
    alert: 'HosterSoldPhoneOffline',
    severity: 'critical',
    subject: 'phone',
    opens: 'a sold phone is offline',
    ends: ['rental_ended', ...OFFLINE_END_REASONS],
  },
  self_rented_offline: {
    alert: 'HosterPhoneOffline',
    severity: 'warning',
    subject: 'phone',
    opens: 'a self-rented phone is offline',
    ends: ['rented', 'rental_ended', ...OFFLINE_END_REASONS],
  },
  offline: {
    alert: 'HosterPhoneOffline',
    severity: 'warning',
    subject: 'phone',
    opens: 'a phone without a rental is offline',
    ends: ['rented', 'given_up', ...OFFLINE_END_REASONS],
  },
  heartbeat_unreadable: {
    alert: 'HosterPhoneOffline',
    severity: 'warning',
    subject: 'phone',
    opens: 'the heartbeat of a sold phone cannot be read for a minute',
    ends: ['readable', 'rental_ended', 'not_set_up', ...ENDS_OF_A_PHONE],
  },
  flapping: {
    alert: 'HosterPhoneFlapping',
    severity: 'info',
    subject: 'phone',
    opens: 'a phone goes offline for the third time within two hours, in place of that incident',
    ends: ['calm', 'not_set_up', ...ENDS_OF_A_PHONE],
  },
  tunnel_missing: {
    alert: 'HosterTunnelDown',
    severity: 'warning',
    subject: 'phone',
    opens: 'a self-rented phone has no tunnel for a minute',
    ends: ['works_again', 'rental_ended', 'offline', 'not_set_up', ...ENDS_OF_A_PHONE],
  },
  tunnel_down: {
    alert: 'HosterTunnelDown',
    severity: 'warning',
    subject: 'phone',
    opens: 'the tunnel of an online self-rented phone is down for a minute',
    ends: ['works_again', 'rental_ended', 'offline', 'not_set_up', ...ENDS_OF_A_PHONE],
  },
  tunnel_without_login: {
    alert: 'HosterTunnelDown',
    severity: 'warning',
    subject: 'phone',
    opens: 'the tunnel of a self-rented phone has no active login for a minute',
    ends: ['works_again', 'rental_ended', 'offline', 'not_set_up', ...ENDS_OF_A_PHONE],
  },
  credential_changed: {
    alert: 'HosterCredentialChanged',
    severity: 'info',
    subject: 'phone',
    opens: 'a login of a tunnel changed',
    ends: ['notified', ...ENDS_OF_A_PHONE],
  },
  left: {
    alert: 'HosterPhoneLeft',
    severity: 'info',
    subject: 'phone',
    opens: 'a phone left the device list, and no other incident ended for that reason',
    ends: ['returned', 'notified'],
  },
  earns_nothing: {
    alert: 'HosterPhoneEarnsNothing',
    severity: 'info',
    subject: 'phone',
    opens:
      'for six hours a phone is not set up, not listed, idle for too long or given up, or does not change its address',
    ends: ['mended', 'back', 'offline', 'rented', ...ENDS_OF_A_PHONE],
  },
  common_cause: {
    alert: 'HosterCommonCause',
    severity: 'critical',
    subject: 'phones',
    opens: 'a common cause explains offline phones',
    ends: ['back', 'given_up', ...ENDS_OF_A_PHONE],
  },
  many_sold_offline: {
    alert: 'HosterManyPhonesOffline',
    severity: 'critical',
    subject: 'phones',
    opens: 'many phones, one of them sold, go offline within five minutes without a common cause',
    ends: ['back', 'given_up', ...ENDS_OF_A_PHONE],
  },
  many_offline: {
    alert: 'HosterManyPhonesOffline',
    severity: 'warning',
    subject: 'phones',
    opens: 'the same, and none of them is sold',
    ends: ['back', 'rented', 'given_up', ...ENDS_OF_A_PHONE],
  },
  many_left: {
    alert: 'HosterPhoneLeft',
    severity: 'warning',
    subject: 'phones',
    opens: 'many phones left the device list at once',
    ends: ['returned', 'notified'],
  },
  many_credentials_changed: {
    alert: 'HosterCredentialChanged',
    severity: 'info',
    subject: 'phones',
    opens: 'logins of many tunnels changed',
    ends: ['notified'],
  },
  key_refused: {
    alert: 'HosterKeyRefused',
    severity: 'critical',
    subject: 'account',
    opens: 'the marketplace refuses the key for the device list',
    ends: ['key_taken'],
  },
  api_unavailable: {
    alert: 'HosterApiUnavailable',
    severity: 'warning',
    subject: 'account',
    opens: 'the device list cannot be read for 5 minutes, and the key is not refused',
    ends: ['answers_again'],
  },
  api_degraded: {
    alert: 'HosterApiDegraded',
    severity: 'warning',
    subject: 'account',
    opens: 'for 30 minutes the API shows phones or tunnels only in part',
    ends: ['calm'],
  },
  tunnels_unreadable: {
    alert: 'HosterApiDegraded',
    severity: 'warning',
    subject: 'account',
    opens: 'for 30 minutes no tunnel can be read, though the device list can',
    ends: ['readable'],
  },
  balance_unreadable: {
    alert: 'HosterApiDegraded',
    severity: 'warning',
    subject: 'account',
    opens: 'for 30 minutes the balance cannot be read, though the device list can',
    ends: ['readable'],
  },
  balance_low: {
    alert: 'HosterBalanceLow',
    severity: 'warning',
    subject: 'account',
    opens: 'the balance is below its limit',
    ends: ['paid_in', 'limit_removed'],
  },
};

/** Topics of incidents: the API itself, or the data of a collector. */
export const TOPICS = ['api', ...COLLECTORS] as const;

export type Topic = (typeof TOPICS)[number];

/** Returns the topic of an incident, whose polls show that it ended. */
export function topicOf(problem: IncidentProblem): Topic {
  if (problem === 'key_refused' || problem === 'api_unavailable') return 'api';
  if (problem.startsWith('balance')) return 'balance';
  return problem.startsWith('tunnel') || problem.includes('credential') ? 'tunnels' : 'devices';
}

/** Numbers of phones. */
export type IncidentDevices = { readonly sold: number; readonly others: number };

/** Something wrong that people are alerted of. Texts are as they were when it opened. */
export type Incident = {
  /** The same in each exporter and after a restart, if the API gives the start. */
  readonly id: string;
  readonly problem: IncidentProblem;
  /** The device of an incident of one phone, else `''`. */
  readonly deviceId: string;
  readonly label: string;
  readonly group: string;
  /** Kind of a common cause, else `''`. */
  readonly kind: CauseKind | '';
  /** Shared value of a cause, detail of another problem, or `''`. It stays the same while the incident is open. */
  readonly value: string;
  /** Start of the problem, by the clock of the API, in milliseconds since 1970. */
  readonly since: number;
  /** When it was opened, by the same clock. */
  readonly openedAt: number;
  /**
   * Devices of an incident of several phones, including those that are back, each with the instant that identifies its
   * problem: its last heartbeat, its last list, or its change. Empty for other incidents.
   */
  readonly members: ReadonlyMap<string, number>;
  /** Numbers of members that are still offline, or left. */
  readonly devices: IncidentDevices;
  /** The most sold devices that were offline at once; only for several devices. */
  readonly mostSold?: number;
  /** Number of members of a mass outage when people were last notified, again when it doubles. 0 for other incidents. */
  readonly notifiedSize: number;
};

export type EndedIncident = Incident & {
  readonly reason: EndReason;
  /** Its end, and the observation that showed it, by the clock of the API. */
  readonly endedAt: number;
  readonly closedAt: number;
};

/** The incidents of an account. */
export type Incidents = {
  readonly open: readonly Incident[];
  /** Incidents that ended within a day, at most a thousand, in the order of their ends. */
  readonly ended: readonly EndedIncident[];
  /** Offline devices that wait for a common cause, with the number of lists since then. */
  readonly waiting: ReadonlyMap<string, number>;
};

export const NO_INCIDENTS: Incidents = { open: [], ended: [], waiting: new Map() };

/** Time for which an ended incident is still exported, so that its alert can say how it ended. */
const LINGER_MILLISECONDS = 60_000;

/**
 * Lists the incidents that are open or ended just now.
 *
 * @param at the last observation, by the clock of the API, in milliseconds since 1970
 */
export function shownIncidents({ open, ended }: Incidents, at: number): readonly Incident[] {
  return [...open, ...ended.filter(({ closedAt }) => at - closedAt < LINGER_MILLISECONDS)];
}
