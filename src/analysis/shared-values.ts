import { CAUSE_KINDS, type CauseKind } from '../model/cause.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { shownData } from '../model/reading.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import type { Tunnels } from '../model/tunnel.ts';
import { DEVICES_PER_YIELD, isInUse, type SilentDevices, type Steps } from './silent-devices.ts';

/** Minimum number of devices that a cause explains. */
export const MIN_DEVICES = 3;

/** Minimum share of its own devices that a cause silences, and of a cluster that its causes explain together. */
export const MIN_SHARE = 0.8;

const KINDS = CAUSE_KINDS.length;

/** No value of a kind. */
const NONE = '';

/** A value that silent devices have. */
export type Value = {
  /** An index of {@link CAUSE_KINDS}. */
  readonly kind: number;
  readonly text: string;
  /** Number of all devices with this value; Infinity where it is certainly too large for a cause. */
  all: number;
};

/** Silent devices and their values, both as numbers: indexes into these lists. */
export type SharedValues = SilentDevices & {
  /** Devices by the first instant at which they may have fallen silent, and by the last. */
  readonly byStart: Int32Array;
  readonly byEnd: Int32Array;
  readonly values: readonly Value[];
  /** Values of each device, one for each kind; -1 for none. */
  readonly valuesOf: Int32Array;
  /** 1 for a device that a cause explains. */
  readonly explained: Uint8Array;
};

/** Numbers the values of silent devices, kind by kind, sweeps them, and counts all devices that have them. */
export function* shareValues(
  devices: SilentDevices,
  accounts: readonly AccountSnapshot[],
): Steps<{ readonly shared: SharedValues; readonly swept: Sweep }> {
  const { silent, from, until } = devices;
  const byStart = orderOf(from);
  const byEnd = orderOf(until);
  const tunnels: TunnelsOf = new Map(accounts.map(({ name, tunnels }) => [name, shownData(tunnels)]));
  const values: Value[] = [];
  const valuesOf = new Int32Array(silent.length * KINDS).fill(-1);
  for (const [kind, name] of CAUSE_KINDS.entries()) {
    yield;
    const textOf = TEXTS[name];
    const known = new Map<string, number>();
    for (let index = 0; index < silent.length; index += 1) {
      const device = silent[index];
      if (device === undefined) continue;
      const text = textOf(device.entry, device.account, tunnels);
      if (text === NONE) continue;
      let value = known.get(text);
      if (value === undefined) {
        value = values.length;
        known.set(text, value);
        values.push({ kind, text, all: 0 });
      }
      valuesOf[index * KINDS + kind] = value;
    }
  }
  const explained = new Uint8Array(silent.length);
  const shared = { ...devices, byStart, byEnd, values, valuesOf, explained };
  yield;
  const swept = sweep(shared);
  yield;
  yield* countDevices(shared, swept, accounts, tunnels);
  return { shared, swept };
}

/** Returns a value of a silent device, by the index of its kind; -1 for none. */
export function valueOfKind({ valuesOf }: SharedValues, device: number, kind: number): number {
  return valuesOf[device * KINDS + kind] ?? -1;
}

/** Adds an amount to the counts of all values of a silent device. */
export function addToValues(
  shared: SharedValues,
  device: number,
  counts: Int32Array | Float64Array,
  amount: number,
): void {
  for (let kind = 0; kind < KINDS; kind += 1) {
    const value = valueOfKind(shared, device, kind);
    if (value !== -1) add(counts, value, amount);
  }
}

/** Tunnels that are known, by account. */
type TunnelsOf = ReadonlyMap<string, Tunnels | undefined>;

/** Return the value of each kind of a device. */
const TEXTS: Readonly<
  Record<CauseKind, (entry: FleetDevice, account: string, tunnels: TunnelsOf) => string>
> = {
  group: ({ group }) => group,
  tunnel_host: ({ device }, account, tunnels) => tunnels.get(account)?.get(device.id)?.tunnel?.host ?? NONE,
  account: (_, account) => account,
  app_version: ({ device }) => device.appVersion,
  model: ({ device }) => device.model,
};

/**
 * Counts the devices of each value. Counting a value ends where it has so many devices that those that fell silent together
 * can't be four fifths of them: so few devices are read in most cases.
 */
