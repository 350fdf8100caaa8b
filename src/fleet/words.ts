import { ownKind } from '../model/cause.ts';
import type { AccessState, DataState } from '../model/enums.ts';
import type { IncidentProblem } from '../model/incident.ts';
import { PROBLEMS, type Problem } from '../model/problem.ts';
import type { FleetCause, FleetIncident, OfflineAfterReason } from './document.ts';

/** The urgency that a colour shows, or a rental of one's own. */
export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'wait' | 'rented';

/** The colours of rental statuses; the others have none. */
export const RENTAL_TONES: Readonly<Record<string, Tone>> = { sold: 'good', self_rented: 'rented' };

/** The runbook of a problem's alert, in one sentence each. */
type ProblemWords = {
  readonly title: string;
  readonly meaning: string;
  readonly advice: string;
  readonly tone: 'info' | 'warn' | 'bad';
  /** The page in docs/runbooks. */
  readonly runbook: string;
};

/** In the order of {@link Problem}: most expensive first. */
export const PROBLEM_WORDS: Readonly<Record<Problem, ProblemWords>> = {
  sold_offline: {
    title: 'Sold and offline',
    meaning: 'A customer has paid, and the phone has not reported for longer than usual.',
    advice: 'Check power, mobile data and the app first: a refund grows with every minute.',
    tone: 'bad',
    runbook: 'HosterSoldPhoneOffline',
  },
  self_rented_offline: {
    title: 'Self-rented, offline',
    meaning: 'You pay for the rental, and the phone has not reported for longer than usual.',
    advice: 'Check power, mobile data and the app, or end the rental.',
    tone: 'bad',
    runbook: 'HosterPhoneOffline',
  },
  tunnel_missing: {
    title: 'No tunnel',
    meaning: 'Self-rented, and there is no tunnel: you pay for what you cannot use.',
    advice: 'Create the tunnel in the hoster dashboard, or end the rental.',
    tone: 'bad',
    runbook: 'HosterTunnelDown',
  },
  tunnel_down: {
    title: 'Tunnel down',
    meaning: 'The phone reports, but the tunnel of its self-rent is not up.',
    advice: 'Restart the app. If many tunnels are down, the cause is probably the marketplace.',
    tone: 'bad',
    runbook: 'HosterTunnelDown',
  },
  tunnel_without_login: {
    title: 'Tunnel without login',
    meaning: 'The tunnel of its self-rent is up, and has no active login.',
    advice: 'Create a login in the hoster dashboard.',
    tone: 'bad',
    runbook: 'HosterTunnelDown',
  },
  offline: {
    title: 'Offline',
    meaning: 'It has not reported for longer than usual, and cannot be rented until it does.',
    advice: 'Check power, mobile data and the app.',
    tone: 'warn',
    runbook: 'HosterPhoneOffline',
  },
  heartbeat_unreadable: {
    title: 'No heartbeat',
    meaning: 'The marketplace gives no readable heartbeat, so nobody knows if it works.',
    advice: 'Look at it in the hoster dashboard, and restart its app.',
    tone: 'warn',
    runbook: 'HosterPhoneOffline',
  },
  rotation_stopped: {
    title: 'Rotation stopped',
    meaning: 'It changed its address until now, and does not any more.',
    advice: 'Switch the rotation on again, unless you switched it off.',
    tone: 'warn',
    runbook: 'HosterPhoneEarnsNothing',
  },
  not_set_up: {
    title: 'Not set up',
    meaning: 'Its setup is not complete, so it cannot be rented.',
    advice: 'Finish what the hoster dashboard asks for, or archive the phone.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  not_listed: {
    title: 'Works, not listed',
    meaning: 'It reports and is idle, but is not listed, so nobody can rent it.',
    advice: 'List it on the marketplace.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  idle_too_long: {
    title: 'Idle for long',
    meaning: 'Listed, and nobody has rented it for long (problems.idle_after).',
    advice: 'Compare it with phones of the same model and place that are rented.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  given_up: {
    title: 'Given up',
    meaning: 'Nobody rents it, and it has been offline for long (problems.given_up_after).',
    advice: 'Repair it, or archive it.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  in_maintenance: {
    title: 'In maintenance',
    meaning: 'You said that you work on it: nothing is told of it until that is over.',
    advice: 'End it when you are done.',
    tone: 'info',
    runbook: 'Maintenance',
  },
};

/** What an incident tells that is no problem of one phone. */
const INCIDENT_TITLES: Readonly<Record<Exclude<IncidentProblem, Problem>, string>> = {
  flapping: 'Comes and goes',
  credential_changed: 'Login changed',
  left: 'Left the device list',
  earns_nothing: 'Earns nothing',
  common_cause: 'Offline together',
  many_sold_offline: 'Many are offline, sold ones too',
  many_offline: 'Many are offline',
  many_left: 'Many left the device list',
  many_credentials_changed: 'logins of many tunnels changed',
  key_refused: 'Key refused',
  api_unavailable: 'API unavailable',
  api_degraded: 'API shows a part',
  tunnels_unreadable: 'Tunnels unreadable',
  balance_unreadable: 'Balance unreadable',
  balance_low: 'Balance low',
};

function isProblem(problem: IncidentProblem): problem is IncidentProblem & Problem {
  return problem in PROBLEM_WORDS;
}

/** Says what an incident tells. */
export function incidentTitle({ problem, value }: FleetIncident): string {
  if (problem === 'earns_nothing' && PROBLEMS.some((each) => each === value)) return statusText(value);
  return isProblem(problem) ? PROBLEM_WORDS[problem].title : INCIDENT_TITLES[problem];
}

