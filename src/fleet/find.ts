import { foldText, splitNames } from '../model/text.ts';
import { say } from '../text/say.ts';
import { hasName } from './chat.ts';
import { nameIn } from './describe.ts';
import type { FleetDocument, FleetLeftPhone, FleetPhone } from './document.ts';
import { countGroups, type GroupCount, indexPhones } from './phones.ts';
import { type PhoneTarget, phonesIn, phoneTarget, type TargetScope } from './targets.ts';

/* The search for phones, groups and requests by name. */

/** Rating of a name that matches with its accents, and of one that matches without them. */
const EXACT = 4;
const EQUAL = 3;

/**
 * Rates how well a word matches a name, ignoring case: 4 the same, 3 the same except for accents, 2 its end (`03` of `rack-03`),
 * 1 a part of it, 0 none.
 */
function matchOf(word: string, folded: string, name: string): number {
  const whole = foldText(name);
  if (folded === '' || !whole.includes(folded)) return 0;
  if (folded === whole)
    return word.toLowerCase() === name.replace(/\s+/g, ' ').trim().toLowerCase() ? EXACT : EQUAL;
  return whole.endsWith(folded) && !/[\p{L}\p{N}]$/u.test(whole.slice(0, -folded.length)) ? 2 : 1;
}

/** Returns the best matches and their rating. The word may be in quotes. */
export function best<Item>(
  items: readonly Item[],
  word: string,
  namesOf: (item: Item) => readonly string[],
): { readonly fit: number; readonly items: readonly Item[] } {
  const folded = foldText(word);
  const fits = items.map((item) =>
    Math.max(...namesOf(item).map((name) => matchOf(word.trim(), folded, name))),
  );
  const most = fits.reduce((one, other) => Math.max(one, other), 0);
  if (most > 0) return { fit: most, items: items.filter((_, index) => fits[index] === most) };
  const [name = word, ...others] = splitNames(word);
  return name === word.trim() || others.length > 0 ? { fit: 0, items: [] } : best(items, name, namesOf);
}

/** Names of something in an account, including how other readers and programs write it. */
const namesOf = (name: string, account: string): readonly string[] => [
  ...new Set([name, say('name-of', { name, account }), `${name} of ${account}`]),
];

/** An item that a word refers to. `isWhole`: the word is its whole name. */
export type Named<Item> = { readonly title: string; readonly item: Item; readonly isWhole: boolean };

function titled<Item extends { readonly account: string }>(
  fleet: FleetDocument,
  name: string,
  item: Item,
  isWhole = true,
): Named<Item> {
  return { title: nameIn(fleet, name, item.account), item, isWhole };
}

function bestPhones(fleet: FleetDocument, word: string) {
  const { fit, items } = best(indexPhones(fleet.phones).entries, word, ({ name, phone }) => [
    ...[phone.id, phone.label],
    ...namesOf(name, phone.account),
  ]);
  return { fit, items: items.map(({ name, phone }) => titled(fleet, name, phone, fit >= EQUAL)) };
}

function bestGroups(fleet: FleetDocument, word: string) {
  const { fit, items } = best(countGroups(fleet.phones), word, ({ group, account }) =>
    namesOf(group, account),
  );
  return { fit, items: items.map((item) => titled(fleet, item.group, item, fit >= EQUAL)) };
}

export function findPhones(fleet: FleetDocument, word: string): readonly Named<FleetPhone>[] {
  return bestPhones(fleet, word).items;
}

export function findGroups(fleet: FleetDocument, word: string): readonly Named<GroupCount>[] {
  return bestGroups(fleet, word).items;
}

/** Removes the time of stale data from the start of an answer: `At 12:28: `. */
function withoutAsOf(answer: string): string {
  const [before = '', after = ''] = say('as-of', { time: '\n' }).split('\n');
  const end = answer.indexOf(`${after} `, before.length);
  const isAsOf = answer.startsWith(before) && end !== -1 && !answer.slice(0, end).includes(',');
  return isAsOf ? answer.slice(end + after.length + 1) : answer;
}

/** Returns a function that reports whether an alert may be about an account: some name theirs, `(account main)`. */
export function accountIn({ accounts }: FleetDocument, message: string): (account: string) => boolean {
  const named = accounts.filter(({ name }) => message.startsWith('[') && message.includes(` ${name})`));
  return (account) => named.length === 0 || named.some(({ name }) => name === account);
}

/**
 * Lists the phones and the groups that a message names. An answer that begins with one is about it: `rack-03: 40 phones`,
 * or `rack-03/slot-04 samsung`. A list of notes begins with `rack-03/slot-04:`.
 */
