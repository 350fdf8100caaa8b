import type { CsvSeparator } from '../base/spreadsheet.ts';
import { bufferReply, type Reply, type RouteRequest, textReply } from './reply.ts';

/*
 * Tables as JSON, or as CSV for spreadsheets.
 */

type TableFormat = 'json' | CsvSeparator;

/**
 * Returns the format that a request asks for: JSON, or CSV with a separator. `format` decides, or else the first format in the
 * Accept header; `separator`, or else the first language in Accept-Language. Returns the reply to an unknown one.
 */
export function tableFormatOf({
  query,
  accept,
  acceptLanguage,
}: Pick<RouteRequest, 'query' | 'accept' | 'acceptLanguage'>): TableFormat | Reply {
  const format = query.get('format') ?? (/^\s*text\/csv\b/.test(accept ?? '') ? 'csv' : 'json');
  if (format !== 'csv' && format !== 'json') return textReply(400, 'expected format=csv or format=json');
  const separator = query.get('separator') ?? separatorOf(acceptLanguage);
  if (separator !== 'semicolon' && separator !== 'comma')
    return textReply(400, 'expected separator=semicolon or separator=comma');
  return format === 'json' ? 'json' : separator;
}

/** Countries whose spreadsheets expect semicolons, although their decimal sign is a point. */
const POINT_AND_SEMICOLON: ReadonlySet<string | undefined> = new Set(['CH', 'LI']);

/**
 * Returns the CSV separator that spreadsheets expect for the first language of a header: by the defaults of Windows, a
 * semicolon where the decimal sign is a comma, in Switzerland and Liechtenstein, and for languages in Arabic letters.
 */
function separatorOf(acceptLanguage: string | undefined): CsvSeparator {
  const [language = ''] = /^[\w-]+/.exec(acceptLanguage ?? '') ?? [];
  try {
    const { region, script } = new Intl.Locale(language).maximize();
    const isPoint = new Intl.NumberFormat(language).format(1.5).includes('.');
    return isPoint && script !== 'Arab' && !POINT_AND_SEMICOLON.has(region) ? 'comma' : 'semicolon';
  } catch {
    return 'comma';
  }
}

/** @param name of the file without its extension */
export function csvReply(name: string, csv: string): Reply {
  return bufferReply(200, 'text/csv; charset=utf-8', csv, {
    'content-disposition': `attachment; filename="${name}.csv"`,
    vary: 'Accept, Accept-Language',
  });
}
