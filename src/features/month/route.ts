import { readErrorText } from '../../base/files.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { jsonReply, type Route, textReply } from '../../http/reply.ts';
import { csvReply, tableFormatOf } from '../../http/table.ts';
import type { Price } from '../../model/money.ts';
import type { MonthDocument } from './document.ts';
import type { AccountDay } from './files.ts';
import { groupingWord, isByProperty, monthGroupings } from './grouping.ts';
import { type MonthRequest, monthCsv, propertyFinder, readMonth } from './report.ts';

type MonthSources = {
  /** Folder of the month files; undefined without one. */
  readonly directory: string | undefined;
  /** Returns the current month, such as 2026-11, in the time zone of the owner. */
  readonly present: () => string;
  /** Yields the days of a month without a file; undefined yields to the event loop. */
  readonly unwritten: (month: string) => Iterable<AccountDay | undefined>;
  readonly prices: () => readonly Price[];
  /** Returns the names of the properties of phones. */
  readonly properties: () => readonly string[];
} & Pick<FeatureContext, 'disk' | 'log' | 'propertiesOf' | 'snapshot' | 'timeZone' | 'yieldToEventLoop'>;

/** A month, and why a part of it cannot be read. */
type MonthResult = { readonly document?: MonthDocument; readonly problem?: string | undefined };

/** A month that requests share, and whether each of their clients is gone. */
type SharedMonth = {
  readonly result: Promise<MonthResult>;
  readonly clients: (() => boolean)[];
};

/** Ends the work for clients that are all gone. */
const ABANDONED = new Error('no client waits for this month');

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Answers `GET /api/v1/month` from the month files and the days without one. */
export function createMonthResponse(sources: MonthSources): Route['answer'] {
  const { directory, present, unwritten, prices, properties, propertiesOf, timeZone, snapshot } = sources;
  let previous: Promise<unknown> = Promise.resolve();
  let shared = { of: snapshot(), months: new Map<string, SharedMonth>() };
  /** Messages about files that could not be read for the previous request. */
  let logged = new Set<string>();
  const add = async (
    folder: string,
    request: MonthRequest,
    clients: SharedMonth['clients'],
  ): Promise<MonthResult> => {
    const problems = new Set<string>();
    let problem: string | undefined;
    const yieldToEventLoop = async (): Promise<void> => {
      await sources.yieldToEventLoop();
      if (clients.every((isGone) => isGone())) throw ABANDONED;
    };
    const onProblem = (error: unknown): void => {
      const message = error instanceof Error ? error.message : '';
      if (!logged.has(message))
        sources.log.warn(
          { directory: folder, error },
          'a month file cannot be read: its day counts as unknown',
        );
      logged.add(message);
      problems.add(message);
      problem = readErrorText(error);
    };
    await yieldToEventLoop();
    const document = await readMonth(
      folder,
      request,
      unwritten(request.month),
      { ...sources, yieldToEventLoop },
      onProblem,
    );
    logged = problems;
    return { document, problem };
  };
  /**
   * Adds up one month at a time: with 10,000 phones it takes a second and tens of megabytes. Requests for the same month share
   * the result until the snapshot changes. The work ends when all of their clients are gone.
   */
  const share = async (
    folder: string,
    request: MonthRequest,
    isGone: () => boolean,
  ): Promise<MonthResult> => {
    if (shared.of !== snapshot()) shared = { of: snapshot(), months: new Map() };
    const { months } = shared;
    const { month, by, phone, timeZone: zone } = request;
    const key = JSON.stringify([month, by, phone, request.prices, zone.name]);
    const known = months.get(key);
    if (known !== undefined) {
      known.clients.push(isGone);
      return await known.result;
    }
    const clients = [isGone];
    const result = previous.then(async () => await add(folder, request, clients));
    months.set(key, { result, clients });
    previous = result.catch(() => months.delete(key));
    return await result;
  };
  return async (request) => {
    const { query, isGone } = request;
    if (directory === undefined)
      return textReply(404, 'Monthly reports are disabled: set months.directory or state.file');
    const month = query.get('month') ?? present();
    const grouping = query.get('by') ?? 'phone';
    const groupings = monthGroupings(isByProperty(grouping) ? properties() : []);
    const by = groupings.find((each) => each === grouping);
    if (!MONTH.test(month) || by === undefined)
      return textReply(400, `expected month=2026-11, and by=${monthGroupings(properties()).join(', by=')}`);
    const format = tableFormatOf(request);
    if (typeof format === 'object') return format;
    const [account, id] = [query.get('account'), query.get('phone')];
    if ((account === null) !== (id === null))
      return textReply(400, 'expected account=NAME with phone=ID, for the month of one phone');
    const phone = account === null || id === null ? undefined : { account, id };
    const propertyOf = propertyFinder(by, propertiesOf);
    const wanted = { month, by, prices: prices(), propertyOf, timeZone: timeZone(), phone };
    const result = await share(directory, wanted, isGone).catch((error: unknown): MonthResult => {
      if (error === ABANDONED) return {};
      throw error;
    });
    const { document = { month, by, rows: [] }, problem } = result;
    if (document.rows.length === 0 && phone === undefined && problem !== undefined)
      return textReply(503, `the files of ${month} cannot be read: ${problem}`);
    // A known phone may have no earlier month, and the current month has no data at first.
    if (document.rows.length === 0 && phone === undefined && query.has('month'))
      return textReply(404, `no data for ${month}`);
    return format === 'json'
      ? jsonReply(200, `${JSON.stringify(document)}\n`)
      : csvReply(`${groupingWord(by)}s-${month}`, monthCsv(document, wanted, format));
  };
}
