import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { COLUMNS, type Column } from '../model/times.ts';
import { cell } from './months.ts';

/** By what the lines of a month file are added up. */
export const MONTH_GROUPINGS = ['phone', 'group', 'model'] as const;

export type MonthGrouping = (typeof MONTH_GROUPINGS)[number];

/** The month of a phone, or of all phones of a group or a model; seconds. */
export type MonthRow = Readonly<Record<Column | 'unknown' | 'interruptions', number>> & {
  readonly account: string;
  /** Empty where several phones are added up. */
  readonly deviceId: string;
  /** What the phone was called last, or the group or the model. */
  readonly name: string;
  readonly phones: number;
};

type MutableRow = { -readonly [Field in keyof MonthRow]: MonthRow[Field] };

/** The columns of a month, and what nobody saw. */
export const MONTH_TIMES = [...COLUMNS, 'unknown'] as const;

const TIMES = [...MONTH_TIMES, 'interruptions'] as const;

/**
 * Adds up a month file; the row that was silent for the largest part of its sold time is first.
 *
 * @throws the error of the system where the file cannot be read
 */
export async function readMonth(path: string, by: MonthGrouping): Promise<readonly MonthRow[]> {
  const rows = new Map<string, MutableRow>();
  const phones = new Map<string, Set<string>>();
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const [date = '', account = '', deviceId = '', label = '', group = '', model = '', ...times] =
      cellsOf(line);
    // A line that is being written, or the head.
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || times.length !== TIMES.length) continue;
    const name = { phone: label === '' ? deviceId : label, group, model }[by];
    const key = JSON.stringify([account, by === 'phone' ? deviceId : name]);
    const row = rows.get(key) ?? newRow(account, by === 'phone' ? deviceId : '');
    const ids = phones.get(key) ?? new Set<string>();
    row.name = name;
    for (const [index, column] of TIMES.entries()) row[column] += Number(times[index]);
    row.phones = ids.add(deviceId).size;
    rows.set(key, row);
    phones.set(key, ids);
  }
  return [...rows.values()].toSorted((one, other) => silentShare(other) - silentShare(one));
}

function newRow(account: string, deviceId: string): MutableRow {
  const times = { sold_reporting: 0, sold_silent: 0, self_rented: 0, idle: 0, other: 0, planned: 0 };
  return { account, deviceId, name: '', phones: 0, ...times, unknown: 0, interruptions: 0 };
}

function silentShare({ sold_reporting, sold_silent }: MonthRow): number {
  return sold_silent / Math.max(1, sold_reporting + sold_silent);
}

/** Returns the share of sold time in which a phone reported; undefined where it was not sold. */
export function availabilityOf({ sold_reporting, sold_silent }: MonthRow): number | undefined {
  const sold = sold_reporting + sold_silent;
  return sold === 0 ? undefined : sold_reporting / sold;
}

/** Returns the share of known time in which a phone was sold; undefined where nothing is known. */
export function soldShareOf(row: MonthRow): number | undefined {
  const known = COLUMNS.reduce((sum, column) => sum + row[column], 0);
  return known === 0 ? undefined : (row.sold_reporting + row.sold_silent + row.planned) / known;
}

/** Returns the texts of the cells of a line. */
function cellsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).replace(/^'(?=[=+\-@])/, ''),
  );
}

/** Writes a month as JSON; the `id` of a phone is absent where several are added up. */
export function monthJson(month: string, by: MonthGrouping, rows: readonly MonthRow[]): string {
  const documents = rows.map(({ deviceId, ...row }) => ({
    ...row,
    id: deviceId === '' ? undefined : deviceId,
    soldShare: soldShareOf({ deviceId, ...row }),
    availability: availabilityOf({ deviceId, ...row }),
  }));
  return `${JSON.stringify({ month, by, rows: documents })}\n`;
}

/** Writes a month as CSV. */
export function monthCsv(rows: readonly MonthRow[]): string {
  const lines = rows.map((row) => [
    ...[row.name, row.account, row.deviceId].map(cell),
    ...TIMES.map((each) => String(row[each])),
  ]);
  return [['name', 'account', 'device_id', ...TIMES], ...lines].map((line) => `${line.join(',')}\n`).join('');
}
