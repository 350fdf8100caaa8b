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

/** Maximum number of active requests. */
const MAX_REQUESTS = 100;

/** Maximum number of unknown names in an error, and of known ones if none is similar. */
const MAX_UNKNOWN = 3;

/** Maintenance requests at run time. Each account of the scope observes them. */
export type RuntimeMaintenance = Pick<MaintenanceSources, 'now' | 'start' | 'end'> & {
  /** Adds the pending requests to a state, so that they are on the disk before the response. */
  readonly withPending: (state: SavedState) => SavedState;
};

type AccountEffect = { readonly name: string; readonly effect: MaintenanceEffect };

export function createMaintenance({
  snapshot,
  observe,
  save,
  clock,
  random,
  log,
}: FeatureContext): RuntimeMaintenance {
  let pending: readonly AccountEffect[] = [];
  const pendingOf = (name: string, requests: readonly MaintenanceRequest[]): readonly MaintenanceRequest[] =>
    pending
      .filter((each) => each.name === name)
      .reduce((all, each) => requestsWith(all, each.effect), requests);
  /** Saves effects, then observes them. Resolves to the reason if they cannot be saved. */
  const apply = async (effects: readonly AccountEffect[]): Promise<string | undefined> => {
    pending = [...pending, ...effects];
    const failure = await save();
    if (failure === undefined)
      await Promise.all(effects.map(({ name, effect }) => observe(name, MAINTENANCE.observation(effect))));
    pending = pending.filter((each) => !effects.includes(each));
    // A slow write may still succeed. The next one removes these effects again.
    if (failure !== undefined) void save();
    return failure;
  };
  const now = (): number => Math.round(clock.now() + aheadOf(snapshot()));
  return {
    now,
    withPending: (state) => ({
      ...state,
      accounts: state.accounts.map((saved) => {
        const memory = MAINTENANCE.of(saved.account);
        const requests = pendingOf(saved.identity.name, memory.requests);
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
        requests: pendingOf(name, MAINTENANCE.of(known).requests),
      }));
      const active = requests.flatMap((each) => each.requests);
      const same = active.find(
        (each) => each.untilBack === wanted.untilBack && isDeepStrictEqual(each.scope, scope),
      );
      const ids = new Set(active.map((each) => each.id));
      if (same === undefined && ids.size >= MAX_REQUESTS)
        return { problem: `${MAX_REQUESTS} requests are active, which is the maximum: end some first` };
      const { by, reason, until, untilBack } = wanted;
      const id = same?.id ?? newId(random, ids);
      const request = { id, scope, by, reason: reason || (same?.reason ?? ''), untilBack, away: new Map() };
      const affected = accounts.filter(({ name }) => isOfAccount(scope, name));
      const effects = affected.map(({ name, known }): AccountEffect => {
        const before =
          requests.find((each) => each.name === name)?.requests.find((each) => each.id === id) ?? same;
        const started = { ...request, startedAt: Math.max(now(), known.at ?? 0), until };
        return { name, effect: { started: before === undefined ? started : extended(before, started) } };
      });
      const entries = entriesOf(affected).filter(matcherOf(scope));
      const covered = { phones: entries.length, offline: entries.filter(({ offline }) => offline).length };
      const failure = await apply(effects);
      if (failure !== undefined) return { failure };
      const end = Math.max(until, same?.until ?? 0);
      log.info(
        { id, by, reason, until: new Date(end).toISOString(), ...scope, ...covered },
        same === undefined ? 'maintenance started' : 'maintenance extended',
      );
      return { id, until: end, covers: textOf(scope, affected), isExtended: same !== undefined, ...covered };
    },
    end: async (id, by) => {
      const accounts = snapshot().accounts.flatMap((account) => {
        const request = MAINTENANCE.of(account.known).requests.find((each) => each.id === id);
        return request === undefined ? [] : [{ name: account.name, scope: request.scope }];
      });
      if (accounts.length === 0) return undefined;
      const failure = await apply(
        accounts.map(({ name }): AccountEffect => ({ name, effect: { ended: id } })),
      );
      if (failure !== undefined) return { failure };
      log.info({ id, by }, 'maintenance ended');
      const still = accounts.flatMap(({ name, scope }) => {
        const account = snapshot().accounts.find((each) => each.name === name);
        return account === undefined ? [] : stillCovered(scope, account);
      });
      return { still };
    },
  };
}

/** Returns the milliseconds by which the clock of the API is ahead of our own. */
function aheadOf({ accounts }: Snapshot): number {
  const ahead = accounts.flatMap(({ known, devices: { lastSuccessAt } }) =>
    known.fleet === undefined || lastSuccessAt === undefined ? [] : known.fleet.apiTime - lastSuccessAt,
  );
  return ahead.length === 0 ? 0 : Math.max(...ahead);
}

/** Returns an id of six letters and digits that no other request has. */
function newId(random: () => number, taken: ReadonlySet<string>): string {
  const textOf = (number: number): string => number.toString(36).padStart(6, '0');
  let number = Math.floor(random() * 36 ** 6);
  while (taken.has(textOf(number))) number = (number + 1) % 36 ** 6;
  return textOf(number);
}

/** Normalizes a scope: sorted names without duplicates, and no accounts instead of all. */
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

/** Names the unknown names of a scope, each with the most similar one. */
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
  if (problems.length > 0) return problems.slice(0, MAX_UNKNOWN).join(' ');
  return entries.some(matcherOf(scope)) ? undefined : 'No phone matches yet.';
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
      const hint = near === undefined ? few && ` Known: ${few}.` : ` Did you mean "${near}"?`;
      return `Unknown ${kind} "${name}".${hint}`;
    });
}

/** Names the phones of a scope. */
function textOf(scope: MaintenanceScope, accounts: readonly AccountSnapshot[]): string {
  const device = (id: string) =>
    accounts.flatMap(({ known }) => known.fleet?.devices.get(id) ?? [])[0]?.device;
  return scopeText(scope, (id) => device(id)?.label || id);
}

/** Returns the maintenance that still covers phones of an ended scope, the last to end first. */
function stillCovered(scope: MaintenanceScope, account: AccountSnapshot): readonly StillCovered[] {
  const problems = account.known.judgement?.problems;
  const phones = entriesOf([account])
    .filter(matcherOf(scope))
    .filter(({ device }) => isMuted(problems?.get(device.id)?.problem));
  const [last] = MAINTENANCE.of(account.known)
    .active.filter((each) => phones.some(matcherOf(each.scope)))
    .toSorted((one, other) => other.until - one.until);
  if (last === undefined) return [];
  const name = last.source === 'configured' ? last.id : textOf(last.scope, [account]);
  return [{ phones: phones.length, by: [name, last.reason].filter(Boolean).join(': '), until: last.until }];
}
