import { isDeepStrictEqual } from 'node:util';
import { nearest } from '../../config/messages.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import type { SavedState } from '../../model/account.ts';
import { isMuted } from '../../model/problem.ts';
import type { AccountSnapshot, Snapshot } from '../../model/snapshot.ts';
import {
  extended,
  isOfAccount,
  MAINTENANCE,
  type MaintenanceEffect,
  matcherOf,
  requestsWith,
} from './cover.ts';
import type { MaintenanceRequest, MaintenanceScope } from './model.ts';
import type { MaintenanceSources, StillCovered } from './route.ts';
import { scopeText } from './words.ts';

/** Maximum number of requests that hold at a time. */
const MAX_REQUESTS = 100;

/** Maximum number of unknown names that a refusal lists, and of known ones where none is near. */
const MAX_UNKNOWN = 3;

/** Takes maintenance requests at run time: each account of the scope observes them. */
export type RuntimeMaintenance = Pick<MaintenanceSources, 'now' | 'start' | 'end'> & {
  /** Adds what was said and is not observed yet, so that it is on the disk before it is answered. */
  readonly withSaid: (state: SavedState) => SavedState;
};

type Said = { readonly name: string; readonly effect: MaintenanceEffect };

export function createMaintenance({
  snapshot,
  observe,
  save,
  clock,
  random,
  log,
}: FeatureContext): RuntimeMaintenance {
  let pending: readonly Said[] = [];
  const withPending = (
    name: string,
    requests: readonly MaintenanceRequest[],
  ): readonly MaintenanceRequest[] =>
    pending
      .filter((said) => said.name === name)
      .reduce((all, said) => requestsWith(all, said.effect), requests);
  /** Puts words on the disk, then judges by them. Resolves to the reason where the disk does not take them. */
  const say = async (said: readonly Said[]): Promise<string | undefined> => {
    pending = [...pending, ...said];
    const failure = await save();
    if (failure === undefined)
      await Promise.all(said.map(({ name, effect }) => observe(name, MAINTENANCE.observation(effect))));
    pending = pending.filter((each) => !said.includes(each));
    // A write that was too slow may still end. The next one takes the words back.
    if (failure !== undefined) void save();
    return failure;
  };
  const now = (): number => Math.round(clock.now() + aheadOf(snapshot()));
  return {
    now,
    withSaid: (state) => ({
      ...state,
      accounts: state.accounts.map((saved) => {
        const memory = MAINTENANCE.of(saved.account);
        const requests = withPending(saved.identity.name, memory.requests);
        return requests === memory.requests
          ? saved
          : { ...saved, account: MAINTENANCE.with(saved.account, { ...memory, requests }) };
      }),
    }),
    start: async (wanted) => {
      const { accounts } = snapshot();
      const problem = unknownNames(wanted.scope, accounts);
      if (problem !== undefined) return { problem };
      const scope = normalized(wanted.scope, accounts);
      const requests = accounts.map(({ name, known }) => ({
        name,
        requests: withPending(name, MAINTENANCE.of(known).requests),
      }));
      const holding = requests.flatMap((each) => each.requests);
      const same = holding.find(
        (each) => each.untilBack === wanted.untilBack && isDeepStrictEqual(each.scope, scope),
      );
      const ids = new Set(holding.map((each) => each.id));
      if (same === undefined && ids.size >= MAX_REQUESTS)
        return { problem: `${MAX_REQUESTS} requests hold, which is the maximum: end some` };
      const { by, reason, until, untilBack } = wanted;
      const id = same?.id ?? newId(random, ids);
      const request = { id, scope, by, reason: reason || (same?.reason ?? ''), untilBack, away: new Map() };
      const meant = accounts.filter(({ name }) => isOfAccount(scope, name));
      const said = meant.map(({ name, known }): Said => {
        const before =
          requests.find((each) => each.name === name)?.requests.find((each) => each.id === id) ?? same;
        const said = { ...request, startedAt: Math.max(now(), known.at ?? 0), until };
        const kept = before === undefined ? said : extended(before, said);
        return { name, effect: { said: kept } };
      });
      const covered = coveredBy(scope, meant);
      const failure = await say(said);
      if (failure !== undefined) return { failure };
      const end = Math.max(until, same?.until ?? 0);
      log.info(
        { id, by, reason, until: new Date(end).toISOString(), ...scope, ...covered },
        same === undefined ? 'maintenance begins' : 'maintenance is extended',
      );
      return { id, until: end, covers: textOf(scope, meant), isExtended: same !== undefined, ...covered };
    },
    end: async (id, by) => {
      const accounts = snapshot().accounts.flatMap((account) => {
        const request = MAINTENANCE.of(account.known).requests.find((each) => each.id === id);
        return request === undefined ? [] : [{ name: account.name, scope: request.scope }];
      });
      if (accounts.length === 0) return undefined;
      const failure = await say(accounts.map(({ name }): Said => ({ name, effect: { over: id } })));
      if (failure !== undefined) return { failure };
      log.info({ id, by }, 'maintenance ends');
      const still = accounts.flatMap(({ name, scope }) => {
        const account = snapshot().accounts.find((each) => each.name === name);
        return account === undefined ? [] : stillCovered(scope, account);
      });
      return { still };
    },
  };
}

