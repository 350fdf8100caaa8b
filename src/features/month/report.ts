import type { TableColumn } from '../../base/spreadsheet.ts';
import { midnightOf, type TimeZone } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { groupingWord } from '../../fleet/grouping.ts';
import type { Turn } from '../../http/shared.ts';
import { keysOf, recordOf } from '../../model/enums.ts';
import { type Price, priceOf } from '../../model/money.ts';
import { MUTED } from '../../model/muted.ts';
import { DAY, HOUR, SECOND } from '../../model/time.ts';
import { COLUMNS } from '../../model/times.ts';
import type { DatedFiles } from '../../state/dated-files.ts';
import { type AccountDay, listedIn, noTimes, type PhoneDay, type Times, timesOf } from './days.ts';
import { DAY_FIELDS, type MonthDocument, type MonthDocumentDay, type MonthDocumentRow } from './document.ts';
import { readDay } from './files.ts';
import { MONTH_TIMES, type MonthGrouping } from './grouping.ts';

export type MonthRequest = {
  /** The month, such as 2026-11. */
  readonly month: string;
  readonly by: MonthGrouping;
  /** Returns the value of the tag that phones are grouped by; `''` if they have none. */
  readonly propertyOf: (account: string, id: string, label: string) => string;
  /** The first price for a phone's group and model applies. */
  readonly prices: readonly Price[];
  readonly timeZone: TimeZone;
  /** Limits the report to one phone; undefined for all. */
  readonly phone?: { readonly account: string; readonly id: string } | undefined;
};

/** A row to which days are added. */
type RowSum = {
  readonly account: string;
  readonly id: string | undefined;
  name: string;
  readonly ids: Set<string>;
  readonly milliseconds: Times;
  interruptions: number;
  estimate: { offlineCents: number; idleCents: number } | undefined;
};

/**
 * Adds up the days of a month. `add` adds a phone's day; an account's days must be added in order. `sum` returns the rows,
 * worst first, and the days.
 */
export function createMonthAdder(request: MonthRequest) {
  const { month, by, propertyOf, prices, timeZone } = request;
  const rows = new Map<string, RowSum>();
  const days = new Map<string, Times>();
  /** The end of the time added so far, by phone. */
  const addedUntil = new Map<string, number>();
  const start = midnightOf(timeZone, `${month}-01`);
  const rowOf = (account: string, deviceId: string, name: string): RowSum => {
    const id = by === 'phone' ? deviceId : undefined;
    const key = `${account}\n${id ?? `\n${name}`}`;
    const none = { milliseconds: noTimes(), interruptions: 0, estimate: undefined };
    const row = rows.get(key) ?? { account, id, name, ids: new Set<string>(), ...none };
    rows.set(key, row);
    return row;
  };
  return {
    add: ({ date, account, from, to }: Omit<AccountDay, 'phones'>, phone: PhoneDay): void => {
      const [id, label, group, model, firstListedAt, , , interruptions] = phone;
      if (request.phone !== undefined && (request.phone.account !== account || request.phone.id !== id))
        return;
      const listed = listedIn(phone, { from, to });
      const name = nameOf(by, phone) ?? propertyOf(account, id, label);
      const row = rowOf(account, id, name);
      row.name = name;
      row.ids.add(id);
      row.interruptions += interruptions;
      const times = timesOf(phone, { from, to });
      const day = days.get(date) ?? noTimes();
      days.set(date, day);
      for (const column of MONTH_TIMES) {
        row.milliseconds[column] += times[column];
        day[column] += times[column];
      }
      // The phone's state is unknown between two of its days, and from the start of the month to its first day.
      const key = `${account}\n${id}`;
      const before = addedUntil.get(key) ?? Math.max(start, firstListedAt);
      row.milliseconds.unknown += Math.max(0, listed[0] - before);
      addedUntil.set(key, Math.max(before, listed[1]));
      const price = priceOf(prices, { group, model });
      if (price === undefined) return;
      row.estimate ??= { offlineCents: 0, idleCents: 0 };
      row.estimate.offlineCents += (price.centsPerDay / DAY) * times.sold_offline;
      row.estimate.idleCents += (price.centsPerDay / DAY) * times.idle;
    },
    sum: (): Pick<MonthDocument, 'rows' | 'days'> => ({
      rows: Array.from(rows.values(), documentRow).toSorted(
        (one, other) => offlineShare(other) - offlineShare(one) || other.idle - one.idle,
      ),
      days: Array.from(days, ([date, times]) => documentDay(date, times)).toSorted((one, other) =>
        one.date < other.date ? -1 : 1,
      ),
    }),
  };
}

