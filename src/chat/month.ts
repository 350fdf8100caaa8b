import { type ExporterAnswer, parseJson } from './exporter.ts';

/*
 * The month, as `GET /api/v1/month` returns it: `rows` with the `id` of a phone and a number of seconds in each column. Nothing else
 * of the chat knows its form.
 */

/** Fields that are columns: each second of a phone's month is in one of them. */
const COLUMN = /^(?:sold_reporting|sold_silent|self_rented|idle|other|planned|unknown)$/;

/** Writes the hours of one phone, or of all. Empty for a phone of which the exporter has no month. */
export function monthText({ status, content }: ExporterAnswer, id?: string): string {
  if (status !== 200) return id === undefined ? 'This exporter has no months.' : '';
  const body = parseJson(content);
  if (!isMonth(body)) return id === undefined ? 'This exporter has months of another form.' : '';
  const seconds = new Map<string, number>();
  for (const phone of body.rows.filter((each) => id === undefined || each['id'] === id)) {
    for (const [name, value] of Object.entries(phone))
      if (COLUMN.test(name) && typeof value === 'number') seconds.set(name, (seconds.get(name) ?? 0) + value);
  }
  const hours = [...seconds].filter(([, value]) => value > 0);
  const text = hours.map(([name, value]) => `${wordsOf(name)} ${Math.round(value / 3600)} h`).join(', ');
  return text === '' && id !== undefined ? '' : `${body.month ?? 'This month'}: ${text || 'nothing yet'}`;
}

/** Writes `sold_reporting` as `sold reporting`. */
function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

type Month = { readonly month?: string; readonly rows: readonly Readonly<Record<string, unknown>>[] };

function isMonth(body: unknown): body is Month {
  return typeof body === 'object' && body !== null && 'rows' in body && Array.isArray(body.rows);
}
