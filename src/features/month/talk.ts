import { parseDocument } from '../../fleet/fields.ts';
import { type Asked, quote, type TalkAnswer, type TalkExporter, type TalkPart } from '../../fleet/talk.ts';
import { DAY } from '../../model/time.ts';
import { MONTH_DOCUMENT } from './document.ts';
import type { CsvSeparator } from './grouping.ts';
import { monthText, phoneMonthText } from './words.ts';

const PATH = '/api/v1/month';

/** The month in a chat: its command, a line about a phone, and a message when a month has ended. */
export const monthTalk: TalkPart = {
  commands: [
    { command: 'month', description: 'A month: /month, /month racks, /month 2026-10 rack-03', answer },
  ],
  phone: async (exporter, phone) => {
    const query = new URLSearchParams({ account: phone.account, phone: phone.id });
    const month = parseDocument(MONTH_DOCUMENT, (await exporter.ask('GET', `${PATH}?${query}`)).content);
    return month === undefined ? '' : phoneMonthText(month, phone);
  },
  morning: async (exporter, date) => {
    if (!date.endsWith('-01')) return undefined;
    const ended = new Date(Date.parse(date) - DAY).toISOString().slice(0, 7);
    const { text, buttons } = await answer({ exporter, words: [ended] });
    const { file } = buttons === undefined ? {} : await monthFile(exporter, ended, 'semicolon');
    return file && { text, file };
  },
  check: async (exporter) => {
    const isThere = (await exporter.ask('GET', PATH)).status === 200;
    return ['month', isThere ? 'yes' : 'off', isThere ? '' : 'this exporter has no months'];
  },
};

/** Parses `2026-10`, `racks` or the name of a rack, in any order. */
async function answer({ exporter, words }: Pick<Asked, 'exporter' | 'words'>): Promise<TalkAnswer> {
  const date = words.find((word) => /^\d{4}-\d{2}$/.test(word));
  const rest = words.filter((word) => word !== date).join(' ');
  const query = new URLSearchParams({ ...(date && { month: date }), ...(rest && { by: 'group' }) });
  const { status, content } = await exporter.ask('GET', `${PATH}?${query}`);
  const document = parseDocument(MONTH_DOCUMENT, content);
  if (document === undefined) {
    const got =
      status === 200 ? 'The exporter answers with a month of another form' : quote(content.slice(0, 200));
    return { text: `No month: ${got}.` };
  }
  const { fleet } = await exporter.view(rest !== '');
  return {
    text: monthText(fleet, document, /^racks?$/i.test(rest) ? '' : rest, quote),
    buttons: CSV_BUTTONS.map(({ label, separator }) => ({
      label,
      tap: () => monthFile(exporter, document.month, separator),
    })),
  };
}

/** In countries with a comma as decimal sign, a spreadsheet expects the first one. */
const CSV_BUTTONS = [
  { label: 'CSV with ;', separator: 'semicolon' },
  { label: 'CSV with ,', separator: 'comma' },
] as const satisfies readonly { readonly label: string; readonly separator: CsvSeparator }[];

async function monthFile(
  exporter: TalkExporter,
  month: string,
  separator: CsvSeparator,
): Promise<TalkAnswer> {
  const query = new URLSearchParams({ month, format: 'csv', separator });
  const { status, content } = await exporter.ask('GET', `${PATH}?${query}`);
  if (status !== 200) return { text: `No file: ${quote(content.slice(0, 200))}` };
  return { text: `${month}, a line for each phone.`, file: { name: `phones-${month}.csv`, content } };
}
