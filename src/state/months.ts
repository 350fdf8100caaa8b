import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, every } from '../clock.ts';
import { readInPieces } from '../files.ts';
import { entriesOf, MAX_DAYS } from '../judgement/days.ts';
import type { Log } from '../log.ts';
import type { Account, NamedAccount } from '../model/account.ts';
import type { DayObservation } from '../model/observation.ts';
import { DAY } from '../model/time.ts';
import { COLUMNS, type DayEntry, type DayStart } from '../model/times.ts';
import { dateAt, dayAfter, midnightOf, type TimeZone } from '../time-zone.ts';
import { adviceFor } from './keeper.ts';

/*
 * The month files: one CSV a month, one line a phone and local day. A day is written when it is over. Until it is on the
 * disk the account keeps it, and a part of it that a crash left is cut off before it is written again. So no day is there
 * twice, and none is lost while the disk is full.
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

/** Number of lines that are made before the event loop gets a turn. */
const LINES_PER_YIELD = 100;

/** A day of an account: how it began, and what its phones were at its end. */
type Day = {
  readonly account: string;
  readonly start: DayStart;
  readonly end: Iterable<readonly [id: string, DayEntry]>;
  /** When that was, in milliseconds since 1970. */
  readonly endedAt: number;
};

/** Returns the lines of a local day in pieces: those of each phone that was listed in it. */
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
  // Of a phone that nobody knew when the day began, what it did before it returned is not known.
  const known = before ?? (firstListedAt < from ? entry : undefined);
  const seen = COLUMNS.map((column) =>
    Math.max(0, (milliseconds[column] ?? 0) - (known?.milliseconds[column] ?? 0)),
  );
  const listed = Math.min(to, leftAt) - Math.max(from, firstListedAt);
  if (listed < 500) return '';
  const times = [...secondsOf(seen, listed), interruptions - (known?.interruptions ?? 0)];
  return `${[...[...head, label, group, model].map(cell), ...times].join(',')}\n`;
}

/** The clock of the API has whole seconds: less than this, in milliseconds, is not unknown. */
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
 * Writes the lines of a day at the end of a month file, in place of a part of it that is there. Lines of other accounts
 * stay. Returns false, and writes nothing, where the file has a later day, and this one before it.
 *
 * @throws the error of the system; what was written is replaced at the next try
 */
async function writeDay(
  path: string,
  date: string,
  accounts: readonly string[],
  lines: Iterable<string>,
): Promise<boolean> {
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o640);
  try {
    const heads = accounts.map((account) => `${date},${cell(account)},`);
    const before = await endBefore(handle, date, heads);
    if (before === undefined && (await hasDay(path, heads))) return false;
    const end = before ?? (await handle.stat()).size;
    await handle.truncate(end);
    let position = end;
    const write = async (text: string): Promise<void> => {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position);
        written += bytesWritten;
        position += bytesWritten;
      }
    };
    if (end === 0) await write(`${HEADER.join(',')}\n`);
    // A person saved the file without an end of its last line.
    else if (!(await endsLine(handle, end))) await write('\n');
    for (const piece of lines) await write(piece);
    await handle.sync();
    return true;
  } finally {
    await handle.close();
  }
}

async function endsLine(handle: FileHandle, end: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, end - 1);
  return buffer[0] === LINE_END;
}

/** Tells whether a month file has lines that begin like these. */
async function hasDay(path: string, heads: readonly string[]): Promise<boolean> {
  let rest = '';
  for await (const piece of readInPieces(path)) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    if (lines.some((line) => heads.some((head) => line.startsWith(head)))) return true;
  }
  return false;
}

const LINE_END = 10;

/** Bytes of the end of a file that are read first. */
const TAIL_BYTES = 65_536;

/**
 * Returns where the lines end that stay: those of days before a date, and those of the date without any of the heads.
 * Undefined if there is a later day.
 */
async function endBefore(
  handle: FileHandle,
  date: string,
  heads: readonly string[],
): Promise<number | undefined> {
  const { size } = await handle.stat();
  for (let length = TAIL_BYTES; ; length *= 2) {
    const start = Math.max(0, size - length);
    const { buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    // The first line may be cut off, unless it is that of the file; the last one is whole if a line end follows.
    let end = buffer.lastIndexOf(LINE_END) + 1;
    const last = buffer.subarray(end, end + date.length).toString();
    // A day that a crash left a part of is the one that is written again; what is earlier was whole.
    if (/^\d{4}-\d\d-\d\d$/.test(last) && last < date) return size;
    while (end > 0) {
      const begin = end < 2 ? 0 : buffer.lastIndexOf(LINE_END, end - 2) + 1;
      if (begin === 0 && start > 0) break;
      const found = buffer.subarray(begin, begin + date.length).toString();
      if (begin === 0 && found.startsWith('date')) return start + end;
      if (found > date) return undefined;
      const line = buffer.subarray(begin, end).toString();
      if (found < date || !heads.some((head) => line.startsWith(head))) return start + end;
      end = begin;
    }
    if (start === 0) return 0;
  }
}

const MONTH_FILE = /^\d{4}-\d\d\.csv$/;

/** Removes the oldest month files but a number of them. Those of later months are none of ours: a wrong clock left them. */
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
  /** Looks every quarter of a minute if a local day is over. */
  readonly start: () => void;
  /** Looks now. Resolves when what is over is written, or could not be. */
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

  /** Begins the oldest day that has not begun, of the accounts that lack it. Returns whether there was one. */
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
    const names = days.map(({ account }) => account);
    if (!(await writeDay(path, date, names, linesOfDay(days))))
      log.warn(
        { path, date },
        'the month file has this day already, before a later one: it is not written again',
      );
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

/** Returns a function that returns the clock of the API, which goes on between two lists; 0 before the first one. */
function createApiTime({ accounts, clock }: Pick<MonthKeeperOptions, 'accounts' | 'clock'>): () => number {
  let latest = { apiTime: 0, uptime: 0 };
  return () => {
    const apiTime = Math.max(0, ...accounts().map(({ account }) => account.fleet?.apiTime ?? 0));
    if (apiTime !== latest.apiTime) latest = { apiTime, uptime: clock.uptime() };
    return apiTime === 0 ? 0 : apiTime + clock.uptime() - latest.uptime;
  };
}

/**
 * Returns the date of the day that an account begins next, which is tomorrow where it has begun today. Days in which the
 * exporter did not run are days too, of which nothing is known, unless it did not run for very long.
 */
function nextDate({ days }: Account, today: string): string {
  const last = days.at(-1);
  if (last === undefined) return today;
  const next = dayAfter(last.date);
  return Date.parse(today) - Date.parse(next) > MAX_DAYS * DAY ? today : next;
}

/** Returns when a day of an account begins; where the owner came from another time zone, it is not before now. */
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

/** Returns when a day was over: when the next one began, or would have begun. */
function endOf({ date }: DayStart, next: DayStart | undefined, timeZone: TimeZone): number {
  const following = dayAfter(date);
  return next?.date === following ? next.midnight : midnightOf(timeZone, following);
}

/** Days that no month file has yet: those that are over, and what passed of the one that runs. */
export type UnwrittenDays = {
  /** The first date of them, by account. */
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
