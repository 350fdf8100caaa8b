import type { FleetDocument, FleetMaintenance, FleetPhone } from '../http/fleet-document.ts';
import { SILENT_PROBLEMS } from '../model/problem.ts';

/** What the owner means by a word: a group, phones, or all. */
export type Target = {
  readonly name: string;
  /** As `POST /api/v1/maintenance` takes it. */
  readonly scope:
    | { readonly groups: readonly string[] }
    | { readonly devices: readonly string[] }
    | { readonly all: true };
};

export function isSilent({ problem }: FleetPhone): boolean {
  return problem !== undefined && SILENT_PROBLEMS.has(problem);
}

/** Says how well a word fits a name: 3 the same, 2 its end (`03` of `rack-03`), 1 a part of it, 0 not at all. */
function fitOf(word: string, name: string): number {
  const [given, whole] = [word.trim().toLowerCase(), name.toLowerCase()];
  if (given === '' || !whole.includes(given)) return 0;
  if (given === whole) return 3;
  const before = whole.at(-given.length - 1) ?? '';
  return whole.endsWith(given) && !/[\p{L}\p{N}]/u.test(before) ? 2 : 1;
}

/** Lists what fits best. */
function best<Item>(items: readonly Item[], word: string, namesOf: (item: Item) => readonly string[]) {
  const fits = items.map((item) => ({
    item,
    fit: Math.max(...namesOf(item).map((name) => fitOf(word, name))),
  }));
  const most = Math.max(1, ...fits.map((each) => each.fit));
  return { fit: most, items: fits.filter((each) => each.fit === most).map(({ item }) => item) };
}

export function findPhones(fleet: FleetDocument, word: string): readonly FleetPhone[] {
  return best(fleet.phones, word, ({ id, label }) => [id, label]).items;
}

export function findGroups(fleet: FleetDocument, word: string): readonly string[] {
  const groups = [...new Set(fleet.phones.map(({ group }) => group))].filter((group) => group !== '');
  return best(groups, word, (group) => [group]).items;
}

/** Lists what a word can mean: `all`, groups, or phones where they fit better. */
export function findTargets(fleet: FleetDocument, word: string): readonly Target[] {
  if (word.toLowerCase() === 'all') return [{ name: 'all phones', scope: { all: true } }];
  const groups = findGroups(fleet, word).map((name): Target => ({ name, scope: { groups: [name] } }));
  const phones = findPhones(fleet, word).map(
    ({ id, label }): Target => ({ name: label || id, scope: { devices: [id] } }),
  );
  const rank = (targets: readonly Target[]) => Math.max(0, ...targets.map(({ name }) => fitOf(word, name)));
  return groups.length > 0 && rank(groups) >= rank(phones) ? groups : phones;
}

/** Lists the phones that a target covers. */
export function coveredPhones({ phones }: FleetDocument, { scope }: Target): readonly FleetPhone[] {
  if ('all' in scope) return phones;
  if ('groups' in scope) return phones.filter(({ group }) => scope.groups.includes(group));
  const ids = new Set(scope.devices);
  return phones.filter(({ id }) => ids.has(id));
}

/** Lists what was asked for and holds, that a word names by id or by the name in its reason; all of it without a word. */
export function findRequests({ maintenance }: FleetDocument, word: string): readonly FleetMaintenance[] {
  const requests = maintenance.filter(({ source }) => source === 'requested');
  // One request has an entry in each account.
  const distinct = [...new Map(requests.map((each) => [each.id, each])).values()];
  const named = best(distinct, word, ({ id, reason }) => [id, reason.split(': ')[0] ?? '']).items;
  return named.length > 0 ? named : distinct;
}
