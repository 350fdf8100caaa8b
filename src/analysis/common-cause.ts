import { type AccountCause, CAUSE_KINDS, type CommonCause } from '../model/cause.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { shownData } from '../model/reading.ts';
import { GIVEN_UP_SECONDS, RENTED_SILENT_SECONDS } from '../model/silence.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import type { Tunnels } from '../model/tunnel.ts';
import { lnChoose, lnHypergeometricTail } from './hypergeometric.ts';

/** Fewest devices that a cause explains. */
const LEAST_DEVICES = 3;

/** Share of its own devices that a cause silences, and share of the silent ones that the causes explain together. */
const LEAST_SHARE = 0.8;

/** Share of its devices that a cause explains and no other one does: what a cause leaves over is no second cause. */
const LEAST_NEW_SHARE = 0.2;

/** Shortest time in which devices that fall silent together send their last heartbeats. */
const LEAST_WINDOW_SECONDS = 90;

/** A device is silent for this many times the usual time between its heartbeats, or it is only slow. */
const SILENT_GAPS = 1.5;

/** A device fell silent at most this many times the usual time between its heartbeats after the last one. */
const WINDOW_GAPS = 1.25;

/** Probability, over all values tried, below which an overlap is no chance. */
const SIGNIFICANCE = 0.05;

/** Fewest devices of which four fifths at once are no chance, where there is nobody to compare with. */
const LEAST_WHOLE_FLEET = 5;

/** Devices that one more value has to explain before two values are the better explanation than one. */
const VALUE_COST = 3;

/** A device that still reports speaks more against a cause than a silent one that it does not explain. */
const REPORTING_COST = 2;

/** Time over which devices that fall silent by themselves are counted. */
const BACKGROUND_MILLISECONDS = 6 * 3_600_000;

/** Most clusters that are examined; nobody reads more causes than these explain. */
const MOST_CLUSTERS = 20;

/** No value of a kind. */
const NONE = '';

/**
 * Finds the properties that explain which devices are silent, and returns them for each account, in the order of the
 * accounts. All accounts are analysed together, since they may stand in one room.
 *
 * A device fell silent between its last heartbeat and the next one that was due. Devices whose intervals share a moment
 * are a cluster. For each value of each kind the overlap with the cluster is tested: Fisher's exact test, one-sided, that
 * is the upper tail of the hypergeometric distribution, with Bonferroni's correction for the values tried (Rivals et al.,
 * "Enrichment or depletion of a GO category within a class of genes: which test?", Bioinformatics 23, 2007). Values of one
 * kind explain a cluster together; the kind wins that leaves fewest devices unexplained, each further value counted as
 * {@link VALUE_COST} of them. What is left is examined again.
 */
export function findCommonCauses(accounts: readonly AccountSnapshot[]): Causes {
  const search = searchCauses(accounts);
  let step = search.next();
  while (step.done !== true) step = search.next();
  return step.value;
}

/** Does the same in steps, between which the event loop gets a turn. */
export async function findCommonCausesInSteps(
  accounts: readonly AccountSnapshot[],
  yieldToEventLoop: () => Promise<void>,
): Promise<Causes> {
  const search = searchCauses(accounts);
  let step = search.next();
  while (step.done !== true) {
    await yieldToEventLoop();
    step = search.next();
  }
  return step.value;
}

/** Causes of each account. */
export type Causes = readonly (readonly AccountCause[])[];

/** Number of devices that are looked at in one step. */
const STEP_DEVICES = 2_000;

/** A computation in steps, each of at most a few milliseconds at 10,000 devices. */
type Steps<Result> = Generator<undefined, Result, undefined>;

