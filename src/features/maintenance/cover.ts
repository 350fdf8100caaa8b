import { definePart } from '../../judge/part.ts';
import { type MutedSince, NONE_MUTED } from '../../judge/problems.ts';
import type { Fleet, FleetDevice } from '../../model/fleet.ts';
import type { Maintenance, MaintenanceRequest, MaintenanceScope, MaintenanceWindow } from './model.ts';

/*
 * Which phones does the owner work on? A phone in maintenance keeps its facts and has no problem; it votes for no cause, and
 * its gaps teach nothing.
 */

/** What the owner said at run time. */
type Requests = readonly MaintenanceRequest[];

/** A window that recurs, with the calendar that says when. */
export type Recurring = MaintenanceWindow & {
  /** Returns the last start of the window up to an instant and later than another; undefined without one. */
  readonly lastStart: (upTo: number, laterThan: number) => number | undefined;
};

/** Number of lists after which a phone that reports again is back. */
const BACK_LISTS = 2;

/** A window or a request that holds. */
type Holding = Omit<Maintenance, 'devices' | 'offline'>;

/** The memory of an account. */
type MaintenanceMemory = {
  readonly requests: Requests;
  /** Windows and requests that hold, as of the last judgement. */
  readonly holding: readonly Maintenance[];
};

/** A request that was said or said again, or the id of one that is over. */
export type MaintenanceEffect = { readonly said: MaintenanceRequest } | { readonly over: string };

/** The requests of an account, and what holds. Its settings are the windows of the account. */
export const MAINTENANCE = definePart<MaintenanceMemory, MaintenanceEffect, readonly Recurring[]>({
  name: 'maintenance',
  create: () => ({ requests: [], holding: [] }),
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
    const matchers = matchersAt(windows, memory.requests, at ?? fleet.apiTime);
    if (matchers.length === 0 && memory.holding.length === 0) return memory;
    return { ...memory, holding: matchers.map((matcher) => withCounts(matcher, fleet.devices)) };
  },
});

/** Returns which devices are in maintenance at an instant. Of several that cover a device, the one that ends last counts. */
export function coverAt(windows: readonly Recurring[], requests: Requests, at: number): MutedSince {
  const matchers = matchersAt(windows, requests, at);
  if (matchers.length === 0) return NONE_MUTED;
  return (entry) => matchers.find(({ matches }) => matches(entry))?.holding.since;
}

/** Returns what holds at an instant, the one that ends last first. */
function matchersAt(windows: readonly Recurring[], requests: Requests, at: number): readonly Matcher[] {
  return [
    ...windows.flatMap((window) => holdingOfWindow(window, at)),
    ...requests.filter(({ until }) => until > at).map(holdingOfRequest),
  ].toSorted((one, other) => other.holding.until - one.holding.until);
}

type Matcher = {
  readonly holding: Holding;
  readonly matches: (entry: Pick<FleetDevice, 'device' | 'group'>) => boolean;
};

function holdingOfWindow(window: Recurring, at: number): readonly Matcher[] {
  const { name, scope, durationMilliseconds } = window;
  const since = window.lastStart(at, at - durationMilliseconds);
  if (since === undefined) return [];
  const until = since + durationMilliseconds;
  return [
    {
      holding: {
        ...{ id: name, source: 'configured', since, until, untilBack: false },
        ...{ reason: '', by: '', scope },
      },
      matches: matcherOf(scope),
    },
  ];
}

function holdingOfRequest({
  id,
  scope,
  reason,
  by,
  startedAt,
  until,
  untilBack,
  away,
}: MaintenanceRequest): Matcher {
  const isMeant = matcherOf(scope);
  return {
    holding: { id, source: 'requested', since: startedAt, until, untilBack, reason, by, scope },
    matches: (entry) => isMeant(entry) && !(untilBack && (away.get(entry.device.id) ?? 0) >= BACK_LISTS),
  };
}

/** Returns a function that reports whether a phone is meant. */
export function matcherOf({ groups, devices }: MaintenanceScope): Matcher['matches'] {
  if (groups.length === 0 && devices.length === 0) return () => true;
  const inGroups = new Set(groups);
  const named = new Set(devices);
  return ({ device, group }) => inGroups.has(group) || named.has(device.id) || named.has(device.label);
}

/** Reports whether an account is meant. */
export function isOfAccount({ accounts }: MaintenanceScope, name: string): boolean {
  return accounts.length === 0 || accounts.includes(name);
}

/** Returns the requests after one was said, said again, or ended. */
export function requestsWith(requests: Requests, effect: MaintenanceEffect): Requests {
  const [id, added] = 'said' in effect ? [effect.said.id, [effect.said]] : [effect.over, []];
  return [...requests.filter((request) => request.id !== id), ...added];
}

/** Returns a request that is said again: it holds until the later end. Phones that were back are covered again. */
export function extended(
  { id, startedAt, until, away }: MaintenanceRequest,
  again: MaintenanceRequest,
): MaintenanceRequest {
  const notBack = new Map([...away].filter(([, lists]) => lists < BACK_LISTS));
  return { ...again, id, startedAt, until: Math.max(until, again.until), away: notBack };
}

/** Returns the requests after a list: those that ended are gone, and phones that were away and report are back. */
export function requestsAfter(requests: Requests, devices: Fleet['devices'], at: number): Requests {
  if (requests.length === 0) return requests;
  return requests
    .filter(({ until }) => until > at)
    .map((request) => (request.untilBack ? withBack(request, devices) : request))
    .filter((request) => !request.untilBack || !areBack(request, devices));
}

function withBack(request: MaintenanceRequest, devices: Fleet['devices']): MaintenanceRequest {
  const isMeant = matcherOf(request.scope);
  const away = new Map(request.away);
  for (const [id, entry] of devices) {
    const known = away.get(id);
    if (known === undefined && !(entry.offline && isMeant(entry))) continue;
    if ((known ?? 0) >= BACK_LISTS) continue;
    away.set(id, entry.offline ? 0 : (known ?? 0) + 1);
  }
  for (const id of request.away.keys()) if (!devices.has(id)) away.delete(id);
  return { ...request, away };
}

/** Reports whether each device that is meant was away and is back. */
function areBack({ scope, away }: MaintenanceRequest, devices: Fleet['devices']): boolean {
  const isMeant = matcherOf(scope);
  const meant = [...devices].filter(([, entry]) => isMeant(entry));
  return meant.length > 0 && meant.every(([id]) => (away.get(id) ?? 0) >= BACK_LISTS);
}

/** Counts the phones that a window or a request covers. A phone that several cover counts for each of them. */
function withCounts({ holding, matches }: Matcher, devices: Fleet['devices']): Maintenance {
  const covered = [...devices.values()].filter(matches);
  return { ...holding, devices: covered.length, offline: covered.filter(({ offline }) => offline).length };
}
