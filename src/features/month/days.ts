import { lookAtEach, type Steps } from '../../base/steps.ts';
import { definePart } from '../../judge/part.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../../model/fleet.ts';
import type { DeviceTimes } from '../../model/times.ts';

/*
 * The starts of local days in the memory of an account: the current day, and days without a file.
 */

/** A device at the start of a local day, with its times since it was first listed. */
export type DayEntry = Pick<DeviceTimes, 'firstListedAt' | 'milliseconds' | 'interruptions'> & {
  readonly label: string;
  readonly group: string;
  readonly model: string;
  /** Last list with a device that left, in milliseconds since 1970. */
  readonly leftAt: number | undefined;
};

/** The devices of an account at the start of a local day. */
export type DayStart = {
  /** The local date, such as 2026-11-24. */
  readonly date: string;
  /** The time zone of the owner on that day, such as Europe/Berlin. */
  readonly zone: string;
  /** Its local midnight, in milliseconds since 1970. */
  readonly midnight: number;
  readonly devices: ReadonlyMap<string, DayEntry>;
};

/** Maximum number of days without a file, for example while the disk is full. */
export const MAX_DAYS = 7;

/** A local day has started, or the files of all days before a date are written. */
type DayEffect = { readonly started: Omit<DayStart, 'devices'> } | { readonly writtenBefore: string };

/** The starts of days without a file. The last one is the current day. */
export const DAYS = definePart<readonly DayStart[], DayEffect>({
  name: 'month',
  create: () => [],
  *update(days, { effect, after: { fleet } }) {
    if (effect === undefined || fleet === undefined) return days;
    if ('writtenBefore' in effect) return days.filter(({ date }) => date >= effect.writtenBefore);
    const { date, midnight } = effect.started;
    if (date <= (days.at(-1)?.date ?? '')) return days;
    const devices = yield* entriesAt(fleet, midnight);
    return [...days, { ...effect.started, devices }].slice(-1 - MAX_DAYS);
  },
});

/** Returns all devices, also those that left, at an instant near the last list. */
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
 * @param longest maximum milliseconds between two lists; nothing was counted in a longer gap
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
