import { lookAtEach, type Steps } from '../../base/steps.ts';
import { definePart } from '../../judge/part.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../../model/fleet.ts';
import type { DeviceTimes } from '../../model/times.ts';

/*
 * The beginnings of local days, in the memory of an account: the day that runs, and those whose files could not be written.
 */

/** A device at the beginning of a local day, with its times since it was first listed. */
export type DayEntry = Pick<DeviceTimes, 'firstListedAt' | 'milliseconds' | 'interruptions'> & {
  readonly label: string;
  readonly group: string;
  readonly model: string;
  /** When it was last listed, of a device that left; in milliseconds since 1970. */
  readonly leftAt: number | undefined;
};

/** The devices of an account at the beginning of a local day, which is the end of the day before. */
export type DayStart = {
  /** The local date, such as 2026-11-24. */
  readonly date: string;
  /** The owner's time zone then, such as Europe/Berlin. */
  readonly zone: string;
  /** When it began, which is its midnight there, in milliseconds since 1970. */
  readonly midnight: number;
  readonly devices: ReadonlyMap<string, DayEntry>;
};

/** Maximum number of days that wait for their files, as while the disk is full. */
export const MAX_DAYS = 7;

/** A local day began, or the files of all days before a date are written. */
type DayEffect = { readonly begins: Omit<DayStart, 'devices'> } | { readonly writtenBefore: string };

/** The beginnings of days that have no file yet, and of the running one, which is the last. */
export const DAYS = definePart<readonly DayStart[], DayEffect>({
  name: 'month',
  create: () => [],
  *update(days, { effect, after: { fleet } }) {
    if (effect === undefined || fleet === undefined) return days;
    if ('writtenBefore' in effect) return days.filter(({ date }) => date >= effect.writtenBefore);
    const { date, midnight } = effect.begins;
    if (date <= (days.at(-1)?.date ?? '')) return days;
    const devices = yield* entriesAt(fleet, midnight);
    return [...days, { ...effect.begins, devices }].slice(-1 - MAX_DAYS);
  },
});

/** Returns each device at an instant near the last list, those that left included. */
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
 * Returns the times of a device at an instant: its last list was a little before or after it.
 *
 * @param longest milliseconds between two lists at most; over a longer time nothing was added
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
