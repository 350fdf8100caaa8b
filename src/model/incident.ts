import type { CauseKind } from './cause.ts';
import { COLLECTORS, keysOf } from './enums.ts';
import { MUTED } from './muted.ts';

/*
 * An incident opens, people are notified, and it ends for a reason.
 */

/** The reasons why incidents end. The catalogs have a text for each. */
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
  MUTED,
  'limit_changed',
  'clock_set',
  'account_removed',
] as const;

export type EndReason = (typeof END_REASONS)[number];

/** Reasons that do not mean all is well: the phone is now rented or idle, or is no longer there. */
const CHANGED: ReadonlySet<EndReason> = new Set([
  ...(['rented', 'rental_ended', 'offline', 'left', 'given_up', 'not_set_up'] as const),
]);

/** Returns how an incident ended. It is resolved only if all is well, as in the Alertmanager template `hoster.end`. */
export function endOf(
  reason: EndReason | undefined,
  problem: IncidentProblem,
): 'resolved' | 'muted' | 'changed' {
  if (reason === MUTED || reason === 'account_removed') return 'muted';
  if (problem === 'earns_nothing' && reason === 'rented') return 'resolved';
  return reason !== undefined && CHANGED.has(reason) ? 'changed' : 'resolved';
}

/** Reports whether an incident's problem was repaired: it is resolved, and not because of another limit or clock. */
export function isRepaired(reason: EndReason | undefined, problem: IncidentProblem): boolean {
  if (reason === 'limit_changed' || reason === 'limit_removed' || reason === 'clock_set') return false;
  return reason !== undefined && endOf(reason, problem) === 'resolved';
}

type IncidentKind = { readonly alert: string; readonly severity: 'critical' | 'warning' | 'info' };

/** The problems of a phone, several phones or an account. docs/ALERTING.md says when incidents open and end. */
export const INCIDENTS = {
  sold_offline: { alert: 'HosterSoldPhoneOffline', severity: 'critical' },
  self_rented_offline: { alert: 'HosterPhoneOffline', severity: 'warning' },
  offline: { alert: 'HosterPhoneOffline', severity: 'warning' },
  heartbeat_unreadable: { alert: 'HosterPhoneOffline', severity: 'warning' },
  flapping: { alert: 'HosterPhoneFlapping', severity: 'info' },
  tunnel_missing: { alert: 'HosterTunnelDown', severity: 'warning' },
  tunnel_down: { alert: 'HosterTunnelDown', severity: 'warning' },
  tunnel_without_login: { alert: 'HosterTunnelDown', severity: 'warning' },
  credential_changed: { alert: 'HosterCredentialChanged', severity: 'info' },
  left: { alert: 'HosterPhoneLeft', severity: 'info' },
  earns_nothing: { alert: 'HosterPhoneEarnsNothing', severity: 'info' },
  common_cause: { alert: 'HosterCommonCause', severity: 'critical' },
  many_sold_offline: { alert: 'HosterManyPhonesOffline', severity: 'critical' },
  many_offline: { alert: 'HosterManyPhonesOffline', severity: 'warning' },
  many_left: { alert: 'HosterPhoneLeft', severity: 'warning' },
  many_credentials_changed: { alert: 'HosterCredentialChanged', severity: 'info' },
  key_refused: { alert: 'HosterKeyRefused', severity: 'critical' },
  api_unavailable: { alert: 'HosterApiUnavailable', severity: 'warning' },
  api_degraded: { alert: 'HosterApiDegraded', severity: 'warning' },
  tunnels_unreadable: { alert: 'HosterApiDegraded', severity: 'warning' },
  balance_unreadable: { alert: 'HosterApiDegraded', severity: 'warning' },
  balance_low: { alert: 'HosterBalanceLow', severity: 'warning' },
} as const satisfies Readonly<Record<string, IncidentKind>>;

export type IncidentProblem = keyof typeof INCIDENTS;

export const INCIDENT_PROBLEMS = keysOf(INCIDENTS);

/** Returns the severity of an incident. An outage without sold phones, mass or not, wakes nobody. */
export function severityOf({
  problem,
  mostSold,
}: Pick<Incident, 'problem' | 'mostSold'>): IncidentKind['severity'] {
  return problem === 'common_cause' && mostSold === 0 ? 'warning' : INCIDENTS[problem].severity;
}

/** Topics of incidents: the API itself, or the data of a collector. */
export const TOPICS = ['api', ...COLLECTORS] as const;

export type Topic = (typeof TOPICS)[number];

/** Returns the topic whose polls show that an incident ended. */
export function topicOf(problem: IncidentProblem): Topic {
  if (problem === 'key_refused' || problem === 'api_unavailable') return 'api';
  if (problem.startsWith('balance')) return 'balance';
  return problem.startsWith('tunnel') || problem.includes('credential') ? 'tunnels' : 'devices';
}

export type IncidentDevices = { readonly sold: number; readonly others: number };

/** Something wrong that people are alerted to. Texts stay as they were when it opened. */
export type Incident = {
  /** The same in every exporter and after a restart, if the API gives the start. */
  readonly id: string;
  readonly problem: IncidentProblem;
  /** The device of an incident of one phone, else `''`. */
  readonly deviceId: string;
  readonly label: string;
  readonly group: string;
  /** Kind of its common cause, else `''`. */
  readonly kind: CauseKind | '';
  /** Shared value of its cause, detail of another problem, or `''`. It stays the same while the incident is open. */
  readonly value: string;
  /** Start of the problem, by the API's clock, in milliseconds since 1970. */
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
  /** Largest number of sold devices that were offline at once; only for several devices. */
  readonly mostSold?: number;
  /** Size of a mass outage when people were last notified; they are notified again when it doubles. Otherwise 0. */
  readonly notifiedSize: number;
};

export type EndedIncident = Incident & {
  readonly reason: EndReason;
  /** Its end, and the observation that showed it, by the API's clock. */
  readonly endedAt: number;
  readonly closedAt: number;
};

/** The incidents of an account. */
export type Incidents = {
  readonly open: readonly Incident[];
  /** Incidents that ended within a day, at most a thousand, in the order they ended. */
  readonly ended: readonly EndedIncident[];
  /** Offline devices that are waiting for a common cause, with the number of lists since then. */
  readonly waiting: ReadonlyMap<string, number>;
};

export const NO_INCIDENTS: Incidents = { open: [], ended: [], waiting: new Map() };

/** Time for which an ended incident is still exported, so that its alert can say how it ended. */
const LINGER_MILLISECONDS = 60_000;

/**
 * Lists the incidents that are open or have just ended.
 *
 * @param at the last observation, by the API's clock, in milliseconds since 1970
 */
export function shownIncidents({ open, ended }: Incidents, at: number): readonly Incident[] {
  return [...open, ...ended.filter(({ closedAt }) => at - closedAt < LINGER_MILLISECONDS)];
}
