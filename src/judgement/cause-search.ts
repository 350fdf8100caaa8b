import type { NamedAccount } from '../model/account.ts';
import { CAUSE_KINDS, type CauseKind } from '../model/cause.ts';
import { lnChoose, lnHypergeometricTail } from './hypergeometric.ts';
import { isReporting, NONE, type SilentDevices, type ValueReaders } from './silent-devices.ts';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

/** Minimum number of devices that a cause explains. */
const MIN_DEVICES = 3;

/** One search: the time in which devices may fall silent, and the evidence that makes it a cause. */
type SearchPass = {
  /** Length of the time in which each device may have fallen silent; undefined where its rhythm tells it. */
  readonly milliseconds: number | undefined;
  readonly minDevices: number;
  /** Maximum probability of an overlap by chance, over all explanations tried. */
  readonly significance: number;
};

/** Longest time in which the devices of a cause fall silent. */
const MAX_MILLISECONDS = 3 * 3_600_000;

/** Minimum share of the devices of a cause that fell silent before the others if they are part of it. */
const MIN_WAVE_SHARE = 0.2;

/** Power cuts and crashes first; among the devices that are left, batteries, heat and rollouts. */
const PASSES: readonly SearchPass[] = [
  { milliseconds: undefined, minDevices: MIN_DEVICES, significance: 0.02 },
  { milliseconds: MAX_MILLISECONDS, minDevices: 5, significance: 0.001 },
];

/** Maximum number of clusters that a pass examines. */
const MAX_CLUSTERS = 20;

/** Minimum share of its own devices that a cause silences, and of a cluster that its causes explain together. */
const MIN_SHARE = 0.8;

/** Minimum share of the devices of a value that are silent and that no earlier cause explains. */
const MIN_NEW_SHARE = 0.2;

/** Minimum share of the devices that have not reported since a cluster which count as silent already. */
const MIN_SILENT_SHARE = 0.3;

/** Minimum size of a cluster of four fifths of the fleet, which is not tested for chance. */
const MIN_WHOLE_FLEET = 5;

/** Cost of each value of an explanation, in explained devices. */
const VALUE_COST = 2;

/** Cost of each device that has the value and still reports, in explained devices. */
const REPORTING_COST = 2;

/** Minimum size of a value that explains devices together with larger ones, as a share of the largest. */
const MIN_SIZE_SHARE = 0.5;

/** Cost of a kind that seldom fails as a whole: phones of one model or account often stand in one place. */
const RARE_KIND_COST = 2;

/** Time before a cluster over which other devices that fell silent are counted. */
const BACKGROUND_MILLISECONDS = 6 * 3_600_000;

const KINDS = CAUSE_KINDS.length;
const GROUP = CAUSE_KINDS.indexOf('group');
const TUNNEL_HOST = CAUSE_KINDS.indexOf('tunnel_host');

/** A value that explains silent devices, by their indexes. */
type FoundCause = { readonly kind: CauseKind; readonly value: string; readonly indexes: number[] };

/** The input of a search. The causes that are found explain more devices. */
type Searched = SilentDevices & {
  readonly accounts: readonly NamedAccount[];
  readonly readers: ValueReaders;
  /** 1 for each device that a cause explains. */
  readonly explained: Uint8Array;
};

/** Tells whether a value is a cause already. */
type IsShown = (kind: CauseKind, value: string) => boolean;

/** A value that silent devices have. */
type Value = {
  /** An index of {@link CAUSE_KINDS}. */
  readonly kind: number;
  readonly text: string;
  /** Number of silent devices with it, and of those that no cause explains. */
  silent: number;
  open: number;
  /** The last instant at which one of these may have fallen silent. */
  last: number;
  readonly reporting: Reporting;
};

/** Devices that are in use and not silent. */
type Reporting = {
  /** Number of those that reported after all silent devices fell silent; Infinity if they rule out a cause. */
  since: number;
  /** Last heartbeats of the others, in milliseconds since 1970. */
  readonly before: number[];
};

type Search = Searched & {
  readonly values: readonly Value[];
  /** Values of each silent device, one for each kind; -1 for none. */
  readonly valuesOf: Int32Array;
  /** Of all values. */
  readonly reporting: Reporting;
  /** Those that no cause explains at first, by the first instant at which they may have fallen silent. */
  readonly byStart: Int32Array;
};

