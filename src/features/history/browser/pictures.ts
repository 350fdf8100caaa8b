import { dateAt, dayAfter, dayText, midnightOf, type TimeZone } from '../../../base/time-zone.ts';
import type { FleetIncident, FleetPhone } from '../../../fleet/document.ts';
import { parseTime } from '../../../fleet/freshness.ts';
import { phoneState } from '../../../fleet/phones.ts';
import { changeText, incidentTitle, moneyText, numberText, problemTitle } from '../../../fleet/words.ts';
import { MUTED, MUTED_PROBLEM } from '../../../model/muted.ts';
import { say } from '../../../text/say.ts';
import type { HistoryAccount, HistoryDocument } from '../document.ts';

/* The figures of the charts over time. Times without data are null, and gaps in the line. */

type Values = readonly (number | null)[];

export type Line = {
  readonly title: string;
  /** Its colour, without the hyphens of the CSS variable. */
  readonly colour: string;
  readonly values: Values;
  /** Drawn values: self-rented phones are stacked on top of the sold ones. */
  readonly drawn: Values;
  /** A hidden line appears only in the legend and the table. */
  readonly look: 'filled' | 'dashed' | 'hidden';
};

/** A chart over time. */
export type Picture = {
  readonly title: string;
  /** Ends of the intervals, in seconds since 1970. */
  readonly ends: readonly number[];
  /** From the back to the front. */
  readonly lines: readonly Line[];
  /** The time that a bar covers before its end; 0 for lines. */
  readonly barSeconds: number;
  readonly marks: readonly Mark[];
  readonly textOf: (value: number) => string;
  /** The unit of its axis, in values: axis labels are whole units. */
  readonly unit: number;
  /** Names the day of a bar by its end; undefined for other intervals. */
  readonly dayOf?: ((end: number) => string) | undefined;
};

/**
 * Returns the charts of a history: phones, offline phones compared with the day before, and the changes in the balance in each
 * currency.
 *
 * @param hours limits the charts to the newest hours; undefined for all
 * @param timeZone the owner's, for daily bars
 */
export function picturesOf(
  { accounts, step_seconds: step }: HistoryDocument,
  hours: number | undefined,
  timeZone: TimeZone,
): readonly Picture[] {
  const ends = axisOf(accounts, step);
  const from = hours === undefined ? 0 : indexAfter(ends, hours * 3600);
  const newest = (values: Values): Values => values.slice(from);
  const picture = (title: string, lines: readonly Line[]): Picture => ({
    title,
    ends: ends.slice(from),
    lines: lines.map((line) => ({ ...line, values: newest(line.values), drawn: newest(line.drawn) })),
    barSeconds: 0,
    marks: [],
    textOf: numberText,
    unit: 1,
  });
  const sum = (names: readonly CountName[], of = accounts): Values => sumOf(of, ends, names, step);
  const muted = sum([MUTED]);
  const areMuted = muted.some((count) => count !== null && count > 0);
  const offline = sum(['sold_offline', 'offline']);
  const shift = ends.length - indexAfter(ends, DAY_SECONDS);
  const dayBefore = ends.map((_, index) => offline[index - shift] ?? null);
  const currencies = [...new Set(accounts.map(({ currency }) => currency))];
  return [
    picture(say('page-phones'), [
      lineOf(say('page-all'), 'idle', sum(['listed'])),
      lineOf(say('history-self-rented'), 'self-rented', sum(['self_rented']), {
        drawn: sum(['sold_online', 'sold_offline', 'self_rented']),
      }),
      lineOf(say('history-sold'), 'sold', sum(['sold_online', 'sold_offline'])),
      ...(areMuted ? [lineOf(problemTitle(MUTED_PROBLEM), 'muted', muted, { look: 'dashed' })] : []),
    ]),
    picture(say('history-offline-phones'), [
      ...(hours === undefined
        ? []
        : [lineOf(say('history-yesterday'), 'soft', dayBefore, { look: 'dashed' })]),
      lineOf(say('history-offline'), 'offline', offline),
      lineOf(problemTitle('sold_offline'), 'sold-offline', sum(['sold_offline']), { look: 'hidden' }),
    ]),
    ...currencies.map((currency) => {
      const own = accounts.filter((each) => each.currency === currency);
      const days = hours !== undefined || step < HOUR_SECONDS ? undefined : timeZone;
      const sums = (name: CountName): Values => newest(sum([name], own));
      return moneyPicture(currency ?? undefined, ends.slice(from), days, sums);
    }),
  ].filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
}

function lineOf(title: string, colour: string, values: Values = [], own: Partial<Line> = {}): Line {
  return { title, colour, values, drawn: values, look: 'filled', ...own };
}

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

/** Maximum number of payouts with a mark: with one a day, the marks would cover each other and the bars. */
const MARKED_PAYOUTS = 4;

/**
 * Returns the chart of income and payouts. A few payouts have a mark.
 *
 * @param days the time zone of daily bars; undefined for hourly bars
 */
