import { createHash } from 'node:crypto';
import { dateAt, dayAfter, midnightOf, type TimeZone } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import type { Account, NamedAccount } from '../../model/account.ts';
import { parseJson } from '../../model/text.ts';
import { DAY } from '../../model/time.ts';
import { COLUMNS } from '../../model/times.ts';
import { type DatedFiles, datedWriter } from '../../state/dated-files.ts';
import {
  type AccountDay,
  DAYS,
  type DayEntry,
  type DayStart,
  entriesAt,
  MAX_DAYS,
  type PhoneDay,
  timesOfAll,
} from './days.ts';

/*
 * The month files: one file per local day, in our own format. The file of a finished day is written atomically. Until then
 * the account keeps the day, so no day is duplicated, and none is lost while the disk is full.
 *
 * The first line contains the format and the date, the last one a checksum of the lines between them. Each account has a line
 * with its name and the start and end of the day, followed by a line for each phone.
 */

/** Yields the phones that were listed on a local day. */
function* phonesOf(start: DayStart, end: ReadonlyMap<string, DayEntry>, to: number): Generator<PhoneDay> {
  const { midnight: from } = start;
  for (const [id, { label, group, model, firstListedAt, leftAt, milliseconds, interruptions }] of end) {
    if ((leftAt ?? to) <= from || firstListedAt >= to) continue;
    // A phone that was first listed on this day has no start value. If it only returned, its day is unknown.
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

const END = /\{"sha256":"([0-9a-f]{64})"\}\n$/;

/** Maximum length of {@link END}. */
const END_LENGTH = 80;

/**
 * Reads the file of a day; undefined if there is none.
 *
 * @throws a system error, or an Error if the file is damaged or of another version
 */
export async function readDay(files: DatedFiles, date: string): Promise<readonly AccountDay[] | undefined> {
  const text = await files.read(date);
  if (text === undefined) return undefined;
  const start = text.indexOf('\n') + 1;
  const head = JSON.stringify({ format: FORMAT, version: VERSION, date });
  if (text.slice(0, start) !== `${head}\n`)
    throw new Error(`${files.pathOf(date)} has an unknown format, expected the first line ${head}`);
  const [end, checksum] = END.exec(text.slice(-END_LENGTH)) ?? [];
  const body = text.slice(start, -(end?.length ?? 0));
  if (end === undefined || createHash('sha256').update(body).digest('hex') !== checksum)
    throw new Error(`${files.pathOf(date)} is damaged or truncated: restore it or remove it`);
  return [...accountsIn(body, date)];
}

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

/** The checksum matches, so this program wrote the lines. */
function isAccountLine(value: unknown): value is Omit<AccountDay, 'date' | 'phones'> {
  return typeof value === 'object' && value !== null && 'account' in value;
}

function isPhoneDay(value: unknown): value is PhoneDay {
  return Array.isArray(value);
}

type MonthKeeperOptions = {
  readonly directory: string;
  readonly keep: number;
  readonly accounts: () => readonly NamedAccount[];
} & Pick<FeatureContext, 'observe' | 'timeZone' | 'disk' | 'clock' | 'log' | 'reportFiles'>;

/** Returns a function that writes the finished local days. It never rejects. */
export function createMonthKeeper(options: MonthKeeperOptions): () => Promise<void> {
  const { accounts, observe, timeZone, reportFiles } = options;
  const onAttempt = (problem: string | undefined): void => reportFiles('month', problem);
  const files = datedWriter({ ...options, each: 'day', what: 'month files', onAttempt });
  const timeOf = createAccountTimes(options);

  /** Starts the oldest missing day in the accounts without it. Returns false if no day is missing. */
  const startDay = async (): Promise<boolean> => {
    const known = accounts().filter(({ account }) => account.fleet !== undefined);
    const next = known.flatMap((each) => {
      const today = dateAt(timeZone(), timeOf(each));
      const date = nextDate(each.account, today);
      return date > today ? [] : [{ ...each, date }];
    });
    const date = next.map((each) => each.date).toSorted()[0];
    if (date === undefined) return false;
    for (const { name, account } of next.filter((each) => each.date === date))
      await observe(name, DAYS.observation({ started: { date, ...startOf(account, date, timeZone()) } }));
    return true;
  };
  const writeOldest = async (date: string): Promise<void> => {
    const finished = accounts().filter(({ account }) => DAYS.of(account).at(-1)?.date !== date);
    const read = () => [...unwrittenDays(finished, timeZone(), date)].flatMap((day) => day ?? []);
    const days = read();
    // An account that was added again may have days that are already written for other accounts.
    const written = (await readDay(files, date)) ?? [];
    const missing = days.filter(({ account }) => written.every((each) => each.account !== account));
    if (missing.length > 0) await files.replace(date, encodeDay(date, [...written, ...missing]));
    for (const day of read()) {
      const dayBefore = timesOfAll(day);
      await observe(day.account, DAYS.observation({ writtenBefore: dayAfter(date), dayBefore }));
    }
  };
  const writeAll = async (): Promise<void> => {
    for (let isMore = true; isMore; ) {
      isMore = await startDay();
      for (let date = oldestOf(accounts()); date !== undefined; date = oldestOf(accounts()))
        await writeOldest(date);
    }
  };
  return async () => {
    await files.attempt(writeAll);
  };
}

/** Returns a function that returns an account's time: that of its last observation plus the uptime since then. */
function createAccountTimes({ clock }: Pick<MonthKeeperOptions, 'clock'>): (named: NamedAccount) => number {
  const latest = new Map<string, { readonly at: number; readonly uptime: number }>();
  return ({ name, account: { at: observedAt = 0, agreedAt: at = observedAt } }) => {
    const uptime = clock.uptime();
    const known = latest.get(name);
    if (known?.at === at) return at + uptime - known.uptime;
    latest.set(name, { at, uptime });
    return at;
  };
}

/**
 * Returns the date after the last day of an account. Up to {@link MAX_DAYS} days on which the exporter did not run are
 * unknown days. It is today if a clock that was days ahead has been set back.
 */
function nextDate(account: Account, today: string): string {
  const last = DAYS.of(account).at(-1);
  if (last === undefined || Date.parse(last.date) - Date.parse(today) > DAY) return today;
  const next = dayAfter(last.date);
  return Date.parse(today) - Date.parse(next) > MAX_DAYS * DAY ? today : next;
}

/** Returns the start of an account's day, which is not in the past after a change of time zone. */
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
 * Lists the days of a month without a file, including the current one; undefined between its steps.
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
