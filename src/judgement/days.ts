import type { Account } from '../model/account.ts';
import type { DepartedDevice, FleetDevice } from '../model/fleet.ts';
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
  for (const known of [fleet.devices, fleet.departed]) {
    for (const [id, entry] of known) {
      steps += 1;
      if (steps % DEVICES_PER_YIELD === 0) yield;
      devices.set(id, dayEntry(entry));
    }
  }
  return { ...account, days: [...days, { date, devices }].slice(-MAX_DAYS) };
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
