import { ownKind } from '../model/cause.ts';
import type { AccessState, DataState } from '../model/enums.ts';
import type { IncidentProblem } from '../model/incident.ts';
import { PROBLEMS, type Problem } from '../model/problem.ts';
import type { FleetCause, FleetIncident, OfflineAfterReason } from './document.ts';

/** The urgency that a colour shows, or a rental by the owner. */
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
    title: 'Sold, offline',
    meaning: 'A customer is paying for this phone, and it is offline.',
    advice: 'Check power, mobile data and the app: the longer it is down, the larger the refund.',
    tone: 'bad',
    runbook: 'HosterSoldPhoneOffline',
  },
  self_rented_offline: {
    title: 'Self-rented, offline',
    meaning: 'You are paying for this rental, and the phone is offline.',
    advice: 'Check power, mobile data and the app, or end the rental.',
    tone: 'bad',
    runbook: 'HosterPhoneOffline',
  },
  tunnel_missing: {
    title: 'No tunnel',
    meaning: 'You are renting this phone, but it has no tunnel, so you cannot use it.',
    advice: 'Create the tunnel in the hoster dashboard, or end the rental.',
    tone: 'bad',
    runbook: 'HosterTunnelDown',
  },
  tunnel_down: {
    title: 'Tunnel down',
    meaning: 'You are renting this phone. It is online, but its tunnel is down.',
    advice: 'Restart the app. If many tunnels are down, the marketplace is the likely cause.',
    tone: 'bad',
    runbook: 'HosterTunnelDown',
  },
  tunnel_without_login: {
    title: 'Tunnel without login',
    meaning: 'You are renting this phone. Its tunnel is up, but has no active login.',
    advice: 'Create a login in the hoster dashboard.',
    tone: 'bad',
    runbook: 'HosterTunnelDown',
  },
  offline: {
    title: 'Offline',
    meaning: 'It has not reported for longer than usual. Nobody can rent it until it does.',
    advice: 'Check power, mobile data and the app.',
    tone: 'warn',
    runbook: 'HosterPhoneOffline',
  },
  heartbeat_unreadable: {
    title: 'No heartbeat',
    meaning: 'The marketplace does not say when this phone was last online.',
    advice: 'Check it in the hoster dashboard, and restart its app.',
    tone: 'warn',
    runbook: 'HosterPhoneOffline',
  },
  rotation_stopped: {
    title: 'Rotation stopped',
    meaning: 'IP rotation was on and has stopped.',
    advice: 'Turn it on again, unless you turned it off yourself.',
    tone: 'warn',
    runbook: 'HosterPhoneEarnsNothing',
  },
  not_set_up: {
    title: 'Not set up',
    meaning: 'Its setup is not complete, so nobody can rent it.',
    advice: 'Complete the setup in the hoster dashboard, or archive the phone.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  not_listed: {
    title: 'Online, not listed',
    meaning: 'It is online and idle, but not listed, so nobody can rent it.',
    advice: 'List it on the marketplace.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  idle_too_long: {
    title: 'Not rented for days',
    meaning: 'It is listed, but nobody has rented it for a long time (problems.idle_after).',
    advice: 'Compare it with rented phones of the same model in the same place.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  given_up: {
    title: 'Offline for days',
    meaning: 'Nobody rents it, and it has been offline for a long time (problems.given_up_after).',
    advice: 'Repair it or archive it.',
    tone: 'info',
    runbook: 'HosterPhoneEarnsNothing',
  },
  in_maintenance: {
    title: 'In maintenance',
    meaning: 'Alerts for this phone are muted.',
    advice: 'End the maintenance when you are done.',
    tone: 'info',
    runbook: 'Maintenance',
  },
};

/** Titles of incidents that are no problem of a single phone. */
const INCIDENT_TITLES: Readonly<Record<Exclude<IncidentProblem, Problem>, string>> = {
  flapping: 'Keeps going offline and online',
  credential_changed: 'Login changed',
  left: 'No longer on the marketplace',
  earns_nothing: 'Earns nothing',
  common_cause: 'Outage',
  many_sold_offline: 'Mass outage of sold phones',
  many_offline: 'Mass outage',
  many_left: 'Many phones no longer on the marketplace',
  many_credentials_changed: 'Logins changed on many tunnels',
  key_refused: 'API key refused',
  api_unavailable: 'Marketplace API unavailable',
  api_degraded: 'Marketplace data incomplete',
  tunnels_unreadable: 'Tunnel data unavailable',
  balance_unreadable: 'Balance unavailable',
  balance_low: 'Balance low',
};

function isProblem(problem: IncidentProblem): problem is IncidentProblem & Problem {
  return problem in PROBLEM_WORDS;
}

/** Returns the title of an incident. */
export function incidentTitle({ problem, value }: FleetIncident): string {
  if (problem === 'earns_nothing' && PROBLEMS.some((each) => each === value)) return statusText(value);
  return isProblem(problem) ? PROBLEM_WORDS[problem].title : INCIDENT_TITLES[problem];
}

/** Advice for each kind of common cause. */
const CAUSE_ADVICE = {
  group: 'Check its power and its internet connection.',
  tunnel_host: 'The proxy host is probably down.',
  account: 'Check the internet connection of the site, or ask the marketplace.',
  app_version: 'An update of the app is the likely cause.',
  model: 'A fault of this model is the likely cause.',
  other: 'Check what else they have in common.',
} as const;

const CAUSE_NAMES = {
  group: '',
  tunnel_host: 'tunnel host ',
  account: 'account ',
  app_version: 'app version ',
  model: 'model ',
} as const;

