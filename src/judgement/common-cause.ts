import type { NamedAccount } from '../model/account.ts';
import {
  type AccountCause,
  CAUSE_KINDS,
  type CauseKind,
  type Causes,
  type CommonCause,
  type ExplainedCause,
} from '../model/cause.ts';
import { searchCauses } from './cause-search.ts';
import {
  isReporting,
  listSilentDevices,
  NONE,
  type SilentDevices,
  type ValueReaders,
  valueReaders,
} from './silent-devices.ts';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

/** Minimum share of the largest number of its devices that are silent while a cause lasts. */
const MIN_LASTING_SHARE = 0.5;

/** Minimum share of the devices with its value that a cause explains after it grows. */
const MIN_GROWN_SHARE = 0.5;

/**
 * Returns the causes after a poll. A cause is shown when two polls agree, grows when more devices with its value fall
 * silent, and ends when half of its devices are back. A cause in the first list of an account is shown at once.
 */
export function* trackCauses(accounts: readonly NamedAccount[], before: Causes): Steps<Causes> {
  const devices = yield* listSilentDevices(accounts);
  const tracking: Tracking = {
    ...devices,
    accounts,
    readers: valueReaders(accounts),
    explained: new Uint8Array(devices.silent.length),
  };
  const known = yield* continueCauses(tracking, before.shown);
  yield* growCauses(tracking, known);
  const lasting = endCauses(tracking, known);
  const names = new Set(lasting.map(nameOf));
  const found = yield* searchCauses(tracking, (kind, value) => names.has(nameOf({ kind, value })));
  const begun = found.map(({ kind, value, indexes }) =>
    trackedCause({ kind, value, indexes, startAt: earliest(indexes, devices.from) }),
  );
  yield* countOwnDevices(tracking, begun);
  const isConfirmed = confirmation(tracking, before);
  const confirmed = begun.filter(isConfirmed);
  return {
    shown: yield* explainCauses(tracking, [...lasting, ...confirmed]),
    candidates: yield* explainCauses(
      tracking,
      begun.filter((cause) => !confirmed.includes(cause)),
    ),
    leftOver: before.leftOver,
    listedAt: new Map(
      accounts.flatMap(({ name, account: { fleet } }) =>
        fleet === undefined ? [] : [[name, fleet.apiTime]],
      ),
    ),
  };
}

/** Returns the causes that are shown of one account. */
export function causesOfAccount({ shown }: Causes, account: string): readonly AccountCause[] {
  return shown.flatMap(({ cause, deviceIds }) => {
    const own = deviceIds.get(account);
    return own === undefined ? [] : [{ cause, deviceIds: own }];
  });
}

/** The silent devices of all accounts, and what is known of them. */
type Tracking = SilentDevices & {
  readonly accounts: readonly NamedAccount[];
  readonly readers: ValueReaders;
  /** 1 for each device that a cause explains. */
  readonly explained: Uint8Array;
};

/** A cause while it is updated; its devices are indexes of the silent devices. */
type TrackedCause = Pick<CommonCause, 'kind' | 'value' | 'startAt'> & {
  readonly id: string;
  readonly indexes: number[];
  /** Largest number of devices before this poll. */
  readonly most: number;
  ownDevices: number;
};

function trackedCause(cause: Pick<TrackedCause, 'kind' | 'value' | 'startAt' | 'indexes'>): TrackedCause {
  return { ...cause, id: JSON.stringify([cause.kind, cause.value, cause.startAt]), most: 0, ownDevices: 0 };
}

function nameOf({ kind, value }: Pick<CommonCause, 'kind' | 'value'>): string {
  return `${kind} ${value}`;
}

/** Lists the causes that were shown, each with those of its devices that are still silent. */
function* continueCauses(
  { silent, explained }: Tracking,
  shown: readonly ExplainedCause[],
): Steps<readonly TrackedCause[]> {
  if (shown.length === 0) return [];
  const owners = new Map<string, Map<string, number[]>>();
  const indexesOf = shown.map(({ deviceIds }) => {
    const indexes: number[] = [];
    for (const [account, ids] of deviceIds) {
      const ofAccount = owners.get(account) ?? new Map<string, number[]>();
      owners.set(account, ofAccount);
      for (const id of ids) ofAccount.set(id, indexes);
    }
    return indexes;
  });
  yield;
  for (let index = 0; index < silent.length; index += 1) {
    if ((index + 1) % DEVICES_PER_YIELD === 0) yield;
    const device = silent[index];
    const indexes = device && owners.get(device.account)?.get(device.id);
    if (indexes === undefined) continue;
    indexes.push(index);
    explained[index] = 1;
  }
  yield;
  const causes = new Map<string, TrackedCause>();
  for (const [number, { id, cause, most }] of shown.entries()) {
    const { kind, startAt } = cause;
    const indexes = indexesOf[number] ?? [];
    const groups = new Set(kind === 'group' ? indexes.map((index) => silent[index]?.entry.group) : []);
    const [group] = groups;
    // The groups of a configuration that was reloaded may be named otherwise.
    const value = groups.size === 1 && group !== undefined && group !== NONE ? group : cause.value;
    const same = causes.get(nameOf({ kind, value }));
    if (same === undefined)
      causes.set(nameOf({ kind, value }), { id, kind, value, startAt, indexes, most, ownDevices: 0 });
    else
      causes.set(nameOf(same), { ...same, indexes: [...same.indexes, ...indexes], most: same.most + most });
  }
  return [...causes.values()];
}

