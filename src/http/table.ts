import type { CsvSeparator } from '../base/spreadsheet.ts';
import { piecesReply, type Reply, type RouteRequest, textReply } from './reply.ts';

type TableFormat = 'json' | CsvSeparator;

/** Returns the format that a request asks for in its query or Accept header, or the reply to an unknown one. */
export function tableFormatOf({
  query,
  accept,
}: Pick<RouteRequest, 'query' | 'accept'>): TableFormat | Reply {
  const format = query.get('format') ?? (/^\s*text\/csv\b/.test(accept ?? '') ? 'csv' : 'json');
  if (format !== 'csv' && format !== 'json') return textReply(400, 'expected format=csv or format=json');
  const separator = query.get('separator') ?? 'comma';
  if (separator !== 'semicolon' && separator !== 'comma')
    return textReply(400, 'expected separator=semicolon or separator=comma');
  return format === 'json' ? 'json' : separator;
}

/** @param name of the file without its extension */
export function csvReply(name: string, pieces: readonly Buffer[]): Reply {
  return piecesReply('text/csv; charset=utf-8', pieces, {
    'content-disposition': `attachment; filename="${name}.csv"`,
    vary: 'Accept',
  });
}