export function namedIn(fleet: FleetDocument, message: string) {
  const isMeant = accountIn(fleet, message);
  const isNamed = (name: string, account: string): boolean =>
    isMeant(account) && (hasName(message, name) || hasName(message, nameIn(fleet, name, account)));
  const phones = indexPhones(fleet.phones)
    .entries.filter(({ name, phone }) => isNamed(name, phone.account))
    .map(({ name, phone }) => titled(fleet, name, phone));
  const groups = countGroups(fleet.phones)
    .filter(({ group, account }) => isNamed(group, account))
    .map((each) => titled(fleet, each.group, each));
  const start = withoutAsOf(message.replace(/[\uE000\uE001]/g, ''));
  const [head] = [
    ...phones.filter(({ title }) => start.startsWith(title) && start[title.length] !== ':'),
    ...groups.filter(({ title }) => start.startsWith(`${title}:`)),
  ].sort((one, other) => other.title.length - one.title.length);
  const isHead = head !== undefined;
  const own = groups.filter((each) => !isHead || each === head);
  const isOwn = ({ group, account }: FleetPhone): boolean =>
    own.some(({ item }) => item.group === group && item.account === account);
  const theirs = phones.filter((each) => !isHead || each === head || isOwn(each.item));
  return { phones: theirs, groups: own, isPhone: isHead && own.length === 0 };
}

export function findLeft({ left }: FleetDocument, word: string): FleetLeftPhone | undefined {
  return best(left, word, ({ id, label, account }) => [id, ...namesOf(label, account)]).items[0];
}

/** Lists the phones of the groups that a word matches, or the phones that it matches better. */
export function phonesOf(fleet: FleetDocument, word: string): readonly FleetPhone[] {
  const [phones, groups] = [bestPhones(fleet, word), bestGroups(fleet, word)];
  if (phones.fit > groups.fit) return phones.items.map(({ item }) => item);
  return fleet.phones.filter(({ account, group }) =>
    groups.items.some(({ item }) => item.account === account && item.group === group),
  );
}

/**
 * Lists targets: `all`, an account, groups, or phones that match better. A group in several accounts is a target in each
 * of them and in all. Several names, such as `rack-01, rack-02`, are one target if each is unambiguous.
 */
export function findTargets(fleet: FleetDocument, text: string): readonly PhoneTarget[] {
  const whole = findOne(fleet, text);
  if (whole.length > 0) return whole;
  // Names with several words are separated by commas.
  const byCommas = findAll(fleet, splitNames(text), 1);
  // In `rack-01 2`, where an h is missing, the 2 is not part of a name.
  return byCommas.length > 0 ? byCommas : findAll(fleet, splitNames(text, '\\s,'), EQUAL);
}

const targetOfGroup = ({ title, item: { account, group } }: Named<GroupCount>): PhoneTarget => ({
  title,
  scope: { accounts: [account], groups: [group] },
});
const targetOfPhone = ({ title: name, item: phone }: Named<FleetPhone>): PhoneTarget =>
  phoneTarget({ name, phone });

/** Lists the targets that a message names: its groups, and its phones that are in none of them. */
export function targetsIn(fleet: FleetDocument, message: string): readonly PhoneTarget[] {
  const { phones, groups } = namedIn(fleet, message);
  const wide = groups.map(targetOfGroup);
  const others = phones.filter(({ item }) => wide.every(({ scope }) => phonesIn([item], scope).length === 0));
  return [...wide, ...others.map(targetOfPhone)];
}

/** Lists the phones of the targets that a message names. */
export function phonesNamedIn(fleet: FleetDocument, message: string): readonly FleetPhone[] {
  return targetsIn(fleet, message).flatMap(({ scope }) => phonesIn(fleet.phones, scope));
}

function findAll(fleet: FleetDocument, names: readonly string[], least: number): readonly PhoneTarget[] {
  if (names.length < 2) return [];
  const found = names.map((name) => findOne(fleet, name, least));
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
  // `rack-01 of main, rack-02 of other` is not a scope if each account has both.
  if (!phonesIn(fleet.phones, scope).every(isMeant)) return [];
  return [{ title: parts.map(({ title }) => title).join(', '), scope }];
}

/** Identifies the groups or phones of a scope, whatever the account; undefined for whole accounts. */
function keyOf({ groups, devices }: TargetScope): string | undefined {
  return groups === undefined && devices === undefined ? undefined : JSON.stringify([groups, devices]);
}

/** Returns the end of a group's title for all accounts. */
const ofAll = (): string => say('name-of-all-accounts', { name: '' });

function findOne(fleet: FleetDocument, word: string, least = 1): readonly PhoneTarget[] {
  if (word.toLowerCase() === 'all') return [{ title: say('all-phones'), scope: { all: true } }];
  const [phones, groups] = [bestPhones(fleet, word), bestGroups(fleet, word)];
  const account = fleet.accounts.find(({ name }) => foldText(name) === foldText(word));
  const fit = Math.max(phones.fit, groups.fit);
  if (account !== undefined && fit < EQUAL)
    return [{ title: say('all-phones-of', { account: account.name }), scope: { accounts: [account.name] } }];
  if (fit > 0 && fit < least) return [];
  if (phones.fit > groups.fit) return phones.items.map(targetOfPhone);
  const each = groups.items.map(targetOfGroup);
  const [name, ...others] = new Set(groups.items.map(({ item }) => item.group));
  const isShared = name !== undefined && others.length === 0 && each.length > 1;
  if (isShared) return [...each, { title: say('name-of-all-accounts', { name }), scope: { groups: [name] } }];
  // The title of the target in all accounts.
  if (each.length > 0 || !word.endsWith(ofAll())) return each;
  return findOne(fleet, word.slice(0, -ofAll().length), least).slice(-1);
}
