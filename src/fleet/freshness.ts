import { dateTimeAt, dayText, type TimeZone } from '../base/time-zone.ts';
import type { DataState } from '../model/enums.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts';
import type { FleetAccount, FleetDocument, FleetPhone, FleetReading } from './document.ts';
import { ACCESS_WORDS, listText, STATE_WORDS, type Tone } from './words.ts';

/** Writes seconds with at most two units: `25 s`, `3 min`, `2 h 10 min`, `3 d 4 h`. Never below 0 s. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds)) * SECOND;
  if (whole < MINUTE) return `${whole / SECOND} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) return twoUnits(whole, [HOUR, 'h'], [MINUTE, 'min']);
  return twoUnits(whole, [DAY, 'd'], [HOUR, 'h']);
}

type Unit = readonly [milliseconds: number, name: string];

function twoUnits(milliseconds: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((milliseconds % large) / small);
  const first = `${Math.floor(milliseconds / large)} ${largeName}`;
  return rest === 0 ? first : `${first} ${rest} ${smallName}`;
}

/** Returns for how long a phone has had its rental status; '' if it has none. */
export function rentalDuration(
  { rentalStatusSince, rentalStatusBeginSeen }: FleetPhone,
  asOf: number,
): string {
  const since = parseTime(rentalStatusSince);
  if (since === undefined) return '';
  return `${rentalStatusBeginSeen ? '' : 'more than '}${durationText((asOf - since) / 1000)}`;
}

/** Writes an instant, which is milliseconds since 1970 or a text of the JSON. */
export type TimeText = (instant: number | string | undefined) => string;

/** Writes instants as `10:04:30` on the day of `now`, as `20 Nov 10:04` in the same year, and as `20 Nov 2025` before. */
export function timeTextAt(now: number, zone: TimeZone): TimeText {
  const today = dateTimeAt(zone, now);
  return (instant) => {
    const at = typeof instant === 'string' ? parseTime(instant) : instant;
    if (at === undefined) return 'an unknown time';
    const local = dateTimeAt(zone, at);
    const [year, time] = [local.slice(0, 4), local.slice(11)];
    if (local.slice(0, 10) === today.slice(0, 10)) return time;
    return `${dayText(local)} ${year === today.slice(0, 4) ? time.slice(0, 5) : year}`;
  };
}

/** Shortens `10:04:30` to `10:04`. */
export function withoutSeconds(time: string): string {
  return time.replace(/^(\d\d:\d\d):\d\d$/, '$1');
}

/** The instant for which ages are shown: they grow while data is fresh, and stand still while it is stale. */
export type AgeBasis = {
  readonly state: DataState;
  /** The last successful poll; undefined before the first. */
  readonly learnedAt: number | undefined;
  /** Now, or the last successful poll. */
  readonly asOf: number;
};

/**
 * @param now by the clock of the exporter
 * @param lostAt the last response of an exporter that is unreachable now; no data is fresh then
 */
export function ageBasisOf(reading: FleetReading, now: number, lostAt: number | undefined): AgeBasis {
  const learnedAt = parseTime(reading.lastSuccessAt);
  const fresh = reading.state === 'fresh' && lostAt === undefined;
  if (fresh || learnedAt === undefined) return { state: reading.state, learnedAt, asOf: now };
  return { state: reading.state === 'fresh' ? 'stale' : reading.state, learnedAt, asOf: learnedAt };
}

/** Adds the time since the poll to the age at the poll. */
export function heartbeatAge(ageAtPoll: number, { learnedAt, asOf }: AgeBasis): number {
  return ageAtPoll + Math.max(0, (asOf - (learnedAt ?? asOf)) / 1000);
}

export function parseTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** The event as a sentence without its end, and the next step. */
export type RequestFailure = { readonly what: string; readonly next: string };

const KEEPS_TRYING = 'The page keeps trying.';

