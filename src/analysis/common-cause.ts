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
export function findCommonCauses(accounts: readonly AccountSnapshot[]): readonly (readonly AccountCause[])[] {
  const summaries = accounts.map((account) => summaryOf(account));
  const silent = summaries.flatMap((summary) => summary?.silent ?? []);
  if (silent.length < LEAST_DEVICES) return accounts.map(() => []);
  const search = prepare(summaries, silent);
  for (let count = 0; count < MOST_CLUSTERS && examineNextCluster(search); count += 1);
  return accounts.map(({ name }) =>
    search.causes.flatMap(({ cause, members }) => {
      const deviceIds = members.filter(({ account }) => account === name).map(({ id }) => id);
      return deviceIds.length === 0 ? [] : [{ cause, deviceIds }];
    }),
  );
}

/** A silent device with its value of each kind, in the order of {@link CAUSE_KINDS}. */
type SilentDevice = {
  readonly account: string;
  readonly id: string;
  /** It fell silent between these two instants, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  readonly values: readonly string[];
};

/** What the analysis needs of an account. */
type AccountSummary = {
  /** Number of devices that report, or did lately. */
  readonly devices: number;
  /** Number of these devices by value, for each kind. */
  readonly counts: readonly ReadonlyMap<string, number>[];
  readonly silent: readonly SilentDevice[];
};

/** Summaries by fleet: a poll of one account leaves those of the others as they are. */
const summaries = new WeakMap<
  Fleet,
  { readonly tunnels: Tunnels | undefined; readonly summary: AccountSummary }
>();

function summaryOf(account: AccountSnapshot): AccountSummary | undefined {
  const fleet = shownData(account.devices);
  if (fleet === undefined) return undefined;
  const tunnels = shownData(account.tunnels);
  const known = summaries.get(fleet);
  if (known !== undefined && known.tunnels === tunnels) return known.summary;
  const summary = summarize(account.name, fleet, tunnels);
  summaries.set(fleet, { tunnels, summary });
  return summary;
}

function summarize(account: string, fleet: Fleet, tunnels: Tunnels | undefined): AccountSummary {
  const counts = CAUSE_KINDS.map(() => new Map<string, number>());
  const silent: SilentDevice[] = [];
  const usualGap = medianGap(fleet.devices);
  let devices = 0;
  for (const [id, entry] of fleet.devices) {
    const { device, group, heartbeatAgeSeconds: age, heartbeatGapSeconds: gap = usualGap } = entry;
    const { lastHeartbeatAt: from, appVersion, model } = device;
    if (age === undefined || from === undefined || age > GIVEN_UP_SECONDS) continue;
    devices += 1;
    const values = [group, tunnels?.get(id)?.tunnel?.host ?? NONE, account, appVersion, model];
    for (const [kind, value] of values.entries()) {
      const count = counts[kind];
      if (value !== NONE) count?.set(value, (count.get(value) ?? 0) + 1);
    }
    if (age <= Math.max(RENTED_SILENT_SECONDS, SILENT_GAPS * gap)) continue;
    const window = Math.max(LEAST_WINDOW_SECONDS, WINDOW_GAPS * gap) * 1000;
    silent.push({ account, id, from, until: from + window, values });
  }
  return { devices, counts, silent };
}

/** Returns the usual time between two heartbeats, in seconds; 0 if it is not known of any device. */
function medianGap(devices: Iterable<readonly [string, FleetDevice]>): number {
  const gaps: number[] = [];
  for (const [, { heartbeatGapSeconds: gap }] of devices) if (gap !== undefined) gaps.push(gap);
  const sorted = Float64Array.from(gaps).sort();
  return sorted[sorted.length >> 1] ?? 0;
}

/** A value that silent devices have. */
type Value = {
  readonly kind: number;
  readonly text: string;
  /** Number of all devices with this value. */
  readonly all: number;
};

type NamedCause = { readonly cause: CommonCause; readonly members: readonly SilentDevice[] };

/** The state of the search. Silent devices and values are numbers here: indexes into these lists. */
type Search = {
  /** By their last heartbeats. */
  readonly silent: readonly SilentDevice[];
  /** The same by the end of their intervals. */
  readonly byEnd: readonly number[];
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

function prepare(
  accounts: readonly (AccountSummary | undefined)[],
  unsorted: readonly SilentDevice[],
): Search {
  const silent = unsorted.toSorted((one, other) => one.from - other.from);
  const byEnd = silent.map((_, index) => index);
  // Almost sorted, which costs next to nothing.
  byEnd.sort((one, other) => (silent[one]?.until ?? 0) - (silent[other]?.until ?? 0));
  const values: Value[] = [];
  const valuesOf = new Int32Array(silent.length * KINDS).fill(-1);
  const known = CAUSE_KINDS.map(() => new Map<string, number>());
  for (const [index, device] of silent.entries()) {
    for (let kind = 0; kind < KINDS; kind += 1) {
      const text = device.values[kind] ?? NONE;
      if (text === NONE) continue;
      let value = known[kind]?.get(text);
      if (value === undefined) {
        value = values.length;
        known[kind]?.set(text, value);
        const all = accounts.reduce((sum, account) => sum + (account?.counts[kind]?.get(text) ?? 0), 0);
        values.push({ kind, text, all });
      }
      valuesOf[index * KINDS + kind] = value;
    }
  }
  return {
    silent,
    byEnd,
    values,
    valuesOf,
    explained: new Uint8Array(silent.length),
    rejected: new Set(),
    causes: [],
    devices: accounts.reduce((sum, account) => sum + (account?.devices ?? 0), 0),
  };
}

/** Examines the cluster of the value with most devices in it; returns false if there is none. */
function examineNextCluster(search: Search): boolean {
  const anchor = findAnchor(search);
  if (anchor === undefined) return false;
  const { silent, explained } = search;
  const members: number[] = [];
  for (const [index, { from, until }] of silent.entries()) {
    if (from > anchor.at) break;
    if (explained[index] === 0 && until >= anchor.at) members.push(index);
  }
  const found = explain(search, members, anchor.at);
  const count = found.reduce((sum, { devices }) => sum + devices.length, 0);
  const taken = new Set(found.flatMap(({ devices }) => devices));
  const kinds = new Set(found.map(({ value }) => search.values[value]?.kind ?? 0));
  // A device without a value of these kinds, such as one without a group, speaks neither for nor against them.
  const others = members.filter(
    (index) => !taken.has(index) && [...kinds].some((kind) => search.valuesOf[index * KINDS + kind] !== -1),
  ).length;
  const unexpected = Math.max(0, others - expectedByChance(search, anchor.at, members));
  const isEnough = count >= LEAST_SHARE * (count + unexpected);
  if (count === 0 || !isEnough) {
    search.rejected.add(anchor.value);
    return true;
  }
  for (const explanation of found) name(search, explanation, members.length - count);
  return true;
}

/** Finds the value with most devices that fell silent at one moment, and this moment. */
function findAnchor({
  silent,
  byEnd,
  values,
  valuesOf,
  explained,
  rejected,
}: Search): { readonly value: number; readonly at: number } | undefined {
  const open = new Int32Array(values.length);
  const ended = new Int32Array(values.length);
  const most = new Int32Array(values.length);
  const mostAt = new Float64Array(values.length);
  const endedThen = new Int32Array(values.length);
  let next = 0;
  for (let index = 0; index < silent.length; index += 1) {
    const at = silent[index]?.from ?? 0;
    for (; next < byEnd.length; next += 1) {
      const other = byEnd[next] ?? 0;
      if ((silent[other]?.until ?? 0) >= at) break;
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
  let best: number | undefined;
  for (const [value, { all }] of values.entries()) {
    const count = most[value] ?? 0;
    const isCandidate = count >= LEAST_DEVICES && count >= LEAST_SHARE * (all - (endedThen[value] ?? 0));
    if (isCandidate && !rejected.has(value) && count > (best === undefined ? 0 : (most[best] ?? 0)))
      best = value;
  }
  return best === undefined ? undefined : { value: best, at: mostAt[best] ?? 0 };
}

function add(counts: Int32Array, index: number, amount: number): number {
  const sum = (counts[index] ?? 0) + amount;
  counts[index] = sum;
  return sum;
}

/** A value, and the members of a cluster that it explains. */
type Explanation = { readonly value: number; readonly devices: readonly number[]; readonly own: number };

/** Explains a cluster by the values of one kind, and what is left by those of another, until nothing fits. */
function explain(search: Search, members: readonly number[], at: number): readonly Explanation[] {
  const { silent, values, valuesOf, explained } = search;
  const found: Explanation[] = [];
  let left = members;
  let devices = search.devices;
  const own = Int32Array.from(values, ({ all }) => all);
  // A device that was silent before could not fall silent again.
  for (const [index, { from, until }] of silent.entries()) {
    if (from > at) break;
    if (until >= at && explained[index] === 0) continue;
    devices -= 1;
    forEachValue(valuesOf, index, (value) => add(own, value, -1));
  }
  while (left.length >= LEAST_DEVICES) {
    const fitting = fittingValues(search, left, own, devices);
    const kind = bestKind(search, fitting, own, left.length);
    if (kind === undefined) return found;
    const taken = new Set<number>();
    const ofKind = [...fitting].filter(([value]) => values[value]?.kind === kind);
    const largest = Math.max(...ofKind.map(([, list]) => list.length));
    for (const [value, explainedBy] of ofKind) {
      // A value that explains no more than it costs is named alone, and not beside another one.
      if (explainedBy.length <= VALUE_COST && explainedBy.length < largest) continue;
      found.push({ value, devices: explainedBy, own: own[value] ?? 0 });
      for (const index of explainedBy) taken.add(index);
    }
    devices -= taken.size;
    for (const index of taken) forEachValue(valuesOf, index, (value) => add(own, value, -1));
    left = left.filter((index) => !taken.has(index));
  }
  return found;
}

function forEachValue(valuesOf: Int32Array, index: number, act: (value: number) => void): void {
  for (let kind = 0; kind < KINDS; kind += 1) {
    const value = valuesOf[index * KINDS + kind] ?? -1;
    if (value !== -1) act(value);
  }
}

/** Returns the values whose devices are among the members more often than by chance, with these members. */
function fittingValues(
  { values, valuesOf }: Search,
  members: readonly number[],
  own: Int32Array,
  devices: number,
): ReadonlyMap<number, readonly number[]> {
  const membersOf = new Map<number, number[]>();
  for (const index of members) {
    forEachValue(valuesOf, index, (value) => {
      const list = membersOf.get(value);
      if (list === undefined) membersOf.set(value, [index]);
      else list.push(index);
    });
  }
  const silenced = [...membersOf].filter(
    ([value, list]) =>
      list.length >= LEAST_DEVICES &&
      list.length >= LEAST_SHARE * (own[value] ?? 0) &&
      list.length >= LEAST_NEW_SHARE * (values[value]?.all ?? 0),
  );
  // Where all are silent, nobody is left to compare with, and that they are so at once is no chance.
  if (members.length >= LEAST_WHOLE_FLEET && members.length >= LEAST_SHARE * devices)
    return new Map(silenced);
  const limit = Math.log(SIGNIFICANCE / values.length);
  const significant = silenced.filter(
    ([value, list]) => lnHypergeometricTail(list.length, devices, own[value] ?? 0, members.length) < limit,
  );
  if (significant.length > 0) return new Map(significant);
  // Two of three racks are no surprise each, but together.
  return new Map(
    CAUSE_KINDS.flatMap((_, kind) => {
      const ofKind = silenced.filter(([value]) => values[value]?.kind === kind);
      const all = values.filter((value) => value.kind === kind).length;
      const overlap = ofKind.reduce((sum, [, list]) => sum + list.length, 0);
      const marked = ofKind.reduce((sum, [value]) => sum + (own[value] ?? 0), 0);
      const isSignificant =
        lnHypergeometricTail(overlap, devices, marked, members.length) + lnChoose(all, ofKind.length) < limit;
      return isSignificant ? ofKind : [];
    }),
  );
}

/** Returns the kind whose fitting values leave fewest devices unexplained; undefined if none fits. */
function bestKind(
  { values }: Search,
  fitting: ReadonlyMap<number, readonly number[]>,
  own: Int32Array,
  members: number,
): number | undefined {
  const costs = new Map<number, number>();
  for (const [value, list] of fitting) {
    const kind = values[value]?.kind ?? 0;
    const reporting = (own[value] ?? 0) - list.length;
    costs.set(kind, (costs.get(kind) ?? members) + VALUE_COST + REPORTING_COST * reporting - list.length);
  }
  let best: number | undefined;
  for (const [kind, cost] of [...costs].sort(([one], [other]) => one - other))
    if (best === undefined || cost < (costs.get(best) ?? 0)) best = kind;
  return best;
}

/** Returns the number of devices that may fall silent by themselves in the time of a cluster, by those before it. */
function expectedByChance({ silent }: Search, at: number, members: readonly number[]): number {
  const widths = members.reduce(
    (sum, index) => sum + (silent[index]?.until ?? 0) - (silent[index]?.from ?? 0),
    0,
  );
  const width = widths / members.length;
  let count = 0;
  for (const { from, until } of silent) if (until < at && from >= at - BACKGROUND_MILLISECONDS) count += 1;
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