/** Counts phones that are neither online nor offline; nothing for none. */
export function outOfServiceText(totals: { readonly notSetUp: number; readonly inMaintenance: number }) {
  return [
    ...(totals.notSetUp === 0 ? [] : [`${numberText(totals.notSetUp)} not set up`]),
    ...(totals.inMaintenance === 0 ? [] : [`${numberText(totals.inMaintenance)} in maintenance`]),
  ];
}

/** Names the value that the phones of a common cause share. */
export function causeName({ kind, value }: FleetCause): string {
  const own = ownKind(kind);
  return `${own === undefined ? `${kind} ` : CAUSE_NAMES[own]}${value}`;
}

/** @param since the first of the last heartbeats, as text */
export function causeTitle(cause: FleetCause, since: string): string {
  const { phones, ownPhones, soldPhones, withinSeconds } = cause;
  const count =
    phones === ownPhones
      ? `all ${countText(phones, 'phone', 'phones')}`
      : `${numberText(phones)} of ${countText(ownPhones, 'working phone', 'working phones')}`;
  const sold = soldPhones === 0 ? '' : `, ${numberText(soldPhones)} of them sold`;
  return `Outage in ${causeName(cause)}: ${count} went offline within ${spanText(withinSeconds)} of each other${sold}, since ${since}.`;
}

function spanText(seconds: number): string {
  if (seconds < 100) return `${numberText(Math.max(1, Math.ceil(seconds)))} s`;
  return `${numberText(Math.ceil(seconds / 60))} min`;
}

/** Says how many phones outside the common cause are offline, and what to check. */
export function causeProof({ kind, others }: FleetCause): string {
  const rest = others === 0 ? 'No other phone' : countText(others, 'other phone', 'other phones');
  return `${rest} went offline at that time. ${CAUSE_ADVICE[ownKind(kind) ?? 'other']}`;
}

/** Explains the heartbeat age after which a phone is offline. */
export function offlineAfterText(reason: OfflineAfterReason, limitSeconds: number): string {
  const { usualSeconds, lostBeats = 0, longestSeconds = 0, days, excusedSeconds } = reason;
  const learned =
    usualSeconds === undefined || days === undefined
      ? ''
      : ` It usually reports every ${spanText(usualSeconds)} and may miss ${countText(lostBeats, 'heartbeat', 'heartbeats')} in a row. Longest normal gap in ${countText(days, 'day', 'days')}: ${spanText(longestSeconds)}.`;
  const excused =
    excusedSeconds === 0
      ? ''
      : ` Not counted: ${spanText(excusedSeconds)} in which the marketplace did not respond.`;
  return `Offline after ${spanText(limitSeconds)} without a heartbeat.${learned}${excused}`;
}

/** Sentences for a refused key. The API uses the same codes for a wrong key and a suspended account. */
export const ACCESS_WORDS: Readonly<Record<Exclude<AccessState, 'granted'>, string>> = {
  missing_key: 'The marketplace received no key (MISSING_API_KEY): a proxy may have removed it.',
  invalid_key: 'The marketplace refuses the key (INVALID_API_KEY): it is wrong, or the account is suspended.',
  suspended:
    'The account is suspended, or the key is wrong (HOSTER_BANNED): the hoster dashboard shows which.',
  denied: 'The marketplace refuses the key.',
};

export const STATE_WORDS: Readonly<Record<DataState, string>> = {
  fresh: 'Up to date',
  stale: 'Not updating',
  expired: 'Out of date',
};

const STATUS_WORDS: ReadonlyMap<string, string> = new Map([
  ['self_rented', 'self-rented'],
  ['not_listed', 'not listed'],
  ['awaiting_device_details', 'awaiting details'],
]);

/** Says who is on an incident, and since when; undefined for nobody. */
export function onItText(
  { acknowledgedBy, acknowledgedAt }: FleetIncident,
  time: (instant: string) => string,
): string | undefined {
  if (acknowledgedAt === undefined) return undefined;
  const at = time(acknowledgedAt);
  // Without a login, a request from this machine names nobody.
  return acknowledgedBy === 'loopback' ? `acknowledged ${at}` : `${acknowledgedBy} is on it since ${at}`;
}

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
 * @param how where to see the rest, such as `: /incidents`
 */
export function listText(entries: readonly string[], most = 20, separator = '\n', how = ''): string {
  const rest = entries.length - most;
  const more = rest > 0 ? [`and ${numberText(rest)} more${how}`] : [];
  return [...entries.slice(0, most), ...more].join(separator);
}

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const MONEY = new Intl.NumberFormat('en', CENTS);
const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export function numberText(value: number): string {
  return WHOLE.format(value);
}

const currencyFormats = new Map<string, Intl.NumberFormat>();

/** Writes cents as units, with the symbol of the currency if one is configured: `€12.50`, `12.50 USDT`. */
export function moneyText(cents: number, currency: string | undefined): string {
  if (currency === undefined) return MONEY.format(cents / 100);
  // ISO 4217 has three letters; other codes have no symbol.
  if (currency.length !== 3) return `${MONEY.format(cents / 100)} ${currency}`;
  const format =
    currencyFormats.get(currency) ?? new Intl.NumberFormat('en', { ...CENTS, style: 'currency', currency });
  currencyFormats.set(currency, format);
  return format.format(cents / 100);
}

/** Writes a change of money with its sign. */
export function changeText(cents: number, currency: string | undefined): string {
  return `${cents < 0 ? '−' : '+'}${moneyText(Math.abs(cents), currency)}`;
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
