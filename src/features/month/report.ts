import { spreadsheetCell } from '../../base/spreadsheet.ts';
import { midnightOf, type TimeZone } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { type Price, priceOf } from '../../model/money.ts';
import { DAY, HOUR, SECOND } from '../../model/time.ts';
import { COLUMNS, type Column } from '../../model/times.ts';
import type { MonthDocument, MonthDocumentDay, MonthDocumentRow } from './document.ts';
import { type AccountDay, datesOf, type PhoneDay, readDay } from './files.ts';
import { groupingWord, MONTH_TIMES, type MonthGrouping } from './grouping.ts';

/*
 * The month added up, from its finished days and from those that have no file yet.
 */

type Times = Readonly<Record<(typeof MONTH_TIMES)[number], number>>;
type MutableTimes = Record<(typeof MONTH_TIMES)[number], number>;

/** The month of a phone, or of all phones of a group, a model or a tag; in seconds. */
export type MonthRow = Times & {
  readonly account: string;
  /** Empty where several phones are added up. */
  readonly deviceId: string;
  /** Last name of the phone, or the group, the model or the value of the tag. */
  readonly name: string;
  readonly phones: number;
  readonly interruptions: number;
  /** Price of the time sold and offline, and of the idle time, by the owner's prices: an estimate. Undefined without one. */
  readonly estimate: { readonly offlineCents: number; readonly idleCents: number } | undefined;
};

/** A month added up. */
export type MonthSum = {
  /** The worst row first. */
  readonly rows: readonly MonthRow[];
  /** Each day of which something is known, all phones added up. */
  readonly days: readonly MonthDocumentDay[];
};

export type MonthRequest = {
  /** The month, such as 2026-11. */
  readonly month: string;
  readonly by: MonthGrouping;
  /** Returns the value of the tag of a phone that is added up by; `''` without one. */
  readonly propertyOf: (account: string, id: string, label: string) => string;
  /** The first price that names a phone's group and model counts. */
  readonly prices: readonly Price[];
  /** Time zone of the dates. */
  readonly timeZone: TimeZone;
  /** The only phone that is added up; undefined for all. */
  readonly phone?: { readonly account: string; readonly id: string } | undefined;
};

/** A row while days are added. */
type RowSum = {
  readonly account: string;
  readonly deviceId: string;
  name: string;
  readonly ids: Set<string>;
  readonly milliseconds: MutableTimes;
  interruptions: number;
  estimate: { offlineCents: number; idleCents: number } | undefined;
};

/** Adds up the days of a month. */
export type MonthAdder = {
  /** Adds a phone in a day. The days of an account are added in their order. */
  readonly add: (day: Omit<AccountDay, 'phones'>, phone: PhoneDay) => void;
  /** Returns the sum; undefined if nothing was added. The first row was offline for the largest part of its sold time. */
  readonly sum: () => MonthSum | undefined;
};

export function createMonthAdder(request: MonthRequest): MonthAdder {
  const { month, by, propertyOf, prices, timeZone } = request;
  const rows = new Map<string, RowSum>();
  const days = new Map<string, MutableTimes>();
  /** The end of what was added of each phone. */
  const addedUntil = new Map<string, number>();
  const begin = midnightOf(timeZone, `${month}-01`);
  const rowOf = (account: string, id: string, name: string): RowSum => {
    const deviceId = by === 'phone' ? id : '';
    const key = `${account}\n${deviceId === '' ? `\n${name}` : deviceId}`;
    const row = rows.get(key) ?? {
      ...{ account, deviceId, name, ids: new Set<string>() },
      ...{ milliseconds: noTimes(), interruptions: 0, estimate: undefined },
    };
    rows.set(key, row);
    return row;
  };
  return {
    add: ({ date, account, from, to }, phone) => {
      const [id, label, group, model, firstListedAt, leftAt, , interruptions] = phone;
      if (request.phone !== undefined && (request.phone.account !== account || request.phone.id !== id))
        return;
      const listed: Span = [Math.max(from, firstListedAt), Math.min(to, leftAt ?? to)];
      const name = nameOf(by, phone) ?? propertyOf(account, id, label);
      const row = rowOf(account, id, name);
      row.name = name;
      row.ids.add(id);
      row.interruptions += interruptions;
      const times = timesOf(phone, listed);
      const day = days.get(date) ?? noTimes();
      days.set(date, day);
      for (const column of MONTH_TIMES) {
        row.milliseconds[column] += times[column];
        day[column] += times[column];
      }
      // Nobody saw the phone between two days that have it, and from the begin of the month until the first one.
      const key = `${account}\n${id}`;
      const before = addedUntil.get(key) ?? Math.max(begin, firstListedAt);
      row.milliseconds.unknown += Math.max(0, listed[0] - before);
      addedUntil.set(key, Math.max(before, listed[1]));
      const price = priceOf(prices, { group, model });
      if (price === undefined) return;
      row.estimate ??= { offlineCents: 0, idleCents: 0 };
      row.estimate.offlineCents += (price.centsPerDay / DAY) * times.sold_offline;
      row.estimate.idleCents += (price.centsPerDay / DAY) * times.idle;
    },
    sum: () => {
      if (rows.size === 0) return undefined;
      return {
        rows: Array.from(rows.values(), finishedRow).toSorted(
          (one, other) => offlineShare(other) - offlineShare(one) || other.idle - one.idle,
        ),
        days: Array.from(days, ([date, times]) => documentDay(date, inSeconds(times))).toSorted(
          (one, other) => (one.date < other.date ? -1 : 1),
        ),
      };
    },
  };
}

