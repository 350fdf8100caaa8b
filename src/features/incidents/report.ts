import { dateAt, type TimeZone } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import type { NamedAccount } from '../../model/account.ts';
import { DAY, HOUR } from '../../model/time.ts';
import { LOGBOOK } from './memory.ts';
import { type KeptIncident, mergeIncidents } from './store.ts';
import { weekText } from './words.ts';

/*
 * The report of the week, for channels other than the chat. The first account has it for all accounts.
 */

/** The report is made in this local hour of Monday. */
const REPORT_HOUR = 8;
const MONDAY = 1;

type ReportSources = {
  readonly accounts: () => readonly NamedAccount[];
  /** Reads the incidents of the files; undefined without files. Rejects if they cannot be read. */
  readonly read: (from: number) => Promise<ReadonlyMap<string, KeptIncident> | undefined>;
} & Pick<FeatureContext, 'now' | 'timeZone' | 'observe' | 'log'>;

/** Returns a function that makes the report when it is due. It never rejects. */
export function createWeeklyReport(sources: ReportSources): () => Promise<void> {
  const { accounts, read, now, timeZone, observe, log } = sources;
  return async () => {
    const [first] = accounts();
    const date = mondayAt(timeZone(), now());
    if (first === undefined || date === undefined) return;
    if (LOGBOOK.of(first.account).report?.date === date) return;
    try {
      const kept = mergeIncidents(await read(now() - 2 * 7 * DAY), accounts());
      const incidents = kept.map(({ incident }) => incident);
      const text = weekText(incidents, now(), (name) => name);
      await observe(first.name, LOGBOOK.observation({ report: { date, text, until: now() + HOUR } }));
    } catch (error) {
      log.debug({ error }, 'the weekly report waits for the incident files');
    }
  };
}

/** Returns the local date if it is the hour of the report. */
function mondayAt(timeZone: TimeZone, now: number): string | undefined {
  const local = new Date(now + timeZone.offsetAt(now));
  return local.getUTCDay() === MONDAY && local.getUTCHours() === REPORT_HOUR
    ? dateAt(timeZone, now)
    : undefined;
}
