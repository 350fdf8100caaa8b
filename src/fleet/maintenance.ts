import type { MaintenanceScope } from '../model/maintenance.ts';
import type { FleetCause, FleetMaintenance, FleetPhone } from './document.ts';
import type { PhoneEntry } from './phones.ts';
import { countText, listText } from './words.ts';

/*
 * Phones that are worked on, as the page, the chat and the command name them.
 */

/** Phones as a request for maintenance names them: a part of a scope, or all phones. */
export type RequestedScope = Partial<MaintenanceScope> & { readonly all?: true };

/** Phones that can be put into maintenance: what they are called, and who they are. */
export type MaintenanceTarget = { readonly title: string; readonly scope: RequestedScope };

/** Names one phone. */
export function phoneTarget({ name, phone: { account, id } }: PhoneEntry): MaintenanceTarget {
  return { title: name, scope: { accounts: [account], devices: [id] } };
}

/** Names the phones of a cause: all of the group in its accounts, or of the account, else those that it explains. */
export function causeTarget(
  { id, kind, value }: FleetCause,
  phones: readonly FleetPhone[],
): MaintenanceTarget {
  const silent = phones.filter((phone) => phone.cause === id);
  const accounts = [...new Set(silent.map(({ account }) => account))];
  if (kind === 'group') return { title: value, scope: { accounts, groups: [value] } };
  if (kind === 'account') return { title: value, scope: { accounts: [value] } };
  const devices = silent.map((phone) => phone.id);
  return { title: countText(devices.length, 'phone', 'phones'), scope: { devices } };
}

/** Lists the phones of a scope, as the exporter does. */
export function coveredPhones(
  phones: readonly FleetPhone[],
  { accounts = [], groups = [], devices = [] }: RequestedScope,
): readonly FleetPhone[] {
  return phones.filter(
    ({ account, group, id, label }) =>
      (accounts.length === 0 || accounts.includes(account)) &&
      (groups.length + devices.length === 0 ||
        groups.includes(group) ||
        devices.includes(id) ||
        devices.includes(label)),
  );
}

/** Writes the end of what holds, as `until 16:05`. */
export function untilText(
  { until, untilBack }: Pick<FleetMaintenance, 'until' | 'untilBack'>,
  time: (instant: string | undefined) => string,
): string {
  return untilBack ? `until each is back, ${time(until)} at the latest` : `until ${time(until)}`;
}

/** Number of names in a text. */
const NAMES_SHOWN = 3;

/**
 * Names the phones of a scope: `rack-01, rack-02`, `rack-01/slot-04 of main`, `all phones`.
 *
 * @param nameOf returns the name of a device, which is given by its id or label
 */
export function scopeText(
  { accounts, groups, devices }: MaintenanceScope,
  nameOf: (device: string) => string,
): string {
  const names = [...groups, ...devices.map(nameOf)];
  const phones = names.length === 0 ? 'all phones' : listText(names, NAMES_SHOWN, ', ');
  return accounts.length === 0 ? phones : `${phones} of ${listText(accounts, NAMES_SHOWN, ', ')}`;
}