export const REQUEST_FAILURES = {
  noResponse: { what: 'It has not responded', next: KEEPS_TRYING },
  loginRequired: { what: 'It has required a login', next: 'Reload this page to log in.' },
  foreign: {
    what: 'A login page or another server has responded in its place',
    next: 'Reload this page: it may ask you to log in.',
  },
  upgraded: { what: 'It has been upgraded', next: 'Reload this page.' },
  status: (status: number) => ({ what: `It has responded with status ${status}`, next: KEEPS_TRYING }),
} as const;

/** The state of the connection to the exporter. Instants are milliseconds since 1970 by the clock of the exporter. */
export type ConnectionState = {
  /** The last response. */
  readonly lastResponseAt: number | undefined;
  /** Why the last request failed; undefined after a success. */
  readonly failure: RequestFailure | undefined;
  /** The last response before this series of failures; without one, the first failure. */
  readonly failingSince: number | undefined;
};

/** The freshness of everything shown. */
export type Freshness = {
  readonly tone: Tone;
  readonly word: string;
  /** The last successful poll of devices; of several accounts, the oldest. */
  readonly learnedAt: number | undefined;
  readonly notices: readonly Notice[];
};

type Notice = {
  /** The collector whose data is stale; absent for the whole account. */
  readonly about?: ReadingName;
  readonly tone: 'warn' | 'bad';
  readonly title: string;
  readonly text: string;
};

/** Accounts that the title of a notice names. */
const NAMES_SHOWN = 3;

const READING_TITLES = { devices: 'Phones', tunnels: 'Tunnels', balance: 'Balance' } as const;

type ReadingName = keyof typeof READING_TITLES;

/** Returns the last successful poll of devices; of several accounts, the oldest. */
export function learnedAtOf(accounts: readonly FleetAccount[]): number | undefined {
  const instants = accounts.flatMap(({ readings }) => parseTime(readings.devices.lastSuccessAt) ?? []);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** @param now by the clock of the exporter */
export function freshnessOf(
  document: FleetDocument | undefined,
  connection: ConnectionState,
  now: number,
  time: TimeText,
): Freshness {
  const learnedAt = learnedAtOf(document?.accounts ?? []);
  const notices = [
    ...connectionNotices(connection, learnedAt, now, time),
    ...(document === undefined ? [] : accountNotices(document, now, time)),
    ...warningNotices(document?.exporter.warnings),
  ];
  if (connection.failure !== undefined)
    return { tone: 'bad', word: 'Exporter unreachable', learnedAt, notices };
  if (document === undefined) return { tone: 'wait', word: 'Loading', learnedAt: undefined, notices };
  const all = document.accounts.map(({ readings: { devices } }) => devices);
  const readings = all.filter((reading) => !isFirstPoll(reading));
  if (readings.length === 0)
    return { tone: 'wait', word: 'Waiting for the first poll', learnedAt: undefined, notices };
  const state = (['expired', 'stale'] as const).find((one) =>
    readings.some((reading) => reading.state === one),
  );
  if (state === undefined) return { tone: 'good', word: STATE_WORDS.fresh, learnedAt, notices };
  const affected = readings.filter((reading) => reading.state !== 'fresh').length;
  const share = all.length === 1 ? '' : ` (${affected} of ${all.length} accounts)`;
  return {
    tone: state === 'stale' ? 'warn' : 'bad',
    word: `${STATE_WORDS[state]}${share}`,
    learnedAt,
    notices,
  };
}

/** Reports whether the first poll has not finished yet. */
function isFirstPoll({ lastAttemptAt }: FleetReading): boolean {
  return lastAttemptAt === undefined;
}

/** @param learnedAt time of the data on the page, as at its top */
function connectionNotices(
  connection: ConnectionState,
  learnedAt: number | undefined,
  now: number,
  time: TimeText,
): readonly Notice[] {
  const { failure, failingSince, lastResponseAt } = connection;
  if (failure === undefined) return [];
  const dataAt = learnedAt ?? lastResponseAt;
  const since = failingSince === undefined ? '' : ` since ${time(failingSince)}`;
  const shown =
    dataAt === undefined
      ? 'The page has no data yet.'
      : `You see the data from ${time(dataAt)}, ${durationText((now - dataAt) / 1000)} ago.`;
  const text = `${failure.what}${since}. ${shown} ${failure.next}`;
  return [{ tone: 'bad', title: 'The exporter cannot be reached', text }];
}

/** Ignored lines that a notice shows; the log has them all. */
const LINES_SHOWN = 3;

function warningNotices(warnings: readonly string[] = []): readonly Notice[] {
  const text = listText(warnings, LINES_SHOWN, '; ', ' in the log of the exporter');
  return warnings.length === 0 ? [] : [{ tone: 'warn', title: 'Some settings were ignored', text }];
}

/** Returns the notices of accounts. Equal ones of several accounts are merged. */
export function accountNotices(
  { accounts, exporter }: Pick<FleetDocument, 'accounts' | 'exporter'>,
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
      : { ...notice, title: `${notice.title} (${listText(names, NAMES_SHOWN, ', ')})` },
  );
}