function* searchCauses(accounts: readonly AccountSnapshot[]): Steps<Causes> {
  const fleets: FleetFacts[] = [];
  for (const account of accounts) fleets.push(yield* fleetFactsOf(account));
  const silent = fleets.flatMap((facts) => facts.silent);
  if (silent.length < LEAST_DEVICES) return accounts.map(() => []);
  yield;
  const search = yield* prepare(accounts, fleets, silent);
  yield;
  for (let count = 0; count < MOST_CLUSTERS && (yield* examineNextCluster(search)); count += 1) yield;
  return accounts.map(({ name }) =>
    search.causes.flatMap(({ cause, members }) => {
      const deviceIds = members.filter(({ account }) => account === name).map(({ id }) => id);
      return deviceIds.length === 0 ? [] : [{ cause, deviceIds }];
    }),
  );
}

/** A silent device. Instants are milliseconds since 1970. */
type SilentDevice = {
  readonly account: string;
  readonly id: string;
  /** It fell silent between these two instants. */
  readonly from: number;
  readonly until: number;
  readonly entry: FleetDevice;
};

type FleetFacts = {
  /** Number of devices that report, or did lately. */
  readonly devices: number;
  readonly silent: readonly SilentDevice[];
};

const NO_FACTS: FleetFacts = { devices: 0, silent: [] };

/** Facts by fleet: a poll of one account leaves those of the others as they are. */
const knownFacts = new WeakMap<Fleet, FleetFacts>();

function* fleetFactsOf({ name, devices }: AccountSnapshot): Steps<FleetFacts> {
  const fleet = shownData(devices);
  if (fleet === undefined) return NO_FACTS;
  const facts = knownFacts.get(fleet) ?? (yield* readFleet(name, fleet));
  knownFacts.set(fleet, facts);
  return facts;
}

function* readFleet(account: string, fleet: Fleet): Steps<FleetFacts> {
  const silent: SilentDevice[] = [];
  let usualGap: number | undefined;
  let devices = 0;
  let looked = 0;
  for (const [id, entry] of fleet.devices) {
    looked += 1;
    if (looked % STEP_DEVICES === 0) yield;
    if (!isJudged(entry)) continue;
    devices += 1;
    const { heartbeatAgeSeconds: age = 0, device } = entry;
    if (age <= RENTED_SILENT_SECONDS || device.lastHeartbeatAt === undefined) continue;
    if (entry.heartbeatGapSeconds === undefined) usualGap ??= medianGap(fleet);
    const gap = entry.heartbeatGapSeconds ?? usualGap ?? 0;
    if (age <= SILENT_GAPS * gap) continue;
    const from = device.lastHeartbeatAt;
    const until = from + Math.max(LEAST_WINDOW_SECONDS, WINDOW_GAPS * gap) * 1000;
    silent.push({ account, id, from, until, entry });
  }
  return { devices, silent };
}

/** Tells whether a device reports, or did before it was given up. */
function isJudged({ heartbeatAgeSeconds: age }: FleetDevice): boolean {
  return age !== undefined && age <= GIVEN_UP_SECONDS;
}

/** Returns the usual time between two heartbeats, in seconds; 0 if it is not known of any device. */
function medianGap({ devices }: Fleet): number {
  const gaps = new Float64Array(devices.size);
  let count = 0;
  for (const { heartbeatGapSeconds: gap } of devices.values()) if (gap !== undefined) gaps[count++] = gap;
  return gaps.subarray(0, count).sort()[count >> 1] ?? 0;
}

/** Returns the indexes of instants in their order. Numbers sort much faster than objects. */
function orderOf(instants: Float64Array): Int32Array {
  const first = instants.reduce((least, instant) => Math.min(least, instant), Number.POSITIVE_INFINITY);
  // Exact: the milliseconds of a week times the largest fleet are below 2^53.
  const keys = instants.map((instant, index) => Math.round(instant - first) * MOST_DEVICES + index).sort();
  const order = new Int32Array(keys.length);
  for (let place = 0; place < keys.length; place += 1) order[place] = (keys[place] ?? 0) % MOST_DEVICES;
  return order;
}

const MOST_DEVICES = 2 ** 22;

function numbersOf(
  devices: readonly SilentDevice[],
  numberOf: (device: SilentDevice) => number,
): Float64Array {
  const numbers = new Float64Array(devices.length);
  for (let index = 0; index < devices.length; index += 1) {
    const device = devices[index];
    if (device !== undefined) numbers[index] = numberOf(device);
  }
  return numbers;
}