/** Returns how far the clock of the API is ahead of our own, in milliseconds. */
function aheadOf({ accounts }: Snapshot): number {
  const ahead = accounts.flatMap(({ known, devices: { lastSuccessAt } }) =>
    known.fleet === undefined || lastSuccessAt === undefined ? [] : known.fleet.apiTime - lastSuccessAt,
  );
  return ahead.length === 0 ? 0 : Math.max(...ahead);
}

/** Returns six letters and digits that no other request has. */
function newId(random: () => number, taken: ReadonlySet<string>): string {
  const textOf = (number: number): string => number.toString(36).padStart(6, '0');
  let number = Math.floor(random() * 36 ** 6);
  while (taken.has(textOf(number))) number = (number + 1) % 36 ** 6;
  return textOf(number);
}

/** Writes a scope in one way: each name once, in order, and no accounts where all are meant. */
function normalized(
  { accounts, groups, devices }: MaintenanceScope,
  all: readonly AccountSnapshot[],
): MaintenanceScope {
  const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted();
  const isAll = all.every(({ name }) => accounts.includes(name));
  return { accounts: isAll ? [] : sorted(accounts), groups: sorted(groups), devices: sorted(devices) };
}

function entriesOf(accounts: readonly AccountSnapshot[]) {
  return accounts.flatMap(({ known }) => [...(known.fleet?.devices.values() ?? [])]);
}

/** Says which names of a scope fit nothing, each with the nearest one. */
function unknownNames(scope: MaintenanceScope, all: readonly AccountSnapshot[]): string | undefined {
  const accounts = all.map(({ name }) => name);
  const entries = entriesOf(all.filter(({ name }) => isOfAccount(scope, name)));
  const groups = [...new Set(entries.map(({ group }) => group).filter(Boolean))];
  const labels = entries.map(({ device }) => device.label).filter(Boolean);
  const ids = entries.map(({ device }) => device.id);
  const problems = [
    ...unknownOf('account', scope.accounts, accounts, accounts),
    ...unknownOf('group', scope.groups, groups, groups),
    ...unknownOf('phone', scope.devices, [...ids, ...labels], labels),
  ];
  if (problems.length > 0) return problems.slice(0, MAX_UNKNOWN).join('; ');
  return entries.some(matcherOf(scope)) ? undefined : 'no phone is known of this scope yet, expected some';
}

function unknownOf(
  kind: string,
  names: readonly string[],
  known: readonly string[],
  shown: readonly string[],
): readonly string[] {
  const all = new Set(known);
  return names
    .filter((name) => !all.has(name))
    .slice(0, MAX_UNKNOWN)
    .map((name) => {
      const near = nearest(name, shown);
      const few = shown.slice(0, MAX_UNKNOWN).join(', ');
      const expected = near === undefined ? `one such as ${few}` : `${near}?`;
      return `got ${kind} "${name}", which is unknown, expected ${few === '' ? 'one that is listed' : expected}`;
    });
}

/** Counts the phones that a scope covers now. */
function coveredBy(scope: MaintenanceScope, accounts: readonly AccountSnapshot[]) {
  const entries = entriesOf(accounts).filter(matcherOf(scope));
  return { phones: entries.length, offline: entries.filter(({ offline }) => offline).length };
}

/** Names the phones of a scope. */
function textOf(scope: MaintenanceScope, accounts: readonly AccountSnapshot[]): string {
  const device = (id: string) =>
    accounts.flatMap(({ known }) => known.fleet?.devices.get(id) ?? [])[0]?.device;
  return scopeText(scope, (id) => device(id)?.label || id);
}

/** Returns what covers phones of a scope that ended, the one that ends last first. */
function stillCovered(scope: MaintenanceScope, account: AccountSnapshot): readonly StillCovered[] {
  const problems = account.known.judgement?.problems;
  const phones = entriesOf([account])
    .filter(matcherOf(scope))
    .filter(({ device }) => isMuted(problems?.get(device.id)?.problem));
  const [last] = MAINTENANCE.of(account.known)
    .holding.filter((each) => phones.some(matcherOf(each.scope)))
    .toSorted((one, other) => other.until - one.until);
  if (last === undefined) return [];
  const name = last.source === 'configured' ? last.id : textOf(last.scope, [account]);
  return [{ phones: phones.length, by: [name, last.reason].filter(Boolean).join(': '), until: last.until }];
}
