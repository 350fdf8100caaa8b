import type { FleetCause, FleetPhone } from './document.ts';
import type { PhoneEntry } from './phones.ts';
import { countText } from './words.ts';

/*
 * Phones that something can be done with, as a request names them.
 */

/** Phones by account, group, and id or label; or all phones. */
export type TargetScope = {
  readonly accounts?: readonly string[];
  readonly groups?: readonly string[];
  readonly devices?: readonly string[];
  readonly all?: true;
};

/** Phones with what they are called. */
export type Target = { readonly title: string; readonly scope: TargetScope };

/** Names one phone. */
export function phoneTarget({ name, phone: { account, id } }: PhoneEntry): Target {
  return { title: name, scope: { accounts: [account], devices: [id] } };
}

/** Names the phones of a cause: all of the group in its accounts, or of the account, else those that it explains. */
export function causeTarget({ id, kind, value }: FleetCause, phones: readonly FleetPhone[]): Target {
  const offline = phones.filter((phone) => phone.cause === id);
  const accounts = [...new Set(offline.map(({ account }) => account))];
  if (kind === 'group') return { title: value, scope: { accounts, groups: [value] } };
  if (kind === 'account') return { title: value, scope: { accounts: [value] } };
  const devices = offline.map((phone) => phone.id);
  return { title: countText(devices.length, 'phone', 'phones'), scope: { devices } };
}

/** Lists the phones of a scope, as the exporter does. */
export function phonesIn(
  phones: readonly FleetPhone[],
  { accounts = [], groups = [], devices = [] }: TargetScope,
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
