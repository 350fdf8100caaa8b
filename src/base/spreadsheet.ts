import csv from 'papaparse';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

/*
 * CSV as spreadsheets write and read it.
 */

/**
 * Texts that a spreadsheet would change: formulas (also with full-width signs), truth values, numbers, amounts, times and dates
 * such as `01`, `1e5`, `$5`, `10:30 PM`, `3/12`, `3-Dec-26 10:00` and `Dec 3`.
 */
const CHANGED =
  /^\s*(?:[=+\-@＝＋－＠]|(?:true|false)$|(?=.*\d)[\d.,:/\s%()e\p{Sc}-]*(?:[ap]m)?$|\d{1,4}[-./ ]*\p{L}{2,9}\.?[-./ ]*\d{0,4}[\d: ]*(?:[ap]m)?$|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*[-./ ]*\d{1,4}$)/iu;

/** Returns a text as a cell for spreadsheets. An apostrophe keeps it as it is. */
export function spreadsheetCell(text: string): string {
  const safe = text !== '' && CHANGED.test(text) ? `'${text}` : text;
  return /[",;'\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the text of a cell that {@link spreadsheetCell} wrote, with the apostrophe that a spreadsheet may have left. */
export function plainText(cell: string): string {
  return cell.startsWith("'") && CHANGED.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Returns the cells of a line, without the quotes around them. */
export function cellsOfLine(line: string, delimiter: string): readonly string[] {
  if (!line.includes('"')) return line.split(delimiter);
  return csv.parse<string[]>(line, { delimiter, newline: '\n' }).data[0] ?? [];
}

/** A row of a CSV, and the line in which it begins: a cell in quotes may have several lines. */
type CsvRow = { readonly line: number; readonly cells: readonly string[] };

/**
 * Reads a CSV with commas, semicolons or tabs. Ends at a row whose quotation marks are not closed, and returns its line as
 * `unclosed`.
 */
export function* readCsv(
  written: string,
): Steps<{ readonly rows: readonly CsvRow[]; readonly unclosed?: number }> {
  const text = written.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  // Spreadsheets name the separator in a line of its own.
  const [named = ''] = /^"?sep=.*\n/i.exec(text) ?? [];
  const [titles = ''] = text.slice(named.length).split('\n', 1);
  const delimiter = /[;\t,]/.exec(titles.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ',';
  // Without fastMode, parse would look for quotes in the rest of the text each time.
  const options = { delimiter, newline: '\n', preview: DEVICES_PER_YIELD, fastMode: false } as const;
  const rows: CsvRow[] = [];
  let line = named === '' ? 1 : 2;
  for (let offset = named.length; offset < text.length; ) {
    const { data, errors, meta } = csv.parse<string[]>(text.slice(offset), options);
    for (const [index, cells] of data.entries()) {
      if (index === errors[0]?.row) return { rows, unclosed: line };
      rows.push({ line, cells });
      line += cells.join('').split('\n').length;
    }
    offset += meta.cursor;
    yield;
  }
  return { rows };
}
