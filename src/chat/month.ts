import { isMonthDocument, MONTH_TIMES } from '../model/month.ts';
import { parseJson } from '../model/text.ts';
import type { ExporterAnswer } from './exporter.ts';

/** Writes the hours of one phone, or of all. Empty for a phone of which the exporter has no month. */
export function monthText({ status, content }: ExporterAnswer, id?: string): string {
  if (status !== 200) return id === undefined ? 'This exporter has no months.' : '';
  const month = parseJson(content);
  if (!isMonthDocument(month)) return id === undefined ? 'This exporter has months of another form.' : '';
  const rows = month.rows.filter((row) => id === undefined || row.id === id);
  const hours = MONTH_TIMES.flatMap((column) => {
    const seconds = rows.reduce((sum, row) => sum + row[column], 0);
    return seconds > 0 ? [`${column.replaceAll('_', ' ')} ${Math.round(seconds / 3600)} h`] : [];
  });
  return hours.length === 0 && id !== undefined ? '' : `${month.month}: ${hours.join(', ') || 'nothing yet'}`;
}
