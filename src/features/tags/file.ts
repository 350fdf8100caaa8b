import { readProblem } from '../../base/files.ts';
import { plainText, readCsv, spreadsheetDamage } from '../../base/spreadsheet.ts';
import { DEVICES_PER_YIELD, inSteps, type Steps } from '../../base/steps.ts';
import { showText } from '../../config/messages.ts';
import { cleanText, TEXT_LIMIT } from '../../model/text.ts';
import { MAX_TAGS, NO_TAG_BOOK, SHOWN_WARNINGS, type TagBook, type TagLine, tagNameProblem } from './book.ts';

/* The tags file (`tags.file`): a CSV whose first column is the phone, by id or label. */

/** Returns a function that reads the tags file, and returns the same book until the file changes. Never rejects. */
export function createTagReader(
  readFile: (path: string) => Promise<string>,
  yieldToEventLoop: () => Promise<void>,
): (path: string | undefined) => Promise<TagBook> {
  let last: { readonly path: string; readonly text: string; readonly book: TagBook } | undefined;
  return async (path) => {
    if (path === undefined) return NO_TAG_BOOK;
    try {
      const text = await readFile(path);
      if (text !== last?.text || path !== last.path)
        last = { path, text, book: await inSteps(parseTags(text), yieldToEventLoop) };
      return last.book;
    } catch (error) {
      return unusable(`${path}: ${readProblem(error, 'write it with hoster-exporter tags --write')}`);
    }
  };
}

/** Returns a book for a file that cannot be used, which keeps the known tags. */
export function unusable(problem: string): TagBook {
  return { ...NO_TAG_BOOK, lines: undefined, warnings: [`tags.file: ${problem}`] };
}

/** Maximum number of characters of a row. */
const MAX_ROW = 16 * 1024;

/** Stands for bytes that are not UTF-8. The API's labels may contain it, and so may notes. */
const UNDECODABLE = '\uFFFD';

const NOT_UTF8 = 'the file is not UTF-8: save it as "CSV UTF-8"';

type TagColumn = { readonly name: string; readonly index: number };

/** Parses the text of the file. Each row without effect gets a warning. */
export function* parseTags(text: string): Steps<TagBook> {
  if (text.includes('\0')) return unusable(NOT_UTF8);
  const { rows, unclosed } = yield* readCsv(text);
  if (unclosed !== undefined)
    return unusable(
      `line ${unclosed}: a quotation mark is not closed, expected one at the end of the text, and "" for one within it`,
    );
  const [head, ...phones] = rows;
  const titles = head?.cells.map((title) => title.trim()) ?? [];
  if (titles.some((title) => title.includes(UNDECODABLE))) return unusable(NOT_UTF8);
  if (titles.join('') === '') return unusable('got an empty first line, expected the names of the columns');
  if (titles.length < 2)
    return unusable('got one column, expected a column for each tag, separated by commas or semicolons');
  const warnings: string[] = [];
  let moreWarnings = 0;
  const warn = (line: number, problem: string): void => {
    if (warnings.length < SHOWN_WARNINGS) warnings.push(`tags.file: line ${line}: ${problem}`);
    else moreWarnings += 1;
  };
  const columns = columnsOf(titles, (problem) => warn(head?.line ?? 1, problem));
  const accountIndex = titles.indexOf('account');
  const note = titles.indexOf('# note');
  const known = new Map<string, Map<string, TagLine>>();
  for (const [index, { line, cells }] of phones.entries()) {
    if (index % DEVICES_PER_YIELD === 0) yield;
    const text = cells.join('');
    // An empty row may have other separators.
    if (!/[^\s,;"]/.test(text)) continue;
    if (text.length > MAX_ROW) {
      warn(line, `expected at most ${MAX_ROW} characters`);
      continue;
    }
    if (columns.some((column) => cells[column.index]?.includes(UNDECODABLE))) return unusable(NOT_UTF8);
    const read = tagLineOf(cells, line, { account: accountIndex, note }, columns);
    for (const { name, index: column } of columns) {
      const cell = cells[column]?.trim() ?? '';
      const damage = spreadsheetDamage(cell);
      if (damage !== undefined)
        warn(
          line,
          `${name}: ${showText(cell)} looks like ${damage}: format the column as text, and type it again`,
        );
      if ([...cell].length > TEXT_LIMIT) warn(line, `${name}: cut at ${TEXT_LIMIT} characters`);
    }
    if ([...(cells[note]?.trim() ?? '')].length > TEXT_LIMIT)
      warn(line, `# note: cut at ${TEXT_LIMIT} characters`);
    if (read.phone === '') {
      warn(line, 'expected a phone in the first column, its id or its label');
      continue;
    }
    const ofAccount = known.get(read.account) ?? new Map<string, TagLine>();
    known.set(read.account, ofAccount);
    const first = ofAccount.get(read.phone);
    if (first === undefined) ofAccount.set(read.phone, read);
    else warn(line, `${showText(read.phone)} is already in line ${first.line}`);
  }
  // The file is being written, or was cut off.
  if (known.size === 0) {
    const none = unusable('got no phone, expected a line for each below the names of the columns');
    return { ...none, warnings: [...warnings, ...none.warnings], moreWarnings };
  }
  const names = columns.map(({ name }) => name);
  return { firstTitle: cleanText(titles[0] ?? ''), names, lines: known, warnings, moreWarnings };
}

/** Returns the columns that are tags, and warns about each one that cannot be a tag. */
function columnsOf(titles: readonly string[], warn: (problem: string) => void): readonly TagColumn[] {
  const columns: TagColumn[] = [];
  for (const [index, name] of titles.entries()) {
    // The first column is the phone; one that begins with # is for people.
    if (index === 0 || name === '' || name === 'account' || name.startsWith('#')) continue;
    const problem = columns.some((column) => column.name === name)
      ? 'a column of another name: there are two of this one'
      : (tagNameProblem(name) ?? (columns.length === MAX_TAGS ? `at most ${MAX_TAGS} tags` : undefined));
    if (problem === undefined) columns.push({ name, index });
    else warn(`column ${index + 1}: got ${showText(name)}, expected ${problem}`);
  }
  return columns;
}

function tagLineOf(
  cells: readonly string[],
  line: number,
  indexes: { readonly account: number; readonly note: number },
  columns: readonly TagColumn[],
): TagLine {
  const textAt = (index: number): string => cleanText(plainText((cells[index] ?? '').trim()).trim());
  // Unprintable characters in a tag become spaces, so that the template can be read back.
  const tagAt = (index: number): string => textAt(index).replaceAll(UNDECODABLE, ' ').trim();
  const values = columns.map(({ name, index }) => [name, tagAt(index)] as const);
  return {
    line,
    phone: textAt(0),
    account: indexes.account > 0 ? textAt(indexes.account) : '',
    note: indexes.note > 0 ? textAt(indexes.note) : '',
    tags: new Map(values.filter(([, value]) => value !== '')),
  };
}
