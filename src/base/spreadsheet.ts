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
export function cellsOfLine(line: string, separator: string): readonly string[] {
  if (!line.includes('"')) return line.split(separator);
  return Array.from(
    line.matchAll(new RegExp(`(?:^|${separator})(?:"((?:[^"]|"")*)"|([^${separator}]*))`, 'g')),
    ([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare,
  );
}