function moneyPicture(
  currency: string | undefined,
  ends: readonly number[],
  days: TimeZone | undefined,
  sums: (name: CountName) => Values,
): Picture {
  const barSeconds = days === undefined ? HOUR_SECONDS : DAY_SECONDS;
  const dateOf = (zone: TimeZone, end: number): string => dateAt(zone, end * 1000 - 1);
  const barOf = (end: number): number =>
    days === undefined
      ? Math.ceil(end / HOUR_SECONDS) * HOUR_SECONDS
      : midnightOf(days, dayAfter(dateOf(days, end))) / 1000;
  const all = [...new Set(ends.map(barOf))];
  const changes = [sums('increase_cents'), sums('decrease_cents')].map((values) =>
    changesBy(barOf, all, ends, values, days === undefined ? undefined : HOUR_SECONDS),
  );
  // In the first minutes of an hour, it has no interval with a balance yet.
  const hasNone = changes.every((values) => (values[values.length - 1] ?? null) === null);
  const bars = hasNone ? all.slice(0, -1) : all;
  const [increases, decreases] = changes.map((values) => values.slice(0, bars.length));
  const out = (decreases ?? []).map((cents) => (cents === null || cents === 0 ? cents : -cents));
  const payouts = out.filter((cents) => cents !== null && cents !== 0).length;
  return {
    title: currency === undefined ? say('history-balance') : say('history-balance-in', { currency }),
    ends: bars,
    lines: [lineOf(say('history-in'), 'sold', increases), lineOf(say('history-out'), 'off', out)],
    barSeconds,
    marks: out.flatMap((cents, index) =>
      cents === null || cents === 0 || payouts > MARKED_PAYOUTS
        ? []
        : [{ at: (bars[index] ?? 0) - barSeconds / 2, text: changeText(cents, currency), colour: 'soft' }],
    ),
    textOf: (cents) => moneyText(cents, currency),
    unit: 100,
    dayOf: days && ((end) => dayText(dateOf(days, end))),
  };
}

/**
 * Returns the growth of a sum within each bar: from the last value before it to the last value in it; null without data.
 * Growth in a gap of more than `most` seconds between two bars is in neither.
 */
function changesBy(
  barOf: (end: number) => number,
  bars: readonly number[],
  ends: readonly number[],
  sums: Values,
  most = Number.POSITIVE_INFINITY,
): Values {
  let before: number | null = null;
  let last = 0;
  const changes = new Map<number, number>();
  for (const [index, end] of ends.entries()) {
    const sum = sums[index] ?? null;
    if (sum === null) continue;
    const bar = barOf(end);
    if (end - last > most && bar !== barOf(last)) before = null;
    last = end;
    // A sum that shrank started again at 0.
    changes.set(bar, (changes.get(bar) ?? 0) + Math.max(0, sum - (before ?? sum)));
    before = sum;
  }
  return bars.map((bar) => changes.get(bar) ?? null);
}

/** Returns the index of the first interval in the last seconds. */
function indexAfter(ends: readonly number[], seconds: number): number {
  const last = ends[ends.length - 1] ?? 0;
  return ends.findIndex((end) => end > last - seconds);
}

type CountName = Exclude<keyof HistoryAccount, 'account' | 'currency' | 'ends'>;

/** Returns the ends of all accounts' intervals. Within an interval, two accounts' last polls are seconds apart. */
function axisOf(accounts: readonly HistoryAccount[], step: number): readonly number[] {
  const ends = new Map<number, number>();
  const start = accounts[0]?.ends[0] ?? 0;
  for (const end of accounts.flatMap((account) => account.ends)) {
    const interval = Math.ceil((end - start) / step);
    ends.set(interval, Math.max(end, ends.get(interval) ?? 0));
  }
  return [...ends.values()].sort((one, other) => one - other);
}

/**
 * Adds up columns of several accounts. The sum is null if an account has no data after its first. Its last poll counts as the
 * present even if another account has already been polled in the next interval.
 *
 * @param step length of an interval in seconds
 */
function sumOf(
  accounts: readonly HistoryAccount[],
  ends: readonly number[],
  names: readonly CountName[],
  step: number,
): Values {
  const present = ends[ends.length - 1];
  const intervalOf = (end: number): number => Math.ceil((end - (ends[0] ?? 0)) / step);
  const columns = accounts.flatMap((account) => {
    const places = new Map(account.ends.map((end, index) => [intervalOf(end), index]));
    const last = account.ends.length - 1;
    const placeOf = (end: number): number => {
      const isPresent = end === present && end - (account.ends[last] ?? 0) < step;
      return places.get(intervalOf(end)) ?? (isPresent ? last : -1);
    };
    return names.map((name) => {
      const values = ends.map((end) => account[name][placeOf(end)] ?? null);
      return { values, first: values.findIndex((value) => value !== null) };
    });
  });
  return ends.map((_, index) => {
    const known = columns.filter(({ first }) => first !== -1 && first <= index);
    const values = known.flatMap(({ values }) => values[index] ?? []);
    return known.length === 0 || values.length < known.length
      ? null
      : values.reduce((total, value) => total + value, 0);
  });
}

/** Compares the offline phones with the day before; undefined without data from that day. */
export function comparisonOf(
  pictures: readonly Picture[],
  phones: readonly FleetPhone[],
): { readonly text: string; readonly isWorse: boolean } | undefined {
  const lines = pictures.find(({ title }) => title === say('history-offline-phones'))?.lines ?? [];
  const values = lines.find(({ title }) => title === say('history-yesterday'))?.values ?? [];
  const before = values[values.length - 1] ?? undefined;
  if (before === undefined) return undefined;
  const now = phones.filter((phone) => phoneState(phone) === 'offline').length;
  const more = now - before;
  const text =
    more === 0
      ? say('history-same', { now })
      : more > 0
        ? say('history-more', { now, count: more })
        : say('history-fewer', { now, count: -more });
  return { text, isWorse: more > 0 };
}

/** An incident of several phones or of an account in a chart. */
export type Mark = { readonly at: number; readonly text: string; readonly colour: string };

export function marksOf(incidents: readonly FleetIncident[]): readonly Mark[] {
  return incidents.flatMap((incident) => {
    const { since, phone, kind, value = '' } = incident;
    const at = parseTime(since);
    const text = kind === undefined ? incidentTitle(incident) : value;
    return phone !== undefined || at === undefined ? [] : [{ at: at / 1000, text, colour: 'bad' }];
  });
}