/** The usual reason of each kind of cause, as the end of a text. */
const LIKELY_REASONS = {
  group: 'power or uplink?',
  tunnel_host: 'a proxy host that is down?',
  account: 'the uplink of the place, or the marketplace?',
  app_version: 'an update of the app?',
  model: 'a fault of this model?',
  other: 'what else do they share?',
} as const;

const CAUSE_NAMES = {
  group: '',
  tunnel_host: 'tunnel host ',
  account: 'account ',
  app_version: 'app version ',
  model: 'model ',
} as const;

/** Says how many phones the owner works on, where there are any. */
export function workText(phones: number): readonly string[] {
  return phones === 0 ? [] : [`${numberText(phones)} in maintenance`];
}

/** Names what offline phones have in common. */
export function causeName({ kind, value }: FleetCause): string {
  const own = ownKind(kind);
  return `${own === undefined ? `${kind} ` : CAUSE_NAMES[own]}${value}`;
}

/** @param since instant of the first of the last heartbeats, as text */
export function causeTitle(cause: FleetCause, since: string): string {
  const { phones, ownPhones, soldPhones, withinSeconds } = cause;
  const all =
    phones === ownPhones
      ? `All ${countText(phones, 'working phone', 'working phones')}`
      : `${numberText(phones)} of the ${countText(ownPhones, 'working phone', 'working phones')}`;
  const sold = soldPhones === 0 ? '' : `, ${numberText(soldPhones)} of them sold`;
  return `${all} of ${causeName(cause)} went offline within ${spanText(withinSeconds)} of each other${sold}, since ${since}.`;
}

function spanText(seconds: number): string {
  if (seconds < 100) return `${numberText(Math.max(1, Math.ceil(seconds)))} s`;
  return `${numberText(Math.ceil(seconds / 60))} min`;
}

/** Says what else is offline, and what to check. */
export function causeProof({ kind, others }: FleetCause): string {
  const rest =
    others === 0
      ? 'Nobody else went offline then'
      : `${countText(others, 'other phone', 'other phones')} went offline then`;
  return `${rest}: ${LIKELY_REASONS[ownKind(kind) ?? 'other']}`;
}

/** Says why a phone is called offline. */
export function offlineAfterText(reason: OfflineAfterReason, limitSeconds: number): string {
  const { usualSeconds, lostBeats = 0, longestSeconds = 0, days, excusedSeconds } = reason;
  const learned =
    usualSeconds === undefined || days === undefined
      ? ''
      : ` It reports each ${spanText(usualSeconds)} as a rule, ${countText(lostBeats, 'heartbeat', 'heartbeats')} in a row may be lost, and the longest gap that counts of ${countText(days, 'day', 'days')} was ${spanText(longestSeconds)}.`;
  const excused =
    excusedSeconds === 0 ? '' : ` ${spanText(excusedSeconds)} do not count: the marketplace did not respond.`;
  return `Offline after ${spanText(limitSeconds)} without a heartbeat.${learned}${excused}`;
}

/** Sentences for a refused key. The API uses the same codes for a wrong key and a suspended account. */
export const ACCESS_WORDS: Readonly<Record<Exclude<AccessState, 'granted'>, string>> = {
  missing_key: 'The marketplace says that no key was sent (MISSING_API_KEY): a proxy may remove it.',
  invalid_key: 'The marketplace refuses the key (INVALID_API_KEY): it is wrong, or the account is suspended.',
  suspended:
    'The marketplace says that the account is suspended (HOSTER_BANNED), or the key is wrong: its hoster dashboard shows which.',
  denied: 'The marketplace refuses the key.',
};

export const STATE_WORDS: Readonly<Record<DataState, string>> = {
  fresh: 'Fresh',
  stale: 'Stale data',
  expired: 'Last known',
};

const STATUS_WORDS: ReadonlyMap<string, string> = new Map([
  ['self_rented', 'self-rented'],
  ['not_listed', 'not listed'],
  ['awaiting_device_details', 'awaiting details'],
]);

/** Writes a status of the API in words; an unknown one only loses its underscores. */
export function statusText(status: string | undefined): string {
  if (status === undefined) return '–';
  return STATUS_WORDS.get(status) ?? status.replace(/_/g, ' ');
}

export function countText(count: number, one: string, many: string): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/**
 * Writes the first entries, and how many more there are.
 *
 * @param how says how to see the rest, such as `: /incidents`
 */
export function listText(entries: readonly string[], most = 20, separator = '\n', how = ''): string {
  const rest = entries.length - most;
  const more = rest > 0 ? [`and ${numberText(rest)} more${how}`] : [];
  return [...entries.slice(0, most), ...more].join(separator);
}

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const MONEY = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export function numberText(value: number): string {
  return WHOLE.format(value);
}

/** Writes cents as units, with the currency if one is configured. */
export function moneyText(cents: number, currency: string | undefined): string {
  const amount = MONEY.format(cents / 100);
  return currency === undefined ? amount : `${amount} ${currency}`;
}

export function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE.format(part / whole);
}

/** Writes seconds as hours, without a unit. */
export function hoursText(seconds: number): string {
  return (seconds / 3_600).toFixed(1);
}

/** Writes a share in percent; `unknown` where there is none. */
export function percentText(share: number | undefined, digits: number, unknown: string): string {
  return share === undefined ? unknown : `${(100 * share).toFixed(digits)} %`;
}
