import { type CsvSeparator, csvLines, csvOf, readCsv, spreadsheetCell } from '../../base/spreadsheet.ts';
import { finish } from '../../base/steps.ts';
import type { FleetDocument, FleetPhone } from '../../fleet/document.ts';
import { tagOf } from '../../fleet/phones.ts';
import { cleanText } from '../../model/text.ts';

/*
 * The file of tags as `hoster-exporter tags` writes it, for people to fill in.
 */

/** Tags of a template that an owner can replace. */
const EXAMPLES = ['carrier', 'owner'];

export type Template = { readonly text: string; readonly added: number };

/** Writes a file with a line for each phone. Columns that begin with # are notes for people. */
export function templateOf(fleet: FleetDocument, separator: CsvSeparator): Template {
  const { accounts, phones, exporter } = fleet;
  const names = exporter.tags ?? EXAMPLES;
  const titles = ['phone', ...(accounts.length < 2 ? [] : ['account']), '# label', '# model', ...names];
  const rows = phones.map((phone) => rowOf(titles, phone));
  return { text: csvOf([titles, ...rows], separator), added: rows.length };
}

/**
 * Returns a file with a line for each phone that it lacks. All that it has stays as it is: notes, lines of phones that are
 * not there, and the order.
 *
 * @throws an Error for a text that cannot be read as a CSV
 */
export function extendTemplate(text: string, fleet: FleetDocument): Template {
  const { rows, delimiter, unclosed } = finish(readCsv(text));
  if (unclosed !== undefined) throw new Error(`line ${unclosed}: a quotation mark is not closed`);
  const [titles = [], ...lines] = rows.map(({ cells }) => cells);
  if (titles.length < 2) throw new Error('this is no file of tags: correct it, or name another file');
  const account = titles.map((title) => title.trim()).indexOf('account');
  const keyOf = (name: string, of = ''): string => `${of}\n${cleanText(name.trim())}`;
  const known = new Set(
    lines.map((cells) => keyOf(cells[0] ?? '', account < 0 ? '' : cells[account]?.trim())),
  );
  const isKnown = (phone: FleetPhone): boolean =>
    [phone.id, phone.label].some((name) => known.has(keyOf(name)) || known.has(keyOf(name, phone.account)));
  const added = fleet.phones.filter((phone) => !isKnown(phone)).map((phone) => rowOf(titles, phone));
  const separate = text === '' || text.endsWith('\n') ? '' : '\n';
  return { text: `${text}${separate}${csvLines(added, delimiter)}`, added: added.length };
}

function rowOf(titles: readonly string[], phone: FleetPhone): readonly string[] {
  const facts: Readonly<Record<string, string>> = {
    account: phone.account,
    '# label': phone.label,
    '# model': phone.model,
  };
  return titles
    .map((title, index) =>
      index === 0 ? phone.id : (facts[title.trim()] ?? tagOf(phone, title.trim()) ?? ''),
    )
    .map(spreadsheetCell);
}
