import type { TableColumn } from '../../base/spreadsheet.ts';
import { defineCommand } from '../../cli/command.ts';
import { loadOwn } from '../../cli/own-exporter.ts';
import { formatColumns, groupingAmong, printTable, TABLE_OPTIONS } from '../../cli/table.ts';
import { setting } from '../../config/settings.ts';
import { pattern } from '../../config/values.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { groupingsText } from '../../fleet/grouping.ts';
import { type CurrencyOf, currencies } from '../../fleet/money.ts';
import { hoursText, moneyText, noGroup, percentText } from '../../fleet/words.ts';
import { say } from '../../text/say.ts';
import { MONTH_DOCUMENT, type MonthDocument, type MonthDocumentRow } from './document.ts';
import { GROUPINGS, MONTH_TIMES } from './grouping.ts';

/** Prints the month of each phone, as the running daemon reports it. */
export const month = defineCommand({
  options: {
    month: setting(pattern('a month such as 2026-10', /^\d{4}-(?:0[1-9]|1[0-2])$/).optional(), {
      description: 'Month, such as 2026-10; by default the current one.',
      example: '2026-10',
    }),
    by: setting(groupingAmong(GROUPINGS), {
      description: `Grouping: ${groupingsText(GROUPINGS)}.`,
      default: 'phone',
    }),
    ...TABLE_OPTIONS,
  },
  run: async ({ flags, options }, io) => {
    const own = await loadOwn(flags, io);
    const { month, by } = options;
    return await printTable('/api/v1/month', { month, by }, options, { own, io }, (content, { accounts }) => {
      const document = parseDocument(MONTH_DOCUMENT, content);
      return document && tableOf(document, currencies(accounts));
    });
  },
});

/** Formats hours, shares and amounts as a table. */
function tableOf({ rows, by }: MonthDocument, currencyOf: CurrencyOf): string {
  const amountOf = (account: string, cents: number | undefined): string =>
    cents === undefined ? '' : moneyText(cents, currencyOf(account));
  const costs: readonly TableColumn<MonthDocumentRow>[] = [
    {
      title: say('month-column-offline_estimate'),
      cell: ({ account, estimate }) => amountOf(account, estimate?.offlineCents),
    },
    {
      title: say('month-column-idle_estimate'),
      cell: ({ account, estimate }) => amountOf(account, estimate?.idleCents),
    },
  ];
  const columns: readonly TableColumn<MonthDocumentRow>[] = [
    { title: say('month-column-name'), cell: ({ name }) => name || (by === 'group' ? noGroup() : '') },
    { title: say('month-column-account'), cell: ({ account }) => account },
    ...MONTH_TIMES.map((time) => ({
      title: say(`month-column-${time}`),
      cell: (row: MonthDocumentRow) => hoursText(row[time]),
    })),
    { title: say('month-column-sold_share'), cell: ({ soldShare }) => percentText(soldShare, 2, '') },
    { title: say('month-column-availability'), cell: ({ availability }) => percentText(availability, 2, '') },
    { title: say('month-column-interruptions'), cell: ({ interruptions }) => interruptions },
    ...(rows.some(({ estimate }) => estimate !== undefined) ? costs : []),
  ];
  return formatColumns(columns, rows);
}
