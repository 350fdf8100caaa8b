import type { TableColumn } from '../base/spreadsheet.ts';
import type { parseArguments } from '../config/flags.ts';
import { setting } from '../config/settings.ts';
import { oneOf, parsedText } from '../config/values.ts';
import { type FleetDocument, fleetParser } from '../fleet/document.ts';
import { groupingsText, isByProperty } from '../fleet/grouping.ts';
import { MINUTE } from '../model/time.ts';
import { type ExitCode, formatTable, type Io } from './command.ts';
import {
  type ActionResult,
  EXPORTER_URL,
  forEachExporter,
  LOGIN_FILE,
  type OwnSettings,
  type SendRequest,
} from './own-exporter.ts';

export const SEPARATOR = setting(oneOf(['comma', 'semicolon']), {
  description:
    'CSV separator. Spreadsheets expect a semicolon where the decimal sign is a comma, and in Switzerland.',
  default: 'comma',
});

export const TABLE_OPTIONS = {
  format: setting(oneOf(['table', 'csv', 'json']), { description: 'Output format.', default: 'table' }),
  separator: SEPARATOR,
  url: EXPORTER_URL,
  login_file: LOGIN_FILE,
};

/** Parses a grouping of a table: one of some words, or a tag. */
export function groupingAmong(words: readonly string[]) {
  const expected = groupingsText(words);
  return parsedText(expected, (value) =>
    words.includes(value) || isByProperty(value) ? { value } : { expected },
  );
}

type TableOptions = ReturnType<typeof parseArguments<typeof TABLE_OPTIONS>>['options'];

/** Timeout in milliseconds. A slow machine takes a minute to read a month of 100,000 phones. */
const TIMEOUT = 5 * MINUTE;

type TableContext = { readonly own: OwnSettings; readonly io: Io };

/**
 * Requests a table and prints it. CSV and JSON are printed as the exporter sends them.
 *
 * @param tableOf formats the JSON for a terminal, with the exporter's time zone and accounts; returns undefined for any
 *   other document
 */
export async function printTable(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { format, separator, url, login_file }: TableOptions,
  { own, io }: TableContext,
  tableOf: (content: string, fleet: FleetDocument) => string | undefined,
): Promise<ExitCode> {
  const given = { ...query, ...(format === 'csv' ? { format, separator } : { format: 'json' }) };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) parameters.set(name, value);
  const act = async (ask: SendRequest): Promise<ActionResult> => {
    const { status, content } = await ask('GET', `${path}?${parameters}`);
    if (status !== 200) return { error: content.trim() || `status ${status}` };
    if (format !== 'table') return { output: content };
    const fleet = fleetParser(io.features)((await ask('GET', '/api/v1/fleet?phones=no')).content);
    if (fleet === undefined)
      return { error: "sent no fleet that this version understands: use the exporter's own program" };
    const output = tableOf(content, fleet);
    return output === undefined ? { error: content.trim() } : { output };
  };
  return await forEachExporter(own, { url: url && [url], login_file }, io, act, TIMEOUT);
}

export function formatColumns<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  return formatTable(
    columns.map(({ title }) => title),
    rows.map((row) => columns.map(({ cell }) => String(cell(row) ?? ''))),
  );
}
