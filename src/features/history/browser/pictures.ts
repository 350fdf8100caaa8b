import type { FleetIncident, FleetPhone } from '../../../fleet/document.ts';
import { parseTime } from '../../../fleet/freshness.ts';
import { phoneState } from '../../../fleet/phones.ts';
import { incidentTitle, moneyText, numberText } from '../../../fleet/words.ts';
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
  readonly isFilled: boolean;
};

/** A chart over time. */
export type Picture = {
  readonly title: string;
  /** Ends of the intervals, in seconds since 1970. */
  readonly ends: readonly number[];
  /** From the back to the front. */
  readonly lines: readonly Line[];
  readonly textOf: (value: number) => string;
};

/**
 * Returns the charts of a history: phones, offline phones compared with the day before, and the balance of each currency.
 *
 * @param hours limits the charts to the newest hours; undefined for all
 */
export function picturesOf({ accounts }: HistoryDocument, hours: number | undefined): readonly Picture[] {
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
    isFilled: own.isFilled ?? true,
  });
  const picture = (title: string, lines: readonly Line[], textOf = numberText): Picture => ({
    title,
    ends: ends.slice(from),
    lines,
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
      ...(isMaintained ? [line('In maintenance', 'maintenance', maintenance, { isFilled: false })] : []),
    ]),
    picture(WORDS.offlinePhones, [
      line('Offline', 'offline', offline),
      line('Sold, offline', 'sold-offline', sum(['sold_offline'])),
      ...(hours === undefined ? [] : [line(WORDS.yesterday, 'ink', dayBefore, { isFilled: false })]),
    ]),
    ...currencies.map((currency) => {
      const own = accounts.filter((each) => each.currency === currency);
      const available = line('Available', 'ink', sum(['balance_cents'], own), { isFilled: false });
      const title = currency === null ? 'Balance' : `Balance, ${currency}`;
      return picture(title, [available], (cents) => moneyText(cents, undefined));
    }),
  ].filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
}

const DAY_SECONDS = 86_400;

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
export type Mark = { readonly at: number; readonly text: string };

export function marksOf(incidents: readonly FleetIncident[]): readonly Mark[] {
  return incidents.flatMap((incident) => {
    const at = parseTime(incident.since);
    if (incident.phone !== undefined || at === undefined) return [];
    return [
      { at: at / 1000, text: incident.kind === undefined ? incidentTitle(incident) : (incident.value ?? '') },
    ];
  });
}
