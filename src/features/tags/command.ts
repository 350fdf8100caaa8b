import { stat } from 'node:fs/promises';
import { readErrorText, readOptional } from '../../base/files.ts';
import type { CsvSeparator } from '../../base/spreadsheet.ts';
import { defineCommand, formatTable } from '../../cli/command.ts';
import { EXPORTER_URL, forEachExporter, LOGIN_FILE, loadOwn } from '../../cli/own-exporter.ts';
import { SEPARATOR } from '../../cli/table.ts';
import { setting } from '../../config/settings.ts';
import { onOff, parsedText, parsePath } from '../../config/values.ts';
import { FLEET_DOCUMENT, type FleetDocument } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { tagOf } from '../../fleet/phones.ts';
import { replaceWhole } from '../../state/file.ts';
import { extendTemplate, templateOf } from './template.ts';

/** Prints the tags that the running daemon has, or a file for `tags.file` with a line for each of its phones. */
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
      const fleet = parseDocument(FLEET_DOCUMENT, content);
      if (status !== 200 || fleet === undefined) return { error: content };
      for (const warning of fleet.exporter.warnings ?? []) io.printError(`hoster-exporter: ${warning}\n`);
      if (write !== undefined) return await writeFile(write, fleet, separator);
      return { output: template ? templateOf(fleet, separator).text : tableOf(fleet) };
    }),
});

/** Writes the template into a file, or adds the phones that the file lacks. Changes nothing if it cannot be read. */
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

/** Counts the phones of each value. */
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
