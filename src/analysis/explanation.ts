import { CAUSE_KINDS } from '../model/cause.ts';
import { lnChoose, lnHypergeometricTail } from './hypergeometric.ts';
import { addToValues, MIN_DEVICES, MIN_SHARE, type SharedValues, valueOfKind } from './shared-values.ts';

/** Minimum share of the devices of a value that are silent and that no earlier cause explains. */
const MIN_NEW_SHARE = 0.2;

/** Maximum probability of an overlap by chance, over all explanations tried. */
const SIGNIFICANCE = 0.05;

/** Minimum size of a cluster of four fifths of the fleet, which is not tested for chance. */
const MIN_WHOLE_FLEET = 5;

/** Cost of each value of an explanation, in explained devices. */
const VALUE_COST = 2;

/** Cost of each device that has the value and still reports, in explained devices. */
export const REPORTING_COST = 2;

/** Time before a cluster over which other devices that fell silent are counted. */
const BACKGROUND_MILLISECONDS = 6 * 3_600_000;

const GROUP = CAUSE_KINDS.indexOf('group');

/** Devices that fell silent at the same time, by their indexes, in the order of their last heartbeats. */
export type Cluster = {
  readonly members: readonly number[];
  /** An instant at which they may have fallen silent, in milliseconds since 1970. */
  readonly at: number;
};

/** A value, and the members of a cluster that it explains. */
export type Explanation = {
  readonly value: number;
  readonly devices: readonly number[];
  /** Number of devices with this value that reported until then. */
  readonly own: number;
};

/**
 * Explains a cluster by the values of one kind, and what is left by those of another, until nothing fits. Returns nothing
 * if too many members stay unexplained.
 */
export function explainCluster(shared: SharedValues, cluster: Cluster): readonly Explanation[] {
  const all = unexplainedOf(shared, cluster);
  for (const first of fittingKinds(shared, all)) {
    const found: Explanation[] = [];
    let left = all;
    for (let fit: FittingKind | undefined = first; fit !== undefined; fit = fittingKinds(shared, left)[0]) {
      const { explanations, rest } = explainBy(shared, left, fit);
      found.push(...explanations);
      left = rest;
    }
    if (isEnough(shared, cluster, found, left.members)) return found;
  }
  return [];
}

/** Members that nothing explains yet, and the number of devices that could fall silent then: all, and of each value. */
type Unexplained = {
  readonly members: readonly number[];
  readonly devices: number;
  readonly own: Float64Array;
};

function unexplainedOf(shared: SharedValues, { members, at }: Cluster): Unexplained {
  const { byStart, from, until, explained } = shared;
  const own = Float64Array.from(shared.values, ({ all }) => all);
  let devices = shared.devices;
  // A device that was silent before could not fall silent again.
  for (const index of byStart) {
    if ((from[index] ?? 0) > at) break;
    if ((until[index] ?? 0) >= at && explained[index] === 0) continue;
    devices -= 1;
    addToValues(shared, index, own, -1);
  }
  return { members, devices, own };
}

/** The values of one kind that fit, and what they cost: the lower, the better. */
type FittingKind = { readonly kind: number; readonly values: readonly number[]; readonly cost: number };

/** Returns the kinds whose values silence their own devices, and more of the members than by chance; the best one first. */
function fittingKinds(shared: SharedValues, { members, devices, own }: Unexplained): readonly FittingKind[] {
  const { values } = shared;
  const counts = new Int32Array(values.length);
  for (const index of members) addToValues(shared, index, counts, 1);
  const tried = CAUSE_KINDS.map((_, kind) =>
    [...values.keys()].filter((value) => values[value]?.kind === kind && (counts[value] ?? 0) >= MIN_DEVICES),
  );
  const limit = Math.log(SIGNIFICANCE / tried.filter((ofKind) => ofKind.length > 0).length);
  // If nearly all devices fell silent, none are left to compare with, and chance is excluded.
  const isWholeFleet = members.length >= MIN_WHOLE_FLEET && members.length >= MIN_SHARE * devices;
  return tried
    .flatMap((ofKind, kind): readonly FittingKind[] => {
      const silenced = ofKind.filter((value) => {
        const count = counts[value] ?? 0;
        return count >= MIN_SHARE * (own[value] ?? 0) && count >= MIN_NEW_SHARE * (values[value]?.all ?? 0);
      });
      if (silenced.length === 0) return [];
      const count = silenced.reduce((sum, value) => sum + (counts[value] ?? 0), 0);
      const marked = silenced.reduce((sum, value) => sum + (own[value] ?? 0), 0);
      const chance = lnHypergeometricTail(count, devices, marked, members.length);
      if (!isWholeFleet && chance + lnChoose(ofKind.length, silenced.length) >= limit) return [];
      const cost = VALUE_COST * silenced.length + REPORTING_COST * (marked - count) - count;
      return [{ kind, values: silenced, cost }];
    })
    .sort((one, other) => one.cost - other.cost);
}

/** Explains members by the values of a kind. */
function explainBy(
  shared: SharedValues,
  { members, devices, own }: Unexplained,
  { kind, values }: FittingKind,
): { readonly explanations: readonly Explanation[]; readonly rest: Unexplained } {
  const devicesOf = new Map(values.map((value): [number, number[]] => [value, []]));
  const left: number[] = [];
  const ownLeft = own.slice();
  for (const index of members) {
    const explained = devicesOf.get(valueOfKind(shared, index, kind));
    if (explained === undefined) {
      left.push(index);
      continue;
    }
    explained.push(index);
    addToValues(shared, index, ownLeft, -1);
  }
  const explanations = values.map((value) => ({
    value,
    devices: devicesOf.get(value) ?? [],
    own: own[value] ?? 0,
  }));
  return {
    explanations,
    rest: { members: left, devices: devices - members.length + left.length, own: ownLeft },
  };
}

/** Tells whether the explained members are four fifths of those that did not fall silent by themselves. */
function isEnough(
  shared: SharedValues,
  cluster: Cluster,
  explanations: readonly Explanation[],
  left: readonly number[],
): boolean {
  const explained = cluster.members.length - left.length;
  const byGroup = explanations.some(({ value }) => shared.values[value]?.kind === GROUP);
  // A device without a group may stand in the place of that group.
  const others = byGroup
    ? left.filter((index) => valueOfKind(shared, index, GROUP) !== -1).length
    : left.length;
  const unexpected = Math.max(0, others - expectedByChance(shared, cluster));
  return explained >= MIN_SHARE * (explained + unexpected);
}

/** Returns the number of devices that may fall silent by themselves in the time of a cluster, by those before it. */
function expectedByChance({ byStart, from, until }: SharedValues, { members, at }: Cluster): number {
  const widths = members.reduce((sum, index) => sum + (until[index] ?? 0) - (from[index] ?? 0), 0);
  const width = widths / members.length;
  const count = byStart.filter(
    (index) => (until[index] ?? 0) < at && (from[index] ?? 0) >= at - BACKGROUND_MILLISECONDS,
  ).length;
  const mean = (count * width) / (BACKGROUND_MILLISECONDS - width);
  return mean + 2 * Math.sqrt(mean);
}
