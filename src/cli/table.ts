import type { parseArguments } from '../config/flags.ts';
import { setting } from '../config/settings.ts';
import { oneOf } from '../config/values.ts';
import { MINUTE } from '../model/time.ts';
import type { ExitCode, Io } from './command.ts';
import {
  type ActionResult,
  EXPORTER_URL,
  forEachExporter,
  LOGIN_FILE,
  type OwnSettings,
  type SendRequest,
} from './own-exporter.ts';

/*
 * Tables that the exporter computes, for commands that print them.
 */

export const SEPARATOR = setting(oneOf(['comma', 'semicolon']), {
  description:
    'CSV separator. Spreadsheets expect a semicolon where the decimal sign is a comma, and in Switzerland.',
  default: 'comma',
});

/** Options of a command that prints a table. */
export const TABLE_OPTIONS = {
  format: setting(oneOf(['table', 'csv', 'json']), { description: 'Output format.', default: 'table' }),
  separator: SEPARATOR,
  url: EXPORTER_URL,
  login_file: LOGIN_FILE,
};

type TableOptions = ReturnType<typeof parseArguments<typeof TABLE_OPTIONS>>['options'];

/** Timeout in milliseconds. A slow machine reads a month of 100,000 phones in a minute. */
const TIMEOUT = 5 * MINUTE;

type TableContext = {
  readonly own: OwnSettings;
  readonly io: Io;
  /** Says what to do if the exporter does not respond. */
  readonly advice?: string;
};

/**
 * Requests a table and prints it. CSV and JSON are printed as the exporter sends them.
 *
 * @param tableOf formats the JSON for a terminal; undefined for another document
 */
export async function printTable(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { format, separator, url, login_file }: TableOptions,
  { own, io, advice = '' }: TableContext,
  tableOf: (content: string) => string | undefined,
): Promise<ExitCode> {
  const given = { ...query, ...(format === 'csv' ? { format, separator } : { format: 'json' }) };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) parameters.set(name, value);
  const act = async (ask: SendRequest): Promise<ActionResult> => {
    const { status, content } = await ask('GET', `${path}?${parameters}`);
    const output = status !== 200 ? undefined : format === 'table' ? tableOf(content) : content;
    return output === undefined ? { error: content.trim() || `status ${status}` } : { output };
  };
  return await forEachExporter(own, { url: url && [url], login_file }, io, act, {
    timeout: TIMEOUT,
    advice,
  });
}
