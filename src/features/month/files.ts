import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, readOptional } from '../../base/files.ts';
import { dateAt, dayAfter, midnightOf, type TimeZone } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import type { Account, NamedAccount } from '../../model/account.ts';
import { parseJson } from '../../model/text.ts';
import { DAY, SECOND } from '../../model/time.ts';
import { COLUMNS } from '../../model/times.ts';
import { removeLeftovers, replaceWhole } from '../../state/file.ts';
import { adviceFor } from '../../state/keeper.ts';
import { DAYS, type DayEntry, type DayStart, entriesAt, MAX_DAYS } from './days.ts';

/*
 * The month files: one file for each local day, in our own format. The file of a finished day is written atomically. Until
 * then the account keeps the day, so no day is duplicated, and none is lost while the disk is full.
 *
 * The first line contains the format and the date, the last one a checksum of the lines between them. Each account has a line
 * with its name and the start and the end of the day, then a line for each phone.
 */

/** A phone in a local day: `leftAt` is null while it is listed; the times are milliseconds, in the order of COLUMNS. */
export type PhoneDay = readonly [
  id: string,
  label: string,
  group: string,
  model: string,
  firstListedAt: number,
  leftAt: number | null,
  milliseconds: readonly number[],
  interruptions: number,
];

/** The phones of an account in a local day. Start and end are in milliseconds since 1970. */
export type AccountDay = {
  readonly date: string;
  readonly account: string;
  readonly from: number;
  readonly to: number;
  readonly phones: Iterable<PhoneDay>;
};

/** Yields the phones that were listed in a local day. */
function* phonesOf(start: DayStart, end: ReadonlyMap<string, DayEntry>, to: number): Generator<PhoneDay> {
  const { midnight: from } = start;
  for (const [id, { label, group, model, firstListedAt, leftAt, milliseconds, interruptions }] of end) {
    if ((leftAt ?? to) <= from || firstListedAt >= to) continue;
    // A phone that was first listed in this day has no start value. For one that returned, the day is unknown.
    const before = start.devices.get(id) ?? (firstListedAt < from ? end.get(id) : undefined);
    const seen = COLUMNS.map((column) =>
      Math.max(0, (milliseconds[column] ?? 0) - (before?.milliseconds[column] ?? 0)),
    );
    const times = [seen, interruptions - (before?.interruptions ?? 0)] as const;
    yield [id, label, group, model, firstListedAt, leftAt ?? null, ...times];
  }
}

const FORMAT = 'hoster-exporter day';
const VERSION = 1;

/** Number of lines between two yields to the event loop. */
const LINES_PER_YIELD = 500;

/** Yields the file of a day in pieces. */
function* encodeDay(date: string, days: readonly AccountDay[]): Generator<string> {
  yield `${JSON.stringify({ format: FORMAT, version: VERSION, date })}\n`;
  const checksum = createHash('sha256');
  for (const { account, from, to, phones } of days) {
    let piece = `${JSON.stringify({ account, from, to })}\n`;
    let lines = 0;
    for (const phone of phones) {
      piece += `${JSON.stringify(phone)}\n`;
      lines += 1;
      if (lines % LINES_PER_YIELD !== 0) continue;
      checksum.update(piece);
      yield piece;
      piece = '';
    }
    checksum.update(piece);
    yield piece;
  }
  yield `${JSON.stringify({ sha256: checksum.digest('hex') })}\n`;
}

/** Maximum size of the file of a day, for more than a million phones. */
const MAX_DAY_BYTES = 256 * 1024 * 1024;

const END = /\{"sha256":"([0-9a-f]{64})"\}\n$/;

/** Maximum length of {@link END}. */
const END_LENGTH = 80;

/**
 * Reads the file of a day; undefined without one.
 *
 * @throws a system error, or an Error for a damaged file or another version
 */
