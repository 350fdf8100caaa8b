import { definePart } from '../../judge/part.ts';
import { type MutedSince, NONE_MUTED } from '../../judge/problems.ts';
import type { Fleet, FleetDevice } from '../../model/fleet.ts';
import type { Maintenance, MaintenanceRequest, MaintenanceScope, MaintenanceWindow } from './model.ts';

/*
 * Maintenance of phones. A phone in maintenance keeps its facts and has no other problem. It does not count as evidence
 * for a common cause, and its gaps are not learned.
 */

type Requests = readonly MaintenanceRequest[];

/** Number of lists with a new heartbeat before a phone counts as back online. */
const BACK_LISTS = 2;

type MaintenanceMemory = {
  readonly requests: Requests;
  /** Windows and requests that were active at the last judgement. */
  readonly active: readonly Maintenance[];
};

/** A request that was started or extended, or the id of one that ended. */
export type MaintenanceEffect = { readonly started: MaintenanceRequest } | { readonly ended: string };

/** An account's requests and active maintenance. Its settings are the windows. */
export const MAINTENANCE = definePart<MaintenanceMemory, MaintenanceEffect, readonly MaintenanceWindow[]>({
  name: 'maintenance',
  create: () => ({ requests: [], active: [] }),
  prepare: (memory, { observation, after, effect }) => {
    const before = memory.requests;
    let requests = before;
    if (effect !== undefined) requests = requestsWith(before, effect);
    else if (observation.kind === 'list' && after.fleet !== undefined)
      requests = requestsAfter(before, after.fleet.devices, after.at ?? after.fleet.apiTime);
    return requests === before ? memory : { ...memory, requests };
  },
  *update(memory, { before, after: { at, fleet, judgement } }, windows) {
    if (fleet === undefined || judgement === before.judgement) return memory;
    const matchers = activeAt(windows, memory.requests, at ?? fleet.apiTime);
    if (matchers.length === 0 && memory.active.length === 0) return memory;
    // A phone covered by several windows and requests counts for each of them.
    const active = matchers.map(({ active, matches }): Maintenance => {
      const covered = [...fleet.devices.values()].filter(matches);
      return { ...active, devices: covered.length, offline: covered.filter(({ offline }) => offline).length };
    });
    return { ...memory, active };
  },
});

/** Returns the devices in maintenance at an instant, each since the start of what covers it and ends last. */
export function coverAt(windows: readonly MaintenanceWindow[], requests: Requests, at: number): MutedSince {
  const matchers = activeAt(windows, requests, at);
  if (matchers.length === 0) return NONE_MUTED;
  return (entry) => matchers.find(({ matches }) => matches(entry))?.active.since;
}

/** Lists the windows and requests that are active at an instant, the last to end first. */
function activeAt(windows: readonly MaintenanceWindow[], requests: Requests, at: number): readonly Matcher[] {
  return [
    ...windows.flatMap((window) => activeOfWindow(window, at)),
    ...requests.filter(({ until }) => until > at).map(activeOfRequest),
  ].toSorted((one, other) => other.active.until - one.active.until);
}

type Matcher = {
  readonly active: Omit<Maintenance, 'devices' | 'offline'>;
  readonly matches: (entry: Pick<FleetDevice, 'device' | 'group'>) => boolean;
};

function activeOfWindow(window: MaintenanceWindow, at: number): readonly Matcher[] {
  const { name, scope, durationMilliseconds } = window;
  const since = window.lastStart(at, at - durationMilliseconds);
  if (since === undefined) return [];
  const until = since + durationMilliseconds;
  const unrequested = { untilBack: false, reason: '', by: '' };
  const active = { id: name, source: 'configured' as const, scope, since, until, ...unrequested };
  return [{ active, matches: matcherOf(scope) }];
}

function activeOfRequest(request: MaintenanceRequest): Matcher {
  const { startedAt: since, away, ...active } = request;
  const isCovered = matcherOf(active.scope);
  return {
    active: { ...active, source: 'requested', since },
    matches: (entry) =>
      isCovered(entry) && !(active.untilBack && (away.get(entry.device.id) ?? 0) >= BACK_LISTS),
  };
}

/** Returns a function that reports whether a scope contains a phone. */
export function matcherOf({ groups, devices }: MaintenanceScope): Matcher['matches'] {
  if (groups.length === 0 && devices.length === 0) return () => true;
  const inGroups = new Set(groups);
  const named = new Set(devices);
  return ({ device, group }) => inGroups.has(group) || named.has(device.id) || named.has(device.label);
}

/** Returns a function that reports whether active maintenance covers a phone, which may already be back online. */
export function coverageOf({ source, id, scope }: Maintenance, requests: Requests): Matcher['matches'] {
  const request = source === 'requested' ? requests.find((each) => each.id === id) : undefined;
  return request === undefined ? matcherOf(scope) : activeOfRequest(request).matches;
}

/** Reports whether a scope contains an account. */
export function isOfAccount({ accounts }: MaintenanceScope, name: string): boolean {
  return accounts.length === 0 || accounts.includes(name);
}

export function requestsWith(requests: Requests, effect: MaintenanceEffect): Requests {
  const [id, added] = 'started' in effect ? [effect.started.id, [effect.started]] : [effect.ended, []];
  return [...requests.filter((request) => request.id !== id), ...added];
}

/** Returns the phones of a scope that are offline now, in the form of {@link MaintenanceRequest.away}. */
export function offlineIn(scope: MaintenanceScope, devices: Fleet['devices']): MaintenanceRequest['away'] {
  const isCovered = matcherOf(scope);
  return new Map([...devices].flatMap(([id, entry]) => (entry.offline && isCovered(entry) ? [[id, 0]] : [])));
}

/** Extends a request to the later end. Phones that were back online are covered again. */
export function extended(
  { id, startedAt, until, away }: MaintenanceRequest,
  again: MaintenanceRequest,
): MaintenanceRequest {
  const notBack = [...away].filter(([, lists]) => lists < BACK_LISTS);
  return {
    ...again,
    ...{ id, startedAt, until: Math.max(until, again.until), away: new Map([...notBack, ...again.away]) },
  };
}

/** Returns the requests after a list, without those that ended, and with the phones that have come back online. */
function requestsAfter(requests: Requests, devices: Fleet['devices'], at: number): Requests {
  if (requests.length === 0) return requests;
  return requests
    .filter(({ until }) => until > at)
    .flatMap((request) => (request.untilBack ? withBack(request, devices) : request));
}

/** Counts the lists that show phones back online. Returns no request once every phone has gone offline and come back. */
function withBack(request: MaintenanceRequest, devices: Fleet['devices']): Requests {
  const isCovered = matcherOf(request.scope);
  const away = new Map(request.away);
  for (const [id, entry] of devices) {
    const known = away.get(id);
    if (known === undefined && !(entry.offline && isCovered(entry))) continue;
    if ((known ?? 0) >= BACK_LISTS) continue;
    away.set(id, entry.offline ? 0 : (known ?? 0) + 1);
  }
  const covered = [...devices].filter(([, entry]) => isCovered(entry));
  const areBack = covered.length > 0 && covered.every(([id]) => (away.get(id) ?? 0) >= BACK_LISTS);
  return areBack ? [] : [{ ...request, away }];
}
