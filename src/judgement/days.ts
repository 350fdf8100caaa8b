import type { Account } from '../model/account.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../model/fleet.ts';
import type { DayEntry } from '../model/times.ts';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

/** Maximum number of days that wait for the month files, as while the disk is full. */
const MAX_DAYS = 40;

/** Returns the account after a local day began. */
export function* afterDay(account: Account, date: string): Steps<Account> {
  const { fleet, days } = account;
  if (fleet === undefined || date <= (days.at(-1)?.date ?? '')) return account;
  const devices = new Map<string, DayEntry>();
  let steps = 0;
  for (const [id, entry] of entriesOf(fleet)) {
    steps += 1;
    if (steps % DEVICES_PER_YIELD === 0) yield;
    devices.set(id, entry);
  }
  return { ...account, days: [...days, { date, devices }].slice(-MAX_DAYS) };
}

/** Returns what the month files keep of each device as of now, those that left included. */
export function* entriesOf({ devices, departed }: Fleet): Generator<readonly [id: string, DayEntry]> {
  for (const [id, entry] of devices) yield [id, dayEntry(entry)];
  for (const [id, entry] of departed) yield [id, dayEntry(entry)];
}

function dayEntry(entry: FleetDevice | DepartedDevice): DayEntry {
  const { device, group, times } = entry;
  const { firstListedAt, milliseconds, interruptions } = times;
  const leftAt = 'leftAt' in entry ? entry.leftAt : undefined;
  return {
    label: device.label,
    group,
    model: device.model,
    firstListedAt,
    milliseconds,
    interruptions,
    leftAt,
  };
}