/**
 * Finds the properties that explain the silent devices that are not explained yet. All accounts are analysed together,
 * because their devices may be in one place.
 *
 * 1. A device fell silent between its last heartbeat and the next one that was due. Devices whose intervals overlap
 *    form a cluster. A second pass takes intervals of three hours.
 * 2. The values of one kind that silence at least four fifths of their own devices may explain a cluster together. A
 *    device that is not silent and has not reported since counts neither way.
 * 3. The overlap is tested with Fisher's exact test, one-sided: the upper tail of the hypergeometric distribution, with
 *    Bonferroni's correction for the explanations tried (Rivals et al., "Enrichment or depletion of a GO category
 *    within a class of genes: which test?", Bioinformatics 23, 2007).
 * 4. The kind with the lowest cost is chosen: 2 for each value, 2 for each of its devices that reports, 2 for a kind that
 *    seldom fails as a whole, and -1 for each device that it explains. What it leaves is explained by another kind.
 * 5. All causes of a cluster explain at least four fifths of it, apart from devices that may have failed by themselves.
 * 6. The devices that stay unexplained are examined again.
 */
export function* searchCauses(searched: Searched, isShown: IsShown): Steps<readonly FoundCause[]> {
  const open = searched.explained.reduce((left, each) => left - each, searched.explained.length);
  if (open < MIN_DEVICES) return [];
  const search = yield* prepareSearch(searched, isShown);
  const found: FoundCause[] = [];
  for (const pass of PASSES) found.push(...(yield* searchPass(search, pass)));
  return found;
}

function* searchPass(search: Search, pass: SearchPass): Steps<readonly FoundCause[]> {
  yield;
  const { milliseconds } = pass;
  const until = milliseconds === undefined ? search.until : search.from.map((at) => at + milliseconds);
  const byEnd = milliseconds === undefined ? inOrder(search.byStart, until) : search.byStart;
  const found: FoundCause[] = [];
  let clusters = 0;
  // Rejected anchors are tried again once another cause is found: they may be most of what is left.
  for (let before = -1; before < found.length; ) {
    before = found.length;
    yield;
    for (const anchor of findAnchors(search, until, byEnd, pass)) {
      if (clusters === MAX_CLUSTERS) return found;
      clusters += 1;
      yield;
      const cluster = clusterAround(search, until, anchor);
      if (cluster === undefined) continue;
      yield;
      const explanations = yield* explainCluster(search, cluster, pass);
      for (const { devices } of explanations) markExplained(search, devices);
      yield;
      found.push(...nameCauses(search, explanations));
    }
  }
  return found;
}

function markExplained({ explained, values, valuesOf }: Search, devices: readonly number[]): void {
  for (const index of devices) {
    explained[index] = 1;
    for (let slot = index * KINDS; slot < (index + 1) * KINDS; slot += 1) {
      const value = values[valuesOf[slot] ?? -1];
      if (value !== undefined) value.open -= 1;
    }
  }
}

/** Numbers the values of silent devices, kind by kind, and counts the devices that report with each. */
function* prepareSearch(searched: Searched, isShown: IsShown): Steps<Search> {
  const { silent, from, until, explained, readers } = searched;
  const values: Value[] = [];
  const valuesOf = new Int32Array(silent.length * KINDS).fill(-1);
  const candidates = CAUSE_KINDS.map(() => new Map<string, Value>());
  for (const [kind, name] of CAUSE_KINDS.entries()) {
    yield;
    const read = readers[name];
    const known = new Map<string, number>();
    for (let index = 0; index < silent.length; index += 1) {
      if ((index + 1) % DEVICES_PER_YIELD === 0) yield;
      const device = silent[index];
      const text = device === undefined ? NONE : read(device.entry, device.account);
      if (text === NONE) continue;
      let number = known.get(text);
      if (number === undefined) {
        number = values.length;
        known.set(text, number);
        const reporting = { since: Number.POSITIVE_INFINITY, before: [] };
        values.push({ kind, text, silent: 0, open: 0, last: Number.NEGATIVE_INFINITY, reporting });
      }
      valuesOf[index * KINDS + kind] = number;
      const value = values[number];
      if (value === undefined) continue;
      value.silent += 1;
      if (explained[index] === 1) continue;
      value.open += 1;
      value.last = Math.max(value.last, until[index] ?? 0);
    }
    for (const number of known.values()) {
      const value = values[number];
      if (value === undefined || value.open < MIN_DEVICES || isShown(name, value.text)) continue;
      value.reporting.since = 0;
      candidates[kind]?.set(value.text, value);
    }
  }
  const reporting = yield* countReporting(searched, candidates);
  yield;
  const open = Int32Array.from(silent.keys()).filter((index) => explained[index] === 0);
  return { ...searched, values, valuesOf, reporting, byStart: inOrder(open, from) };
}

