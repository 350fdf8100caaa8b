import { type ExporterAnswer, parseJson } from './exporter.ts';

/*
 * The month, as `GET /api/v1/month` returns it. Nothing else of the chat knows its form.
 */

/** Hours by column, such as `sold_reporting`. */
function columnsText(columns: unknown): string {
  if (typeof columns !== 'object' || columns === null) return '';
  const hours = Object.entries(columns).filter(([, seconds]) => typeof seconds === 'number' && seconds > 0);
  return hours
    .map(([name, seconds]) => `${name.replaceAll('_', ' ')} ${Math.round(seconds / 3600)} h`)
    .join(', ');
}

function parse({ status, content }: ExporterAnswer): { readonly month?: string; readonly totals?: unknown } {
  const body = status === 200 ? parseJson(content) : undefined;
  return typeof body === 'object' && body !== null ? body : {};
}

/** Answers /month; says so where the exporter has none. */
export function monthText(answer: ExporterAnswer): string {
  if (answer.status !== 200) return 'This exporter has no months.';
  const { month = 'This month', totals } = parse(answer);
  return `${month}: ${columnsText(totals) || 'nothing yet'}`;
}
