import type { CsvSeparator } from '../../base/spreadsheet.ts';
import {
  type ChatAnswer,
  type ChatExporter,
  type ChatPart,
  type ChatRequest,
  quote,
  Unavailable,
} from '../../fleet/chat.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { DAY } from '../../model/time.ts';
import { say } from '../../text/say.ts';
import { MONTH_DOCUMENT, type MonthDocument } from './document.ts';
import { monthText, phoneMonthText } from './words.ts';

const PATH = '/api/v1/month';

/** The monthly report in a chat: its command, a line about a phone, and a message after a month has ended. */
export const monthChat: ChatPart = {
  commands: [{ command: 'month', describe: () => say('month-command'), answer }],
  phone: async (exporter, phone) => {
    const month = await documentOf(exporter, { account: phone.account, phone: phone.id });
    return month === undefined ? '' : phoneMonthText(month, phone);
  },
  morning: async (exporter, date) => {
    if (!date.endsWith('-01')) return undefined;
    const ended = new Date(Date.parse(date) - DAY).toISOString().slice(0, 7);
    const { status, content } = await exporter.request('GET', `${PATH}?month=${ended}`);
    // A failure is requested again; an exporter without months has no report.
    if (status >= 500) throw new Unavailable(content);
    if (status !== 200) return undefined;
    const { text, buttons } = await answer({ exporter, words: [ended] });
    const { file } = buttons === undefined ? {} : await monthFile(exporter, ended, 'semicolon');
    return file && { text, file };
  },
  check: async (exporter) => {
    const isThere = (await exporter.request('GET', PATH)).status === 200;
    return ['month', isThere ? 'yes' : 'off', isThere ? '' : 'this exporter keeps no months'];
  },
};

/** Parses `2026-10`, `racks` or the name of a rack, in any order. */
async function answer({ exporter, words }: Pick<ChatRequest, 'exporter' | 'words'>): Promise<ChatAnswer> {
  const date = words.find((word) => /^\d{4}-\d{2}$/.test(word));
  if (date !== undefined && Number.isNaN(Date.parse(date)))
    return { text: say('month-no-report', { reason: say('month-not-a-month', { month: date }) }) };
  const rest = words.filter((word) => word !== date).join(' ');
  const query = new URLSearchParams({ ...(date && { month: date }), ...(rest && { by: 'group' }) });
  const { status, content } = await exporter.request('GET', `${PATH}?${query}`);
  const document = parseDocument(MONTH_DOCUMENT, content);
  if (document === undefined) {
    const reason =
      status === 404 && date !== undefined
        ? say('month-none-of', { month: date })
        : status === 200
          ? say('month-other-version')
          : quote(content.slice(0, 200));
    return { text: say('month-no-report', { reason: `${reason}.` }) };
  }
  const { fleet } = await exporter.view(rest !== '');
  // Amounts are rounded in each row: the sum is that of the groups, however the rows are grouped.
  const summed =
    document.by === 'group' ? document : await documentOf(exporter, { month: document.month, by: 'group' });
  return {
    text: monthText(fleet, document, /^racks?$/i.test(rest) ? '' : rest, summed),
    buttons: (['semicolon', 'comma'] as const).map((separator) => ({
      label: say(`month-csv-${separator}`),
      tap: () => monthFile(exporter, document.month, separator),
    })),
  };
}

async function monthFile(
  exporter: ChatExporter,
  month: string,
  separator: CsvSeparator,
): Promise<ChatAnswer> {
  const query = new URLSearchParams({ month, format: 'csv', separator });
  const { status, content } = await exporter.request('GET', `${PATH}?${query}`);
  if (status !== 200) return { text: say('month-no-report', { reason: quote(content.slice(0, 200)) }) };
  return { text: say('month-file', { month }), file: { name: `phones-${month}.csv`, content } };
}

async function documentOf(
  exporter: ChatExporter,
  query: Readonly<Record<string, string>>,
): Promise<MonthDocument | undefined> {
  const { content } = await exporter.request('GET', `${PATH}?${new URLSearchParams(query)}`);
  return parseDocument(MONTH_DOCUMENT, content);
}
