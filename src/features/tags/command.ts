import { spreadsheetCell } from '../../base/spreadsheet.ts';
import { defineCommand, formatTable } from '../../cli/command.ts';
import { askEach, EXPORTER_URL, LOGIN_FILE } from '../../cli/own-exporter.ts';
import { setting } from '../../config/settings.ts';
import { onOff } from '../../config/values.ts';
import { FLEET_DOCUMENT, type FleetDocument } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { tagOf } from '../../fleet/phones.ts';

/** Prints the tags that the running daemon has, or a file for `tags.file` with a line for each of its phones. */
export const tags = defineCommand({
  options: {
    template: setting(onOff, {
      description: 'Prints a CSV for tags.file: a line for each phone, with the tags that it has.',
      default: false,
    }),
    url: EXPORTER_URL,
    login_file: LOGIN_FILE,
  },
  run: async ({ flags, options: { template, url, login_file } }, io) =>
    await askEach(flags, { url: url && [url], login_file }, io, async (ask) => {
      const { status, content } = await ask('GET', '/api/v1/fleet');
      const fleet = parseDocument(FLEET_DOCUMENT, content);
      if (status !== 200 || fleet === undefined) return { error: content };
      for (const warning of fleet.exporter.warnings ?? []) io.printError(`hoster-exporter: ${warning}\n`);
      return { output: template ? templateOf(fleet) : tableOf(fleet) };
    }),
});

/** Tags of a template that an owner can replace. */
const EXAMPLES = ['carrier', 'owner'];

/** Writes a file with a line for each phone. Columns that begin with # are notes for people. */
function templateOf({ accounts, phones, exporter }: FleetDocument): string {
  const names = exporter.tags ?? EXAMPLES;
  const isOne = accounts.length < 2;
  const head = ['phone', ...(isOne ? [] : ['account']), '# label', '# model', ...names];
  const lines = phones.map((phone) =>
    [
      phone.id,
      ...(isOne ? [] : [phone.account]),
      phone.label,
      phone.model,
      ...names.map((name) => tagOf(phone, name) ?? ''),
    ]
      .map(spreadsheetCell)
      .join(','),
  );
  return `\uFEFF${[head.join(','), ...lines].join('\n')}\n`;
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
    ? 'No phone has a tag: tags.file names the file, and --template writes one.\n'
    : formatTable(['tag', 'value', 'phones'], rows);
}
