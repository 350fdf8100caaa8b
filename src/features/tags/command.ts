import { stat } from 'node:fs/promises';
import { readErrorText, readOptional } from '../../base/files.ts';
import {
  type CsvSeparator,
  csvLines,
  csvOf,
  plainText,
  readCsv,
  spreadsheetCell,
} from '../../base/spreadsheet.ts';
import { finish } from '../../base/steps.ts';
import { defineCommand, formatTable } from '../../cli/command.ts';
import { EXPORTER_URL, forEachExporter, LOGIN_FILE, loadOwn } from '../../cli/own-exporter.ts';
import { SEPARATOR } from '../../cli/table.ts';
import { setting } from '../../config/settings.ts';
import { onOff, parsedText, parsePath } from '../../config/values.ts';
import { type FleetDocument, type FleetPhone, fleetParser } from '../../fleet/document.ts';
import { tagOf } from '../../fleet/phones.ts';
import { cleanText } from '../../model/text.ts';
import { replaceWhole } from '../../state/file.ts';

/** Prints the running daemon's tags, or a file for `tags.file` with a line for each of its phones. */
export const tags = defineCommand({
  options: {
    template: setting(onOff, {
      description: 'Prints a CSV for tags.file: a line for each phone, with its tags.',
      default: false,
    }),
    write: setting(parsedText('the path of a CSV file', parsePath).optional(), {
      description:
        'Writes that CSV to a file. If the file exists, phones that are missing are added and everything else stays; the old file is kept as FILE.old.',
    }),
    separator: SEPARATOR,
    url: EXPORTER_URL,
    login_file: LOGIN_FILE,
  },
  run: async ({ flags, options: { template, write, separator, url, login_file } }, io) =>
    await forEachExporter(await loadOwn(flags, io), { url: url && [url], login_file }, io, async (ask) => {
      const { status, content } = await ask('GET', '/api/v1/fleet');
      const fleet = fleetParser(io.features)(content);
      if (status !== 200 || fleet === undefined) return { error: content };
      for (const warning of fleet.exporter.warnings ?? []) io.printError(`hoster-exporter: ${warning}\n`);
      if (write !== undefined) return await writeFile(write, fleet, separator);
      return { output: template ? templateOf(fleet, separator).text : tableOf(fleet) };
    }),
});

/** Writes the template to a file, or adds the phones that the file lacks. Changes nothing if it cannot be read. */
async function writeFile(path: string, fleet: FleetDocument, separator: CsvSeparator) {
  try {
    const before = await readOptional(path);
    if (before === undefined) {
      const { text, added } = templateOf(fleet, separator);
      await replaceWhole(path, [text], { isShared: true });
      return { output: `Wrote ${path}: ${added} phones. Next: set tags.file to it.\n` };
    }
    // Bytes that are not UTF-8 would be lost.
    if (Buffer.byteLength(before) !== (await stat(path)).size)
      return { error: `${path} was not changed: it is not UTF-8. Save it as "CSV UTF-8" first` };
    const { text, added } = extendTemplate(before, fleet);
    if (added === 0) return { output: `${path} has every phone. Nothing was changed.\n` };
    await replaceWhole(`${path}.old`, [before], { isShared: true });
    await replaceWhole(path, [text], { isShared: true });
    const phones = added === 1 ? '1 phone' : `${added} phones`;
    return { output: `Added ${phones} to ${path}. The file from before is ${path}.old.\n` };
  } catch (error) {
    const reason = error instanceof Error && !('code' in error) ? error.message : readErrorText(error);
    return { error: `${path} was not changed: ${reason}` };
  }
}

function tableOf({ exporter, phones }: FleetDocument): string {
  const rows = (exporter.tags ?? []).flatMap((name) => {
    const counts = new Map<string, number>();
    for (const phone of phones) {
      const value = tagOf(phone, name) ?? '';
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .map(([value, count]) => [name, value || '(none)', String(count)]);
  });
  return rows.length === 0
    ? 'No phone has a tag. Write a file with --write, and set tags.file to it.\n'
    : formatTable(['tag', 'value', 'phones'], rows);
}

/** Tags in a template, for the owner to replace. */
const EXAMPLES = ['carrier', 'owner'];

type Template = { readonly text: string; readonly added: number };

/** Writes a file with a line for each phone. Columns that begin with # are notes for people. */
function templateOf(fleet: FleetDocument, separator: CsvSeparator): Template {
  const { accounts, phones, exporter } = fleet;
  const names = exporter.tags ?? EXAMPLES;
  const titles = ['phone', ...(accounts.length < 2 ? [] : ['account']), '# label', '# model', ...names];
  const columns = titles.map((title, index) => ({
    title,
    cell: (phone: FleetPhone) => cellOf(title, index, phone),
  }));
  return { text: csvOf(columns, phones, separator), added: phones.length };
}

/**
 * Adds a line to a file for each phone that it lacks. Everything in it stays as it is: notes, lines for phones that are
 * not there, and the order.
 *
 * @throws an Error if the text cannot be read as a CSV
 */
function extendTemplate(text: string, fleet: FleetDocument): Template {
  const { rows, delimiter, unclosed } = finish(readCsv(text));
  if (unclosed !== undefined) throw new Error(`line ${unclosed}: a quotation mark is not closed`);
  const [titles = [], ...lines] = rows.map(({ cells }) => cells);
  if (titles.length < 2) throw new Error('this is not a tags file: correct it, or name another file');
  const account = titles.map((title) => title.trim()).indexOf('account');
  const keyOf = (name: string, of = ''): string => `${of}\n${cleanText(plainText(name.trim()).trim())}`;
  const known = new Set(
    lines.map((cells) => keyOf(cells[0] ?? '', account < 0 ? '' : cells[account]?.trim())),
  );
  const isKnown = (phone: FleetPhone): boolean =>
    [phone.id, phone.label].some((name) => known.has(keyOf(name)) || known.has(keyOf(name, phone.account)));
  const added = fleet.phones.filter((phone) => !isKnown(phone));
  const missing = added.map((phone) =>
    titles.map((title, index) => spreadsheetCell(cellOf(title.trim(), index, phone))),
  );
  const separate = text === '' || text.endsWith('\n') ? '' : '\n';
  return { text: `${text}${separate}${csvLines(missing, delimiter)}`, added: missing.length };
}

function cellOf(title: string, column: number, phone: FleetPhone): string {
  if (column === 0) return phone.id;
  if (title === 'account') return phone.account;
  if (title === '# label') return phone.label;
  return title === '# model' ? phone.model : (tagOf(phone, title) ?? '');
}