/** A value that silent devices have. */
type Value = {
  readonly kind: number;
  readonly text: string;
  /** Number of all devices with this value; Infinity where it is certainly too large for a cause. */
  all: number;
};

type NamedCause = { readonly cause: CommonCause; readonly members: readonly SilentDevice[] };

/** The state of the search. Silent devices and values are numbers here: indexes into these lists. */
type Search = {
  /** By their last heartbeats. */
  readonly silent: readonly SilentDevice[];
  /** The ends of their intervals. */
  readonly from: Float64Array;
  readonly until: Float64Array;
  /** The same devices by the second of them. */
  readonly byEnd: Int32Array;
  readonly values: readonly Value[];
  /** Values of each silent device, one for each kind; -1 for none. */
  readonly valuesOf: Int32Array;
  /** 1 for a silent device that a cause explains. */
  readonly explained: Uint8Array;
  /** Values that explain nothing although many of their devices are silent. */
  readonly rejected: Set<number>;
  readonly causes: NamedCause[];
  /** Number of all devices. */
  readonly devices: number;
};

const KINDS = CAUSE_KINDS.length;

/** Returns a value of a device, by the index of its kind. */
function textOf(kind: number, id: string, entry: FleetDevice, account: string, tunnels?: Tunnels): string {
  switch (CAUSE_KINDS[kind]) {
    case 'group':
      return entry.group;
    case 'tunnel_host':
      return tunnels?.get(id)?.tunnel?.host ?? NONE;
    case 'account':
      return account;
    case 'app_version':
      return entry.device.appVersion;
    default:
      return entry.device.model;
  }
}

function* prepare(
  accounts: readonly AccountSnapshot[],
  fleets: readonly FleetFacts[],
  unsorted: readonly SilentDevice[],
): Steps<Search> {
  const order = orderOf(numbersOf(unsorted, (device) => device.from));
  const silent: SilentDevice[] = [];
  for (let place = 0; place < order.length; place += 1) {
    const device = unsorted[order[place] ?? 0];
    if (device !== undefined) silent.push(device);
  }
  yield;
  const from = numbersOf(silent, (device) => device.from);
  const until = numbersOf(silent, (device) => device.until);
  const tunnels = new Map(accounts.map((account) => [account.name, shownData(account.tunnels)]));
  const values: Value[] = [];
  const valuesOf = new Int32Array(silent.length * KINDS).fill(-1);
  const known = CAUSE_KINDS.map(() => new Map<string, number>());
  const places = new Int32Array(order.length);
  for (let place = 0; place < order.length; place += 1) places[order[place] ?? 0] = place;
  yield;
  // In the order of the fleet, which lies in memory like that.
  for (let index = 0; index < unsorted.length; index += 1) {
    if (index % STEP_DEVICES === STEP_DEVICES - 1) yield;
    const device = unsorted[index];
    if (device === undefined) continue;
    const { id, entry, account } = device;
    const tunnelsOfAccount = tunnels.get(account);
    for (let kind = 0; kind < KINDS; kind += 1) {
      const text = textOf(kind, id, entry, account, tunnelsOfAccount);
      if (text === NONE) continue;
      const ofKind = known[kind];
      let value = ofKind?.get(text);
      if (value === undefined) {
        value = values.length;
        ofKind?.set(text, value);
        values.push({ kind, text, all: 0 });
      }
      valuesOf[(places[index] ?? 0) * KINDS + kind] = value;
    }
  }
  const search: Search = {
    silent,
    from,
    until,
    byEnd: orderOf(until),
    values,
    valuesOf,
    explained: new Uint8Array(silent.length),
    rejected: new Set(),
    causes: [],
    devices: fleets.reduce((sum, { devices }) => sum + devices, 0),
  };
  yield;
  yield* countDevices(search, accounts);
  return search;
}

