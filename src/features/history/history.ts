import type { Fleet } from '../../model/fleet.ts';
import type { Judgement } from '../../model/problem.ts';
import { DAY, HOUR, MINUTE } from '../../model/time.ts';

/*
 * What did an account look like over time? A few numbers each ten minutes, for pictures. A time that nobody saw has no point.
 */

/** Numbers of devices, of which each but `listed` counts a device at most once, and the available balance. */
export const HISTORY_COLUMNS = [
  'listed',
  'sold_reporting',
  'sold_silent',
  'self_rented',
  'idle',
  'silent',
  'maintenance',
  'balance_cents',
] as const;

type Column = (typeof HISTORY_COLUMNS)[number];

type Values = Readonly<Partial<Record<Column, number>>>;

/** What the first list, and the first balance, of an interval showed. */
export type HistoryPoint = Values & {
  /** Beginning of the interval by the clock of the API, in milliseconds since 1970. */
  readonly at: number;
};

/** Between two points of the last two days, and of the last 31, in milliseconds. */
export const STEP = 10 * MINUTE;
const FINE = 2 * DAY;
const KEPT = 31 * DAY;

/**
 * Returns the history after a poll; the same one where its interval has been seen.
 *
 * @param at the clock of the API, in milliseconds since 1970
 * @param column one that the values have
 */
export function historyAfter(
  before: readonly HistoryPoint[],
  at: number,
  column: Column,
  values: () => Values,
): readonly HistoryPoint[] {
  const now = Math.floor(at / STEP) * STEP;
  const last = before.at(-1);
  if (last?.at === now && last[column] !== undefined) return before;
  // Points of the future are of a clock that was set back since.
  const past = before.filter((point) => point.at < now && point.at > now - KEPT);
  const known = before.find((point) => point.at === now);
  const kept = past.filter((point, index) => {
    const next = past[index + 1];
    return point.at > now - FINE || next === undefined || hourOf(next) !== hourOf(point);
  });
  return [...kept, { ...known, at: now, ...values() }];
}

/** Returns the end of the hour to which a point belongs. The last one of an hour stands for it. */
export function hourOf({ at }: HistoryPoint): number {
  return Math.ceil(at / HOUR) * HOUR;
}

/** Counts the devices of an account for its history. */
export function countsOf({ devices }: Fleet, { problems }: Judgement): Values {
  const counts = { sold_reporting: 0, sold_silent: 0, self_rented: 0, idle: 0, silent: 0, maintenance: 0 };
  for (const [id, { device, silent }] of devices) {
    const isSold = device.rentalStatus === 'sold';
    if (problems.get(id)?.problem === 'in_maintenance') counts.maintenance += 1;
    else if (silent) counts[isSold ? 'sold_silent' : 'silent'] += 1;
    else if (isSold) counts.sold_reporting += 1;
    else if (device.rentalStatus === 'self_rented' || device.rentalStatus === 'idle')
      counts[device.rentalStatus] += 1;
  }
  return { listed: devices.size, ...counts };
}
