import { dirname, join } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { setting } from '../config/settings.ts';
import { oneOf, parseAbsolutePath, parsedText, pattern } from '../config/values.ts';
import { createFileCache } from '../files.ts';
import {
  availabilityOf,
  MONTH_GROUPINGS,
  MONTH_TIMES,
  type MonthGrouping,
  type MonthRow,
  monthCsv,
  monthJson,
  readMonth,
  soldShareOf,
} from '../state/month-report.ts';
import { createTimeZone, dateAt } from '../time-zone.ts';
import { defineCommand, formatTable } from './command.ts';

/** Prints the month of each phone from the month files: days that are over. */
export const month = defineCommand({
  options: {
    month: setting(pattern('a month such as 2026-10', /^\d{4}-(?:0[1-9]|1[0-2])$/).optional(), {
      description: 'The month, such as 2026-10; by default the one that runs.',
      example: '2026-10',
    }),
    by: setting(oneOf(MONTH_GROUPINGS), { description: 'What is added up.', default: 'phone' }),
    format: setting(oneOf(['table', 'csv', 'json']), {
      description: 'The form of the output.',
      default: 'table',
    }),
    directory: setting(
      parsedText('an absolute path of the folder of month files', (path) =>
        parseAbsolutePath(path),
      ).optional(),
      { description: 'Folder of the month files; by default that of the configuration.' },
    ),
  },
  run: async ({ flags, options }, io) => {
    const files = createFileCache(io.readFile);
    const { config } = await files.load((readFile) =>
      loadConfig({ flags, environment: io.environment, readFile, accounts: 'optional' }),
    );
    const beside = config.state.file && join(dirname(config.state.file), 'months');
    const directory = options.directory ?? config.months.directory ?? beside;
    if (directory === undefined) {
      io.printError('hoster-exporter: no folder of month files: give --directory\n');
      return 2;
    }
    const wanted = options.month ?? dateAt(createTimeZone(config.timeZone), io.clock.now()).slice(0, 7);
    const path = join(directory, `${wanted}.csv`);
    try {
      const rows = await readMonth(path, options.by);
      await io.print(textOf(wanted, options.by, rows, options.format));
      return 0;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      io.printError(
        `hoster-exporter: ${path}: ${code}: a file is written when the first local day is over\n`,
      );
      return 1;
    }
  },
});

function textOf(wanted: string, by: MonthGrouping, rows: readonly MonthRow[], format: string): string {
  if (format === 'json') return monthJson(wanted, by, rows);
  if (format === 'csv') return monthCsv(rows);
  return formatTable(['name', 'account', ...MONTH_TIMES, ...FIGURES], rows.map(tableRow));
}

const FIGURES = ['sold share', 'availability', 'interruptions'];

/** Hours and shares, for people. */
function tableRow(row: MonthRow): readonly string[] {
  const share = (value: number | undefined): string =>
    value === undefined ? '' : `${(100 * value).toFixed(2)} %`;
  const hours = MONTH_TIMES.map((each) => (row[each] / 3600).toFixed(1));
  const figures = [share(soldShareOf(row)), share(availabilityOf(row)), String(row.interruptions)];
  return [row.name, row.account, ...hours, ...figures];
}
