import type { CauseKind } from './cause.ts';
import { COLLECTORS } from './enums.ts';

/*
 * What a hoster is told: an incident opens, is told, and ends for a reason. docs/ALERTING.md has the table below in words.
 */

/** Reasons for which incidents end; that nobody looks is none. */
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

/** Why what is wrong with a phone ends when the owner begins to work on it. */
export const MUTED: EndReason = 'maintenance';

/** Each reason as the end of a sentence about what was wrong. */
export const END_TEXTS: Readonly<Record<EndReason, string>> = {
  back: 'reports again',
  left: 'left the device list',
  returned: 'is listed again',
  rented: 'is rented now',
  rental_ended: 'is not rented any more',
  given_up: 'is given up',
  not_set_up: 'is not set up any more',
  offline: 'is offline itself now',
  works_again: 'works again',
  readable: 'can be read again',
  mended: 'is as it should be',
  answers_again: 'responds again',
  key_taken: 'the key is taken',
  paid_in: 'has enough again',
  limit_removed: 'has no limit any more',
  calm: 'has been calm since',
  notified: 'people were notified',
  maintenance: 'is in maintenance',
  limit_changed: 'has another threshold now',
  clock_set: 'was judged by a clock that was wrong',
};

/** The problems that a hoster is told of: of a phone, of phones together, of an account. */
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

export type IncidentSeverity = 'critical' | 'warning' | 'info';

/** What a kind of incident is about, when it opens and why it ends. */
type IncidentRow = {
  readonly alert: string;
  readonly severity: IncidentSeverity;
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
    opens: 'a phone that nobody rents is offline',
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
    opens: 'the tunnel of a self-rented phone that reports is down for a minute',
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
    opens: 'a phone left the device list, and no end of another incident told it',
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
    opens: 'many phones, one of them sold, fall offline within five minutes without a common cause',
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

/** What incidents are about: that the API results, or what a collector polls. */
export const TOPICS = ['api', ...COLLECTORS] as const;

export type Topic = (typeof TOPICS)[number];

/** Returns what an incident is about, and so which polls show that it ended. */
export function topicOf(problem: IncidentProblem): Topic {
  if (problem === 'key_refused' || problem === 'api_unavailable') return 'api';
  if (problem.startsWith('balance')) return 'balance';
  return problem.startsWith('tunnel') || problem.includes('credential') ? 'tunnels' : 'devices';
}

/** Numbers of phones. */
export type IncidentDevices = { readonly sold: number; readonly others: number };

/** What a hoster is told. Texts are as they were when it opened, and no part of its identity. */
export type Incident = {
  /** The same in each exporter and after a restart, where the API tells since when it is wrong. */
  readonly id: string;
  readonly problem: IncidentProblem;
  /** The device of an incident of one phone, else `''`. */
  readonly deviceId: string;
  readonly label: string;
  readonly group: string;
  /** Kind of a common cause, else `''`. */
  readonly kind: CauseKind | '';
  /** The shared value of a cause, what exactly is wrong, or `''`. It stays as it is while the incident lasts. */
  readonly value: string;
  /** Since when it is wrong, by the clock of the API, in milliseconds since 1970. */
  readonly since: number;
  /** When it was opened, by the same clock. */
  readonly openedAt: number;
  /**
   * Devices of an incident of phones, those that are back included, each with what it was told of: the last heartbeat before
   * its silence, its last list, or its change. None for an incident of one phone or of the account.
   */
  readonly members: ReadonlyMap<string, number>;
  /** Numbers of members that are offline still, or left. */
  readonly devices: IncidentDevices;
  /** Number of members when it was last told: a flood is told again as it doubles. 0 for any other incident. */
  readonly notifiedSize: number;
};

export type EndedIncident = Incident & {
  readonly reason: EndReason;
  /** When it ended, and the observation that showed it, by the clock of the API. */
  readonly endedAt: number;
  readonly closedAt: number;
};

/** The incidents of an account. */
export type Incidents = {
  readonly open: readonly Incident[];
  /** Those that ended within a day, at most a thousand, in the order of their ends. */
  readonly ended: readonly EndedIncident[];
  /** Offline devices that wait for a common cause, with the number of lists that they have waited for. */
  readonly waiting: ReadonlyMap<string, number>;
};

export const NO_INCIDENTS: Incidents = { open: [], ended: [], waiting: new Map() };

/** Time for which an incident that ended is still shown as open too, so that its alert can say how it ended. */
const LINGER_MILLISECONDS = 60_000;

/**
 * Lists the incidents that are open, and those that ended just now.
 *
 * @param at the last observation, by the clock of the API, in milliseconds since 1970
 */
export function shownIncidents({ open, ended }: Incidents, at: number): readonly Incident[] {
  return [...open, ...ended.filter(({ closedAt }) => at - closedAt < LINGER_MILLISECONDS)];
}
