import { createTimeZone, dateTimeAt, dayText } from '../base/time-zone.ts';
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

/** Returns for how long a phone has had its rental status; with ≥ where nobody saw it begin, and '' where it has none. */
export function rentalDuration(
  { rentalStatusSince, rentalStatusBeginSeen }: FleetPhone,
  asOf: number,
): string {
  const since = parseTime(rentalStatusSince);
  if (since === undefined) return '';
  return `${rentalStatusBeginSeen ? '' : '≥ '}${durationText((asOf - since) / 1000)}`;
}

/** Formats instants, which are milliseconds since 1970, in one time zone. */
export type InstantFormat = {
  /** `10:04:30` on the day of `now`, `20 Nov 10:04` in the same year, `20 Nov 2025` before. */
  readonly brief: (instant: number, now: number) => string;
  /** `2026-11-21 10:04:30 GMT+1` */
  readonly full: (instant: number) => string;
  /** `GMT+1` */
  readonly zone: (instant: number) => string;
};

/** @param timeZone undefined for that of the browser */
export function createInstantFormat(timeZone: string | undefined): InstantFormat {
  const zone = createTimeZone(timeZone);
  return {
    brief: (instant, now) => {
      const [at, today] = [dateTimeAt(zone, instant), dateTimeAt(zone, now)];
      const [year, time] = [at.slice(0, 4), at.slice(11)];
      if (at.slice(0, 10) === today.slice(0, 10)) return time;
      return `${dayText(at)} ${year === today.slice(0, 4) ? time.slice(0, 5) : year}`;
    },
    full: (instant) => `${dateTimeAt(zone, instant)} ${zone.abbreviationAt(instant)}`,
    zone: zone.abbreviationAt,
  };
}

/** The instant for which ages are shown: they grow while data is fresh, and do not grow while it is held. */
export type AgeBasis = {
  readonly state: DataState;
  /** The last successful poll; undefined before the first. */
  readonly learnedAt: number | undefined;
  /** Now, or the last successful poll. */
  readonly asOf: number;
};

/**
 * @param now by the clock of the exporter
 * @param lostAt the last response, if the exporter is unreachable now; then nothing is fresh
 */
export function ageBasisOf(reading: FleetReading, now: number, lostAt: number | undefined): AgeBasis {
  const learnedAt = parseTime(reading.lastSuccessAt);
  const fresh = reading.state === 'fresh' && lostAt === undefined;
  if (fresh || learnedAt === undefined) return { state: reading.state, learnedAt, asOf: now };
  return { state: reading.state === 'fresh' ? 'stale' : reading.state, learnedAt, asOf: learnedAt };
}

/** Adds the time since the poll to the age that was measured at the poll. */
export function heartbeatAge(ageAtPoll: number, { learnedAt, asOf }: AgeBasis): number {
  return ageAtPoll + Math.max(0, (asOf - (learnedAt ?? asOf)) / 1000);
}

export function parseTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** The state of the connection to the exporter. Instants are milliseconds since 1970 by the clock of the exporter. */
export type ConnectionState = {
  /** The last response. */
  readonly lastResponseAt: number | undefined;
  /** Reason of the last failure, as the end of "It …"; undefined after a success. */
  readonly failure: string | undefined;
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
  /** The collector whose data is old; absent where all of an account is. */
  readonly about?: ReadingName;
  readonly tone: 'warn' | 'bad';
  readonly title: string;
  readonly text: string;
};

/** Accounts that the title of a notice names. */
const NAMES_SHOWN = 3;

const READING_TITLES = { devices: 'Phones', tunnels: 'Tunnels', balance: 'Balance' } as const;

type ReadingName = keyof typeof READING_TITLES;

