import type { CsvSeparator } from '../../base/spreadsheet.ts';
import {
  type ChatAnswer,
  type ChatExporter,
  type ChatPart,
  type ChatRequest,
  quote,
} from '../../fleet/chat.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { DAY } from '../../model/time.ts';
import { MONTH_DOCUMENT } from './document.ts';

import { CHAT_WORDS, monthText, phoneMonthText } from './words.ts';

const PATH = '/api/v1/month';

/** The monthly report in a chat: its command, a line about a phone, and a message after a month has ended. */
export const monthChat: ChatPart = {
  commands: [{ command: 'month', description: CHAT_WORDS.command, answer }],
  phone: async (exporter, phone) => {
    const query = new URLSearchParams({ account: phone.account, phone: phone.id });
    const month = parseDocument(MONTH_DOCUMENT, (await exporter.request('GET', `${PATH}?${query}`)).content);
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
    const isThere = (await exporter.request('GET', PATH)).status === 200;
    return ['month', isThere ? 'yes' : 'off', isThere ? '' : CHAT_WORDS.disabled];
  },
};

/** Parses `2026-10`, `racks` or the name of a rack, in any order. */
async function answer({ exporter, words }: Pick<ChatRequest, 'exporter' | 'words'>): Promise<ChatAnswer> {
  const date = words.find((word) => /^\d{4}-\d{2}$/.test(word));
  if (date !== undefined && Number.isNaN(Date.parse(date)))
    return { text: `${CHAT_WORDS.noMonth} ${CHAT_WORDS.notMonth(date)}` };
  const rest = words.filter((word) => word !== date).join(' ');
  const query = new URLSearchParams({ ...(date && { month: date }), ...(rest && { by: 'group' }) });
  const { status, content } = await exporter.request('GET', `${PATH}?${query}`);
  const document = parseDocument(MONTH_DOCUMENT, content);
  if (document === undefined) {
    const reason = status === 200 ? CHAT_WORDS.otherVersion : quote(content.slice(0, 200));
    return { text: `${CHAT_WORDS.noMonth} ${reason}.` };
  }
  const { fleet } = await exporter.view(rest !== '');
  return {
    text: monthText(fleet, document, /^racks?$/i.test(rest) ? '' : rest, quote),
    buttons: (['semicolon', 'comma'] as const).map((separator) => ({
      label: CHAT_WORDS.csv[separator],
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
  if (status !== 200) return { text: `${CHAT_WORDS.noMonth} ${quote(content.slice(0, 200))}` };
  return { text: CHAT_WORDS.file(month), file: { name: `phones-${month}.csv`, content } };
}
