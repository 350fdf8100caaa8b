import { MUTED_PROBLEM } from '../model/muted.ts';
import { PROBLEMS, type Problem } from '../model/problem.ts';
import { language, perLanguage, say, sayIf } from '../text/say.ts';
import type { FleetAccount, FleetIncident, OfflineAfterReason } from './document.ts';

/** The urgency that a colour shows, or that the owner rents the phone. */
export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'wait' | 'rented';

/** The colours of rental statuses; the others have none. */
export const RENTAL_TONES: Readonly<Record<string, Tone>> = { sold: 'good', self_rented: 'rented' };

type ProblemFacts = { readonly tone: 'info' | 'warn' | 'bad'; readonly runbook: string };

/** The urgency of each problem and its page in docs/runbooks, costliest first. */
export const PROBLEM_FACTS: Readonly<Record<Problem, ProblemFacts>> = {
  sold_offline: { tone: 'bad', runbook: 'HosterSoldPhoneOffline' },
  self_rented_offline: { tone: 'bad', runbook: 'HosterPhoneOffline' },
  tunnel_missing: { tone: 'bad', runbook: 'HosterTunnelDown' },
  tunnel_down: { tone: 'bad', runbook: 'HosterTunnelDown' },
  tunnel_without_login: { tone: 'bad', runbook: 'HosterTunnelDown' },
  offline: { tone: 'warn', runbook: 'HosterPhoneOffline' },
  heartbeat_unreadable: { tone: 'warn', runbook: 'HosterPhoneOffline' },
  rotation_stopped: { tone: 'warn', runbook: 'HosterPhoneEarnsNothing' },
  not_set_up: { tone: 'info', runbook: 'HosterPhoneEarnsNothing' },
  not_listed: { tone: 'info', runbook: 'HosterPhoneEarnsNothing' },
  idle_too_long: { tone: 'info', runbook: 'HosterPhoneEarnsNothing' },
  given_up: { tone: 'info', runbook: 'HosterPhoneEarnsNothing' },
  [MUTED_PROBLEM]: { tone: 'info', runbook: 'Maintenance' },
};

export function problemTitle(problem: Problem): string {
  return say(`problem-${problem}`);
}

/** Says what a problem means, and what to do about it. */
export function problemAdvice(problem: Problem): string {
  return `${say(`problem-${problem}-meaning`)} ${say(`problem-${problem}-advice`)}`;
}

export function incidentTitle({ problem, value }: FleetIncident): string {
  if (problem === 'earns_nothing' && PROBLEMS.some((each) => each === value)) return statusText(value);
  const own = PROBLEMS.find((each) => each === problem);
  return own === undefined ? say(`incident-${problem}`) : problemTitle(own);
}

/** Counts phones that are neither online nor offline; empty if there are none. */
export function outOfServiceText(totals: { readonly notSetUp: number; readonly muted: number }) {
  return [
    ...(totals.notSetUp === 0 ? [] : [say('count-not-set-up', { count: totals.notSetUp })]),
    ...(totals.muted === 0 ? [] : [say('count-muted', { count: totals.muted })]),
  ];
}

/** Writes a short time, rounded up: `18 s`, `84 min`. */
export function spanText(seconds: number): string {
  if (seconds < 100) return say('seconds', { count: Math.max(1, Math.ceil(seconds)) });
  return say('minutes', { count: Math.ceil(seconds / 60) });
}

/** Explains the heartbeat age after which a phone is offline. */
export function offlineAfterText(reason: OfflineAfterReason, limitSeconds: number): string {
  const { usualSeconds, lostBeats = 0, longestSeconds = 0, days, excusedSeconds } = reason;
  const learned =
    usualSeconds === undefined || days === undefined
      ? []
      : [
          say('offline-after-beats', { usual: spanText(usualSeconds), beats: lostBeats }),
          say('offline-after-longest', { days, longest: spanText(longestSeconds) }),
        ];
  const excused =
    excusedSeconds === 0 ? [] : [say('offline-after-excused', { span: spanText(excusedSeconds) })];
  return [say('offline-after', { limit: spanText(limitSeconds) }), ...learned, ...excused].join(' ');
}

/** Writes an API status in words; an unknown one only loses its underscores. */
export function statusText(status: string | undefined): string {
  if (status === undefined) return '–';
  return sayIf(`status-${status}`) ?? status.replace(/_/g, ' ');
}

/** Counts phones: `3 phones`. */
export function phonesText(count: number): string {
  return say('phones', { count });
}

/**
 * Writes the first entries, and how many more there are.
 *
 * @param how where to see the rest, such as `: /incidents`
 */
export function listText(entries: readonly string[], most = 20, separator = '\n', how = ''): string {
  const rest = entries.length - most;
  const more = rest > 0 ? [say('and-more', { count: rest }) + how] : [];
  return [...entries.slice(0, most), ...more].join(separator);
}

const WHOLE = perLanguage((own) => new Intl.NumberFormat(own, { maximumFractionDigits: 0 }));
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const MONEY = perLanguage((own) => new Intl.NumberFormat(own, CENTS));
const SHARE = perLanguage(
  (own) => new Intl.NumberFormat(own, { style: 'percent', maximumFractionDigits: 1 }),
);

export function numberText(value: number): string {
  return WHOLE().format(value);
}

const currencyFormats = perLanguage(() => new Map<string, Intl.NumberFormat>());

/** Writes cents as units, with the currency's symbol if one is configured: `€12.50`, `12.50 USDT`. */
export function moneyText(cents: number, currency: string | undefined): string {
  if (currency === undefined) return MONEY().format(cents / 100);
  // ISO 4217 has three letters; other codes have no symbol.
  if (currency.length !== 3) return `${MONEY().format(cents / 100)} ${currency}`;
  const known = currencyFormats();
  const format = known.get(currency) ?? new Intl.NumberFormat(language(), { style: 'currency', currency });
  known.set(currency, format);
  return format.format(cents / 100);
}

/** Writes a change of money with its sign. */
export function changeText(cents: number, currency: string | undefined): string {
  return `${cents < 0 ? '−' : '+'}${moneyText(Math.abs(cents), currency)}`;
}

export function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE().format(part / whole);
}

/** Writes seconds as hours with one decimal, without a unit and thousands separators. */
export function hoursText(seconds: number): string {
  const format = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  // Intl rounds 1.45 up, although it is slightly less in binary.
  return new Intl.NumberFormat(language(), format).format(Number((seconds / 3_600).toFixed(1)));
}

/** Writes a share in percent; `unknown` if there is none. */
export function percentText(share: number | undefined, digits: number, unknown: string): string {
  if (share === undefined) return unknown;
  const format = { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language(), format).format(Number((100 * share).toFixed(digits)) / 100);
}

/** Reports whether a problem needs attention now, and cannot wait. */
export function isUrgent(problem: Problem | undefined): boolean {
  return problem !== undefined && PROBLEM_FACTS[problem].tone !== 'info';
}

/** The name of the phones without a group. */
export function noGroup(): string {
  return say('no-group');
}

/** The author of a change from this machine without a login. */
export const LOOPBACK = 'loopback';

/** Returns the person who made a change, or another word if nobody is named. */
export function personOf(by: string | undefined, nobody = ''): string {
  return by === undefined || by === LOOPBACK ? nobody : by;
}

/** Asks about the keys of accounts without phones. */
export function emptyText(accounts: readonly FleetAccount[]): string {
  const names = accounts.filter(({ totals }) => totals?.phones === 0).map(({ name }) => name);
  if (names.length === 0) return '';
  return accounts.length === 1 ? say('no-phones') : say('no-phones-in', { names: names.join(', ') });
}
