import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, every } from '../../base/clock.ts';
import { readInPieces } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { dateAt, dayAfter, midnightOf, type TimeZone } from '../../base/time-zone.ts';
import type { Account, NamedAccount } from '../../model/account.ts';
import type { DayObservation } from '../../model/observation.ts';
import { DAY } from '../../model/time.ts';
import { COLUMNS, type DayEntry, type DayStart } from '../../model/times.ts';
import { removeLeftovers, replaceWhole } from '../../state/file.ts';
import { adviceFor } from '../../state/keeper.ts';
import { entriesOf, MAX_DAYS } from './days.ts';

/*
 * The month files: one CSV a month, one line a phone and local day. When a day is over, the file of its month is written
 * anew with its lines, whole or not at all. Until then the account keeps the day. So no day is there twice, and none is
 * lost while the disk is full.
 */

const HEADER = [
  'date',
  'account',
  'device_id',
  'label',
  'group',
  'model',
  ...COLUMNS,
  'unknown',
  'interruptions',
];

/** Number of lines between two turns of the event loop. */
const LINES_PER_YIELD = 100;

/** A day of an account: its phones at its begin and at its end. */
type Day = {
  readonly account: string;
  readonly start: DayStart;
  readonly end: Iterable<readonly [id: string, DayEntry]>;
  /** End of the day, in milliseconds since 1970. */
  readonly endedAt: number;
};

/** Yields the lines of a local day in pieces: one for each phone that was listed in it. */
export function* linesOfDay(days: readonly Day[]): Generator<string> {
  let text = '';
  let lines = 0;
  for (const { account, start, end, endedAt } of days) {
    const { midnight: from } = start;
    for (const [id, entry] of end) {
      lines += 1;
      if (lines % LINES_PER_YIELD === 0) {
        yield text;
        text = '';
      }
      text += lineOf([start.date, account, id], start.devices.get(id), entry, { from, to: endedAt });
    }
  }
  yield text;
}

function lineOf(
  head: readonly string[],
  before: DayEntry | undefined,
  entry: DayEntry,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const { label, group, model, firstListedAt, milliseconds, interruptions, leftAt = to } = entry;
  // A phone that returned within the day has no begin to compare with: its time of this day is unknown.
  const known = before ?? (firstListedAt < from ? entry : undefined);
  const seen = COLUMNS.map((column) =>
    Math.max(0, (milliseconds[column] ?? 0) - (known?.milliseconds[column] ?? 0)),
  );
  const listed = Math.min(to, leftAt) - Math.max(from, firstListedAt);
  if (listed < 500) return '';
  const times = [...secondsOf(seen, listed), interruptions - (known?.interruptions ?? 0)];
  return `${[...[...head, label, group, model].map(cell), ...times].join(',')}\n`;
}

/** Maximum rounding of the clock of the API, in milliseconds. A shorter gap is no unknown time. */
const CLOCK_MILLISECONDS = 2_000;

/**
 * Returns the seconds of the columns and the unknown ones, which add up to the time that a phone was listed. Columns exceed
 * that time where the clock of the API was set.
 */