/**
 * Counts the devices that report, in all and with each candidate. Counting a candidate ends where it has so many that its
 * silent ones can't be four fifths.
 */
function* countReporting(
  { accounts, readers, until }: Searched,
  candidates: readonly Map<string, Value>[],
): Steps<Reporting> {
  const all: Reporting = { since: 0, before: [] };
  const last = until.reduce((latest, instant) => Math.max(latest, instant), Number.NEGATIVE_INFINITY);
  for (const { name: account, account: known } of accounts) {
    let looked = 0;
    for (const entry of known.fleet?.devices.values() ?? []) {
      looked += 1;
      if (looked % DEVICES_PER_YIELD === 0) yield;
      if (!isReporting(entry)) continue;
      const at = entry.device.lastHeartbeatAt ?? 0;
      addReporting(all, at, last);
      for (const [kind, ofKind] of candidates.entries()) {
        const name = CAUSE_KINDS[kind];
        const value =
          ofKind.size === 0 || name === undefined ? undefined : ofKind.get(readers[name](entry, account));
        if (value === undefined) continue;
        addReporting(value.reporting, at, value.last);
        if (value.open >= MIN_SHARE * (value.open + value.reporting.since)) continue;
        value.reporting.since = Number.POSITIVE_INFINITY;
        ofKind.delete(value.text);
      }
    }
  }
  return all;
}

function addReporting(reporting: Reporting, at: number, last: number): void {
  if (at > last) reporting.since += 1;
  else reporting.before.push(at);
}

/** Returns the number of devices that reported after an instant. */
function reportingAfter({ since, before }: Reporting, instant: number): number {
  let count = since;
  for (const at of before) if (at > instant) count += 1;
  return count;
}

/** Returns a value of a silent device, by the index of its kind; -1 for none. */
function valueOfKind({ valuesOf }: Search, device: number, kind: number): number {
  return valuesOf[device * KINDS + kind] ?? -1;
}

/** A value that may be a cause, and the instant at which most of its devices fell silent. */
type Anchor = { readonly value: number; readonly at: number; readonly gain: number };

/**
 * Goes through all instants with the devices that may have fallen silent at each, and lists the values that silenced
 * four fifths of their own devices. The first one silenced most; each of its devices that still reports costs two.
 */
function findAnchors(
  search: Search,
  until: Float64Array,
  byEnd: Int32Array,
  { minDevices }: SearchPass,
): readonly Anchor[] {
  const { from, byStart, values, valuesOf, explained } = search;
  const inUse = Float64Array.from(values, ({ open, reporting }) => open + reporting.since);
  const open = new Int32Array(values.length);
  const gain = new Float64Array(values.length).fill(Number.NEGATIVE_INFINITY);
  const gainAt = new Float64Array(values.length);
  let next = 0;
  for (const index of byStart) {
    if (explained[index] === 1) continue;
    const at = from[index] ?? 0;
    for (; next < byEnd.length; next += 1) {
      const other = byEnd[next] ?? 0;
      if ((until[other] ?? 0) >= at) break;
      if (explained[other] === 1) continue;
      for (let slot = other * KINDS; slot < (other + 1) * KINDS; slot += 1) {
        const value = valuesOf[slot] ?? -1;
        if (value === -1) continue;
        open[value] = (open[value] ?? 0) - 1;
        inUse[value] = (inUse[value] ?? 0) - 1;
      }
    }
    for (let slot = index * KINDS; slot < (index + 1) * KINDS; slot += 1) {
      const value = valuesOf[slot] ?? -1;
      if (value === -1) continue;
      const count = (open[value] ?? 0) + 1;
      open[value] = count;
      const own = inUse[value] ?? 0;
      if (count < minDevices || count < MIN_SHARE * own) continue;
      const present = count - REPORTING_COST * (own - count);
      if (present <= (gain[value] ?? 0)) continue;
      gain[value] = present;
      gainAt[value] = at;
    }
  }
  const anchors: Anchor[] = [];
  for (const [value, best] of gain.entries())
    if (best > Number.NEGATIVE_INFINITY) anchors.push({ value, at: gainAt[value] ?? 0, gain: best });
  return anchors.sort((one, other) => other.gain - one.gain);
}