/**
 * Counts the devices of each value. Counting a value ends where it has so many devices that those that fell silent together
 * can't be four fifths of them: then, on most days, few devices have to be looked at.
 */
function* countDevices(search: Search, accounts: readonly AccountSnapshot[]): Steps<void> {
  const { values, valuesOf } = search;
  const { most } = sweep(search);
  const silent = new Int32Array(values.length);
  for (const value of valuesOf) if (value !== -1) add(silent, value, 1);
  const open = CAUSE_KINDS.map(() => new Map<string, { readonly value: Value; readonly limit: number }>());
  for (const [index, value] of values.entries()) {
    const count = most[index] ?? 0;
    if (count < LEAST_DEVICES) value.all = Number.POSITIVE_INFINITY;
    else open[value.kind]?.set(value.text, { value, limit: count / LEAST_SHARE + (silent[index] ?? 0) });
  }
  let kinds = [...open.keys()].filter((kind) => open[kind]?.size !== 0);
  let looked = 0;
  yield;
  for (const account of accounts) {
    const tunnels = shownData(account.tunnels);
    for (const [id, entry] of shownData(account.devices)?.devices ?? []) {
      if (kinds.length === 0) return;
      looked += 1;
      if (looked % STEP_DEVICES === 0) yield;
      if (!isJudged(entry)) continue;
      for (const kind of kinds) {
        const text = textOf(kind, id, entry, account.name, tunnels);
        const found = text === NONE ? undefined : open[kind]?.get(text);
        if (found === undefined) continue;
        found.value.all += 1;
        if (found.value.all <= found.limit) continue;
        found.value.all = Number.POSITIVE_INFINITY;
        open[kind]?.delete(text);
        kinds = kinds.filter((each) => open[each]?.size !== 0);
      }
    }
  }
}

/** Examines the cluster of the value with most devices in it; returns false if there is none. */
function* examineNextCluster(search: Search): Steps<boolean> {
  const anchor = findAnchor(search);
  if (anchor === undefined) return false;
  yield;
  const { from, until, explained } = search;
  const members: number[] = [];
  for (let index = 0; index < from.length && (from[index] ?? 0) <= anchor.at; index += 1)
    if (explained[index] === 0 && (until[index] ?? 0) >= anchor.at) members.push(index);
  const found = explain(search, members, anchor.at);
  yield;
  const count = found.reduce((sum, { devices }) => sum + devices.length, 0);
  const taken = new Set(found.flatMap(({ devices }) => devices));
  const kinds = found.map(({ value }) => search.values[value]?.kind ?? 0);
  // A device without a value of these kinds, such as one without a group, speaks neither for nor against them.
  const others = members.filter(
    (index) => !taken.has(index) && kinds.some((kind) => search.valuesOf[index * KINDS + kind] !== -1),
  ).length;
  const unexpected = Math.max(0, others - expectedByChance(search, anchor.at, members));
  const isEnough = count >= LEAST_SHARE * (count + unexpected);
  if (count === 0 || !isEnough) {
    search.rejected.add(anchor.value);
    return true;
  }
  for (const explanation of found) {
    name(search, explanation, members.length - count);
    yield;
  }
  return true;
}

/** For each value, the moment at which most of its devices fell silent. */
type Sweep = {
  readonly most: Int32Array;
  /** Milliseconds since 1970. */
  readonly mostAt: Float64Array;
  /** Number of its devices that were silent before. */
  readonly endedThen: Int32Array;
};