function secondsOf(seen: readonly number[], listed: number): readonly number[] {
  const share = Math.min(1, listed / sumOf(seen));
  const lacking = listed - share * sumOf(seen);
  const unknown = lacking < CLOCK_MILLISECONDS ? 0 : Math.round(lacking / 1000);
  const seconds = seen.map((each) => Math.floor((share * each) / 1000));
  const rest = Math.round(listed / 1000) - unknown - sumOf(seconds);
  const longest = seen.indexOf(Math.max(...seen));
  return [...seconds.map((each, index) => (index === longest ? each + rest : each)), unknown];
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Returns a text as a cell, which no spreadsheet takes for a formula. */
export function cell(text: string): string {
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",'\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Yields a month file with the lines of a local day behind those that it has. An account that has lines of this day there
 * already gets no others.
 */
async function* withDay(path: string, date: string, days: readonly Day[]): AsyncGenerator<string> {
  const missing = new Map(days.map((day) => [`${date},${cell(day.account)},`, day]));
  let rest: string | undefined;
  for await (const piece of readIfThere(path)) {
    const lines = `${rest ?? ''}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((each) => each.startsWith(date)))
      for (const head of missing.keys()) if (line.startsWith(head)) missing.delete(head);
    yield piece;
  }
  if (rest === undefined) yield `${HEADER.join(',')}\n`;
  // A person saved the file without an end of its last line.
  else if (rest !== '') yield '\n';
  yield* linesOfDay([...missing.values()]);
}

async function* readIfThere(path: string): AsyncGenerator<string> {
  try {
    yield* readInPieces(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

const MONTH_FILE = /^\d{4}-\d\d\.csv$/;

/** Removes all but the newest month files. Files of later months stay: a wrong clock may have written them. */
async function removeOldest(directory: string, month: string, keep: number): Promise<void> {
  const files = (await readdir(directory))
    .filter((name) => MONTH_FILE.test(name) && name <= `${month}.csv`)
    .toSorted();
  for (const name of files.slice(0, Math.max(0, files.length - keep)))
    await rm(join(directory, name), { force: true });
}

type MonthKeeperOptions = {
  readonly directory: string;
  /** Number of month files that are kept. */
  readonly keep: number;
  readonly accounts: () => readonly NamedAccount[];
  readonly observe: (name: string, observation: DayObservation) => Promise<void>;
  readonly timeZone: () => TimeZone;
  readonly clock: Clock;
  readonly log: Log;
};

/** Writes the month files. Never throws. */
export type MonthKeeper = {
  /** Looks every 15 seconds if a local day is over. */
  readonly start: () => void;
  /** Looks now. Resolves when the days that are over are written, or could not be. */
  readonly look: () => Promise<void>;
  readonly stop: () => void;
};

const LOOK_MILLISECONDS = 15_000;

export function createMonthKeeper(options: MonthKeeperOptions): MonthKeeper {
  const { directory, keep, accounts, observe, timeZone, clock, log } = options;
  const apiTime = createApiTime(options);
  let failing = false;
  let looking: Promise<void> | undefined;
  let cancel = (): void => {};

  /** Begins the oldest missing day, in the accounts that lack it. Returns false where none is missing. */
  const beginDay = async (): Promise<boolean> => {
    const today = dateAt(timeZone(), apiTime());
    const known = accounts().filter(({ account }) => account.fleet !== undefined);
    const next = known.map((each) => ({ ...each, date: nextDate(each.account, today) }));
    const date = next.map((each) => each.date).toSorted()[0];
    if (date === undefined || date > today) return false;
    for (const { name, account } of next.filter((each) => each.date === date))
      await observe(name, { kind: 'day', date, ...beginOf(account, date, timeZone()) });
    return true;
  };
  const writeOldest = async (date: string): Promise<void> => {
    const days = accounts().flatMap(({ name, account }) => dayOf(name, account, date, timeZone()));
    await mkdir(directory, { recursive: true });
    const path = join(directory, `${date.slice(0, 7)}.csv`);
    await removeLeftovers(path, clock.now());
    await replaceWhole(path, withDay(path, date, days), { isShared: true });
    await removeOldest(directory, date.slice(0, 7), keep);
    for (const { account } of days) await observe(account, { kind: 'days written', before: dayAfter(date) });
  };
  const look = async (): Promise<void> => {
    try {
      for (let isMore = true; isMore; ) {
        isMore = await beginDay();
        for (let date = oldestOf(accounts()); date !== undefined; date = oldestOf(accounts()))
          await writeOldest(date);
      }
      if (failing) log.info({ directory }, 'the month files are written again');
      failing = false;
    } catch (error) {
      if (!failing) log.error({ directory, error }, `the month files cannot be written: ${adviceFor(error)}`);
      failing = true;
    }
  };
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return {
    look: lookOnce,
    start: () => {
      cancel = every(clock, LOOK_MILLISECONDS, () => void lookOnce());
    },
    stop: () => cancel(),
  };
}

/** Creates a clock of the API that goes on between two lists. It is 0 before the first one. */
function createApiTime({ accounts, clock }: Pick<MonthKeeperOptions, 'accounts' | 'clock'>): () => number {
  let latest = { apiTime: 0, uptime: 0 };
  return () => {
    const apiTime = Math.max(0, ...accounts().map(({ account }) => account.fleet?.apiTime ?? 0));
    if (apiTime !== latest.apiTime) latest = { apiTime, uptime: clock.uptime() };
    return apiTime === 0 ? 0 : apiTime + clock.uptime() - latest.uptime;
  };
}

/**
 * Returns the date of the next day of an account: tomorrow where it has begun today. Days in which the exporter did not run
 * are unknown days, at most {@link MAX_DAYS} of them.
 */
function nextDate({ days }: Account, today: string): string {
  const last = days.at(-1);
  if (last === undefined) return today;
  const next = dayAfter(last.date);
  return Date.parse(today) - Date.parse(next) > MAX_DAYS * DAY ? today : next;
}

/** Returns the begin of a day of an account. After a change of the time zone it is not before now. */
function beginOf(
  { days, fleet }: Account,
  date: string,
  timeZone: TimeZone,
): Pick<DayStart, 'zone' | 'midnight'> {
  const { name: zone } = timeZone;
  const midnight = midnightOf(timeZone, date);
  const isMoved = (days.at(-1)?.zone ?? zone) !== zone;
  return { zone, midnight: isMoved ? Math.max(midnight, fleet?.apiTime ?? midnight) : midnight };
}

/** Returns the oldest day that is over and not written. */
function oldestOf(accounts: readonly NamedAccount[]): string | undefined {
  return accounts.flatMap(({ account }) => account.days.slice(0, -1).map(({ date }) => date)).toSorted()[0];
}

function dayOf(name: string, { days }: Account, date: string, timeZone: TimeZone): readonly Day[] {
  const index = days.findIndex((day) => day.date === date);
  const [start, next] = [days[index], days[index + 1]];
  if (start === undefined || next === undefined) return [];
  return [{ account: name, start, end: next.devices, endedAt: endOf(start, next, timeZone) }];
}

/** Returns the end of a day: the begin of the next one, or its midnight where days lack. */
function endOf({ date }: DayStart, next: DayStart | undefined, timeZone: TimeZone): number {
  const following = dayAfter(date);
  return next?.date === following ? next.midnight : midnightOf(timeZone, following);
}

/** Days that are not written yet: those that are over, and the running one so far. */
export type UnwrittenDays = {
  /** First unwritten date by account. */
  readonly from: ReadonlyMap<string, string>;
  /** Their lines of a month, in pieces. */
  readonly lines: (month: string) => Iterable<string>;
};

export function unwrittenDays(accounts: readonly NamedAccount[], timeZone: TimeZone): UnwrittenDays {
  return {
    from: new Map(
      accounts.flatMap(({ name, account }) =>
        account.days.slice(0, 1).map(({ date }) => [name, date] as const),
      ),
    ),
    lines: function* (month) {
      for (const { name, account } of accounts) {
        for (const [index, start] of account.days.entries()) {
          if (!start.date.startsWith(month)) continue;
          const next = account.days[index + 1];
          const endedAt = Math.min(endOf(start, next, timeZone), account.at ?? start.midnight);
          const end = next?.devices ?? (account.fleet === undefined ? [] : entriesOf(account.fleet, endedAt));
          yield* linesOfDay([{ account: name, start, end, endedAt }]);
        }
      }
    },
  };
}
