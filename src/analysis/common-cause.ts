import { type AccountCause, CAUSE_KINDS, type CommonCause } from '../model/cause.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { type Cluster, type Explanation, explainCluster, REPORTING_COST } from './explanation.ts';
import {
  MIN_DEVICES,
  MIN_SHARE,
  type SharedValues,
  type Sweep,
  shareValues,
  sweep,
  valueOfKind,
} from './shared-values.ts';
import { listSilentDevices, type Steps } from './silent-devices.ts';

/** Maximum number of clusters that are examined. */
const MAX_CLUSTERS = 20;

/** Causes of each account. */
export type Causes = readonly (readonly AccountCause[])[];

/**
 * Finds the properties that explain the silent devices, for each account, in the order of the accounts. All accounts
 * are analysed together, because their devices may be in one place.
 *
 * 1. A device fell silent between its last heartbeat and the next one that was due. Devices whose intervals overlap
 *    form a cluster.
 * 2. The values of one kind that silence at least four fifths of their own devices may explain a cluster together.
 * 3. The overlap is tested with Fisher's exact test, one-sided: the upper tail of the hypergeometric distribution, with
 *    Bonferroni's correction for the explanations tried (Rivals et al., "Enrichment or depletion of a GO category
 *    within a class of genes: which test?", Bioinformatics 23, 2007).
 * 4. The kind with the lowest cost is chosen: 2 for each value, 2 for each of its devices that reports, and -1 for each
 *    device that it explains.
 * 5. The devices that stay unexplained are examined again.
 */
export function findCommonCauses(accounts: readonly AccountSnapshot[]): Causes {
  const search = searchCauses(accounts);
  let step = search.next();
  while (step.done !== true) step = search.next();
  return step.value;
}

/** Finds the same causes as {@link findCommonCauses}, and yields to the event loop between its steps. */
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

/** A cause, and the ids of the devices that it explains, by account. */
type NamedCause = { readonly cause: CommonCause; readonly deviceIds: ReadonlyMap<string, readonly string[]> };

function* searchCauses(accounts: readonly AccountSnapshot[]): Steps<Causes> {
  const silent = yield* listSilentDevices(accounts);
  if (silent.silent.length < MIN_DEVICES) return accounts.map(() => []);
  yield;
  const { shared, swept: first } = yield* shareValues(silent, accounts);
  let swept = first;
  const causes: NamedCause[] = [];
  const rejected = new Set<number>();
  for (let count = 0; count < MAX_CLUSTERS; count += 1) {
    yield;
    const anchor = findAnchor(shared, swept, rejected);
    if (anchor === undefined) break;
    yield;
    const cluster = clusterAround(shared, anchor);
    yield;
    const explanations = explainCluster(shared, cluster);
    if (explanations.length === 0) rejected.add(anchor.value);
    const explained = explanations.reduce((sum, { devices }) => sum + devices.length, 0);
    for (const explanation of explanations) {
      yield;
      causes.push(...nameCause(shared, explanation, cluster.members.length - explained));
    }
    yield;
    if (explained > 0) swept = sweep(shared);
  }
  return accounts.map(({ name }) =>
    causes.flatMap(({ cause, deviceIds }) => {
      const own = deviceIds.get(name);
      return own === undefined ? [] : [{ cause, deviceIds: own }];
    }),
  );
}

/** A value that may be a cause, and the instant at which most of its devices fell silent. */
type Anchor = { readonly value: number; readonly at: number };

/** Finds the value that silenced most devices at one instant; each of its devices that still reports costs two. */
function findAnchor(
  shared: SharedValues,
  { most, mostAt, endedThen }: Sweep,
  rejected: ReadonlySet<number>,
): Anchor | undefined {
  let best: Anchor | undefined;
  let bestGain = Number.NEGATIVE_INFINITY;
  for (const [value, { all }] of shared.values.entries()) {
    const count = most[value] ?? 0;
    const own = all - (endedThen[value] ?? 0);
    if (count < MIN_DEVICES || count < MIN_SHARE * own || rejected.has(value)) continue;
    const gain = count - REPORTING_COST * (own - count);
    if (gain <= bestGain) continue;
    best = { value, at: mostAt[value] ?? 0 };
    bestGain = gain;
  }
  return best;
}

/** Returns the devices that may have fallen silent while all those of the anchor did. */
function clusterAround(shared: SharedValues, { value, at }: Anchor): Cluster {
  const { byStart, from, until, explained } = shared;
  const kind = shared.values[value]?.kind ?? 0;
  let end = Number.POSITIVE_INFINITY;
  for (const index of byStart) {
    const isOpen = explained[index] === 0 && (from[index] ?? 0) <= at && (until[index] ?? 0) >= at;
    if (isOpen && valueOfKind(shared, index, kind) === value) end = Math.min(end, until[index] ?? 0);
  }
  const members: number[] = [];
  for (const index of byStart) {
    if ((from[index] ?? 0) > end) break;
    if (explained[index] === 0 && (until[index] ?? 0) >= at) members.push(index);
  }
  return { members, at };
}

function nameCause(
  shared: SharedValues,
  { value, devices, own }: Explanation,
  others: number,
): readonly NamedCause[] {
  const { silent, from, values, explained } = shared;
  const { kind: kindIndex = 0, text = '' } = values[value] ?? {};
  const kind = CAUSE_KINDS[kindIndex];
  if (kind === undefined) return [];
  const deviceIds = new Map<string, string[]>();
  for (const index of devices) {
    explained[index] = 1;
    const device = silent[index];
    if (device === undefined) continue;
    const ids = deviceIds.get(device.account) ?? [];
    ids.push(device.id);
    deviceIds.set(device.account, ids);
  }
  const cause: CommonCause = {
    kind,
    value: text,
    devices: devices.length,
    ownDevices: own,
    others,
    startAt: from[devices[0] ?? 0] ?? 0,
    endAt: from[devices.at(-1) ?? 0] ?? 0,
  };
  return [{ cause, deviceIds }];
}