/** Returns the causes of a kind by their values. */
function causesOfKind(causes: readonly TrackedCause[], kind: CauseKind): ReadonlyMap<string, TrackedCause> {
  return new Map(causes.flatMap((cause) => (cause.kind === kind ? [[cause.value, cause] as const] : [])));
}

/** Adds the devices that fell silent after the start of a cause with their value. */
function* growCauses(tracking: Tracking, causes: readonly TrackedCause[]): Steps<void> {
  yield* countOwnDevices(tracking, causes);
  const { silent, latest, explained, readers } = tracking;
  for (const kind of CAUSE_KINDS) {
    const more = new Map<string, number[]>();
    const ofKind = causesOfKind(causes, kind);
    if (ofKind.size === 0) continue;
    yield;
    for (const [index, { entry, account }] of silent.entries()) {
      if (explained[index] === 1) continue;
      const cause = ofKind.get(readers[kind](entry, account));
      if (cause === undefined || (latest[index] ?? 0) < cause.startAt) continue;
      const indexes = more.get(cause.value) ?? [];
      indexes.push(index);
      more.set(cause.value, indexes);
    }
    for (const [value, indexes] of more) {
      const cause = ofKind.get(value);
      if (cause === undefined) continue;
      // Most devices with this value work: those that fall silent now have another reason.
      if (cause.indexes.length + indexes.length < MIN_GROWN_SHARE * cause.ownDevices) continue;
      for (const index of indexes) {
        explained[index] = 1;
        cause.indexes.push(index);
      }
    }
  }
}

/** Lists the causes that last. Another one may explain the devices of those that end. */
function endCauses({ explained }: Tracking, causes: readonly TrackedCause[]): readonly TrackedCause[] {
  return causes.filter(({ indexes, most }) => {
    if (indexes.length > MIN_LASTING_SHARE * most) return true;
    for (const index of indexes) explained[index] = 0;
    return false;
  });
}

/** Counts the devices that are in use and have the value of each cause. */
function* countOwnDevices(
  { accounts, silent, readers }: Tracking,
  causes: readonly TrackedCause[],
): Steps<void> {
  for (const kind of CAUSE_KINDS) {
    const ofKind = causesOfKind(causes, kind);
    if (ofKind.size === 0) continue;
    yield;
    for (const { entry, account } of silent) {
      const cause = ofKind.get(readers[kind](entry, account));
      if (cause !== undefined) cause.ownDevices += 1;
    }
    for (const { name, account } of accounts) {
      let looked = 0;
      for (const entry of account.fleet?.devices.values() ?? []) {
        looked += 1;
        if (looked % DEVICES_PER_YIELD === 0) yield;
        const cause = isReporting(entry) ? ofKind.get(readers[kind](entry, name)) : undefined;
        if (cause !== undefined) cause.ownDevices += 1;
      }
    }
  }
}

/** Returns a function that tells whether a cause that was found is shown: another poll found it before, or none could. */
function confirmation({ accounts, silent }: Tracking, before: Causes): (cause: TrackedCause) => boolean {
  const known = before.listedAt;
  const polled = new Set<string>();
  for (const { name, account } of accounts) if (account.fleet?.apiTime !== known.get(name)) polled.add(name);
  return ({ kind, value, indexes }) => {
    const wasFound = before.candidates.some(({ cause }) => cause.kind === kind && cause.value === value);
    return indexes.some((index) => {
      const account = silent[index]?.account ?? '';
      return !known.has(account) || (wasFound && polled.has(account));
    });
  };
}

function* explainCauses(
  { silent, from, until, explained }: Tracking,
  causes: readonly TrackedCause[],
): Steps<readonly ExplainedCause[]> {
  const unexplained: number[] = [];
  for (let index = 0; index < silent.length; index += 1) if (explained[index] === 0) unexplained.push(index);
  const shown: ExplainedCause[] = [];
  for (const { id, kind, value, startAt, indexes, most, ownDevices } of causes) {
    yield;
    const deviceIds = new Map<string, string[]>();
    let sold = 0;
    let endAt = startAt;
    for (const index of indexes) {
      const device = silent[index];
      if (device === undefined) continue;
      const ids = deviceIds.get(device.account) ?? [];
      deviceIds.set(device.account, ids);
      ids.push(device.id);
      if (device.entry.device.rentalStatus === 'sold') sold += 1;
      endAt = Math.max(endAt, from[index] ?? 0);
    }
    let others = 0;
    for (const index of unexplained)
      if ((from[index] ?? 0) <= endAt && (until[index] ?? 0) >= startAt) others += 1;
    shown.push({
      id,
      cause: { kind, value, devices: indexes.length, sold, ownDevices, others, startAt, endAt },
      deviceIds,
      most: Math.max(most, indexes.length),
    });
  }
  return shown;
}

function earliest(indexes: readonly number[], instants: Float64Array): number {
  return indexes.reduce((least, index) => Math.min(least, instants[index] ?? 0), Number.POSITIVE_INFINITY);
}