export async function readDay(directory: string, date: string): Promise<readonly AccountDay[] | undefined> {
  const text = await readOptional(pathOf(directory, date), MAX_DAY_BYTES);
  if (text === undefined) return undefined;
  const start = text.indexOf('\n') + 1;
  const head = JSON.stringify({ format: FORMAT, version: VERSION, date });
  if (text.slice(0, start) !== `${head}\n`)
    throw new Error(`${pathOf(directory, date)} has an unknown format, expected the first line ${head}`);
  const [end, checksum] = END.exec(text.slice(-END_LENGTH)) ?? [];
  const body = text.slice(start, -(end?.length ?? 0));
  if (end === undefined || createHash('sha256').update(body).digest('hex') !== checksum)
    throw new Error(`${pathOf(directory, date)} is damaged or truncated: restore it or remove it`);
  return [...accountsIn(body, date)];
}

/** Yields the accounts of a day. */
function* accountsIn(body: string, date: string): Generator<AccountDay> {
  for (let start = 0; start < body.length; ) {
    const lineEnd = body.indexOf('\n', start);
    const next = body.indexOf('\n{', lineEnd);
    const end = next === -1 ? body.length : next + 1;
    const account = parseJson(body.slice(start, lineEnd));
    if (isAccountLine(account)) yield { ...account, date, phones: phonesIn(body.slice(lineEnd + 1, end)) };
    start = end;
  }
}

/** Parses the lines of phones lazily. */
function* phonesIn(text: string): Generator<PhoneDay> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const phone = parseJson(text.slice(start, end));
    if (isPhoneDay(phone)) yield phone;
    start = end + 1;
  }
}

/** The checksum is right, so this program wrote the lines. */
function isAccountLine(value: unknown): value is Omit<AccountDay, 'date' | 'phones'> {
  return typeof value === 'object' && value !== null && 'account' in value;
}

function isPhoneDay(value: unknown): value is PhoneDay {
  return Array.isArray(value);
}

const DAY_FILE = /^\d{4}-\d\d-\d\d\.jsonl$/;

function pathOf(directory: string, date: string): string {
  return join(directory, `${date}.jsonl`);
}

/** Lists the dates that have a file. */
export async function datesOf(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names
    .filter((name) => DAY_FILE.test(name))
    .map((name) => name.slice(0, 10))
    .toSorted();
}

/** Removes the oldest months. Days of future months, which a wrong clock may have written, stay. */
async function removeOldest(directory: string, present: string, keep: number): Promise<void> {
  const names = (await readdir(directory)).filter((name) => DAY_FILE.test(name));
  const months = [...new Set(names.map((name) => name.slice(0, 7)))].filter((month) => month <= present);
  const gone = new Set(months.toSorted().slice(0, Math.max(0, months.length - keep)));
  for (const name of names) if (gone.has(name.slice(0, 7))) await rm(join(directory, name), { force: true });
}

/** Time after which writing a day counts as hanging, in milliseconds. */
const WRITE_MILLISECONDS = 30 * SECOND;

type MonthKeeperOptions = {
  readonly directory: string;
  /** Number of months to keep. */
  readonly keep: number;
  readonly accounts: () => readonly NamedAccount[];
} & Pick<FeatureContext, 'observe' | 'timeZone' | 'disk' | 'clock' | 'log'>;

/**
 * Returns a function that writes the finished local days. It never rejects.
 */