/** Returns the name of the row of a phone; undefined where a tag names it. */
function nameOf(by: MonthGrouping, [id, label, group, model]: PhoneDay): string | undefined {
  if (by === 'phone') return label || id;
  if (by === 'group') return group;
  return by === 'model' ? model : undefined;
}

function noTimes(): MutableTimes {
  return { sold_online: 0, sold_offline: 0, self_rented: 0, idle: 0, other: 0, maintenance: 0, unknown: 0 };
}

type Span = readonly [from: number, to: number];

/** Maximum rounding of the clock of the API in a day, in milliseconds. A shorter gap is no unknown time. */
const CLOCK_MILLISECONDS = 2_000;

/**
 * Returns the times of a phone in a day, which add up to the time in which it was listed. The columns exceed that time where
 * the clock of the API was set.
 */
function timesOf([, , , , , , seen]: PhoneDay, [from, to]: Span): Times {
  const listed = Math.max(0, to - from);
  const sum = seen.reduce((all, each) => all + each, 0);
  const share = Math.min(1, listed / sum);
  const missing = sum > listed ? 0 : listed - sum;
  const unknown = missing < CLOCK_MILLISECONDS ? 0 : missing;
  const longest = seen.indexOf(Math.max(...seen));
  const times = noTimes();
  for (const [index, column] of COLUMNS.entries()) times[column] = share * (seen[index] ?? 0) || 0;
  const column: Column | undefined = COLUMNS[longest];
  if (unknown === 0 && column !== undefined) times[column] += missing;
  return { ...times, unknown };
}

/** Returns whole seconds, with the same sum as rounded. */
function inSeconds(milliseconds: Times): Times {
  const times = noTimes();
  let [sum, rounded] = [0, 0];
  for (const column of MONTH_TIMES) {
    sum += milliseconds[column];
    times[column] = Math.round(sum / SECOND) - rounded;
    rounded += times[column];
  }
  return times;
}

function finishedRow({
  account,
  deviceId,
  name,
  ids,
  milliseconds,
  interruptions,
  estimate,
}: RowSum): MonthRow {
  const own = { account, deviceId, name, phones: ids.size, interruptions, estimate };
  return { ...own, ...inSeconds(milliseconds) };
}

function documentDay(date: string, times: Times): MonthDocumentDay {
  return {
    date,
    sold_online_seconds: times.sold_online,
    sold_offline_seconds: times.sold_offline,
    self_rented_seconds: times.self_rented,
    idle_seconds: times.idle,
    other_seconds: times.other,
    maintenance_seconds: times.maintenance,
    unknown_seconds: times.unknown,
  };
}

function offlineShare({ sold_online, sold_offline }: MonthRow): number {
  return sold_offline / Math.max(1, sold_online + sold_offline);
}

/** Returns the share of sold time in which a phone reported; undefined where it was not sold. */
function availabilityOf({ sold_online, sold_offline }: MonthRow): number | undefined {
  const sold = sold_online + sold_offline;
  return sold === 0 ? undefined : sold_online / sold;
}

