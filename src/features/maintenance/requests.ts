import { isDeepStrictEqual } from 'node:util';
import { localText, type TimeZone } from '../../base/time-zone.ts';
import { nearest } from '../../config/messages.ts';
import { type AccountChange, createChanges } from '../../daemon/changes.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { notSaved } from '../../http/permission.ts';
import { jsonReply, type Reply, textReply } from '../../http/reply.ts';
import { addTo } from '../../model/enums.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { MINUTE } from '../../model/time.ts';
import { say } from '../../text/say.ts';
import {
  coverageOf,
  extended,
  isOfAccount,
  MAINTENANCE,
  type MaintenanceEffect,
  matcherOf,
  offlineIn,
  requestsWith,
} from './cover.ts';
import type { Maintenance, MaintenanceScope, NewMaintenance } from './model.ts';
import { scopeText, untilText } from './words.ts';

const MAX_REQUESTS = 100;

/** Maximum number of unknown names in an error, and of known ones if none are similar. */
const MAX_UNKNOWN = 3;

export type MaintenanceRequests = ReturnType<typeof createMaintenance>;

/** Creates the functions that start and end requests, which each account in the scope observes. */
export function createMaintenance(context: FeatureContext) {
  const { snapshot, random, log } = context;
  const changes = createChanges(
    MAINTENANCE,
    (memory, effect: MaintenanceEffect) => ({ ...memory, requests: requestsWith(memory.requests, effect) }),
    context,
  );
  const { now, withPending } = changes;
  const requestsOf = ({ name, known }: AccountSnapshot) => changes.of(name, known).requests;
  return {
    now,
    /** Adds the pending requests to a state, so that they are saved before the response. */
    withPending,
    /** Starts maintenance, or extends an earlier request for the same phones. */
    start: async (wanted: NewMaintenance, zone: TimeZone): Promise<Reply> => {
      const { accounts } = snapshot();
      const problem = unknownNames(wanted.scope, accounts);
      if (problem !== undefined) return textReply(400, problem);
      const idsOf = idsByName(accounts);
      const wantedScope = normalized(wanted.scope, accounts);
      const wantedIds = withIds(wantedScope, idsOf);
      const active = accounts.flatMap(requestsOf);
      const same = active.find(
        (each) =>
          each.untilBack === wanted.untilBack && isDeepStrictEqual(withIds(each.scope, idsOf), wantedIds),
      );
      const scope = same?.scope ?? wantedScope;
      const ids = new Set(active.map((each) => each.id));
      if (same === undefined && ids.size >= MAX_REQUESTS)
        return textReply(400, `${MAX_REQUESTS} requests are active, which is the maximum: end some first`);
      const { by, reason, until, untilBack } = wanted;
      const id = same?.id ?? newId(random, ids);
      const request = { id, scope, by, reason: reason || (same?.reason ?? ''), untilBack };
      const affected = accounts.filter(({ name }) => isOfAccount(scope, name));
      const effects = affected.map((account): AccountChange<MaintenanceEffect> => {
        const { name, known } = account;
        const before = requestsOf(account).find((each) => each.id === id) ?? same;
        const away = untilBack ? offlineIn(scope, known.fleet?.devices ?? new Map()) : new Map();
        // An account with a different clock ends it after the same time.
        const ahead = now(name) - now();
        const started = {
          ...request,
          ...{ away, startedAt: Math.max(now(name), known.at ?? 0) },
          until: Math.abs(ahead) > MINUTE ? until + ahead : until,
        };
        return { name, effect: { started: before === undefined ? started : extended(before, started) } };
      });
      const entries = entriesOf(affected).filter(matcherOf(scope));
      const phones = entries.length;
      const offlinePhones = entries.filter(({ offline }) => offline).length;
      const failure = await changes.make(effects);
      if (failure !== undefined) return notSaved(failure);
      const end = Math.max(until, same?.until ?? 0);
      const instant = new Date(end).toISOString();
      log.info(
        { id, by, reason, until: instant, ...scope, phones, offline: offlinePhones },
        same === undefined ? 'maintenance started' : 'maintenance extended',
      );
      const time = (): string => localText(zone, end);
      const text = [
        say('maintenance-counts', { count: phones, offline: offlinePhones }),
        ...(same === undefined ? [] : [say('maintenance-extended')]),
        untilText({ untilBack }, time, offlinePhones === phones),
      ].join(', ');
      const covers = coversText(scope, affected);
      return jsonReply(201, JSON.stringify({ id, covers, until: instant, phones, offlinePhones, text }));
    },
    end: async (id: string, by: string, zone: TimeZone): Promise<Reply> => {
      const scopes = new Map(
        snapshot().accounts.flatMap(({ name, known }) => {
          const request = MAINTENANCE.of(known).requests.find((each) => each.id === id);
          return request === undefined ? [] : [[name, request.scope] as const];
        }),
      );
      if (scopes.size === 0)
        return textReply(404, 'no active request has this ID: it may have ended already');
      const failure = await changes.make([...scopes.keys()].map((name) => ({ name, effect: { ended: id } })));
      if (failure !== undefined) return notSaved(failure);
      log.info({ id, by }, 'maintenance ended');
      const text = `${say('maintenance-ended-now')}${coverageText(scopes, snapshot().accounts, zone)}`;
      return jsonReply(200, JSON.stringify({ id, text }));
    },
  };
}

