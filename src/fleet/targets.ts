import type { FleetCause, FleetDocument, FleetIncident, FleetPhone } from './document.ts';
import { isOffline, type PhoneEntry } from './phones.ts';
import { openIncidentsAt } from './visits.ts';
import { phonesText } from './words.ts';

/* Phones as named in a maintenance request. */

/** Phones by account, group, and id or label; or all phones. */
export type TargetScope = {
  readonly accounts?: readonly string[];
  readonly groups?: readonly string[];
  readonly devices?: readonly string[];
  readonly all?: true;
};

export type PhoneTarget = { readonly title: string; readonly scope: TargetScope };

export function phoneTarget({ name, phone: { account, id } }: Omit<PhoneEntry, 'key'>): PhoneTarget {
  return { title: name, scope: { accounts: [account], devices: [id] } };
}

/** Returns the phones of a cause: its whole group or account, or otherwise the phones that it explains. */
export function causeTarget({ id, kind, value }: FleetCause, phones: readonly FleetPhone[]): PhoneTarget {
  const offline = phones.filter((phone) => phone.cause === id);
  const accounts = [...new Set(offline.map(({ account }) => account))];
  if (kind === 'group') return { title: value, scope: { accounts, groups: [value] } };
  if (kind === 'account') return { title: value, scope: { accounts: [value] } };
  const devices = offline.map((phone) => phone.id);
  return { title: phonesText(devices.length), scope: { devices } };
}

/** Returns the phones of an incident; undefined for an incident of an account. */
export function incidentTarget(
  { id, account, phone, label, kind, value = '' }: FleetIncident,
  fleet: Pick<FleetDocument, 'phones' | 'causes' | 'incidents'>,
): PhoneTarget | undefined {
  const accounts = [account];
  if (phone !== undefined) return { title: label?.trim() || phone, scope: { accounts, devices: [phone] } };
  if (kind === 'group') return { title: value, scope: { accounts, groups: [value] } };
  if (kind === 'account') return { title: value, scope: { accounts } };
  const devices = fleet.phones
    .filter((each) => each.account === account && isOffline(each))
    .filter((each) => openIncidentsAt(fleet, each).some((incident) => incident.id === id))
    .map((each) => each.id);
  return devices.length === 0
    ? undefined
    : { title: phonesText(devices.length), scope: { accounts, devices } };
}

/** Lists the phones of a scope, by the same rule as the exporter. */
export function phonesIn(
  phones: readonly FleetPhone[],
  { accounts = [], groups = [], devices = [] }: TargetScope,
): readonly FleetPhone[] {
  // A search may select thousands by id.
  const wanted = new Set(devices);
  return phones.filter(
    ({ account, group, id, label }) =>
      (accounts.length === 0 || accounts.includes(account)) &&
      (groups.length + devices.length === 0 || groups.includes(group) || wanted.has(id) || wanted.has(label)),
  );
}
