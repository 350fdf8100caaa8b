import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { shownData } from '../model/reading.ts';
import { GIVEN_UP_SECONDS, RENTED_SILENT_SECONDS } from '../model/silence.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';

/** Minimum length of the interval in which a device may have fallen silent. */
const MIN_WINDOW_SECONDS = 90;

/** A device is silent after this many times the usual time between its heartbeats. */
const SILENT_GAPS = 1.5;

/** A device fell silent at most this many times the usual time between its heartbeats after the last one. */
const WINDOW_GAPS = 1.25;

/** Number of devices that are processed before the event loop gets a turn. */
export const DEVICES_PER_YIELD = 2_000;

/** A computation in steps, each of at most a few milliseconds at 10,000 devices. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** A silent device. */
type SilentDevice = { readonly account: string; readonly id: string; readonly entry: FleetDevice };

/** The silent devices of all accounts, in the order of the fleets. */
export type SilentDevices = {
  readonly silent: readonly SilentDevice[];
  /** Each of them fell silent between these two instants, in milliseconds since 1970. */
  readonly from: Float64Array;
  readonly until: Float64Array;
  /** Number of all devices that report, or did lately. */
  readonly devices: number;
};

/** Lists the silent devices of all accounts. */
export function* listSilentDevices(accounts: readonly AccountSnapshot[]): Steps<SilentDevices> {
  const late: SilentDevice[] = [];
  let devices = 0;
  for (const account of accounts) {
    const fleet = shownData(account.devices);
    if (fleet === undefined) continue;
    const facts = knownFacts.get(fleet) ?? (yield* readFleet(account.name, fleet));
    knownFacts.set(fleet, facts);
    devices += facts.devices;
    for (const device of facts.late) late.push(device);
  }
  let usualGap: number | undefined;
  const gapOf = ({ heartbeatGapSeconds: gap }: FleetDevice): number => {
    if (gap === undefined) usualGap ??= medianGap(accounts);
    return gap ?? usualGap ?? 0;
  };
  const silent = late.filter(({ entry }) => (entry.heartbeatAgeSeconds ?? 0) > SILENT_GAPS * gapOf(entry));
  const from = new Float64Array(silent.length);
  const until = new Float64Array(silent.length);
  for (let index = 0; index < silent.length; index += 1) {
    const entry = silent[index]?.entry;
    if (entry === undefined) continue;
    const at = entry.device.lastHeartbeatAt ?? 0;
    from[index] = at;
    until[index] = at + Math.max(MIN_WINDOW_SECONDS, WINDOW_GAPS * gapOf(entry)) * 1000;
  }
  return { silent, from, until, devices };
}

/** Tells whether a device reports, or did before it was given up. */
export function isInUse({ heartbeatAgeSeconds: age }: FleetDevice): boolean {
  return age !== undefined && age <= GIVEN_UP_SECONDS;
}

type FleetFacts = {
  readonly devices: number;
  /** Devices whose last heartbeat is old. */
  readonly late: readonly SilentDevice[];
};

/** Facts by fleet: a poll of one account leaves those of the others as they are. */
const knownFacts = new WeakMap<Fleet, FleetFacts>();

function* readFleet(account: string, fleet: Fleet): Steps<FleetFacts> {
  const late: SilentDevice[] = [];
  let devices = 0;
  let looked = 0;
  for (const [id, entry] of fleet.devices) {
    looked += 1;
    if (looked % DEVICES_PER_YIELD === 0) yield;
    if (!isInUse(entry)) continue;
    devices += 1;
    if ((entry.heartbeatAgeSeconds ?? 0) > RENTED_SILENT_SECONDS) late.push({ account, id, entry });
  }
  return { devices, late };
}

/** Maximum number of devices of an account that the median of times between heartbeats is computed from. */
const MAX_GAPS = 500;

/** Returns the usual time between two heartbeats, in seconds; 0 if it is not known of any device. */
function medianGap(accounts: readonly AccountSnapshot[]): number {
  const gaps: number[] = [];
  for (const account of accounts) {
    let left = MAX_GAPS;
    for (const { heartbeatGapSeconds: gap } of shownData(account.devices)?.devices.values() ?? []) {
      if (gap === undefined) continue;
      gaps.push(gap);
      left -= 1;
      if (left === 0) break;
    }
  }
  return Float64Array.from(gaps).sort()[gaps.length >> 1] ?? 0;
}