/** Goes through all moments, with the devices that may have fallen silent at each. */
function sweep({ from, until, byEnd, values, valuesOf, explained }: Search): Sweep {
  const open = new Int32Array(values.length);
  const ended = new Int32Array(values.length);
  const most = new Int32Array(values.length);
  const mostAt = new Float64Array(values.length);
  const endedThen = new Int32Array(values.length);
  let next = 0;
  for (let index = 0; index < from.length; index += 1) {
    const at = from[index] ?? 0;
    for (; next < byEnd.length; next += 1) {
      const other = byEnd[next] ?? 0;
      if ((until[other] ?? 0) >= at) break;
      if (explained[other] === 1) continue;
      for (let kind = 0; kind < KINDS; kind += 1) {
        const value = valuesOf[other * KINDS + kind] ?? -1;
        if (value === -1) continue;
        add(open, value, -1);
        add(ended, value, 1);
      }
    }
    for (let kind = 0; kind < KINDS; kind += 1) {
      const value = valuesOf[index * KINDS + kind] ?? -1;
      if (value === -1) continue;
      if (explained[index] === 1) {
        add(ended, value, 1);
        continue;
      }
      const now = add(open, value, 1);
      if (now <= (most[value] ?? 0)) continue;
      most[value] = now;
      mostAt[value] = at;
      endedThen[value] = ended[value] ?? 0;
    }
  }
  return { most, mostAt, endedThen };
}

/** Finds the value with most devices that fell silent at one moment, and this moment. */
function findAnchor(search: Search): { readonly value: number; readonly at: number } | undefined {
  const { most, mostAt, endedThen } = sweep(search);
  let best: number | undefined;
  for (const [value, { all }] of search.values.entries()) {
    const count = most[value] ?? 0;
    const isCandidate = count >= LEAST_DEVICES && count >= LEAST_SHARE * (all - (endedThen[value] ?? 0));
    if (isCandidate && !search.rejected.has(value) && count > (best === undefined ? 0 : (most[best] ?? 0)))
      best = value;
  }
  return best === undefined ? undefined : { value: best, at: mostAt[best] ?? 0 };
}

function add(counts: Int32Array | Float64Array, index: number, amount: number): number {
  const sum = (counts[index] ?? 0) + amount;
  counts[index] = sum;
  return sum;
}

/** A value, and the members of a cluster that it explains. */
type Explanation = { readonly value: number; readonly devices: number[]; readonly own: number };

/** Explains a cluster by the values of one kind, and what is left by those of another, until nothing fits. */
function explain(search: Search, members: readonly number[], at: number): readonly Explanation[] {
  const { from, until, values, valuesOf, explained } = search;
  const found: Explanation[] = [];
  let left = members;
  let devices = search.devices;
  const own = Float64Array.from(values, ({ all }) => all);
  // A device that was silent before could not fall silent again.
  for (let index = 0; index < from.length && (from[index] ?? 0) <= at; index += 1) {
    if ((until[index] ?? 0) >= at && explained[index] === 0) continue;
    devices -= 1;
    forEachValue(valuesOf, index, (value) => add(own, value, -1));
  }
  while (left.length >= LEAST_DEVICES) {
    const fitting = fittingValues(search, left, own, devices);
    const kind = bestKind(search, fitting, own, left.length);
    if (kind === undefined) return found;
    const ofKind = fitting.filter(({ value }) => values[value]?.kind === kind);
    const largest = Math.max(...ofKind.map(({ count }) => count));
    // A value that explains no more than it costs is named alone, and not beside another one.
    const named = ofKind.filter(({ count }) => count > VALUE_COST || count === largest);
    const explanations = new Map(
      named.map(({ value }): [number, Explanation] => [value, { value, devices: [], own: own[value] ?? 0 }]),
    );
    const rest: number[] = [];
    for (const index of left) {
      const explanation = explanations.get(valuesOf[index * KINDS + kind] ?? -1);
      if (explanation === undefined) {
        rest.push(index);
        continue;
      }
      explanation.devices.push(index);
      forEachValue(valuesOf, index, (value) => add(own, value, -1));
    }
    found.push(...explanations.values());
    devices -= left.length - rest.length;
    left = rest;
  }
  return found;
}

function forEachValue(valuesOf: Int32Array, index: number, act: (value: number) => void): void {
  for (let kind = 0; kind < KINDS; kind += 1) {
    const value = valuesOf[index * KINDS + kind] ?? -1;
    if (value !== -1) act(value);
  }
}