/** Returns the notices of an account. A refused key explains all other problems. */
function noticesOf(
  { access, keyFile, readings, gracePeriodEndsAt }: FleetAccount,
  pollSeconds: Readonly<Record<ReadingName, number>>,
  now: number,
  time: TimeText,
): readonly Notice[] {
  const names: readonly ReadingName[] = ['devices', 'tunnels', 'balance'];
  const stale = names.filter((name) => readings[name].state !== 'fresh' && !isFirstPoll(readings[name]));
  if (access !== undefined && access !== 'granted') {
    const seenAt = parseTime(readings.devices.lastSuccessAt);
    const seen = seenAt === undefined ? '' : ` You see the phones as they were at ${time(seenAt)}.`;
    const text = `${ACCESS_WORDS[access]} ${newKeyText(keyFile)} The exporter retries the current key every 5 min.${seen}`;
    return [{ tone: 'bad', title: 'API key refused', text }];
  }
  // All polls usually fail together: one notice is enough.
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
  return [
    {
      tone: 'warn',
      title: `The marketplace is back. Phones have until ${time(until)} to report`,
      text: 'They could not report during the outage. Until then, they do not count as offline.',
    },
  ];
}

/** systemd copies keys into this folder when it starts the service (LoadCredential). */
const CREDENTIALS_FOLDER = '/run/credentials/';

function newKeyText(keyFile: string | undefined): string {
  if (keyFile === undefined) return 'Set a new key in the environment of the exporter and restart it.';
  if (keyFile.startsWith(CREDENTIALS_FOLDER))
    return 'Put a new key into the file that the systemd service loads (LoadCredential) and restart the service.';
  return `Put a new key into ${keyFile}. The next poll uses it, without a restart.`;
}

function noticeOf(
  name: ReadingName,
  reading: FleetReading,
  pollSeconds: number,
  now: number,
  time: TimeText,
): Notice {
  const { state, failureText } = reading;
  const learnedAt = parseTime(reading.lastSuccessAt);
  const cause =
    failureText === undefined
      ? 'No poll has finished since then.'
      : `${failureText} Retrying every ${durationText(pollSeconds)}.`;
  const what = READING_TITLES[name];
  if (learnedAt === undefined)
    return { about: name, tone: 'bad', title: `${what}: no data yet`, text: cause };
  const since = time(learnedAt);
  const ago = durationText((now - learnedAt) / 1000);
  const text = `${cause} You see the data from ${ago} ago.`;
  return state === 'stale'
    ? { about: name, tone: 'warn', title: `${what}: not updating since ${since}`, text }
    : { about: name, tone: 'bad', title: `${what}: no data since ${since}`, text };
}
