import { dateTimeAt, dayText, localText, type TimeZone } from '../base/time-zone.ts';
import type { DataState } from '../model/enums.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts';
import { say, translated } from '../text/say.ts';
import type { CoreDocument, FleetAccount, FleetPhone, FleetReading } from './document.ts';
import { listText, type Tone } from './words.ts';

/** Writes seconds with at most two units: `25 s`, `3 min`, `2 h 10 min`, `3 d 4 h`. Never below 0 s. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds)) * SECOND;
  const count = (unit: number): number => Math.floor(whole / unit);
  if (whole < MINUTE) return say('seconds', { count: count(SECOND) });
  const [minutes, hours] = [count(MINUTE) % 60, count(HOUR) % 24];
  if (whole < HOUR) return say('minutes', { count: minutes });
  const [first, rest] =
    whole < DAY
      ? [say('hours', { count: hours }), minutes === 0 ? '' : say('minutes', { count: minutes })]
      : [say('days', { count: count(DAY) }), hours === 0 ? '' : say('hours', { count: hours })];
  return rest === '' ? first : `${first} ${rest}`;
}

/** Returns how long a phone has had its rental status; '' if it has none. */
export function rentalDuration(
  { rentalStatusSince, rentalStatusBeginSeen }: FleetPhone,
  asOf: number,
): string {
  const since = parseTime(rentalStatusSince);
  if (since === undefined) return '';
  const duration = durationText((asOf - since) / 1000);
  return rentalStatusBeginSeen ? duration : say('more-than', { duration });
}

/** Writes an instant, given as milliseconds since 1970 or as text from the JSON. */
export type TimeText = (instant: number | string | undefined) => string;

/** Writes instants as `10:04:30` on the day of `now`, as `20 Nov 10:04` in the same year, and as `20 Nov 2025` before. */
export function timeTextAt(now: number, zone: TimeZone): TimeText {
  const today = dateTimeAt(zone, now);
  return (instant) => {
    const at = typeof instant === 'string' ? parseTime(instant) : instant;
    if (at === undefined) return say('unknown-time');
    const local = dateTimeAt(zone, at);
    const [year, time] = [local.slice(0, 4), local.slice(11)];
    if (local.slice(0, 10) === today.slice(0, 10)) return time;
    return `${dayText(local)} ${year === today.slice(0, 4) ? time.slice(0, 5) : year}`;
  };
}

/** Writes instants with their dates for a table: `2026-11-20 10:04`. */
export function localTimes(zone: TimeZone): TimeText {
  return (instant = '') => localText(zone, new Date(instant).getTime());
}

/** Shortens `10:04:30` to `10:04`. */
export function withoutSeconds(time: string): string {
  return time.replace(/^(\d\d:\d\d):\d\d$/, '$1');
}

/** The instant that ages are shown for: they grow while data is fresh, and stop while it is stale. */
export type AgeBasis = {
  readonly state: DataState;
  /** The last successful poll; undefined before the first. */
  readonly learnedAt: number | undefined;
  /** Now, or the last successful poll. */
  readonly asOf: number;
};

/**
 * @param now by the exporter's clock
 * @param lostAt the last response of an exporter that is now unreachable, so that no data is fresh
 */
export function ageBasisOf(reading: FleetReading, now: number, lostAt: number | undefined): AgeBasis {
  const learnedAt = parseTime(reading.lastSuccessAt);
  const fresh = reading.state === 'fresh' && lostAt === undefined;
  if (fresh || learnedAt === undefined) return { state: reading.state, learnedAt, asOf: now };
  return { state: reading.state === 'fresh' ? 'stale' : reading.state, learnedAt, asOf: learnedAt };
}

/** Reports whether data is older than three polls and a minute, whatever a document calls it. */
export function isLate(learnedAt: number | undefined, pollSeconds: number, now: number): boolean {
  return learnedAt === undefined || now - learnedAt > (3 * pollSeconds + 60) * SECOND;
}

/** Lists the accounts whose phones a document calls fresh although they are old by the clock. */
export function lateAccounts({ accounts, exporter }: CoreDocument, now: number): readonly string[] {
  return accounts.flatMap(({ name, readings: { devices } }) => {
    const isOld = isLate(parseTime(devices.lastSuccessAt), exporter.pollSeconds.devices, now);
    return devices.state === 'fresh' && isOld ? name : [];
  });
}

