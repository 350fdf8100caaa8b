import { countGroups, type GroupCount, indexPhones, type PhoneEntry } from '../fleet-page/view.ts';
import { type MaintenanceScope, type MaintenanceTarget, phoneTarget } from '../fleet-page/visit.ts';
import type { FleetDocument, FleetMaintenance, FleetPhone } from '../http/fleet-document.ts';

/*
 * What the owner means by a word.
 */

/** Says how well a word fits a name: 3 the same, 2 its end (`03` of `rack-03`), 1 a part of it, 0 not at all. */
function fitOf(word: string, name: string): number {
  const [given, whole] = [word.toLowerCase(), name.toLowerCase()];
  if (given === '' || !whole.includes(given)) return 0;
  if (given === whole) return 3;
  return whole.endsWith(given) && !/[\p{L}\p{N}]$/u.test(whole.slice(0, -given.length)) ? 2 : 1;
}

/** Lists what fits best, and how well it does. */
function best<Item>(items: readonly Item[], word: string, namesOf: (item: Item) => readonly string[]) {
  const fits = items.map((item) => Math.max(...namesOf(item).map((name) => fitOf(word, name))));
  const most = fits.reduce((one, other) => Math.max(one, other), 0);
  return { fit: most, items: most === 0 ? [] : items.filter((_, index) => fits[index] === most) };
}

const bestPhones = ({ phones }: FleetDocument, word: string) => {
  const { fit, items } = best(phones, word, ({ id, label }) => [id, label]);
  return { fit, items: indexPhones(items).entries };
};

const bestGroups = ({ phones }: FleetDocument, word: string) =>
  best(countGroups(phones), word, ({ group }) => [group]);

export function findPhones(fleet: FleetDocument, word: string): readonly PhoneEntry[] {
  return bestPhones(fleet, word).items;
}

/** Names a group, with its account where there are several. */
export function groupName({ accounts }: FleetDocument, { account, group }: GroupCount): string {
  return accounts.length > 1 ? `${group} of ${account}` : group;
}

export function findGroups(
  fleet: FleetDocument,
  word: string,
): readonly { readonly name: string; readonly group: GroupCount }[] {
  return bestGroups(fleet, word).items.map((group) => ({ name: groupName(fleet, group), group }));
}

/** Lists what can be worked on: `all`, groups, or phones where they fit better. */
export function findTargets(fleet: FleetDocument, word: string): readonly MaintenanceTarget[] {
  if (word.toLowerCase() === 'all') return [{ title: 'all phones', scope: { all: true } }];
  const [groups, phones] = [bestGroups(fleet, word), bestPhones(fleet, word)];
  if (phones.fit > groups.fit) return phones.items.map(phoneTarget);
  return groups.items.map((each) => ({
    title: groupName(fleet, each),
    scope: { accounts: [each.account], groups: [each.group] },
  }));
}

/** Lists the phones of a scope, as the exporter does. */
export function coveredPhones(
  { phones }: FleetDocument,
  { accounts = [], groups = [], devices = [] }: MaintenanceScope,
): readonly FleetPhone[] {
  return phones.filter(
    ({ account, group, id }) =>
      (accounts.length === 0 || accounts.includes(account)) &&
      (groups.length + devices.length === 0 || groups.includes(group) || devices.includes(id)),
  );
}

/** Lists what was asked for and holds, that a word names by its id or reason; all of it where it names none. */
export function findRequests({ maintenance }: FleetDocument, word: string): readonly FleetMaintenance[] {
  const requests = maintenance.filter(({ source }) => source === 'requested');
  // One request has an entry in each account.
  const distinct = [...new Map(requests.map((each) => [each.id, each])).values()];
  const named = best(distinct, word, ({ id, reason }) => [id, reason]).items;
  return named.length > 0 ? named : distinct;
}