/** Devices that fell silent at the same time, by their indexes, in the order of their last heartbeats. */
type Cluster = {
  readonly members: readonly number[];
  /** An instant at which they may have fallen silent, and the last one, in milliseconds since 1970. */
  readonly at: number;
  readonly end: number;
  /** Mean length of the time in which a member may have fallen silent. */
  readonly milliseconds: number;
};

/** Returns the devices that may have fallen silent while those of the anchor did; undefined if all are explained now. */
function clusterAround(search: Search, until: Float64Array, { value, at }: Anchor): Cluster | undefined {
  const { byStart, from, explained, values } = search;
  const kind = values[value]?.kind ?? 0;
  let last = Number.POSITIVE_INFINITY;
  let end = Number.POSITIVE_INFINITY;
  for (const index of byStart) {
    const isOpen = explained[index] === 0 && (from[index] ?? 0) <= at && (until[index] ?? 0) >= at;
    if (!isOpen || valueOfKind(search, index, kind) !== value) continue;
    last = Math.min(last, until[index] ?? 0);
    end = Math.min(end, search.until[index] ?? 0);
  }
  if (last === Number.POSITIVE_INFINITY) return undefined;
  const members: number[] = [];
  let milliseconds = 0;
  for (const index of byStart) {
    if ((from[index] ?? 0) > last) break;
    if (explained[index] === 1 || (until[index] ?? 0) < at) continue;
    members.push(index);
    milliseconds += (until[index] ?? 0) - (from[index] ?? 0);
  }
  return { members, at, end: Math.max(at, end), milliseconds: milliseconds / members.length };
}

/** A value, and the members of a cluster that it explains. */
type Explanation = { readonly value: number; readonly devices: readonly number[] };

/**
 * Explains a cluster by the values of the kind that fits best, and what is left by another one, until nothing fits.
 * Returns nothing if too many members stay unexplained.
 */
function* explainCluster(search: Search, cluster: Cluster, pass: SearchPass): Steps<readonly Explanation[]> {
  const found: Explanation[] = [];
  let left = unexplainedOf(search, cluster);
  for (;;) {
    const kinds = new Set(found.map(({ value }) => search.values[value]?.kind));
    yield;
    const best = bestValues(search, left, pass, kinds);
    if (best.length === 0) break;
    const { explanations, rest } = explainBy(search, left, best);
    found.push(...explanations);
    left = rest;
  }
  return isEnough(search, cluster, found, left.members) ? found : [];
}

/** Members that nothing explains yet, and the number of devices that could fall silent then: all, and of each value. */
type Unexplained = {
  readonly members: readonly number[];
  readonly devices: number;
  readonly own: Float64Array;
  /** Number of the devices of each value that are not silent, but have not reported since. */
  readonly notDue: Int32Array;
};

function unexplainedOf(search: Search, { members, at, end }: Cluster): Unexplained {
  const { byStart, from, until, explained, values, reporting } = search;
  const own = new Float64Array(values.length);
  const notDue = new Int32Array(values.length);
  for (const [index, { open, reporting: ofValue }] of values.entries()) {
    const after = reportingAfter(ofValue, end);
    own[index] = open + after;
    notDue[index] = ofValue.since + ofValue.before.length - after;
  }
  let devices = reportingAfter(reporting, end);
  const isMember = new Set(members);
  for (const index of byStart) {
    if (explained[index] === 1) continue;
    // A device that was silent before could not fall silent again.
    if (isMember.has(index) || (from[index] ?? 0) > at || (until[index] ?? 0) >= at) devices += 1;
    else addToValues(search, index, own, -1);
  }
  return { members, devices, own, notDue };
}

