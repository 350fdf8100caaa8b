import { join } from 'node:path';
import { type Clock, within } from '../../base/clock.ts';
import { readErrorText } from '../../base/files.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import { STEP_TIMEOUT } from '../../http/limits.ts';
import { bufferReply, jsonReply, type Reply, type Route, textReply } from '../../http/reply.ts';
import type { Price } from '../../model/money.ts';
import type { TagBook } from '../tags/book.ts';
import type { UnwrittenDays } from './files.ts';
import { CSV_SEPARATORS, type CsvSeparator, groupingWord, monthGroupings } from './grouping.ts';
import { type MonthRequest, type MonthSum, monthCsv, monthDocument, readMonth } from './report.ts';

type MonthSources = {
  /** Folder of the month files; undefined where none are kept. */
  readonly directory: string | undefined;
  /** Returns the month that runs, such as 2026-11, in the owner's time. */
  readonly present: () => string;
  readonly unwritten: () => UnwrittenDays;
  readonly prices: () => readonly Price[];
  readonly tags: () => TagBook;
  readonly timeZone: () => TimeZone;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly clock: Clock;
};

/** Time for which a client waits for a month without a sign of life; in milliseconds. */
const PATIENCE = STEP_TIMEOUT / 2;

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Answers `GET /api/v1/month` from the month file and from days that are not written yet. */
export function createMonthResponse(sources: MonthSources): Route['answer'] {
  const { directory, present, unwritten, prices, tags, timeZone, yieldToEventLoop, clock } = sources;
  let previous: Promise<unknown> = Promise.resolve();
  /** One month is added up at a time: with 10,000 phones each takes a second and tens of megabytes. */
  const oneByOne = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const result = previous.then(act);
    previous = result.catch(() => {});
    return result;
  };
  return async ({ query, accept, acceptLanguage }) => {
    if (directory === undefined)
      return textReply(404, 'no months are kept: set months.directory, or state.file beside which they lie');
    const month = query.get('month') ?? present();
    const groupings = monthGroupings(tags().names);
    const by = groupings.find((each) => each === (query.get('by') ?? 'phone'));
    if (!MONTH.test(month) || by === undefined)
      return textReply(400, `expected month=2026-11, and by=${groupings.join(', by=')}`);
    // The first named form is served.
    const format = query.get('format') ?? (/^\s*text\/csv\b/.test(accept ?? '') ? 'csv' : 'json');
    if (format !== 'csv' && format !== 'json') return textReply(400, 'expected format=csv or format=json');
    const separator = query.get('separator') ?? separatorOf(acceptLanguage);
    if (separator !== 'semicolon' && separator !== 'comma')
      return textReply(400, 'expected separator=semicolon or separator=comma');
    const [account, id] = [query.get('account'), query.get('phone')];
    if ((account === null) !== (id === null))
      return textReply(400, 'expected account=NAME with phone=ID, for the month of one phone');
    const phone = account === null || id === null ? undefined : { account, id };
    const request = { month, by, prices: prices(), tags: tags(), timeZone: timeZone(), phone };
    const path = join(directory, `${month}.csv`);
    const reading = oneByOne(() => readMonth(path, request, unwritten(), yieldToEventLoop)).catch(
      readErrorText,
    );
    const write = (sum: MonthSum): Reply =>
      format === 'csv'
        ? csvReply(request, sum, separator)
        : jsonReply(200, `${JSON.stringify(monthDocument(request, sum))}\n`);
    if (!(await within(clock, PATIENCE, reading)))
      return {
        ...write(NOTHING),
        stream: whenRead(reading, clock, format === 'json' ? ' ' : undefined, write),
      };
    const sum = await reading;
    if (typeof sum === 'string') return textReply(500, `the month file cannot be read: ${sum}`);
    // A phone that is known may have no month before the present one.
    if (sum === undefined && phone === undefined) return textReply(404, `nothing is known of ${month}`);
    return write(sum ?? NOTHING);
  };
}

/** A month of which nothing is known, or only the headers of its response are sent. */
const NOTHING: MonthSum = { rows: [], days: [], unreadable: 0 };

/**
 * Yields the text of a month that takes long to read. A client takes a connection on which nothing comes for dead.
 *
 * @param blank a sign of life that may stand before the text; undefined where nothing may
 */
async function* whenRead(
  reading: Promise<MonthSum | string | undefined>,
  clock: Clock,
  blank: string | undefined,
  write: (sum: MonthSum) => Reply,
): AsyncGenerator<string> {
  while (blank !== undefined && !(await within(clock, PATIENCE, reading))) yield blank;
  const sum = await reading;
  if (sum === undefined || typeof sum === 'string') throw new Error(`nothing can be read of a month: ${sum}`);
  yield Buffer.concat(write(sum).content).toString();
}

/** Returns the separator that spreadsheets expect in the first language of a header: a semicolon for `uk-UA,en;q=0.8`. */
function separatorOf(acceptLanguage: string | undefined): CsvSeparator {
  const [language = ''] = /^[\w-]+/.exec(acceptLanguage ?? '') ?? [];
  try {
    return new Intl.NumberFormat(language).format(1.5).includes(',') ? 'semicolon' : 'comma';
  } catch {
    return 'comma';
  }
}

function csvReply(request: MonthRequest, sum: MonthSum, separator: CsvSeparator): Reply {
  const disposition = `attachment; filename="${groupingWord(request.by)}s-${request.month}.csv"`;
  return bufferReply(200, 'text/csv; charset=utf-8', monthCsv(request, sum, CSV_SEPARATORS[separator]), {
    'content-disposition': disposition,
    vary: 'Accept, Accept-Language',
  });
}
