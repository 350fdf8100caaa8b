import type { Balance } from '../model/balance.ts';
import type { Device } from '../model/device.ts';
import type { FailureReason } from '../model/failure.ts';
import type {
  DataState,
  Fleet,
  FleetDevice,
  Money,
  Movement,
  Reading,
  TunnelAnswer,
  Tunnels,
} from '../model/reading.ts';
import type { RentalStatus } from '../model/status.ts';

/** A heartbeat further ahead of the API's own clock than this is no usable instant. */
const FUTURE_LIMIT_MILLISECONDS = 5 * 60 * 1000;

const NO_SECONDS: Readonly<Record<RentalStatus, number>> = { sold: 0, self_rented: 0, idle: 0, other: 0 };
const NO_MOVEMENT: Movement = { increaseCents: 0, decreaseCents: 0 };

/** What a collector knows before its first poll. */
export const NEVER_READ: Reading<never> = {
  data: undefined,
  state: 'expired',
  lastSuccessAt: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** The reading after a poll that succeeded at `now`. */
export function succeeded<Data>(data: Data, now: number): Reading<Data> {
  return { data, state: 'fresh', lastSuccessAt: now, lastAttemptAt: now, failure: undefined };
}

/** The reading after a poll that failed at `now`: what was known stays, and says how old it is. */
export function failed<Data>(
  reading: Reading<Data>,
  failure: FailureReason,
  now: number,
  staleAfterMilliseconds: number,
): Reading<Data> {
  return {
    ...reading,
    failure,
    lastAttemptAt: now,
    state: stateAfterFailure(reading, now, staleAfterMilliseconds),
  };
}

function stateAfterFailure(
  reading: Reading<unknown>,
  now: number,
  staleAfterMilliseconds: number,
): DataState {
  if (reading.lastSuccessAt === undefined) return 'expired';
  return now - reading.lastSuccessAt > staleAfterMilliseconds ? 'expired' : 'held';
}

/** What a complete or incomplete listing of the devices says. */
export type ListedFleet = Omit<Fleet, 'devices' | 'apiTime'> & { readonly devices: readonly Device[] };

/**
 * The fleet after a listing. A phone that an incomplete listing lacks is kept, since it may only have moved between
 * two pages while they were read.
 *
 * @param apiTime the clock of the API at the listing, in milliseconds since 1970
 * @param longestGap milliseconds between two polls above which nobody knows what a phone did in between
 */
export function settleFleet(
  previous: Fleet | undefined,
  listed: ListedFleet,
  apiTime: number,
  longestGap: number,
): Fleet {
  const known = new Map(previous?.devices.map((entry) => [entry.device.id, entry]));
  const elapsed = previous === undefined ? 0 : apiTime - previous.apiTime;
  const observedSeconds = elapsed > 0 && elapsed <= longestGap ? elapsed / 1000 : 0;
  const devices = listed.devices.map((device) => {
    const before = known.get(device.id);
    known.delete(device.id);
    return settleDevice(before, device, apiTime, observedSeconds);
  });
  const kept = listed.listing.complete ? [] : known.values();
  return { ...listed, devices: [...devices, ...kept], apiTime };
}

/** The time since the poll before counts for the status that the phone had then. */
function settleDevice(
  before: FleetDevice | undefined,
  device: Device,
  apiTime: number,
  observedSeconds: number,
): FleetDevice {
  const unchanged = before !== undefined && before.device.rentalStatus === device.rentalStatus;
  return {
    device,
    heartbeatAgeSeconds: heartbeatAge(device.lastHeartbeatAt, apiTime),
    rentalStatusSince: unchanged ? before.rentalStatusSince : device.rentalStatus && apiTime,
    rentalStatusSeconds: addSeconds(before, observedSeconds),
  };
}

function addSeconds(
  before: FleetDevice | undefined,
  seconds: number,
): Readonly<Record<RentalStatus, number>> {
  if (before === undefined) return NO_SECONDS;
  const { rentalStatusSeconds, device } = before;
  if (device.rentalStatus === undefined || seconds === 0) return rentalStatusSeconds;
  return {
    ...rentalStatusSeconds,
    [device.rentalStatus]: rentalStatusSeconds[device.rentalStatus] + seconds,
  };
}

function heartbeatAge(lastHeartbeatAt: number | undefined, apiTime: number): number | undefined {
  if (lastHeartbeatAt === undefined || lastHeartbeatAt - apiTime > FUTURE_LIMIT_MILLISECONDS)
    return undefined;
  return Math.max(0, apiTime - lastHeartbeatAt) / 1000;
}

/** Number of phones that were known before and are not any more. */
export function countRemoved(previous: Fleet | undefined, next: Fleet): number {
  if (previous === undefined) return 0;
  const present = new Set(next.devices.map(({ device }) => device.id));
  return previous.devices.filter(({ device }) => !present.has(device.id)).length;
}

/**
 * The tunnels after a round of questions: each phone whose rental is live keeps its last answer, unless that is older
 * than `staleAfterMilliseconds`.
 *
 * @param live ids of the phones whose rental is live
 * @param answers what was answered in this round
 */
export function settleTunnels(
  previous: Tunnels | undefined,
  live: Iterable<string>,
  answers: Tunnels,
  now: number,
  staleAfterMilliseconds: number,
): Tunnels {
  const settled = new Map<string, TunnelAnswer>();
  for (const deviceId of live) {
    const answer = answers.get(deviceId) ?? previous?.get(deviceId);
    if (answer !== undefined && now - answer.answeredAt <= staleAfterMilliseconds)
      settled.set(deviceId, answer);
  }
  return settled;
}

/** The money after a poll: the balance, and its movements since the poll before added to the sums. */
export function settleBalance(previous: Money | undefined, balance: Balance): Money {
  return {
    balance,
    observed: {
      available: move(previous?.observed.available, previous?.balance.availableCents, balance.availableCents),
      pending: move(previous?.observed.pending, previous?.balance.pendingCents, balance.pendingCents),
    },
  };
}

function move(sums: Movement | undefined, before: number | undefined, now: number | undefined): Movement {
  const { increaseCents, decreaseCents } = sums ?? NO_MOVEMENT;
  if (before === undefined || now === undefined) return { increaseCents, decreaseCents };
  return {
    increaseCents: increaseCents + Math.max(0, now - before),
    decreaseCents: decreaseCents + Math.max(0, before - now),
  };
}
