import { join } from 'node:path';
import { MONTH_GROUPINGS, monthCsv, monthJson, readMonth } from '../state/month-report.ts';
import { bufferReply, jsonReply, type Reply, type Route, textReply } from './reply.ts';

export type MonthSources = {
  /** Folder of the month files; undefined where none are kept. */
  readonly directory: string | undefined;
  /** Returns the month that runs, such as 2026-11, in the owner's time. */
  readonly present: () => string;
};

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Answers `GET /api/v1/month` with the days that are over, from the month file. */
export function createMonthResponse({ directory, present }: MonthSources): Route['answer'] {
  return async ({ query, accept }) => {
    if (directory === undefined)
      return textReply(404, 'no months are kept: set months.directory, or state.file beside which they lie');
    const month = query.get('month') ?? present();
    const by = MONTH_GROUPINGS.find((each) => each === (query.get('by') ?? 'phone'));
    if (!MONTH.test(month) || by === undefined)
      return textReply(400, `expected month=2026-11, and by=${MONTH_GROUPINGS.join(', by=')}`);
    const isCsv = query.get('format') === 'csv' || (accept?.includes('text/csv') ?? false);
    return await reply(join(directory, `${month}.csv`), month, by, isCsv);
  };
}

async function reply(
  path: string,
  month: string,
  by: (typeof MONTH_GROUPINGS)[number],
  isCsv: boolean,
): Promise<Reply> {
  try {
    const rows = await readMonth(path, by);
    if (!isCsv) return jsonReply(200, monthJson(month, by, rows));
    const disposition = `attachment; filename="phones-${month}.csv"`;
    return bufferReply(200, 'text/csv; charset=utf-8', monthCsv(rows), {
      'content-disposition': disposition,
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return textReply(404, `nothing is known of ${month}: a month begins when its first local day is over`);
  }
}
