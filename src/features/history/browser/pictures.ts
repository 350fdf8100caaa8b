import type { FleetDocument, FleetIncident, FleetPhone } from '../../../fleet/document.ts';
import { parseTime } from '../../../fleet/freshness.ts';
import { phoneState } from '../../../fleet/phones.ts';
import { changeText, incidentTitle, moneyText, numberText } from '../../../fleet/words.ts';
import type { HistoryAccount, HistoryDocument } from '../document.ts';
import { WORDS } from './words.ts';

/*
 * The figures of the charts over time. Times without data are null and gaps in the line.
 */

type Values = readonly (number | null)[];

/** A line of a chart. */
export type Line = {
  readonly title: string;
  /** Its colour, without the hyphens of the CSS variable. */
  readonly colour: string;
  readonly values: Values;
  /** Drawn values: self-rented phones are stacked on the sold ones. */
  readonly drawn: Values;
  /** A hidden line stands in the legend and in the table only. */
  readonly look: 'filled' | 'dashed' | 'hidden';
};

/** A chart over time. */
export type Picture = {
  readonly title: string;
  /** Ends of the intervals, in seconds since 1970. */
  readonly ends: readonly number[];
  /** From the back to the front. */
  readonly lines: readonly Line[];
  /** Length of the time of a bar, before its end; 0 for lines. */
  readonly barSeconds: number;
  readonly marks: readonly Mark[];
  readonly textOf: (value: number) => string;
};

/**
 * Returns the charts of a history: phones, offline phones compared with the day before, and the changes of the balance in each
 * currency.
 *
 * @param hours limits the charts to the newest hours; undefined for all
 */
export function picturesOf(
  { accounts, step_seconds: step }: HistoryDocument,
  hours: number | undefined,
): readonly Picture[] {
  const ends = accounts.reduce<readonly number[]>(
    (all, each) => (each.ends.length > all.length ? each.ends : all),
    [],
  );
  const from = hours === undefined ? 0 : indexAfter(ends, hours * 3600);
  const line = (title: string, colour: string, values: Values, own: Partial<Line> = {}): Line => ({
    title,
    colour,
    values: values.slice(from),
    drawn: (own.drawn ?? values).slice(from),
    look: own.look ?? 'filled',
  });
  const picture = (title: string, lines: readonly Line[], textOf = numberText): Picture => ({
    title,
    ends: ends.slice(from),
    lines,
    barSeconds: 0,
    marks: [],
    textOf,
  });
  const sum = (names: readonly CountName[], of = accounts): Values => sumOf(of, ends, names);
  const maintenance = sum(['maintenance']);
  const isMaintained = maintenance.some((count) => count !== null && count > 0);
  const offline = sum(['sold_offline', 'offline']);
  const shift = ends.length - indexAfter(ends, DAY_SECONDS);
  const dayBefore = ends.map((_, index) => offline[index - shift] ?? null);
  const currencies = [...new Set(accounts.map(({ currency }) => currency))];
  return [
    picture('Phones', [
      line('Listed', 'idle', sum(['listed'])),
      line('Self-rented', 'self-rented', sum(['self_rented']), {
        drawn: sum(['sold_online', 'sold_offline', 'self_rented']),
      }),
      line('Sold', 'sold', sum(['sold_online', 'sold_offline'])),
      ...(isMaintained ? [line('In maintenance', 'maintenance', maintenance, { look: 'dashed' })] : []),
    ]),
    picture(WORDS.offlinePhones, [
      ...(hours === undefined ? [] : [line(WORDS.yesterday, 'soft', dayBefore, { look: 'dashed' })]),
      line('Offline', 'offline', offline),
      line('Sold, offline', 'sold-offline', sum(['sold_offline']), { look: 'hidden' }),
    ]),
    ...currencies.map((currency) => {
      const own = accounts.filter((each) => each.currency === currency);
      const sums = (name: CountName): Values => sum([name], own).slice(from);
      return moneyPicture(
        currency ?? undefined,
        ends.slice(from),
        hours !== undefined || step < HOUR_SECONDS,
        sums,
      );
    }),
  ].filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
}

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

/** Returns the chart of what came in and went out, by the hour or by the day; each payout has a mark. */
function moneyPicture(
  currency: string | undefined,
  ends: readonly number[],
  isByHour: boolean,
  sums: (name: CountName) => Values,
): Picture {
  const barSeconds = isByHour ? HOUR_SECONDS : DAY_SECONDS;
  const bars = [...new Set(ends.map((end) => Math.ceil(end / barSeconds) * barSeconds))];
  const [increases, decreases] = [sums('increase_cents'), sums('decrease_cents')].map((values) =>
    changesBy(barSeconds, bars, ends, values),
  );
  const line = (title: string, colour: string, values: Values = []): Line => ({
    ...{ title, colour, values, drawn: values, look: 'filled' },
  });
  const out = (decreases ?? []).map((cents) => (cents === null || cents === 0 ? cents : -cents));
  return {
    title: currency === undefined ? WORDS.money : `${WORDS.money}, ${currency}`,
    ends: bars,
    lines: [line(WORDS.in, 'sold', increases), line(WORDS.out, 'off', out)],
    barSeconds,
    marks: out.flatMap((cents, index) =>
      cents === null || cents === 0
        ? []
        : [{ at: (bars[index] ?? 0) - barSeconds / 2, text: changeText(cents, currency), colour: 'soft' }],
    ),
    textOf: (cents) => moneyText(cents, currency),
  };
}

