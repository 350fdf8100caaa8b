import { splitNames } from '../model/text.ts';
import type { FleetDocument, FleetLeftPhone, FleetPhone } from './document.ts';
import { countGroups, type GroupCount, indexPhones, type PhoneEntry } from './phones.ts';
import { type PhoneTarget, phonesIn, phoneTarget, type TargetScope } from './targets.ts';

/*
 * The search for phones, groups and requests by name.
 */

/** Rates the match of a word with a name: 3 equal, 2 its end (`03` of `rack-03`), 1 a part of it, 0 none. */
function matchOf(word: string, name: string): number {
  const [given = '', whole = ''] = [word, name].map((text) => text.toLowerCase().replace(/\s+/g, ' ').trim());
  if (given === '' || !whole.includes(given)) return 0;
  if (given === whole) return 3;
  return whole.endsWith(given) && !/[\p{L}\p{N}]$/u.test(whole.slice(0, -given.length)) ? 2 : 1;
}

/** Returns the best matches and their rating. The word may be in quotes. */
export function best<Item>(
  items: readonly Item[],
  word: string,
  namesOf: (item: Item) => readonly string[],
): { readonly fit: number; readonly items: readonly Item[] } {
  const fits = items.map((item) => Math.max(...namesOf(item).map((name) => matchOf(word, name))));
  const most = fits.reduce((one, other) => Math.max(one, other), 0);
  if (most > 0) return { fit: most, items: items.filter((_, index) => fits[index] === most) };
  const [name = word, ...others] = splitNames(word);
  return name === word.trim() || others.length > 0 ? { fit: 0, items: [] } : best(items, name, namesOf);
}

/** Returns a name without and with the account. */
const namesOf = (name: string, account: string): readonly string[] => [name, `${name} of ${account}`];

const bestPhones = ({ phones }: FleetDocument, word: string) =>
  best(indexPhones(phones).entries, word, ({ name, phone: { id, label, account } }) => [
    ...[id, label],
    ...namesOf(name, account),
  ]);

const bestGroups = ({ phones }: FleetDocument, word: string) =>
  best(countGroups(phones), word, ({ group, account }) => namesOf(group, account));

/** Adds the account to a name if there are several accounts. */
export function nameIn({ accounts }: FleetDocument, name: string, account: string): string {
  return accounts.length > 1 ? `${name} of ${account}` : name;
}

/** A match and its title. */
export type Named<Item> = { readonly title: string; readonly item: Item };

export function findPhones(fleet: FleetDocument, word: string): readonly Named<FleetPhone>[] {
  return bestPhones(fleet, word).items.map(({ name, phone }) => ({
    title: nameIn(fleet, name, phone.account),
    item: phone,
  }));
}

export function findLeft({ left }: FleetDocument, word: string): FleetLeftPhone | undefined {
  return best(left, word, ({ id, label, account }) => [id, ...namesOf(label, account)]).items[0];
}

export function findGroups(fleet: FleetDocument, word: string): readonly Named<GroupCount>[] {
  return bestGroups(fleet, word).items.map((item) => ({
    title: nameIn(fleet, item.group, item.account),
    item,
  }));
}

/** Lists the phones of the groups that a word matches, or the phones that it matches better. */
export function phonesOf(fleet: FleetDocument, word: string): readonly FleetPhone[] {
  const [phones, groups] = [bestPhones(fleet, word), bestGroups(fleet, word)];
  if (phones.fit > groups.fit) return phones.items.map(({ phone }) => phone);
  return fleet.phones.filter(({ account, group }) =>
    groups.items.some((each) => each.account === account && each.group === group),
  );
}

export function targetOf(fleet: FleetDocument, entry: PhoneEntry): PhoneTarget {
  const { title, scope } = phoneTarget(entry);
  return { title: nameIn(fleet, title, entry.phone.account), scope };
}

/**
 * Lists targets: `all`, an account, groups, or phones that match better. A group of several accounts is a target in each
 * of them and in all. Several names, such as `rack-01, rack-02`, are one target if each is unambiguous.
 */
export function findTargets(fleet: FleetDocument, text: string): readonly PhoneTarget[] {
  const whole = findOne(fleet, text);
  if (whole.length > 0) return whole;
  // Names of several words have commas between them.
  const byCommas = findAll(fleet, splitNames(text));
  return byCommas.length > 0 ? byCommas : findAll(fleet, splitNames(text, '\\s,'));
}

function findAll(fleet: FleetDocument, names: readonly string[]): readonly PhoneTarget[] {
  if (names.length < 2) return [];
  const found = names.map((name) => findOne(fleet, name));
  if (!found.every((targets) => new Set(targets.map(({ scope }) => keyOf(scope))).size === 1)) return [];
  // The last of several targets is the group in all its accounts.
  const parts = found.flatMap((targets) => targets.slice(-1));
  if (parts.some(({ scope }) => keyOf(scope) === undefined)) return [];
  const [accounts, ...others] = new Set(parts.map((part) => part.scope.accounts?.join() ?? ''));
  const scope: TargetScope = {
    ...(accounts !== undefined && accounts !== '' && others.length === 0 && { accounts: [accounts] }),
    groups: parts.flatMap((part) => part.scope.groups ?? []),
    devices: parts.flatMap((part) => part.scope.devices ?? []),
  };
  const isMeant = (phone: FleetPhone) => parts.some((part) => phonesIn([phone], part.scope).length > 0);
  // `rack-01 of main, rack-02 of other` is no scope if each account has both.
  if (!phonesIn(fleet.phones, scope).every(isMeant)) return [];
  return [{ title: parts.map(({ title }) => title).join(', '), scope }];
}

/** Identifies the groups or phones of a scope, regardless of the account; undefined for whole accounts. */
function keyOf({ groups, devices }: TargetScope): string | undefined {
  return groups === undefined && devices === undefined ? undefined : JSON.stringify([groups, devices]);
}

/** The end of the title of a group of all accounts. */
const OF_ALL = ' of all accounts';

function findOne(fleet: FleetDocument, word: string): readonly PhoneTarget[] {
  if (word.toLowerCase() === 'all') return [{ title: 'all phones', scope: { all: true } }];
  const [phones, groups] = [bestPhones(fleet, word), bestGroups(fleet, word)];
  const account = fleet.accounts.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  if (account !== undefined && Math.max(phones.fit, groups.fit) < 3)
    return [{ title: `all phones of ${account.name}`, scope: { accounts: [account.name] } }];
  if (phones.fit > groups.fit) return phones.items.map((entry) => targetOf(fleet, entry));
  const each = groups.items.map(({ account: own, group }) => ({
    title: nameIn(fleet, group, own),
    scope: { accounts: [own], groups: [group] },
  }));
  const [name, ...others] = new Set(groups.items.map(({ group }) => group));
  const isShared = name !== undefined && others.length === 0 && each.length > 1;
  if (isShared) return [...each, { title: `${name}${OF_ALL}`, scope: { groups: [name] } }];
  // The title of the target in all accounts.
  if (each.length > 0 || !word.endsWith(OF_ALL)) return each;
  return findOne(fleet, word.slice(0, -OF_ALL.length)).slice(-1);
}
