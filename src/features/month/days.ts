import { lookAtEach, type Steps } from '../../base/steps.ts';
import type { Account } from '../../model/account.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../../model/fleet.ts';
import type { DayObservation } from '../../model/observation.ts';
import type { DayEntry, DeviceTimes } from '../../model/times.ts';

/** Maximum number of days that wait for the month files, as while the disk is full. */
export const MAX_DAYS = 40;

/** Returns the account after a local day began. */
export function* afterDay(
  account: Account,
  { date, zone, midnight }: Extract<DayObservation, { kind: 'day' }>,
): Steps<Account> {
  const { fleet, days } = account;
  if (fleet === undefined || date <= (days.at(-1)?.date ?? '')) return account;
  const devices = new Map<string, DayEntry>();
  yield* lookAtEach(entriesOf(fleet, midnight), ([id, entry]) => devices.set(id, entry));
  return { ...account, days: [...days, { date, zone, midnight, devices }].slice(-MAX_DAYS) };
}

/**
 * Returns what the month files keep of each device, those that left included.
 *
 * @param at the instant, near the last list, in milliseconds since 1970
 */
export function* entriesOf(fleet: Fleet, at: number): Generator<readonly [id: string, DayEntry]> {
  const longest = fleet.dueIn + fleet.slack;
  for (const [id, entry] of fleet.devices)
    yield [id, dayEntry(entry, timesAt(at, entry, longest), undefined)];
  for (const [id, entry] of fleet.departed)
    yield [id, dayEntry(entry, entry.times.milliseconds, entry.leftAt)];
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

/** Returns what the month files keep of a device; of one that left, with when it was last listed. */
export function dayEntry(
  { device, group, times }: FleetDevice | DepartedDevice,
  milliseconds: DeviceTimes['milliseconds'],
  leftAt: number | undefined,
): DayEntry {
  const { firstListedAt, interruptions } = times;
  const { label, model } = device;
  return { label, group, model, firstListedAt, milliseconds, interruptions, leftAt };
}