/** Returns the name of a phone's row; undefined for a grouping by tag. */
function nameOf(by: MonthGrouping, [id, label, group, model]: PhoneDay): string | undefined {
  if (by === 'phone') return label || id;
  if (by === 'group') return group;
  return by === 'model' ? model : undefined;
}

/** Rounds times to whole seconds that add up to their rounded sum. */
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

function documentDay(date: string, milliseconds: Times): MonthDocumentDay {
  const times = inSeconds(milliseconds);
  return { date, ...recordOf(keysOf(DAY_FIELDS), (name) => times[DAY_FIELDS[name]]) };
}

function documentRow({ milliseconds, ids, estimate, ...row }: RowSum): MonthDocumentRow {
  const times = inSeconds(milliseconds);
  // Maintenance does not reduce availability.
  const sold = times.sold_online + times.sold_offline;
  const known = COLUMNS.reduce((sum, column) => sum + times[column], 0);
  return {
    ...row,
    ...times,
    phones: ids.size,
    soldShare: known === 0 ? undefined : (sold + times[MUTED]) / known,
    availability: sold === 0 ? undefined : times.sold_online / sold,
    interruptionsPer1000SoldHours: sold === 0 ? undefined : (1000 * row.interruptions * HOUR) / SECOND / sold,
    estimate: estimate && {
      offlineCents: Math.round(estimate.offlineCents),
      idleCents: Math.round(estimate.idleCents),
    },
  };
}

function offlineShare({ availability }: MonthDocumentRow): number {
  return availability === undefined ? 0 : 1 - availability;
}

/** Lists the columns of a CSV. Prices add two. */
export function monthColumns({ prices }: MonthRequest): readonly TableColumn<MonthDocumentRow>[] {
  const costs: readonly TableColumn<MonthDocumentRow>[] = [
    { title: 'estimated_offline_cents', cell: ({ estimate }) => estimate?.offlineCents },
    { title: 'estimated_idle_cents', cell: ({ estimate }) => estimate?.idleCents },
  ];
  return [
    { title: 'name', cell: ({ name }) => name },
    { title: 'account', cell: ({ account }) => account },
    { title: 'device_id', cell: ({ id }) => id },
    ...[...MONTH_TIMES, 'interruptions' as const].map((title) => ({
      title,
      cell: (row: MonthDocumentRow) => row[title],
    })),
    ...(prices.length === 0 ? [] : costs),
  ];
}

/** Number of phones between two yields to the event loop. */
const PHONES_PER_YIELD = 1_000;

/**
 * Adds up a month from its files and the days without a file. An unknown month has no rows. A day that cannot be read counts
 * as unknown.
 *
 * @param unwritten days without a file; undefined yields to the event loop
 * @param onProblem called with the error of a day that cannot be read
 */
export async function readMonth(
  files: DatedFiles,
  request: MonthRequest,
  unwritten: Iterable<AccountDay | undefined>,
  turn: Turn,
  onProblem: (error: unknown) => void,
): Promise<MonthDocument> {
  const { month, by } = request;
  const { add, sum } = createMonthAdder(request);
  const addDay = async (day: AccountDay | undefined): Promise<void> => {
    let phones = 0;
    for (const phone of day?.phones ?? []) {
      if (day !== undefined) add(day, phone);
      phones += 1;
      if (phones % PHONES_PER_YIELD === 0) await turn();
    }
    await turn();
  };
  const dates = (await files.dates().catch(onProblem)) ?? [];
  const written = new Set<string>();
  for (const date of dates.filter((each) => each.startsWith(month))) {
    const days = await readDay(files, date).catch(onProblem);
    for (const day of days ?? []) {
      written.add(`${date}\n${day.account}`);
      await addDay(day);
    }
  }
  // An account forgets a day only after its file is written, so for a moment both have it.
  for (const day of unwritten)
    if (day === undefined || !written.has(`${day.date}\n${day.account}`)) await addDay(day);
  return { month, by, ...sum(), months: [...new Set(dates.map((date) => date.slice(0, 7)))] };
}

/** Returns a function that finds the value of a grouping among device properties. */
export function propertyFinder(
  by: MonthGrouping,
  propertiesOf: FeatureContext['propertiesOf'],
): MonthRequest['propertyOf'] {
  const finders = new Map<string, ReturnType<typeof propertiesOf>>();
  return (account, id, label) => {
    const find = finders.get(account) ?? propertiesOf(account);
    finders.set(account, find);
    return find?.(id, label).get(groupingWord(by)) ?? '';
  };
}
