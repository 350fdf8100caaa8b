import { stat } from 'node:fs/promises';
import { isMissing, readErrorText } from '../../base/files.ts';
import type { CsvSeparator } from '../../base/spreadsheet.ts';
import { createTimeZone, dateAt } from '../../base/time-zone.ts';
import { defineCommand, type ExitCode, formatTable, type Io } from '../../cli/command.ts';
import { loadOwn } from '../../cli/own-exporter.ts';
import { printTable, TABLE_OPTIONS } from '../../cli/table.ts';
import { setting } from '../../config/settings.ts';
import { type ParseResult, parsedText, parsePath, pattern } from '../../config/values.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { hoursText, percentText } from '../../fleet/words.ts';
import { MONTH_DOCUMENT, type MonthDocument } from './document.ts';
import { GROUPINGS, isByProperty, MONTH_TIMES, type MonthGrouping, monthGrouping } from './grouping.ts';
import { type MonthRequest, monthCsv, readMonth } from './report.ts';

const FOLDER = 'the path of a folder with month files';

function parseGrouping(text: string): ParseResult<MonthGrouping> {
  const value = monthGrouping(text);
  return value === undefined ? { expected: GROUPINGS } : { value };
}

/** Prints the month of each phone, from the running daemon or from a folder with month files. */
export const month = defineCommand({
  options: {
    month: setting(pattern('a month such as 2026-10', /^\d{4}-(?:0[1-9]|1[0-2])$/).optional(), {
      description: 'Month, such as 2026-10; by default the current one.',
      example: '2026-10',
    }),
    by: setting(parsedText(GROUPINGS, parseGrouping), {
      description: `Grouping: ${GROUPINGS}.`,
      default: 'phone',
    }),
    ...TABLE_OPTIONS,
    directory: setting(parsedText(FOLDER, (path) => parsePath(path, FOLDER)).optional(), {
      description: 'Folder with month files to read instead of asking the exporter.',
    }),
  },
  run: async ({ flags, options }, io) => {
    const { by, format, separator, directory } = options;
    const own = await loadOwn(flags, io);
    const { config } = own;
    const timeZone = createTimeZone(config.time_zone);
    const wanted = options.month ?? dateAt(timeZone, io.clock.now()).slice(0, 7);
    if (directory === undefined) {
      const advice = ': use --directory to read the month files directly';
      return await printTable(
        '/api/v1/month',
        { month: wanted, by },
        options,
        { own, io, advice },
        (content) => {
          const document = parseDocument(MONTH_DOCUMENT, content);
          return document && tableOf(document);
        },
      );
    }
    if (isByProperty(by)) {
      io.printError(
        `hoster-exporter: got --by=${by} with --directory: only the running exporter knows tags\n`,
      );
      return 2;
    }
    const request = { month: wanted, by, prices: config.prices, propertyOf: () => '', timeZone };
    return await printDays(directory, request, { format, separator }, io);
  },
});

type Form = { readonly format: string; readonly separator: CsvSeparator };

async function printDays(directory: string, request: MonthRequest, form: Form, io: Io): Promise<ExitCode> {
  const warn = (error: unknown): void =>
    io.printError(`hoster-exporter: ${error instanceof Error ? error.message : 'a day cannot be read'}\n`);
  try {
    // `readMonth` takes a missing folder for an empty one.
    await stat(directory);
    const document = await readMonth(directory, request, [], io, warn);
    if (document.rows.length > 0) {
      await io.print(textOf(request, document, form));
      return 0;
    }
    io.printError(
      `hoster-exporter: ${directory} has no days of ${request.month}. Every day is written after it has ended.\n`,
    );
  } catch (error) {
    const problem = isMissing(error) ? 'no such folder' : `cannot be read: ${readErrorText(error)}`;
    io.printError(`hoster-exporter: ${directory}: ${problem}\n`);
  }
  return 1;
}

function textOf(request: MonthRequest, document: MonthDocument, { format, separator }: Form): string {
  if (format === 'csv') return monthCsv(document, request, separator);
  return format === 'table' ? tableOf(document) : `${JSON.stringify(document)}\n`;
}

/** Formats hours, shares and amounts as a table. */
function tableOf({ rows }: MonthDocument): string {
  const costs = rows.some(({ estimate }) => estimate !== undefined) ? ESTIMATES : [];
  return formatTable(
    ['name', 'account', ...MONTH_TIMES, ...FIGURES, ...costs],
    rows.map((row) => [
      ...[row.name, row.account],
      ...MONTH_TIMES.map((each) => hoursText(row[each])),
      ...[percentText(row.soldShare, 2, ''), percentText(row.availability, 2, ''), String(row.interruptions)],
      ...(costs.length === 0
        ? []
        : [amountText(row.estimate?.offlineCents), amountText(row.estimate?.idleCents)]),
    ]),
  );
}

const FIGURES = ['sold share', 'availability', 'interruptions'];
const ESTIMATES = ['offline, estimate', 'idle, estimate'];

function amountText(cents: number | undefined): string {
  return cents === undefined ? '' : (cents / 100).toFixed(2);
}