/** @param now by the clock of the exporter */
export function freshnessOf(
  document: FleetDocument | undefined,
  connection: ConnectionState,
  now: number,
  format: InstantFormat,
): Freshness {
  const learnedAt = learnedAtOf(document);
  const notices = [
    ...connectionNotices(connection, learnedAt, now, format),
    ...accountNotices(document, now, format),
    ...warningNotices(document?.exporter.warnings),
  ];
  if (connection.failure !== undefined)
    return { tone: 'bad', word: 'Exporter unreachable', learnedAt, notices };
  if (document === undefined) return { tone: 'wait', word: 'Loading', learnedAt: undefined, notices };
  const all = document.accounts.map(({ readings: { devices } }) => devices);
  const readings = all.filter((reading) => !isFirstPoll(reading));
  if (readings.length === 0)
    return { tone: 'wait', word: 'First poll under way', learnedAt: undefined, notices };
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

/** True before the first poll has ended. */
function isFirstPoll({ lastAttemptAt }: FleetReading): boolean {
  return lastAttemptAt === undefined;
}

function learnedAtOf(document: FleetDocument | undefined): number | undefined {
  const instants = (document?.accounts ?? [])
    .map(({ readings }) => parseTime(readings.devices.lastSuccessAt))
    .filter((instant) => instant !== undefined);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** @param learnedAt what the page shows is of then: the same instant as in its head */
function connectionNotices(
  connection: ConnectionState,
  learnedAt: number | undefined,
  now: number,
  format: InstantFormat,
): readonly Notice[] {
  const { failure, failingSince, lastResponseAt } = connection;
  if (failure === undefined) return [];
  const dataAt = learnedAt ?? lastResponseAt;
  const since = failingSince === undefined ? '' : ` since ${format.brief(failingSince, now)}`;
  const shown =
    dataAt === undefined
      ? 'The page has no data yet.'
      : `The page shows its data of ${format.brief(dataAt, now)}, ${durationText((now - dataAt) / 1000)} ago.`;
  return [
    {
      tone: 'bad',
      title: 'The exporter can’t be reached',
      text: `It ${failure}${since}. ${shown} The page tries again.`,
    },
  ];
}

/** Lines without effect that a notice shows; the log has them all. */
const LINES_SHOWN = 3;

function warningNotices(warnings: readonly string[] = []): readonly Notice[] {
  const text = listText(warnings, LINES_SHOWN, '; ', ': the log of the exporter has them');
  return warnings.length === 0 ? [] : [{ tone: 'warn', title: 'Not all settings have an effect', text }];
}

/** Merges equal notices of several accounts. */
function accountNotices(
  document: FleetDocument | undefined,
  now: number,
  format: InstantFormat,
): readonly Notice[] {
  if (document === undefined) return [];
  const { accounts, exporter } = document;
  const groups = new Map<string, { readonly notice: Notice; readonly names: string[] }>();
  for (const account of accounts) {
    for (const notice of noticesOf(account, exporter.pollSeconds, now, format)) {
      const key = `${notice.title}\n${notice.text}`;
      const group = groups.get(key) ?? { notice, names: [] };
      group.names.push(account.name);
      groups.set(key, group);
    }
  }
  return Array.from(groups.values(), ({ notice, names }) =>
    accounts.length === 1
      ? notice
      : { ...notice, title: `${notice.title}: ${listText(names, NAMES_SHOWN, ', ')}` },
  );
}

/** One notice for one cause: a refused key is why nothing is fresh. */
function noticesOf(
  { access, keyFile, readings, gracePeriodEndsAt }: FleetAccount,
  pollSeconds: Readonly<Record<ReadingName, number>>,
  now: number,
  format: InstantFormat,
): readonly Notice[] {
  const names: readonly ReadingName[] = ['devices', 'tunnels', 'balance'];
  const stale = names.filter((name) => isStale(readings[name]));
  if (access !== undefined && access !== 'granted') {
    const seen = lastSeen(readings.devices, now, format);
    return [
      {
        tone: 'bad',
        title: 'The key is refused',
        text: `${ACCESS_WORDS[access]} ${newKeyText(keyFile)}${seen}`,
      },
    ];
  }
  // As a rule, all polls fail together; one notice is enough.
  const told = stale.filter((name) => name === 'devices' || !stale.includes('devices'));
  return [
    ...told.map((name) => noticeOf(name, readings[name], pollSeconds[name], now, format)),
    ...waitingNotices(gracePeriodEndsAt, now, format),
  ];
}

/** Says until when the silence of phones is not judged, after an outage. */
function waitingNotices(judgedAt: string | undefined, now: number, format: InstantFormat): readonly Notice[] {
  const until = parseTime(judgedAt);
  if (until === undefined) return [];
  return [
    {
      tone: 'warn',
      title: `Silence is judged again from ${format.brief(until, now)}`,
      text: 'The marketplace did not respond, so phones could not report either. Each has its usual time to do so before it counts as offline.',
    },
  ];
}

/** systemd copies keys into this folder when it starts the service (LoadCredential). */
const CREDENTIALS_FOLDER = '/run/credentials/';

function newKeyText(keyFile: string | undefined): string {
  return `${placeOfNewKey(keyFile)} The same key is tried again every 5 min.`;
}

function placeOfNewKey(keyFile: string | undefined): string {
  if (keyFile === undefined) return 'Set a new key in the environment of the exporter and restart it.';
  if (keyFile.startsWith(CREDENTIALS_FOLDER))
    return 'Put a new key into the file that the systemd service loads (LoadCredential), and restart the service.';
  return `Put a new key into ${keyFile}: it is used at the next poll, no restart needed.`;
}

function lastSeen(reading: FleetReading, now: number, format: InstantFormat): string {
  const learnedAt = parseTime(reading.lastSuccessAt);
  return learnedAt === undefined ? '' : ` The last list of phones is of ${format.brief(learnedAt, now)}.`;
}

function isStale(reading: FleetReading): boolean {
  return reading.state !== 'fresh' && !isFirstPoll(reading);
}

function noticeOf(
  name: ReadingName,
  reading: FleetReading,
  pollSeconds: number,
  now: number,
  format: InstantFormat,
): Notice {
  const { state, failureText } = reading;
  const learnedAt = parseTime(reading.lastSuccessAt);
  const cause =
    failureText === undefined
      ? 'No poll has ended since then.'
      : `The last poll failed. ${failureText} It is tried again every ${durationText(pollSeconds)}.`;
  const what = READING_TITLES[name];
  if (learnedAt === undefined)
    return { about: name, tone: 'bad', title: `${what}: no data yet`, text: cause };
  const since = format.brief(learnedAt, now);
  const ago = durationText((now - learnedAt) / 1000);
  if (state === 'stale') {
    const text = `${cause} The page shows the data of ${ago} ago, and ages do not grow.`;
    return { about: name, tone: 'warn', title: `${what}: old data from ${since}`, text };
  }
  const text = `${cause} The page shows what was known ${ago} ago; what happened since is not known.`;
  return { about: name, tone: 'bad', title: `${what}: last known at ${since}`, text };
}