/** Returns the share of known time in which a phone was sold; undefined where nothing is known. */
function soldShareOf(row: MonthRow): number | undefined {
  const known = COLUMNS.reduce((sum, column) => sum + row[column], 0);
  return known === 0 ? undefined : (row.sold_online + row.sold_offline + row.maintenance) / known;
}

/** Returns the interruptions in 1,000 sold hours; undefined where a phone was not sold. */
function rateOf({ sold_online, sold_offline, interruptions }: MonthRow): number | undefined {
  const hours = (sold_online + sold_offline) / (HOUR / SECOND);
  return hours === 0 ? undefined : (1000 * interruptions) / hours;
}

/** Returns a month as it is served. Unknown values are absent. */
export function monthDocument({ month, by }: MonthRequest, { rows, days }: MonthSum): MonthDocument {
  const documents = rows.map((row): MonthDocumentRow => {
    const { deviceId, estimate, ...shown } = row;
    return {
      ...shown,
      id: deviceId === '' ? undefined : deviceId,
      soldShare: soldShareOf(row),
      availability: availabilityOf(row),
      interruptionsPer1000SoldHours: rateOf(row),
      estimate: estimate && {
        offlineCents: Math.round(estimate.offlineCents),
        idleCents: Math.round(estimate.idleCents),
      },
    };
  });
  return { month, by, rows: documents, days };
}

/** Writes a month as CSV for spreadsheets, which need the byte order mark. With prices, it has two more columns. */
export function monthCsv({ prices }: MonthRequest, { rows }: MonthSum, separator: ',' | ';'): string {
  const times = [...MONTH_TIMES, 'interruptions'] as const;
  const costs = prices.length === 0 ? [] : ['estimated_offline_cents', 'estimated_idle_cents'];
  const lines = rows.map((row) => [
    ...[row.name, row.account, row.deviceId].map(spreadsheetCell),
    ...times.map((each) => row[each]),
    ...[row.estimate?.offlineCents, row.estimate?.idleCents]
      .slice(0, costs.length)
      .map((cents) => (cents === undefined ? '' : Math.round(cents))),
  ]);
  const head = ['name', 'account', 'device_id', ...times, ...costs];
  return `\uFEFF${[head, ...lines].map((line) => `${line.join(separator)}\n`).join('')}`;
}

/** Number of phones that are added between two turns of the event loop. */
const PHONES_PER_YIELD = 1_000;

/**
 * Adds up a month from its files, and from the days without one. Undefined for an unknown month. A day that cannot be read
 * counts as unknown.
 *
 * @param unwritten days that have no file yet; undefined where the event loop gets a turn
 * @param onProblem is called with the reason for which a day cannot be read
 */
export async function readMonth(
  directory: string,
  request: MonthRequest,
  unwritten: Iterable<AccountDay | undefined>,
  { ownDisk, yieldToEventLoop }: Pick<FeatureContext, 'ownDisk' | 'yieldToEventLoop'>,
  onProblem: (error: unknown) => void,
): Promise<MonthSum | undefined> {
  const { add, sum } = createMonthAdder(request);
  const addDay = async (day: AccountDay | undefined): Promise<void> => {
    let phones = 0;
    for (const phone of day?.phones ?? []) {
      if (day !== undefined) add(day, phone);
      phones += 1;
      if (phones % PHONES_PER_YIELD === 0) await yieldToEventLoop();
    }
    await yieldToEventLoop();
  };
  const dates = await ownDisk.use(directory, () => datesOf(directory, request.month)).catch(onProblem);
  for (const date of dates ?? []) {
    const days = await ownDisk.use(directory, () => readDay(directory, date)).catch(onProblem);
    for (const day of days ?? []) await addDay(day);
  }
  for (const day of unwritten) await addDay(day);
  return sum();
}

/** Returns a function that finds the value of a grouping among the properties of devices. */
export function propertyFinder(
  by: MonthGrouping,
  propertiesOf: (account: string) => ((id: string, label: string) => ReadonlyMap<string, string>) | undefined,
): MonthRequest['propertyOf'] {
  const finders = new Map<string, ReturnType<typeof propertiesOf>>();
  return (account, id, label) => {
    const find = finders.get(account) ?? propertiesOf(account);
    finders.set(account, find);
    return find?.(id, label).get(groupingWord(by)) ?? '';
  };
}