/** A value, and the number of members of a cluster that have it. */
type Overlap = { readonly value: number; readonly count: number };

/** Returns the values whose devices are among the members more often than by chance. */
function fittingValues(
  { values, valuesOf }: Search,
  members: readonly number[],
  own: Float64Array,
  devices: number,
): readonly Overlap[] {
  const counts = new Int32Array(values.length);
  for (const index of members) forEachValue(valuesOf, index, (value) => add(counts, value, 1));
  const silenced = Array.from(counts, (count, value): Overlap => ({ value, count })).filter(
    ({ value, count }) =>
      count >= LEAST_DEVICES &&
      count >= LEAST_SHARE * (own[value] ?? 0) &&
      count >= LEAST_NEW_SHARE * (values[value]?.all ?? 0),
  );
  // Where all are silent, nobody is left to compare with, and that they are so at once is no chance.
  if (members.length >= LEAST_WHOLE_FLEET && members.length >= LEAST_SHARE * devices) return silenced;
  const limit = Math.log(SIGNIFICANCE / values.length);
  const significant = silenced.filter(
    ({ value, count }) => lnHypergeometricTail(count, devices, own[value] ?? 0, members.length) < limit,
  );
  if (significant.length > 0) return significant;
  // Two of three racks are no surprise each, but together.
  return CAUSE_KINDS.flatMap((_, kind) => {
    const ofKind = silenced.filter(({ value }) => values[value]?.kind === kind);
    const all = values.filter((value) => value.kind === kind).length;
    const overlap = ofKind.reduce((sum, { count }) => sum + count, 0);
    const marked = ofKind.reduce((sum, { value }) => sum + (own[value] ?? 0), 0);
    const chance = lnHypergeometricTail(overlap, devices, marked, members.length);
    return chance + lnChoose(all, ofKind.length) < limit ? ofKind : [];
  });
}

/** Returns the kind whose fitting values leave fewest devices unexplained; undefined if none fits. */
function bestKind(
  { values }: Search,
  fitting: readonly Overlap[],
  own: Float64Array,
  members: number,
): number | undefined {
  const costs = new Map<number, number>();
  for (const { value, count } of fitting) {
    const kind = values[value]?.kind ?? 0;
    const reporting = (own[value] ?? 0) - count;
    costs.set(kind, (costs.get(kind) ?? members) + VALUE_COST + REPORTING_COST * reporting - count);
  }
  let best: number | undefined;
  for (const [kind, cost] of [...costs].sort(([one], [other]) => one - other))
    if (best === undefined || cost < (costs.get(best) ?? 0)) best = kind;
  return best;
}

/** Returns the number of devices that may fall silent by themselves in the time of a cluster, by those before it. */
function expectedByChance({ from, until }: Search, at: number, members: readonly number[]): number {
  const widths = members.reduce((sum, index) => sum + (until[index] ?? 0) - (from[index] ?? 0), 0);
  const width = widths / members.length;
  let count = 0;
  for (let index = 0; index < from.length && (from[index] ?? 0) <= at; index += 1)
    if ((until[index] ?? 0) < at && (from[index] ?? 0) >= at - BACKGROUND_MILLISECONDS) count += 1;
  const mean = (count * width) / (BACKGROUND_MILLISECONDS - width);
  return mean + 2 * Math.sqrt(mean);
}

function name(search: Search, { value, devices, own }: Explanation, others: number): void {
  const { silent, values, explained, causes } = search;
  const { kind: kindIndex = 0, text = NONE } = values[value] ?? {};
  const kind = CAUSE_KINDS[kindIndex];
  if (kind === undefined) return;
  const members = devices.flatMap((index) => silent[index] ?? []);
  for (const index of devices) explained[index] = 1;
  const cause: CommonCause = {
    kind,
    value: text,
    devices: devices.length,
    ownDevices: own,
    others,
    // Members are in the order of their last heartbeats.
    startAt: members[0]?.from ?? 0,
    endAt: members.at(-1)?.from ?? 0,
  };
  causes.push({ cause, members });
}
