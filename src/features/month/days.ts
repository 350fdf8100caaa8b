import { lookAtEach, type Steps } from '../../base/steps.ts';
import { definePart } from '../../judge/part.ts';
import { recordOf } from '../../model/enums.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../../model/fleet.ts';
import { COLUMNS, type DeviceTimes } from '../../model/times.ts';
import { MONTH_TIMES } from './grouping.ts';

/** A device at the start of a local day, with its times since it was first listed. */
export type DayEntry = Pick<DeviceTimes, 'firstListedAt' | 'milliseconds' | 'interruptions'> & {
  readonly label: string;
  readonly group: string;
  readonly model: string;
  /** Last list that showed a departed device, in milliseconds since 1970. */
  readonly leftAt: number | undefined;
};

/** The devices of an account at the start of a local day. */
export type DayStart = {
  /** The local date, such as 2026-11-24. */
  readonly date: string;
  /** The owner's time zone on that day, such as Europe/Berlin. */
  readonly zone: string;
  /** Its local midnight, in milliseconds since 1970. */
  readonly midnight: number;
  readonly devices: ReadonlyMap<string, DayEntry>;
  /** Times of all phones on the day before; undefined until its file is written. */
  readonly dayBefore?: Times;
};

/** Milliseconds in each column. */
export type Times = Record<(typeof MONTH_TIMES)[number], number>;

/** A phone on a local day. `leftAt` is null while it is listed; times are in milliseconds, in the order of COLUMNS. */
export type PhoneDay = readonly [
  id: string,
  label: string,
  group: string,
  model: string,
  firstListedAt: number,
  leftAt: number | null,
  milliseconds: readonly number[],
  interruptions: number,
];

/** An account's phones on a local day. Start and end are in milliseconds since 1970. */
export type AccountDay = {
  readonly date: string;
  readonly account: string;
  readonly from: number;
  readonly to: number;
  readonly phones: Iterable<PhoneDay>;
};

/** Maximum number of days without a file, for example while the disk is full. */
export const MAX_DAYS = 7;

/** A local day has started, or the files of all days before a date are written. */
type DayEffect =
  | { readonly started: Omit<DayStart, 'devices' | 'dayBefore'> }
  | { readonly writtenBefore: string; readonly dayBefore: Times };

/** The starts of the days without a file. The last one is the current day. */
export const DAYS = definePart<readonly DayStart[], DayEffect>({
  name: 'month',
  create: () => [],
  *update(days, { effect, after: { fleet } }) {
    if (effect === undefined || fleet === undefined) return days;
    if ('writtenBefore' in effect)
      return days
        .filter(({ date }) => date >= effect.writtenBefore)
        .map((day) => (day.date === effect.writtenBefore ? { ...day, dayBefore: effect.dayBefore } : day));
    const { date, midnight } = effect.started;
    // A later day comes from a clock that has been set back since.
    const past = days.filter((each) => each.date <= date);
    if (past.at(-1)?.date === date) return past.length === days.length ? days : past;
    const devices = yield* entriesAt(fleet, midnight);
    return [...past, { ...effect.started, devices }].slice(-1 - MAX_DAYS);
  },
});

/** Returns all devices, including those that left, at an instant close to the last list. */
export function* entriesAt(fleet: Fleet, at: number): Steps<ReadonlyMap<string, DayEntry>> {
  const longest = fleet.dueIn + fleet.slack;
  const entries = new Map<string, DayEntry>();
  yield* lookAtEach(fleet.devices, ([id, entry]) =>
    entries.set(id, dayEntry(entry, timesAt(at, entry, longest), undefined)),
  );
  yield* lookAtEach(fleet.departed, ([id, entry]) =>
    entries.set(id, dayEntry(entry, entry.times.milliseconds, entry.leftAt)),
  );
  return entries;
}

/**
 * Returns the times of a device at an instant shortly before or after its last list.
 *
 * @param longest maximum milliseconds between two lists; nothing is counted in a longer gap
 */
function timesAt(
  at: number,
  { listedAt, times: { column, milliseconds } }: FleetDevice,
  longest: number,
): DeviceTimes['milliseconds'] {
  const since = listedAt - at;
  if (column === undefined || Math.abs(since) > longest) return milliseconds;
  return { ...milliseconds, [column]: Math.max(0, (milliseconds[column] ?? 0) - since) };
}

function dayEntry(
  { device, group, times }: FleetDevice | DepartedDevice,
  milliseconds: DeviceTimes['milliseconds'],
  leftAt: number | undefined,
): DayEntry {
  const { firstListedAt, interruptions } = times;
  const { label, model } = device;
  return { label, group, model, firstListedAt, milliseconds, interruptions, leftAt };
}

export function noTimes(): Times {
  return recordOf(MONTH_TIMES, () => 0);
}

/** Maximum rounding error of the API's clock in a day, in milliseconds. */
const CLOCK_MILLISECONDS = 2_000;

/** Returns the part of a day in which a phone was listed. */
export function listedIn(
  [, , , , firstListedAt, leftAt]: PhoneDay,
  { from, to }: Pick<AccountDay, 'from' | 'to'>,
): readonly [from: number, to: number] {
  return [Math.max(from, firstListedAt), Math.min(to, leftAt ?? to)];
}

/**
 * Returns a phone's times on a day, which add up to how long it was listed. The columns are scaled to that if they differ by
 * the rounding of the API's clock, or exceed it because the clock was set.
 */
export function timesOf(phone: PhoneDay, day: Pick<AccountDay, 'from' | 'to'>): Times {
  const [, , , , , , seen] = phone;
  const [from, to] = listedIn(phone, day);
  const listed = Math.max(0, to - from);
  const sum = seen.reduce((all, each) => all + each, 0);
  const isWhole = sum > 0 && sum > listed - CLOCK_MILLISECONDS;
  const times = noTimes();
  for (const [index, column] of COLUMNS.entries())
    times[column] = (seen[index] ?? 0) * (isWhole ? listed / sum : 1);
  return { ...times, unknown: isWhole ? 0 : listed - sum };
}

/** Adds up the times of all phones on a day. */
export function timesOfAll(day: AccountDay): Times {
  const all = noTimes();
  for (const phone of day.phones) {
    const times = timesOf(phone, day);
    for (const column of MONTH_TIMES) all[column] += times[column];
  }
  return all;
}
