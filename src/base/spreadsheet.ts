import csv from 'papaparse';
import { DEVICES_PER_YIELD, finish, type Steps } from './steps.ts';
import { createTimeZone, dateTimeAt, type TimeZone } from './time-zone.ts';

/** Texts that a spreadsheet leaves alone: names that begin with a letter, whole numbers, and UUIDs. */
const PLAIN = /^(?:\p{L}.*|0|[1-9]\d{0,14}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/su;

/** Names that a spreadsheet takes for a truth value, or for a date such as `Dec 3`. */
const CHANGED = /^(?:true|false|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*[-./ ]*\d{1,4})$/iu;

const isPlain = (text: string): boolean => PLAIN.test(text) && !CHANGED.test(text);

/** A formula after a separator, which becomes a separate cell in a spreadsheet that expects that separator. */
const FORMULA_BEHIND = /([,;\t]\s*)(?=[=+\-@＝＋－＠])/g;

/** Returns text as a spreadsheet cell. Apostrophes keep it unchanged. */
export function spreadsheetCell(text: string): string {
  const guarded = text.replace(FORMULA_BEHIND, "$1'");
  const safe = text === '' || isPlain(text) ? guarded : `'${guarded}`;
  return /[",;'\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the text of a {@link spreadsheetCell}, in which a spreadsheet may have left the apostrophes. */
export function plainText(cell: string): string {
  const text = cell.startsWith("'") && !isPlain(cell.slice(1)) ? cell.slice(1) : cell;
  return text.replace(/([,;\t]\s*)'(?=[=+\-@＝＋－＠])/g, '$1');
}

/**
 * Describes a cell that a spreadsheet converted, such as `8.93E+18`; undefined for any other cell. Lost leading zeros cannot be
 * detected.
 */
export function spreadsheetDamage(cell: string): string | undefined {
  if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(cell)) return 'a number in scientific notation';
  if (/^\d{16,}$/.test(cell) && /^\d{15}0+$/.test(cell)) return 'a number that was rounded to 15 digits';
  if (
    /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|prawda|fałsz|истина|ложь|істина|хибність)$/i.test(
      cell,
    )
  )
    return 'a truth value';
  if (/^(?:\d{1,2}[-. /]{1,2}\p{L}{3,4}\.?(?:[-. /]\d{2,4})?|\p{L}{3,4}\.?[-. /]\d{2})$/u.test(cell))
    return 'a date';
  return undefined;
}

const CSV_SEPARATORS = { semicolon: ';', comma: ',' } as const;

export type CsvSeparator = keyof typeof CSV_SEPARATORS;

/** Writes rows of cells made by {@link spreadsheetCell}. */
export function csvLines(rows: readonly (readonly string[])[], delimiter: string): string {
  return rows.map((cells) => `${cells.join(delimiter)}\n`).join('');
}

/** A column of a table, and its cell in a row; undefined for an empty one. Spreadsheets leave its texts alone. */
export type TableColumn<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => string | number | Date | undefined;
};

/** Writes a CSV with times in a zone, such as `2026-03-01 14:40:00`. Spreadsheets need the byte order mark. */
export function csvOf<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  separator: CsvSeparator,
): string {
  return finish(csvPieces(columns, rows, separator))
    .map(String)
    .join('');
}

/** Writes a CSV as {@link csvOf} does, in pieces. */
export function* csvPieces<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  separator: CsvSeparator,
  timeZone: TimeZone = createTimeZone('UTC'),
): Steps<readonly Buffer[]> {
  const cellOf = (value: string | number | Date = ''): string => {
    if (typeof value === 'string') return spreadsheetCell(value);
    return typeof value === 'number' ? String(value) : dateTimeAt(timeZone, value.getTime());
  };
  const delimiter = CSV_SEPARATORS[separator];
  const pieces = [Buffer.from(`\uFEFF${csvLines([columns.map(({ title }) => title)], delimiter)}`)];
  for (let index = 0; index < rows.length; index += ROWS_PER_YIELD) {
    const own = rows.slice(index, index + ROWS_PER_YIELD);
    const lines = own.map((row) => columns.map(({ cell }) => cellOf(cell(row))));
    pieces.push(Buffer.from(csvLines(lines, delimiter)));
    yield;
  }
  return pieces;
}

/** Number of CSV rows between two turns of the event loop: times in a zone take 20 µs each. */
const ROWS_PER_YIELD = 200;

/** A row of a CSV, and the line on which it begins: a quoted cell may have several lines. */
type CsvRow = { readonly line: number; readonly cells: readonly string[] };

/**
 * Reads a CSV with commas, semicolons or tabs. Ends at a row whose quotation marks are not closed, and returns its line as
 * `unclosed`.
 */
export function* readCsv(
  written: string,
): Steps<{ readonly rows: readonly CsvRow[]; readonly delimiter: string; readonly unclosed?: number }> {
  const text = written.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  // Spreadsheets name the separator on a line of its own.
  const [named = '', separator] = /^"?sep=([;\t,|])?.*\n/i.exec(text) ?? [];
  const [titles = ''] = text.slice(named.length).split('\n', 1);
  const delimiter = separator ?? mostFrequent([';', '\t', ','], titles.replaceAll(/"[^"]*"/g, ''));
  // Without fastMode, parse would look for quotes in the rest of the text every time.
  const options = { delimiter, newline: '\n', preview: DEVICES_PER_YIELD, fastMode: false } as const;
  const rows: CsvRow[] = [];
  let line = named === '' ? 1 : 2;
  for (let offset = named.length; offset < text.length; ) {
    const { data, errors, meta } = csv.parse<string[]>(text.slice(offset), options);
    for (const [index, cells] of data.entries()) {
      if (index === errors[0]?.row) return { rows, delimiter, unclosed: line };
      rows.push({ line, cells });
      line += cells.join('').split('\n').length;
    }
    offset += meta.cursor;
    yield;
  }
  return { rows, delimiter };
}

/** Returns the most frequent of some characters in a text; if several are, the first. */
function mostFrequent(characters: readonly string[], text: string): string {
  const counts = characters.map((character) => text.split(character).length);
  return characters[counts.indexOf(Math.max(...counts))] ?? '';
}