/** Returns the growth of a sum within each bar: from the last value before it to the last value in it; null without data. */
function changesBy(
  barSeconds: number,
  bars: readonly number[],
  ends: readonly number[],
  sums: Values,
): Values {
  let before: number | null = null;
  const changes = new Map<number, number>();
  for (const [index, end] of ends.entries()) {
    const sum = sums[index] ?? null;
    if (sum === null) continue;
    const bar = Math.ceil(end / barSeconds) * barSeconds;
    // A sum that shrank began anew.
    changes.set(bar, (changes.get(bar) ?? 0) + Math.max(0, sum - (before ?? sum)));
    before = sum;
  }
  return bars.map((bar) => changes.get(bar) ?? null);
}

/** Adds the present counts as the last interval, so that charts end with what the page says now. */
export function withPresent(document: HistoryDocument, fleet: FleetDocument): HistoryDocument {
  const accounts = document.accounts.map((account) => {
    const { readings } = fleet.accounts.find(({ name }) => name === account.account) ?? {};
    const at = Math.floor((parseTime(readings?.devices.lastSuccessAt) ?? 0) / 1000);
    if (readings?.devices.state !== 'fresh' || at <= (account.ends[account.ends.length - 1] ?? 0))
      return account;
    const counts = presentCounts(fleet.phones.filter((phone) => phone.account === account.account));
    const last = (name: keyof typeof counts) => [...account[name], counts[name]];
    return {
      ...account,
      ends: [...account.ends, at],
      listed: last('listed'),
      sold_online: last('sold_online'),
      sold_offline: last('sold_offline'),
      self_rented: last('self_rented'),
      idle: last('idle'),
      offline: last('offline'),
      maintenance: last('maintenance'),
    };
  });
  return { ...document, accounts };
}

/** Counts phones as the history does. */
function presentCounts(phones: readonly FleetPhone[]) {
  const count = (isCounted: (phone: FleetPhone) => boolean): number => phones.filter(isCounted).length;
  const isOffline = (phone: FleetPhone): boolean => phoneState(phone) === 'offline';
  return {
    listed: phones.length,
    sold_online: count(({ online, rentalStatus }) => online && rentalStatus === 'sold'),
    sold_offline: count((phone) => isOffline(phone) && phone.rentalStatus === 'sold'),
    self_rented: count(({ online, rentalStatus }) => online && rentalStatus === 'self_rented'),
    idle: count(({ online, rentalStatus }) => online && rentalStatus === 'idle'),
    offline: count((phone) => isOffline(phone) && phone.rentalStatus !== 'sold'),
    maintenance: count(({ problem }) => problem === 'in_maintenance'),
  };
}

/** Returns the index of the first interval in the last seconds. */
function indexAfter(ends: readonly number[], seconds: number): number {
  const last = ends[ends.length - 1] ?? 0;
  return ends.findIndex((end) => end > last - seconds);
}

type CountName = Exclude<keyof HistoryAccount, 'account' | 'currency' | 'ends'>;

/** Adds up columns of several accounts. The sum is null if an account has no data after its first. */
function sumOf(
  accounts: readonly HistoryAccount[],
  ends: readonly number[],
  names: readonly CountName[],
): Values {
  const columns = accounts.flatMap((account) => {
    const places = new Map(account.ends.map((end, index) => [end, index]));
    return names.map((name) => {
      const values = ends.map((end) => account[name][places.get(end) ?? -1] ?? null);
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

/** Compares the offline phones with the day before; undefined without data from then. */
export function comparisonOf(
  pictures: readonly Picture[],
  phones: readonly FleetPhone[],
): { readonly text: string; readonly isWorse: boolean } | undefined {
  const lines = pictures.find(({ title }) => title === WORDS.offlinePhones)?.lines ?? [];
  const values = lines.find(({ title }) => title === WORDS.yesterday)?.values ?? [];
  const before = values[values.length - 1] ?? undefined;
  if (before === undefined) return undefined;
  const now = phones.filter((phone) => phoneState(phone) === 'offline').length;
  const more = now - before;
  return { text: WORDS.comparison(now, more), isWorse: more > 0 };
}

/** An incident of several phones or of an account in a chart. */
export type Mark = { readonly at: number; readonly text: string; readonly colour: string };

export function marksOf(incidents: readonly FleetIncident[]): readonly Mark[] {
  return incidents.flatMap((incident) => {
    const at = parseTime(incident.since);
    if (incident.phone !== undefined || at === undefined) return [];
    return [
      {
        at: at / 1000,
        text: incident.kind === undefined ? incidentTitle(incident) : (incident.value ?? ''),
        colour: 'bad',
      },
    ];
  });
}