/** Returns an id of six letters and digits that no other request has. */
function newId(random: () => number, taken: ReadonlySet<string>): string {
  const textOf = (number: number): string => number.toString(36).padStart(6, '0');
  let number = Math.floor(random() * 36 ** 6);
  while (taken.has(textOf(number))) number = (number + 1) % 36 ** 6;
  return textOf(number);
}

/** Normalizes a scope: sorted names without duplicates, and no accounts in place of all. */
function normalized(
  { accounts, groups, devices }: MaintenanceScope,
  all: readonly AccountSnapshot[],
): MaintenanceScope {
  const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted();
  const isAll = all.every(({ name }) => accounts.includes(name));
  return { accounts: isAll ? [] : sorted(accounts), groups: sorted(groups), devices: sorted(devices) };
}

/** Returns the ids of phones by their ids and labels. */
function idsByName(accounts: readonly AccountSnapshot[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { device } of entriesOf(accounts))
    for (const name of new Set([device.id, device.label])) addTo(ids, name, device.id);
  return ids;
}

/** Returns a scope with ids instead of labels, so that scopes with the same phones are equal. */
function withIds(scope: MaintenanceScope, ids: ReadonlyMap<string, readonly string[]>): MaintenanceScope {
  const devices = scope.devices.flatMap((name) => ids.get(name) ?? [name]);
  return { ...scope, devices: [...new Set(devices)].toSorted() };
}

function entriesOf(accounts: readonly AccountSnapshot[]) {
  return accounts.flatMap(({ known }) => [...(known.fleet?.devices.values() ?? [])]);
}

/** Lists the unknown names in a scope, each with the most similar known one. */
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
  kind: 'account' | 'group' | 'phone',
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
      const known = few && say('maintenance-known', { names: few });
      const hint = near === undefined ? known : say('maintenance-did-you-mean', { name: near });
      return [say(`maintenance-unknown-${kind}`, { name }), hint].filter(Boolean).join(' ');
    });
}

/** Names the phones of a scope. */
export function coversText(scope: MaintenanceScope, accounts: readonly AccountSnapshot[]): string {
  const device = (id: string) =>
    accounts.flatMap(({ known }) => known.fleet?.devices.get(id) ?? [])[0]?.device;
  return scopeText(scope, (id) => device(id)?.label || id);
}

/** Names the maintenance that still covers phones of ended scopes. Each phone counts for the last one to end. */
function coverageText(
  ended: ReadonlyMap<string, MaintenanceScope>,
  accounts: readonly AccountSnapshot[],
  timeZone: TimeZone,
): string {
  const still = new Map<string, { readonly last: Maintenance; phones: number }>();
  let others = 0;
  for (const account of accounts) {
    const scope = ended.get(account.name);
    if (scope === undefined) continue;
    const { active, requests } = MAINTENANCE.of(account.known);
    // The last to end is first.
    const covering = active.map((each) => ({ each, covers: coverageOf(each, requests) }));
    for (const entry of entriesOf([account]).filter(matcherOf(scope))) {
      const last = covering.find(({ covers }) => covers(entry))?.each;
      if (last === undefined) {
        others += 1;
        continue;
      }
      const key = `${last.source} ${last.id}`;
      still.set(key, { last, phones: (still.get(key)?.phones ?? 0) + 1 });
    }
  }
  const texts = Array.from(still.values(), ({ last: { id, source, scope, reason, until }, phones }) => {
    const name = source === 'configured' ? id : coversText(scope, accounts);
    const by = [name, reason].filter(Boolean).join(': ');
    return ` ${say('maintenance-stays', { count: phones, name: by, time: localText(timeZone, until) })}`;
  });
  const then = still.size === 0 ? say('maintenance-then-notified') : say('maintenance-then-notified-others');
  const rest = others === 0 ? '' : ` ${then}`;
  return texts.join('') + rest;
}