/** Adds an amount to the counts of all values of a silent device. */
function addToValues(
  { valuesOf }: Search,
  device: number,
  counts: Int32Array | Float64Array,
  amount: number,
): void {
  for (let slot = device * KINDS; slot < (device + 1) * KINDS; slot += 1) {
    const value = valuesOf[slot] ?? -1;
    if (value !== -1) counts[value] = (counts[value] ?? 0) + amount;
  }
}

/**
 * Returns the values of the kind that explains the members best, without those that are much smaller than the largest:
 * another kind may explain them better. Returns nothing if none silences its own devices and more of the members than by
 * chance, or if that is not certain yet.
 */
function bestValues(
  search: Search,
  { members, devices, own, notDue }: Unexplained,
  { minDevices, significance }: SearchPass,
  kinds: ReadonlySet<number | undefined>,
): readonly number[] {
  const { values } = search;
  const counts = new Int32Array(values.length);
  for (const index of members) addToValues(search, index, counts, 1);
  const countOf = (value: number): number => counts[value] ?? 0;
  const ownOf = (value: number): number => own[value] ?? 0;
  const notDueOf = (value: number): number => notDue[value] ?? 0;
  const tried: number[][] = CAUSE_KINDS.map(() => []);
  for (const [value, { kind }] of values.entries())
    if (countOf(value) >= minDevices) tried[kind]?.push(value);
  const limit = Math.log(significance / tried.filter((ofKind) => ofKind.length > 0).length);
  // If nearly all devices fell silent, none are left to compare with, and chance is excluded.
  const isWholeFleet = members.length >= MIN_WHOLE_FLEET && members.length >= MIN_SHARE * devices;
  let best: readonly number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  for (const [kind, ofKind] of tried.entries()) {
    const fitting = ofKind.filter((value) => {
      const { silent = 0, reporting } = values[value] ?? {};
      const all = silent + (reporting?.since ?? 0) + (reporting?.before.length ?? 0);
      return (
        countOf(value) + notDueOf(value) >= MIN_SHARE * (ownOf(value) + notDueOf(value)) &&
        countOf(value) >= MIN_NEW_SHARE * all
      );
    });
    if (fitting.length === 0) continue;
    const count = sum(fitting, countOf);
    const marked = sum(fitting, ownOf);
    const chance = lnHypergeometricTail(count, devices, marked, members.length);
    if (!isWholeFleet && chance + lnChoose(ofKind.length, fitting.length) >= limit) continue;
    const cost =
      VALUE_COST * (kinds.has(kind) ? fitting.length - 1 : fitting.length) +
      REPORTING_COST * (marked - count) -
      count +
      (kind === GROUP || kind === TUNNEL_HOST ? 0 : RARE_KIND_COST);
    if (cost >= lowest) continue;
    lowest = cost;
    best = fitting;
  }
  // While devices cross their limits one by one, another value may seem to fit.
  const isCertain = (value: number): boolean =>
    countOf(value) >= MIN_SHARE * ownOf(value) &&
    countOf(value) >= MIN_SILENT_SHARE * (countOf(value) + notDueOf(value));
  const [largest] = best.toSorted((one, other) => countOf(other) - countOf(one));
  if (largest === undefined || !isCertain(largest)) return [];
  return best.filter((value) => countOf(value) >= MIN_SIZE_SHARE * countOf(largest) && isCertain(value));
}

function sum(values: readonly number[], amountOf: (value: number) => number): number {
  return values.reduce((total, value) => total + amountOf(value), 0);
}