export function createMonthKeeper(options: MonthKeeperOptions): () => Promise<void> {
  const { directory, keep, accounts, observe, timeZone, disk, clock, log } = options;
  const apiTime = createApiTime(options);
  let failing = false;

  /** Starts the oldest missing day in the accounts without it. Returns false if no day is missing. */
  const startDay = async (): Promise<boolean> => {
    const today = dateAt(timeZone(), apiTime());
    const known = accounts().filter(({ account }) => account.fleet !== undefined);
    const next = known.map((each) => ({ ...each, date: nextDate(each.account, today) }));
    const date = next.map((each) => each.date).toSorted()[0];
    if (date === undefined || date > today) return false;
    for (const { name, account } of next.filter((each) => each.date === date))
      await observe(name, DAYS.observation({ started: { date, ...startOf(account, date, timeZone()) } }));
    return true;
  };
  const writeOldest = async (date: string): Promise<void> => {
    const finished = accounts().filter(({ account }) => DAYS.of(account).at(-1)?.date !== date);
    const days = [...unwrittenDays(finished, timeZone(), date)].flatMap((day) => day ?? []);
    const path = pathOf(directory, date);
    const write = async (): Promise<void> => {
      await mkdir(directory, { recursive: true });
      await removeLeftovers(path, clock.now());
      // An account that was added again may have days that are already written for others.
      const written = (await readDay(directory, date)) ?? [];
      const missing = days.filter(({ account }) => written.every((each) => each.account !== account));
      if (missing.length > 0)
        await replaceWhole(path, encodeDay(date, [...written, ...missing]), { isShared: true });
      await removeOldest(directory, date.slice(0, 7), keep);
    };
    await disk.use(directory, write, WRITE_MILLISECONDS);
    for (const { account } of days)
      await observe(account, DAYS.observation({ writtenBefore: dayAfter(date) }));
  };
  return async () => {
    try {
      for (let isMore = true; isMore; ) {
        isMore = await startDay();
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
}

/** Creates a clock of the API that advances between lists. It is 0 before the first one. */
function createApiTime({ accounts, clock }: Pick<MonthKeeperOptions, 'accounts' | 'clock'>): () => number {
  let latest = { apiTime: 0, uptime: 0 };
  return () => {
    const apiTime = Math.max(0, ...accounts().map(({ account }) => account.fleet?.apiTime ?? 0));
    if (apiTime !== latest.apiTime) latest = { apiTime, uptime: clock.uptime() };
    return apiTime === 0 ? 0 : apiTime + clock.uptime() - latest.uptime;
  };
}

/**
 * Returns the date after the last day of an account. Up to {@link MAX_DAYS} days in which the exporter did not run are
 * unknown days.
 */
function nextDate(account: Account, today: string): string {
  const last = DAYS.of(account).at(-1);
  if (last === undefined) return today;
  const next = dayAfter(last.date);
  return Date.parse(today) - Date.parse(next) > MAX_DAYS * DAY ? today : next;
}

/** Returns the start of a day of an account, which after a change of the time zone is not in the past. */
function startOf(account: Account, date: string, timeZone: TimeZone): Pick<DayStart, 'zone' | 'midnight'> {
  const { name: zone } = timeZone;
  const midnight = midnightOf(timeZone, date);
  const isMoved = (DAYS.of(account).at(-1)?.zone ?? zone) !== zone;
  return { zone, midnight: isMoved ? Math.max(midnight, account.fleet?.apiTime ?? midnight) : midnight };
}

/** Returns the oldest finished day without a file. */
function oldestOf(accounts: readonly NamedAccount[]): string | undefined {
  return accounts
    .flatMap(({ account }) => DAYS.of(account).slice(0, -1))
    .map(({ date }) => date)
    .toSorted()[0];
}

/**
 * Lists the days of a month without a file, the current one included; undefined between its steps.
 *
 * @param month the start of their dates, such as 2026-11
 */
export function* unwrittenDays(
  accounts: readonly NamedAccount[],
  timeZone: TimeZone,
  month: string,
): Generator<AccountDay | undefined> {
  for (const { name, account } of accounts) {
    const days = DAYS.of(account);
    for (const [index, start] of days.entries()) {
      if (!start.date.startsWith(month)) continue;
      const next = days[index + 1];
      const { date, midnight: from } = start;
      const whole = endOf(date, next, timeZone);
      const to = next === undefined ? Math.min(whole, account.at ?? from) : whole;
      const end = next?.devices ?? (account.fleet && (yield* entriesAt(account.fleet, to)));
      if (end !== undefined) yield { date, account: name, from, to, phones: phonesOf(start, end, to) };
    }
  }
}

/** Returns the end of a day: the start of the next one, or its midnight if days are missing. */
function endOf(date: string, next: DayStart | undefined, timeZone: TimeZone): number {
  const following = dayAfter(date);
  return next?.date === following ? next.midnight : midnightOf(timeZone, following);
}