/** Returns a document in which the phones of some accounts are stale. */
export function withStale<Document extends CoreDocument>(
  document: Document,
  names: readonly string[],
): Document {
  if (names.length === 0) return document;
  const accounts = document.accounts.map((account) => {
    const { readings, name } = account;
    const devices = { ...readings.devices, state: 'stale' as const };
    return names.includes(name) ? { ...account, readings: { ...readings, devices } } : account;
  });
  return { ...document, accounts };
}

/** Adds the time since the poll to the age at the poll. */
export function heartbeatAge(ageAtPoll: number, { learnedAt, asOf }: AgeBasis): number {
  return ageAtPoll + Math.max(0, (asOf - (learnedAt ?? asOf)) / 1000);
}

export function parseTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** Writes the event as a sentence without its end, and the next step. */
export type RequestFailure = { readonly what: () => string; readonly next: () => string };

const noResponse = (): string => say('request-no-response');
const keepsTrying = (): string => say('next-keeps-trying');

export const REQUEST_FAILURES = {
  noResponse: { what: noResponse, next: keepsTrying },
  waiting: { what: noResponse, next: () => say('next-waiting') },
  loginRequired: { what: () => say('request-login'), next: () => say('next-log-in') },
  foreign: { what: () => say('request-foreign'), next: () => say('next-may-log-in') },
  upgraded: { what: () => say('request-upgraded'), next: () => say('next-reload') },
  status: (status: number): RequestFailure => ({
    what: () => say('request-status', { status }),
    next: keepsTrying,
  }),
} as const;

/** The state of the connection to the exporter. Instants are milliseconds since 1970 by the exporter's clock. */
export type ConnectionState = {
  readonly lastResponseAt: number | undefined;
  /** Why the last request failed; undefined after a success. */
  readonly failure: RequestFailure | undefined;
  /** The last response before this series of failures; without one, the first failure. */
  readonly failingSince: number | undefined;
};

export type Freshness = {
  readonly tone: Tone;
  readonly word: string;
  /** The last successful device poll; with several accounts, the oldest one. */
  readonly learnedAt: number | undefined;
  readonly notices: readonly Notice[];
};

export type Notice = {
  /** The collector with stale data, or a refused key; absent for anything else. */
  readonly about?: ReadingName | 'key';
  readonly tone: 'info' | 'warn' | 'bad';
  readonly title: string;
  readonly text: string;
};

/** Accounts that the title of a notice names. */
const NAMES_SHOWN = 3;

type ReadingName = keyof FleetAccount['readings'];

/** Milliseconds without a response after which a page says so, even while a request is under way. */
const SILENT_AFTER = 150 * SECOND;

/** Returns the state of a connection by the clock: a page that wakes up has had no response for hours, but no failure. */
export function connectionAt(connection: ConnectionState, now: number): ConnectionState {
  const { failure, lastResponseAt } = connection;
  const isSilent = lastResponseAt !== undefined && now - lastResponseAt > SILENT_AFTER;
  if (failure !== undefined || !isSilent) return connection;
  return { ...connection, failure: REQUEST_FAILURES.waiting, failingSince: lastResponseAt };
}

