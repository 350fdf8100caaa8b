import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { shownData } from '../model/reading.ts';
import { GIVEN_UP_SECONDS, RENTED_SILENT_SECONDS } from '../model/silence.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';

/** Shortest time in which devices that fall silent together send their last heartbeats. */
const LEAST_WINDOW_SECONDS = 90;

/** A device is silent for this many times the usual time between its heartbeats, or it is only slow. */
const SILENT_GAPS = 1.5;

/** A device fell silent at most this many times the usual time between its heartbeats after the last one. */
const WINDOW_GAPS = 1.25;

/** Number of devices that are looked at in one step. */
export const STEP_DEVICES = 2_000;

/** A computation in steps, each of at most a few milliseconds at 10,000 devices. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** A silent device. It fell silent between two instants, in milliseconds since 1970. */
export type SilentDevice = {
  readonly account: string;
  readonly id: string;
  readonly entry: FleetDevice;
  readonly from: number;
  readonly until: number;
};

/** The silent devices of all accounts, and the number of all devices that report, or did lately. */
export type SilentDevices = { readonly silent: readonly SilentDevice[]; readonly devices: number };

/** Lists the silent devices of all accounts, in the order of the fleets. */
export function* listSilentDevices(accounts: readonly AccountSnapshot[]): Steps<SilentDevices> {
  const silent: SilentDevice[] = [];
  let devices = 0;
  let usualGap: number | undefined;
  for (const account of accounts) {
    const fleet = shownData(account.devices);
    if (fleet === undefined) continue;
    const facts = knownFacts.get(fleet) ?? (yield* readFleet(fleet));
    knownFacts.set(fleet, facts);
    devices += facts.devices;
    for (const [id, entry] of facts.late) {
      const { heartbeatAgeSeconds: age = 0, device } = entry;
      if (entry.heartbeatGapSeconds === undefined) usualGap ??= medianGap(accounts);
      const gap = entry.heartbeatGapSeconds ?? usualGap ?? 0;
      if (age <= SILENT_GAPS * gap || device.lastHeartbeatAt === undefined) continue;
      const from = device.lastHeartbeatAt;
      const until = from + Math.max(LEAST_WINDOW_SECONDS, WINDOW_GAPS * gap) * 1000;
      silent.push({ account: account.name, id, entry, from, until });
    }
  }
  return { silent, devices };
}

/** Tells whether a device reports, or did before it was given up. */
export function isJudged({ heartbeatAgeSeconds: age }: FleetDevice): boolean {
  return age !== undefined && age <= GIVEN_UP_SECONDS;
}

type FleetFacts = {
  readonly devices: number;
  /** Devices whose last heartbeat is old, by their ids. */
  readonly late: readonly (readonly [id: string, entry: FleetDevice])[];
};

/** Facts by fleet: a poll of one account leaves those of the others as they are. */
const knownFacts = new WeakMap<Fleet, FleetFacts>();

function* readFleet(fleet: Fleet): Steps<FleetFacts> {
  const late: [string, FleetDevice][] = [];
  let devices = 0;
  let looked = 0;
  for (const [id, entry] of fleet.devices) {
    looked += 1;
    if (looked % STEP_DEVICES === 0) yield;
    if (!isJudged(entry)) continue;
    devices += 1;
    if ((entry.heartbeatAgeSeconds ?? 0) > RENTED_SILENT_SECONDS) late.push([id, entry]);
  }
  return { devices, late };
}

/** Returns the usual time between two heartbeats, in seconds; 0 if it is not known of any device. */
function medianGap(accounts: readonly AccountSnapshot[]): number {
  const gaps: number[] = [];
  for (const account of accounts)
    for (const { heartbeatGapSeconds: gap } of shownData(account.devices)?.devices.values() ?? [])
      if (gap !== undefined) gaps.push(gap);
  return Float64Array.from(gaps).sort()[gaps.length >> 1] ?? 0;
}
