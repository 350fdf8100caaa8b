import type { Fleet, FleetDevice } from '../../model/fleet.ts';
import type { MaintenanceObservation } from '../../model/observation.ts';
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

/** What covers phones now. */
export type Cover = {
  /** Returns what covers a phone; undefined if it is not in maintenance. */
  readonly of: (entry: Pick<FleetDevice, 'device' | 'group'>) => Holding | undefined;
  /** Everything that holds, whether it covers a phone or not. */
  readonly holding: readonly Matcher[];
};

/** A window or a request that holds. */
type Holding = Omit<Maintenance, 'devices' | 'silent'>;

/** Nothing is worked on. */
export const NO_COVER: Cover = { of: () => undefined, holding: [] };

/** Returns what holds at an instant. Of several that cover a phone, the one that ends last counts. */
export function coverAt(windows: readonly Recurring[], requests: Requests, at: number): Cover {
  if (windows.length === 0 && requests.length === 0) return NO_COVER;
  const matchers = [
    ...windows.flatMap((window) => holdingOfWindow(window, at)),
    ...requests.filter(({ until }) => until > at).map(holdingOfRequest),
  ].toSorted((one, other) => other.holding.until - one.holding.until);
  if (matchers.length === 0) return NO_COVER;
  return {
    of: (entry) => matchers.find(({ matches }) => matches(entry))?.holding,
    holding: matchers,
  };
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

/** Returns a function that tells whether a phone is meant. */
export function matcherOf({ groups, devices }: MaintenanceScope): Matcher['matches'] {
  if (groups.length === 0 && devices.length === 0) return () => true;
  const inGroups = new Set(groups);
  const named = new Set(devices);
  return ({ device, group }) => inGroups.has(group) || named.has(device.id) || named.has(device.label);
}

/** Tells whether an account is meant. */
export function isOfAccount({ accounts }: MaintenanceScope, name: string): boolean {
  return accounts.length === 0 || accounts.includes(name);
}

/** Returns the requests after one was said, said again, or ended. */
export function requestsWith(requests: Requests, said: MaintenanceObservation): Requests {
  const [id, added] = said.kind === 'maintenance' ? [said.maintenance.id, [said.maintenance]] : [said.id, []];
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
    if (known === undefined && !(entry.silent && isMeant(entry))) continue;
    if ((known ?? 0) >= BACK_LISTS) continue;
    away.set(id, entry.silent ? 0 : (known ?? 0) + 1);
  }
  for (const id of request.away.keys()) if (!devices.has(id)) away.delete(id);
  return { ...request, away };
}

/** Tells whether each device that is meant was away and is back. */
function areBack({ scope, away }: MaintenanceRequest, devices: Fleet['devices']): boolean {
  const isMeant = matcherOf(scope);
  const meant = [...devices].filter(([, entry]) => isMeant(entry));
  return meant.length > 0 && meant.every(([id]) => (away.get(id) ?? 0) >= BACK_LISTS);
}

/** Returns what holds, with how many phones each covers. A phone that several cover counts for each of them. */
export function countCovered({ holding }: Cover, devices: Fleet['devices']): readonly Maintenance[] {
  return holding.map(({ holding: each, matches }) => {
    const covered = [...devices.values()].filter(matches);
    return { ...each, devices: covered.length, silent: covered.filter(({ silent }) => silent).length };
  });
}