function* countDevices(
  shared: SharedValues,
  { most }: Sweep,
  accounts: readonly AccountSnapshot[],
  tunnels: TunnelsOf,
): Steps<void> {
  const { values, silent } = shared;
  const silentOf = new Int32Array(values.length);
  for (let index = 0; index < silent.length; index += 1) addToValues(shared, index, silentOf, 1);
  const open = CAUSE_KINDS.map(() => new Map<string, { readonly value: Value; readonly limit: number }>());
  for (const [index, value] of values.entries()) {
    const count = most[index] ?? 0;
    value.all = count < MIN_DEVICES ? Number.POSITIVE_INFINITY : (silentOf[index] ?? 0);
    if (count >= MIN_DEVICES)
      open[value.kind]?.set(value.text, { value, limit: count / MIN_SHARE + value.all });
  }
  if (open.every(({ size }) => size === 0)) return;
  const reporting = yield* listReportingDevices(silent, accounts);
  for (const [kind, name] of CAUSE_KINDS.entries()) {
    yield;
    yield* countKind(TEXTS[name], open[kind] ?? new Map(), reporting, tunnels);
  }
}

/** Lists the devices of all accounts that are in use and not silent. */
function* listReportingDevices(
  silent: SilentDevices['silent'],
  accounts: readonly AccountSnapshot[],
): Steps<readonly (readonly [account: string, devices: readonly FleetDevice[]])[]> {
  let nextSilent = 0;
  let looked = 0;
  const reporting: (readonly [string, readonly FleetDevice[]])[] = [];
  for (const { name, devices } of accounts) {
    const ofAccount: FleetDevice[] = [];
    for (const entry of shownData(devices)?.devices.values() ?? []) {
      looked += 1;
      if (looked % DEVICES_PER_YIELD === 0) yield;
      // Silent devices come in the same order.
      if (entry === silent[nextSilent]?.entry) nextSilent += 1;
      else if (isInUse(entry)) ofAccount.push(entry);
    }
    reporting.push([name, ofAccount]);
  }
  return reporting;
}

/** Adds the devices that report to the counts of the values of one kind, until none of these is open. */
function* countKind(
  textOf: (typeof TEXTS)[CauseKind],
  open: Map<string, { readonly value: Value; readonly limit: number }>,
  reporting: readonly (readonly [string, readonly FleetDevice[]])[],
  tunnels: TunnelsOf,
): Steps<void> {
  for (const [account, devices] of reporting) {
    for (const [index, entry] of devices.entries()) {
      if (open.size === 0) return;
      if ((index + 1) % DEVICES_PER_YIELD === 0) yield;
      const found = open.get(textOf(entry, account, tunnels));
      if (found === undefined) continue;
      found.value.all += 1;
      if (found.value.all <= found.limit) continue;
      found.value.all = Number.POSITIVE_INFINITY;
      open.delete(found.value.text);
    }
  }
}

/** The instant at which most devices of each value fell silent. */
export type Sweep = {
  readonly most: Int32Array;
  /** Milliseconds since 1970. */
  readonly mostAt: Float64Array;
  /** Number of its devices that were silent before. */
  readonly endedThen: Int32Array;
};

/** Goes through all instants, with the devices that may have fallen silent at each. */
export function sweep({ from, until, byStart, byEnd, values, valuesOf, explained }: SharedValues): Sweep {
  const open = new Int32Array(values.length);
  const ended = new Int32Array(values.length);
  const most = new Int32Array(values.length);
  const mostAt = new Float64Array(values.length);
  const endedThen = new Int32Array(values.length);
  let next = 0;
  for (const index of byStart) {
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

function add(counts: Int32Array | Float64Array, index: number, amount: number): number {
  const sum = (counts[index] ?? 0) + amount;
  counts[index] = sum;
  return sum;
}

const MAX_DEVICES = 2 ** 22;

/** Returns the indexes of instants in their order. Numbers sort much faster with no function that compares them. */
function orderOf(instants: Float64Array): Int32Array {
  const first = instants.reduce((least, instant) => Math.min(least, instant), Number.POSITIVE_INFINITY);
  // Exact: the milliseconds of a week times the largest fleet are below 2^53.
  const keys = instants.map((instant, index) => Math.round(instant - first) * MAX_DEVICES + index).sort();
  const order = new Int32Array(keys.length);
  for (let place = 0; place < keys.length; place += 1) order[place] = (keys[place] ?? 0) % MAX_DEVICES;
  return order;
}
