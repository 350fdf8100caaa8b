import { readErrorText } from '../../base/files.ts';
import { csvPieces } from '../../base/spreadsheet.ts';
import { inSteps } from '../../base/steps.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { groupingsOf, groupingWord, isByProperty } from '../../fleet/grouping.ts';
import { JSON_TYPE, jsonPieces, piecesReply, type Route, textReply } from '../../http/reply.ts';
import { createSharedReplies, type Turn } from '../../http/shared.ts';
import { csvReply, tableFormatOf } from '../../http/table.ts';
import type { Price } from '../../model/money.ts';
import { datedFiles } from '../../state/dated-files.ts';
import { say } from '../../text/say.ts';
import type { AccountDay } from './days.ts';
import { GROUPINGS } from './grouping.ts';
import { type MonthRequest, monthColumns, propertyFinder, readMonth } from './report.ts';

type MonthSources = {
  /** Folder of the month files; undefined if there is none. */
  readonly directory: string | undefined;
  /** Returns the current month in the owner's time zone, such as 2026-11. */
  readonly present: () => string;
  /** Yields the days of a month without a file; undefined yields to the event loop. */
  readonly unwritten: (month: string) => Iterable<AccountDay | undefined>;
  readonly prices: () => readonly Price[];
  /** Returns the names of the phones' properties. */
  readonly properties: () => readonly string[];
} & Pick<FeatureContext, 'disk' | 'log' | 'propertiesOf' | 'snapshot' | 'timeZone' | 'yieldToEventLoop'>;

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Answers `GET /api/v1/month` from the month files and the days without one. */
export function createMonthResponse(sources: MonthSources): Route['answer'] {
  const { directory, present, unwritten, prices, properties, propertiesOf, timeZone } = sources;
  if (directory === undefined)
    return () => textReply(404, 'Monthly reports are disabled: set months.directory or state.file');
  const files = datedFiles(directory, 'day', sources.disk);
  const share = createSharedReplies(sources.yieldToEventLoop, sources.snapshot);
  /** Messages about files that could not be read for the previous request. */
  let logged = new Set<string>();
  /** Reads a month, and returns it with the reason why part of it cannot be read. */
  const read = async (request: MonthRequest, turn: Turn) => {
    const problems = new Set<string>();
    let problem: string | undefined;
    const onProblem = (error: unknown): void => {
      const message = error instanceof Error ? error.message : '';
      if (!logged.has(message))
        sources.log.warn({ directory, error }, 'a month file cannot be read: its day counts as unknown');
      logged.add(message);
      problems.add(message);
      problem = readErrorText(error);
    };
    const document = await readMonth(files, request, unwritten(request.month), turn, onProblem);
    logged = problems;
    return { document, problem };
  };
  return async (request) => {
    const { query, isGone } = request;
    const month = query.get('month') ?? present();
    const grouping = query.get('by') ?? 'phone';
    const groupings = groupingsOf(GROUPINGS, isByProperty(grouping) ? properties() : []);
    const by = groupings.find((each) => each === grouping);
    if (!MONTH.test(month) || by === undefined)
      return textReply(
        400,
        `expected month=2026-11, and by=${groupingsOf(GROUPINGS, properties()).join(', by=')}`,
      );
    const format = tableFormatOf(request);
    if (typeof format === 'object') return format;
    const [account, id] = [query.get('account'), query.get('phone')];
    if ((account === null) !== (id === null))
      return textReply(400, 'expected account=NAME with phone=ID, for the month of one phone');
    const phone = account === null || id === null ? undefined : { account, id };
    const propertyOf = propertyFinder(by, propertiesOf);
    const wanted = { month, by, prices: prices(), propertyOf, timeZone: timeZone(), phone };
    const key = JSON.stringify([query.toString(), month, format, wanted.prices, wanted.timeZone.name]);
    return await share(key, isGone, async (turn) => {
      const { document, problem } = await read(wanted, turn);
      const isEmpty = document.rows.length === 0 && phone === undefined;
      if (isEmpty && problem !== undefined)
        return textReply(503, `the files of ${month} cannot be read: ${problem}`);
      // A known phone may have no earlier months, and the current month has no data at first.
      if (isEmpty && query.has('month')) return textReply(404, say('month-none-of', { month }));
      const { rows, ...head } = document;
      if (format === 'json')
        return piecesReply(JSON_TYPE, await inSteps(jsonPieces(head, 'rows', rows), turn));
      const pieces = await inSteps(csvPieces(monthColumns(wanted), rows, format), turn);
      return csvReply(`${groupingWord(by)}s-${month}`, pieces);
    });
  };
}