/** Explains members by values of one kind. */
function explainBy(
  search: Search,
  { members, devices, own, notDue }: Unexplained,
  values: readonly number[],
): { readonly explanations: readonly Explanation[]; readonly rest: Unexplained } {
  const kind = search.values[values[0] ?? 0]?.kind ?? 0;
  const devicesOf = new Map(values.map((value): [number, number[]] => [value, []]));
  const left: number[] = [];
  const ownLeft = own.slice();
  for (const index of members) {
    const explained = devicesOf.get(valueOfKind(search, index, kind));
    if (explained === undefined) {
      left.push(index);
      continue;
    }
    explained.push(index);
    addToValues(search, index, ownLeft, -1);
  }
  return {
    explanations: Array.from(devicesOf, ([value, ofValue]) => ({ value, devices: ofValue })),
    rest: { members: left, devices: devices - members.length + left.length, own: ownLeft, notDue },
  };
}

/** Tells whether the explained members are four fifths of those that did not fall silent by themselves. */
function isEnough(
  search: Search,
  cluster: Cluster,
  explanations: readonly Explanation[],
  left: readonly number[],
): boolean {
  const explained = cluster.members.length - left.length;
  const byGroup = explanations.some(({ value }) => search.values[value]?.kind === GROUP);
  // A device without a group may stand in the place of that group.
  const others = byGroup
    ? left.filter((index) => valueOfKind(search, index, GROUP) !== -1).length
    : left.length;
  const unexpected = Math.max(0, others - expectedByChance(search, cluster));
  return explained >= MIN_SHARE * (explained + unexpected);
}

/** Returns the number of devices that may fall silent by themselves in the time of a cluster, by those before it. */
function expectedByChance({ byStart, from, explained }: Search, { members, milliseconds }: Cluster): number {
  const first = from[members[0] ?? 0] ?? 0;
  let count = 0;
  for (const index of byStart) {
    const at = from[index] ?? 0;
    if (at >= first) break;
    if (at >= first - BACKGROUND_MILLISECONDS && explained[index] === 0) count += 1;
  }
  const mean = (count * milliseconds) / BACKGROUND_MILLISECONDS;
  return mean + 2 * Math.sqrt(mean);
}

/** Adds the devices that fell silent earlier and later: an event may take longer than the time of a cluster. */
function nameCauses(search: Search, explanations: readonly Explanation[]): readonly FoundCause[] {
  const { byStart, from, latest, explained, values, valuesOf } = search;
  const named = new Map(
    explanations.map(({ value, devices }) => {
      const earlier: number[] = [];
      const later: number[] = [];
      return [value, { devices, startAt: from[devices[0] ?? 0] ?? 0, earlier, later }] as const;
    }),
  );
  if (named.size === 0) return [];
  for (const index of byStart) {
    if (explained[index] === 1) continue;
    for (let slot = index * KINDS; slot < (index + 1) * KINDS; slot += 1) {
      const ofValue = named.get(valuesOf[slot] ?? -1);
      if (ofValue === undefined) continue;
      if ((latest[index] ?? 0) >= ofValue.startAt) ofValue.later.push(index);
      else if ((from[index] ?? 0) >= ofValue.startAt - MAX_MILLISECONDS) ofValue.earlier.push(index);
      break;
    }
  }
  return Array.from(named, ([number, { devices, earlier, later }]): readonly FoundCause[] => {
    const value = values[number];
    const kind = CAUSE_KINDS[value?.kind ?? -1];
    if (value === undefined || kind === undefined) return [];
    // A few devices may have failed by themselves before.
    const isWave = earlier.length >= Math.max(MIN_DEVICES, MIN_WAVE_SHARE * devices.length);
    const more = isWave ? [...earlier, ...later] : later;
    markExplained(search, more);
    return [{ kind, value: value.text, indexes: [...devices, ...more] }];
  }).flat();
}

const MAX_DEVICES = 2 ** 22;

/** Sorts devices by their instants. Numbers sort much faster with no function that compares them. */
function inOrder(devices: Int32Array, instants: Float64Array): Int32Array {
  let first = Number.POSITIVE_INFINITY;
  for (const index of devices) first = Math.min(first, instants[index] ?? 0);
  const keys = new Float64Array(devices.length);
  // Exact: the milliseconds of a week times the largest fleet are below 2^53.
  for (const [place, index] of devices.entries())
    keys[place] = Math.round((instants[index] ?? 0) - first) * MAX_DEVICES + index;
  return Int32Array.from(keys.sort(), (key) => key % MAX_DEVICES);
}
