import type { Steps } from '../base/steps.ts';
import { type CauseKind, groupAccount, ownKind } from '../model/cause.ts';
import { addTo } from '../model/enums.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { MINUTE } from '../model/time.ts';
import { evidenceOf } from './cause-evidence.ts';
import { NONE, type Stopped, type Votes, valueOfKind } from './cause-votes.ts';

/*
 * Search for values that stopped devices share.
 *
 * 1. Collect the values that at least three stopped devices share, such as the group rack-03.
 * 2. Weigh each value in the minutes, or in the hours, in which most of its devices stopped.
 * 3. If several kinds explain the same devices, choose the one that explains most of them with the fewest causes.
 * 4. Repeat 2 and 3 with the remaining devices: a large cause hides a small one.
 * 5. Name each value, but wait while a wider one may still turn out to have failed.
 */

/** Minimum number of offline devices that a cause explains: by chance, two go offline at once too often. */
export const MIN_DEVICES = 3;

/** The same for a tag: its devices may be anywhere, or all in one part of a group that is failing slowly. */
const MIN_TAG_DEVICES = 5;

/** Minimum share of its devices that a cause stops. Lower for a group that fails at once: it may have two uplinks. */
const MIN_SHARE = 0.8;
const MIN_GROUP_SHARE = 0.6;

/** The time in which a cause's devices stop, in milliseconds, with the minimum number and share of a group's devices. */
type Window = { readonly milliseconds: number; readonly minDevices: number; readonly groupShare: number };

/** Minutes: power cuts and crashes. Hours: batteries, heat, rollouts, and more devices that stop by chance. */
const WINDOWS: readonly Window[] = [
  { milliseconds: 5 * MINUTE, minDevices: MIN_DEVICES, groupShare: MIN_GROUP_SHARE },
  { milliseconds: 240 * MINUTE, minDevices: 5, groupShare: MIN_SHARE },
];

/** Cost of a cause, in devices: a place fails as a whole more often than a version or a model does. */
const COSTS = {
  group: 2,
  tunnel_host: 2,
  account: 4,
  app_version: 5,
  model: 5,
  other: 4,
} as const satisfies Readonly<Record<string, number>>;

/** Cost of a device that has the value and still reports, in devices. */
const REPORTED_COST = 2;

/** Maximum share of a wider value's devices that are not yet due, if fewer have reported. */
const MAX_UNDECIDED = 0.05;

/** A value that explains why devices stopped. */
export type FoundCause = {
  readonly kind: CauseKind;
  readonly value: string;
  /** The offline ones. */
  readonly stops: readonly Stopped[];
  /** Number of devices with the value that have a vote. */
  readonly ownDevices: number;
  /** It needs more data before it is shown. */
  readonly isOpen: boolean;
};

/** Devices that have a vote. */
type Devices = {
  /** Stopped devices, by `from`. */
  readonly stops: readonly Stopped[];
  /** Last heartbeats of the reporting devices. */
  readonly heartbeats: readonly number[];
};

type Value = Devices & { readonly kind: CauseKind; readonly text: string };

type ValuesByKind = ReadonlyMap<CauseKind, ReadonlyMap<string, Value>>;

/** A value that failed, and the time in which most of its devices stopped. */
type Failure = {
  readonly value: Value;
  readonly stops: readonly Stopped[];
  /** The last heartbeat of these devices. */
  readonly at: number;
  /** Number of devices with the value that have reported since. */
  readonly reported: number;
  readonly evidence: number;
};

/** Reports whether a value is a cause that has already been shown. */
type IsShown = (value: Pick<FoundCause, 'kind' | 'value'>) => boolean;

/** Finds the values that explain the devices that stopped. */
export function* findCauses(votes: Votes, isShown: IsShown): Steps<readonly FoundCause[]> {
  if (votes.stops.length < MIN_DEVICES) return [];
  const all = {
    stops: votes.stops,
    heartbeats: votes.reporting.flatMap(({ devices }) => devices.map(heartbeatOf)),
  };
  const values = new Map<CauseKind, ReadonlyMap<string, Value>>();
  for (const kind of votes.kinds) {
    yield;
    values.set(kind, collectValues(kind, votes));
  }
  const chosen: Failure[] = [];
  const explained = new Set<Stopped>();
  for (let before = -1; before < chosen.length; ) {
    before = chosen.length;
    const failures: Failure[] = [];
    for (const [kind, ofKind] of values) {
      yield;
      failures.push(...weighValues(kind, ofKind, all, explained));
    }
    yield;
    chosen.push(...chooseFailures(failures, explained));
  }
  yield;
  return nameCauses(chosen, values, all, isShown);
}

