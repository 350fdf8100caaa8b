import type { FleetDocument, FleetLeftPhone, FleetPhone } from '../fleet/document.ts';
import { type MaintenanceTarget, phoneTarget } from '../fleet/maintenance.ts';
import { countGroups, type GroupCount, indexPhones, type PhoneEntry } from '../fleet/phones.ts';

/*
 * The search for phones, groups and requests by the words of an owner.
 */

/** Returns how well a word fits a name: 3 the same, 2 its end (`03` of `rack-03`), 1 a part of it, 0 not at all. */
function fitOf(word: string, name: string): number {
  const [given, whole] = [word.toLowerCase(), name.toLowerCase()];
  if (given === '' || !whole.includes(given)) return 0;
  if (given === whole) return 3;
  return whole.endsWith(given) && !/[\p{L}\p{N}]$/u.test(whole.slice(0, -given.length)) ? 2 : 1;
}

/** Returns the items that fit best, and how well. */
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

/** Adds the account to a name, where there are several. */
export function nameIn({ accounts }: FleetDocument, name: string, account: string): string {
  return accounts.length > 1 ? `${name} of ${account}` : name;
}

/** An item that a word fits, and its title. */
export type Named<Item> = { readonly title: string; readonly item: Item };

export function findPhones(fleet: FleetDocument, word: string): readonly Named<FleetPhone>[] {
  return bestPhones(fleet, word).items.map(({ name, phone }) => ({
    title: nameIn(fleet, name, phone.account),
    item: phone,
  }));
}

export function findLeft({ left }: FleetDocument, word: string): FleetLeftPhone | undefined {
  return best(left, word, ({ id, label }) => [id, label]).items[0];
}

export function findGroups(fleet: FleetDocument, word: string): readonly Named<GroupCount>[] {
  return bestGroups(fleet, word).items.map((item) => ({
    title: nameIn(fleet, item.group, item.account),
    item,
  }));
}

/** Returns the maintenance target of a phone. */
export function targetOf(fleet: FleetDocument, entry: PhoneEntry): MaintenanceTarget {
  const { title, scope } = phoneTarget(entry);
  return { title: nameIn(fleet, title, entry.phone.account), scope };
}

/** Lists maintenance targets: `all`, groups, or phones where they fit better. */
export function findTargets(fleet: FleetDocument, word: string): readonly MaintenanceTarget[] {
  if (word.toLowerCase() === 'all') return [{ title: 'all phones', scope: { all: true } }];
  const phones = bestPhones(fleet, word);
  if (phones.fit > bestGroups(fleet, word).fit) return phones.items.map((entry) => targetOf(fleet, entry));
  return findGroups(fleet, word).map(({ title, item: { account, group } }) => ({
    title,
    scope: { accounts: [account], groups: [group] },
  }));
}

/** Lists the maintenance requests that hold, and those among them that a word names by phones, id or reason. */
export function findRequests({ maintenance }: FleetDocument, word: string) {
  const all = maintenance.filter(({ source }) => source === 'requested');
  if (word === '') return { all, named: all };
  return { all, named: best(all, word, ({ id, covers, reason }) => [id, covers, reason]).items };
}
