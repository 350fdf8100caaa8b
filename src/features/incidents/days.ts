import type { FleetIncident } from '../../fleet/document.ts';
import { parseTime } from '../../fleet/freshness.ts';
import { DAY } from '../../model/time.ts';

const DAYS = 31;

/** Counts the incidents that opened on each of the last days, today last. */
export function countsByDay(
  all: readonly FleetIncident[],
  dateOf: (instant: number) => string,
  now: number,
): readonly { readonly date: string; readonly critical: number; readonly others: number }[] {
  const noon = Date.parse(`${dateOf(now)}T12:00:00Z`);
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(noon - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10);
    const own = all.filter(({ openedAt }) => dateOf(parseTime(openedAt) ?? 0) === date);
    const critical = own.filter(({ severity }) => severity === 'critical').length;
    return { date, critical, others: own.length - critical };
  });
}