/** Collects the values of a kind that may have failed. */
function collectValues(kind: CauseKind, { stops, reporting }: Votes): ReadonlyMap<string, Value> {
  const stopsOf = new Map<string, Stopped[]>();
  for (const stop of stops) addTo(stopsOf, valueOfKind(stop, kind), stop);
  stopsOf.delete(NONE);
  const values = new Map<string, Value & { readonly heartbeats: number[] }>();
  for (const [text, stopsOfValue] of stopsOf)
    if (stopsOfValue.length >= MIN_DEVICES)
      values.set(text, { kind, text, stops: stopsOfValue, heartbeats: [] });
  if (values.size === 0) return values;
  for (const { devices, readValue } of reporting)
    for (const entry of devices) values.get(readValue(kind, entry))?.heartbeats.push(heartbeatOf(entry));
  return values;
}

function heartbeatOf({ device }: FleetDevice): number {
  return device.lastHeartbeatAt ?? 0;
}

/** Lists the failed values of a kind, each in the time with the strongest evidence. */
function weighValues(
  kind: CauseKind,
  values: ReadonlyMap<string, Value>,
  all: Devices,
  explained: ReadonlySet<Stopped>,
): readonly Failure[] {
  const unexplained = withoutStops(all.stops, explained);
  const devices = sizeOf(all);
  const best = new Map<string, Failure>();
  for (const window of WINDOWS) {
    const bursts = [...values.values()].flatMap((value) => findBurst(value, explained, window) ?? []);
    if (bursts.length === 0) continue;
    // The devices whose values did not fail show how many stop anyway.
    const failed = new Set(bursts.map(({ value }) => value.text));
    const others = unexplained.filter((stop) => !failed.has(valueOfKind(stop, kind)));
    const otherDevices =
      others.length +
      bursts.reduce((remaining, { value }) => remaining - value.heartbeats.length, all.heartbeats.length);
    for (const burst of bursts) {
      const stopped = countUpTo(others, burst.at) - countUpTo(others, burst.at - window.milliseconds);
      const evidence = evidenceOf(
        { stopped: burst.stops.length, reported: burst.reported },
        { stopped, reported: otherDevices - stopped },
        devices,
        window.milliseconds,
      );
      if (evidence > (best.get(burst.value.text)?.evidence ?? 0))
        best.set(burst.value.text, { ...burst, evidence });
    }
  }
  return [...best.values()];
}

function withoutStops(stops: readonly Stopped[], explained: ReadonlySet<Stopped>): readonly Stopped[] {
  return explained.size === 0 ? stops : stops.filter((stop) => !explained.has(stop));
}

type Burst = Omit<Failure, 'evidence'>;

/** Finds the time in which most unexplained devices of a value stopped; undefined if there are too few. */
function findBurst(value: Value, explained: ReadonlySet<Stopped>, window: Window): Burst | undefined {
  const { milliseconds, minDevices, groupShare } = window;
  const unexplained = withoutStops(value.stops, explained);
  let [first, start, end] = [0, 0, 0];
  for (let last = 0; last < unexplained.length; last += 1) {
    const at = unexplained[last]?.from ?? 0;
    while ((unexplained[first]?.from ?? at) < at - milliseconds) first += 1;
    if (last + 1 - first >= end - start) [start, end] = [first, last + 1];
  }
  const stops = unexplained.slice(start, end);
  const at = stops.at(-1)?.from ?? 0;
  const least = ownKind(value.kind) === undefined ? MIN_TAG_DEVICES : minDevices;
  if (stops.length < least) return undefined;
  // A device that another cause stopped at about that time may belong to this one; if it stopped later, it was
  // reporting.
  const isLater = (stop: Stopped): boolean => stop.from > at + (explained.has(stop) ? milliseconds : 0);
  const reported = countIf(value.stops, isLater) + countIf(value.heartbeats, (heartbeat) => heartbeat > at);
  const share = value.kind === 'group' ? groupShare : MIN_SHARE;
  return stops.length < share * (stops.length + reported) ? undefined : { value, at, reported, stops };
}

function countIf<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number {
  let count = 0;
  for (const item of items) if (isCounted(item)) count += 1;
  return count;
}