/** Returns the last successful device poll; with several accounts, the oldest one. */
export function learnedAtOf(accounts: readonly FleetAccount[]): number | undefined {
  const instants = accounts.flatMap(({ readings }) => parseTime(readings.devices.lastSuccessAt) ?? []);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** @param now by the exporter's clock */
export function freshnessOf(
  document: CoreDocument | undefined,
  connection: ConnectionState,
  now: number,
  time: TimeText,
): Freshness {
  const learnedAt = learnedAtOf(document?.accounts ?? []);
  const { failure } = connection;
  const notices = [
    ...connectionNotices(connection, learnedAt, now, time),
    ...(document === undefined ? [] : accountNotices(document, now, time)),
    ...warningNotices(say('notice-settings'), document?.exporter.warnings),
    ...warningNotices(say('notice-files'), document?.exporter.fileProblems),
    ...learningNotices(document?.accounts ?? [], now, time),
  ];
  const dataIs = (tone: Tone, word: string): Freshness => ({ tone, word, learnedAt, notices });
  if (failure === REQUEST_FAILURES.waiting) return dataIs('warn', say('data-waiting'));
  if (failure !== undefined) return dataIs('bad', say('data-unreachable'));
  if (document === undefined) return dataIs('wait', say('data-loading'));
  const all = document.accounts.map(({ readings: { devices } }) => devices);
  const readings = all.filter((reading) => !isFirstPoll(reading));
  if (readings.length === 0) return { ...dataIs('wait', say('data-first-poll')), learnedAt: undefined };
  const state = (['expired', 'stale'] as const).find((one) =>
    readings.some((reading) => reading.state === one),
  );
  if (state === undefined) return dataIs('good', say('state-fresh'));
  if (learnedAt === undefined) return dataIs('bad', say('data-none'));
  const affected = readings.filter((reading) => reading.state !== 'fresh').length;
  const own = say(`state-${state}`);
  const word = all.length === 1 ? own : say('data-some-accounts', { state: own, affected, all: all.length });
  return dataIs(state === 'stale' ? 'warn' : 'bad', word);
}

function isFirstPoll({ lastAttemptAt }: FleetReading): boolean {
  return lastAttemptAt === undefined;
}

/** @param learnedAt time of the data on the page, as shown at its top */
function connectionNotices(
  connection: ConnectionState,
  learnedAt: number | undefined,
  now: number,
  time: TimeText,
): readonly Notice[] {
  const { failure, failingSince, lastResponseAt } = connection;
  if (failure === undefined) return [];
  const dataAt = learnedAt ?? lastResponseAt;
  const since = failingSince === undefined ? '' : ` ${say('since', { time: time(failingSince) })}`;
  const shown =
    dataAt === undefined
      ? say('notice-page-without-data')
      : say('notice-data-from', { time: time(dataAt), age: durationText((now - dataAt) / 1000) });
  if (failure === REQUEST_FAILURES.waiting) {
    const title = say('notice-waiting-since', { time: withoutSeconds(time(lastResponseAt)) });
    return [{ tone: 'warn', title, text: `${failure.next()} ${shown}` }];
  }
  const text = `${failure.what()}${since}. ${shown} ${failure.next()}`;
  return [{ tone: 'bad', title: say('notice-unreachable'), text }];
}

/** Lines that a notice shows; the log has them all. */
const LINES_SHOWN = 3;

/** Says what is being learned after the first start, until when, and what already alerts. */
function learningNotices(accounts: readonly FleetAccount[], now: number, time: TimeText): readonly Notice[] {
  const ends = accounts.flatMap(({ learningEndsAt }) => parseTime(learningEndsAt) ?? []);
  const end = Math.max(...ends);
  if (ends.length === 0 || end <= now) return [];
  const title = say('notice-learning', { time: withoutSeconds(time(end)) });
  return [{ tone: 'info', title, text: say('notice-learning-text') }];
}

function warningNotices(title: string, lines: readonly string[] = []): readonly Notice[] {
  const text = listText(lines, LINES_SHOWN, '; ', say('notice-in-the-log'));
  return lines.length === 0 ? [] : [{ tone: 'warn', title, text }];
}

/** Returns the accounts' notices. Equal notices of several accounts are merged. */
export function accountNotices(
  { accounts, exporter }: Pick<CoreDocument, 'accounts' | 'exporter'>,
  now: number,
  time: TimeText,
): readonly Notice[] {
  const groups = new Map<string, { readonly notice: Notice; readonly names: string[] }>();
  for (const account of accounts) {
    for (const notice of noticesOf(account, exporter.pollSeconds, now, time)) {
      const key = `${notice.title}\n${notice.text}`;
      const group = groups.get(key) ?? { notice, names: [] };
      group.names.push(account.name);
      groups.set(key, group);
    }
  }
  return Array.from(groups.values(), ({ notice, names }) =>
    accounts.length === 1
      ? notice
      : { ...notice, title: notice.title.replace(/(?=: |$)/, ` (${listText(names, NAMES_SHOWN, ', ')})`) },
  );
}

/** Returns an account's notices. A refused key explains all other problems. */
function noticesOf(
  account: FleetAccount,
  pollSeconds: Readonly<Record<ReadingName, number>>,
  now: number,
  time: TimeText,
): readonly Notice[] {
  const { access, readings, gracePeriodEndsAt } = account;
  const names: readonly ReadingName[] = ['devices', 'tunnels', 'balance'];
  const stale = names.filter((name) => readings[name].state !== 'fresh' && !isFirstPoll(readings[name]));
  if (access !== undefined && access !== 'granted') {
    const seenAt = parseTime(readings.devices.lastSuccessAt);
    const seen = seenAt === undefined ? [] : [say('notice-phones-at', { time: time(seenAt) })];
    const text = [say(`access-${access}`), newKeyText(account), say('notice-key-retry'), ...seen].join(' ');
    return [{ about: 'key', tone: 'bad', title: say('incident-key_refused'), text }];
  }
  // All polls usually fail together, so one notice is enough.
  const shown = stale.filter((name) => name === 'devices' || !stale.includes('devices'));
  return [
    ...shown.map((name) => noticeOf(name, readings[name], pollSeconds[name], now, time)),
    ...graceNotices(gracePeriodEndsAt, time),
  ];
}

/** Says until when phones may report after an outage before they count as offline. */
function graceNotices(endsAt: string | undefined, time: TimeText): readonly Notice[] {
  const until = parseTime(endsAt);
  if (until === undefined) return [];
  return [{ tone: 'warn', title: say('notice-back', { time: time(until) }), text: say('notice-back-text') }];
}

/** systemd copies keys into this folder when it starts the service (LoadCredential). */
const CREDENTIALS_FOLDER = '/run/credentials/';

/** The shipped service's copy of the key, and the file that it is copied from. */
const SHIPPED_CREDENTIAL = `${CREDENTIALS_FOLDER}hoster-exporter.service/key`;
const SHIPPED_KEY = '/etc/hoster-exporter/key';

/** Names the place where an owner keeps a key: a file or a variable. */
function keyPlace({ keyFile, keyVariable }: FleetAccount): string {
  if (keyFile === SHIPPED_CREDENTIAL) return SHIPPED_KEY;
  if (keyFile?.startsWith(CREDENTIALS_FOLDER) === true) return say('key-file-of-systemd');
  return keyFile ?? keyVariable ?? say('key-environment');
}

/** Says which keys and addresses have no phones. */
export function emptyPlaces(accounts: readonly FleetAccount[]): string {
  return accounts
    .filter(({ totals }) => totals?.phones === 0)
    .map((account) => say('key-without-phones', { place: keyPlace(account), address: account.apiUrl ?? '' }))
    .join(' ');
}

function newKeyText(account: FleetAccount): string {
  const { keyFile } = account;
  const place = keyPlace(account);
  if (keyFile === undefined) return say('key-new-variable', { place });
  if (keyFile === SHIPPED_CREDENTIAL)
    return say('key-new-systemd', { place, command: 'sudo systemctl restart hoster-exporter' });
  if (keyFile.startsWith(CREDENTIALS_FOLDER)) return say('key-new-service', { place });
  return say('key-new-file', { place });
}

/** Returns a sentence about why polls fail; undefined while they succeed. */
export function failureText({ failure, failureText: sent }: FleetReading): string | undefined {
  return (failure && translated(`failure-${failure}`)) ?? sent;
}

function noticeOf(
  name: ReadingName,
  reading: FleetReading,
  pollSeconds: number,
  now: number,
  time: TimeText,
): Notice {
  const { state } = reading;
  const failure = failureText(reading);
  const learnedAt = parseTime(reading.lastSuccessAt);
  const cause =
    failure === undefined
      ? say('notice-no-poll')
      : `${failure} ${say('notice-retrying', { interval: durationText(pollSeconds) })}`;
  if (learnedAt === undefined)
    return { about: name, tone: 'bad', title: say(`news-${name}-yet`), text: cause };
  const title = say(`news-${name}-since`, { time: withoutSeconds(time(learnedAt)) });
  // Offline phones do not stop the marketplace from responding.
  const isDoubted = name === 'devices' && failure !== undefined;
  const ago = durationText((now - learnedAt) / 1000);
  return {
    about: name,
    tone: state === 'expired' ? 'bad' : 'warn',
    title: isDoubted ? say('news-not-phones', { title }) : title,
    text: `${cause} ${say('notice-data-age', { age: ago })}`,
  };
}