/** Counts the devices that stopped up to an instant. They are sorted by `from`. */
function countUpTo(stops: readonly Stopped[], at: number): number {
  let [low, high] = [0, stops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle]?.from ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Chooses the failures that explain the most devices, and adds those devices to `explained`. */
function chooseFailures(failures: readonly Failure[], explained: Set<Stopped>): readonly Failure[] {
  const chosen: Failure[] = [];
  for (const rivals of findRivals(failures)) {
    const ofKinds = new Map<CauseKind, Failure[]>();
    for (const failure of rivals) addTo(ofKinds, failure.value.kind, failure);
    const best = [...ofKinds].reduce((one, other) => (worthOf(other) > worthOf(one) ? other : one))[1];
    for (const failure of best) {
      chosen.push(failure);
      for (const stop of failure.stops) explained.add(stop);
    }
  }
  return chosen;
}

/** Groups failures that explain the same devices, each group in the order of kinds. */
function findRivals(failures: readonly Failure[]): readonly (readonly Failure[])[] {
  const owners = new Map<Stopped, Failure[]>();
  for (const failure of failures) for (const stop of failure.stops) addTo(owners, stop, failure);
  const seen = new Set<Failure>();
  const sets: (readonly Failure[])[] = [];
  for (const first of failures) {
    if (seen.has(first)) continue;
    const rivals = new Set([first]);
    // A Set also visits items that are added during the loop.
    for (const failure of rivals)
      for (const stop of failure.stops) for (const owner of owners.get(stop) ?? []) rivals.add(owner);
    for (const rival of rivals) seen.add(rival);
    sets.push(failures.filter((failure) => rivals.has(failure)));
  }
  return sets;
}

/** Returns the worth of a kind's failures, in devices. All accounts fail for the same reason: the marketplace. */
function worthOf([kind, failures]: readonly [CauseKind, readonly Failure[]]): number {
  // A group shared by accounts costs as much as one group in each: a model may have failed in all of them.
  const namesOf = ({ stops, value: { text } }: Failure): number =>
    kind === 'group' && groupAccount({ kind, value: text }) === undefined
      ? new Set(stops.map(({ account }) => account)).size
      : 1;
  const causes = kind === 'account' ? 1 : failures.reduce((sum, failure) => sum + namesOf(failure), 0);
  return failures.reduce(
    (worth, { stops, reported }) => worth + stops.length - REPORTED_COST * reported,
    -COSTS[ownKind(kind) ?? 'other'] * causes,
  );
}

/** Names the chosen values. Each device belongs to the narrowest cause that explains it. */
function nameCauses(
  chosen: readonly Failure[],
  values: ValuesByKind,
  all: Devices,
  isShown: IsShown,
): readonly FoundCause[] {
  const taken = new Set<Stopped>();
  const bySize = chosen.toSorted((one, other) => sizeOf(one.value) - sizeOf(other.value));
  return bySize.flatMap((failure) => {
    const { kind, text: value } = failure.value;
    const untaken = stopsWith(failure).filter((stop) => !taken.has(stop));
    for (const stop of untaken) taken.add(stop);
    const stops = untaken.filter(({ isOffline }) => isOffline);
    if (stops.length === 0) return [];
    const isOpen =
      !isShown({ kind, value }) &&
      (stops.length < MIN_DEVICES ||
        widerValues(failure, values, all).some((wider) => isUndecided(wider, failure.at)));
    return [{ kind, value, stops, ownDevices: sizeOf(failure.value), isOpen }];
  });
}

/** Returns a failed value's devices that stopped at the same time, including those that a wider value explains. */
function stopsWith({ value, stops, at }: Failure): readonly Stopped[] {
  const from = (stops[0]?.from ?? at) - MINUTE;
  return value.stops.filter((stop) => stop.from >= from && stop.from <= at + MINUTE);
}

function sizeOf({ stops, heartbeats }: Devices): number {
  return stops.length + heartbeats.length;
}

/** Lists the larger values to which most devices of a failure belong. No value is wider than an account. */
function widerValues({ value, stops }: Failure, values: ValuesByKind, all: Devices): readonly Devices[] {
  if (value.kind === 'account') return [];
  const wider = [all];
  for (const [kind, ofKind] of values) {
    const counts = new Map<string, number>();
    for (const stop of stops) {
      const text = valueOfKind(stop, kind);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    for (const [text, count] of counts) {
      const other = 2 * count > stops.length ? ofKind.get(text) : undefined;
      if (other !== undefined) wider.push(other);
    }
  }
  return wider.filter((other) => sizeOf(other) > sizeOf(value));
}

/** Reports whether too many devices are not yet due to rule out that a value failed. */
function isUndecided(devices: Devices, at: number): boolean {
  const reported = countIf(devices.heartbeats, (heartbeat) => heartbeat > at);
  const undecided = devices.heartbeats.length - reported;
  return undecided > reported && undecided > MAX_UNDECIDED * sizeOf(devices);
}
