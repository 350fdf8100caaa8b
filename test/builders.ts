import type { Device, DeviceKind, DeviceState, Devices } from '../src/model/device.ts';
import { NO_MEMORY } from '../src/model/memory.ts';
import type { Fleet, FleetDevice, Money, Neighbour, Reading, TunnelAnswer } from '../src/model/reading.ts';
import type { AccountSnapshot } from '../src/model/snapshot.ts';
import type { Tunnel } from '../src/model/tunnel.ts';
import { packPhones } from '../src/poller/pack.ts';
import { summarise } from '../src/poller/summary.ts';
import { atOnce } from '../src/slices.ts';

/** A moment that tests agree on: 2026-03-01T12:00:00Z, in milliseconds since 1970. */
export const NOON = Date.UTC(2026, 2, 1, 12);

/** What a test says of a phone, all in one. */
export type DeviceFacts = Partial<Omit<Device, 'kind' | 'state'> & DeviceKind & DeviceState>;

/** The same the other way round. */
export function factsOf({ kind, state, ...rest }: Device): DeviceFacts {
  return { ...rest, ...kind, ...state };
}

/** A phone of which nothing but its id is known. */
export function bareDevice(facts: DeviceFacts = {}): Device {
  return {
    id: facts.id ?? 'phone-1',
    label: facts.label ?? '',
    kind: { brand: facts.brand ?? '', model: facts.model ?? '', appVersion: facts.appVersion ?? '' },
    state: stateOf(facts),
    lastHeartbeatAt: facts.lastHeartbeatAt,
    rentalId: facts.rentalId,
  };
}

/** The phones of a list as an array. */
export function listed(devices: Devices): readonly Device[] {
  return Array.from({ length: devices.length }, (_, index) => devices.at(index)).filter(
    (device) => device !== undefined,
  );
}

export function stateOf(state: Partial<DeviceState>): DeviceState {
  return {
    setupStatus: state.setupStatus,
    rentalStatus: state.rentalStatus,
    marketplaceStatus: state.marketplaceStatus,
    selfRentStatus: state.selfRentStatus,
    rotationStatus: state.rotationStatus,
    rotationIntervalMilliseconds: state.rotationIntervalMilliseconds,
  };
}

/** A phone as healthy ones are: sold, listed, seen ten seconds before noon. */
export function healthyDevice(device: DeviceFacts = {}): Device {
  return bareDevice({
    label: 'Rack A / 1',
    brand: 'Samsung',
    model: 'Galaxy A14',
    appVersion: '4.2.0',
    setupStatus: 'complete',
    rentalStatus: 'sold',
    marketplaceStatus: 'listed',
    lastHeartbeatAt: NOON - 10_000,
    rotationStatus: 'active',
    rotationIntervalMilliseconds: 600_000,
    ...device,
  });
}

/** What the poller makes of a device it sees for the first time at noon. */
export function fleetDevice(device: Device, entry: Partial<FleetDevice> = {}): FleetDevice {
  return {
    device,
    heartbeatAgeSeconds:
      device.lastHeartbeatAt === undefined ? undefined : (NOON - device.lastHeartbeatAt) / 1000,
    rentalStatusSince: device.state.rentalStatus === undefined ? undefined : NOON,
    rentalStatusSeconds: { sold: 0, self_rented: 0, idle: 0, other: 0 },
    ...entry,
  };
}

export function fleetOf(...devices: readonly FleetDevice[]): Fleet {
  return fleetBeside([], ...devices);
}

/** A fleet of which other shards look after a part. */
export function fleetBeside(neighbours: readonly Neighbour[], ...devices: readonly FleetDevice[]): Fleet {
  return {
    devices: atOnce(packPhones(devices)),
    neighbours,
    summary: atOnce(summarise(atOnce(packPhones(devices)), neighbours)),
    absent: new Map(),
    reported: devices.length,
    apiTime: NOON,
    listing: { pages: 1, passes: 1, complete: true, suspect: false },
  };
}

export function tunnelOf(tunnel: Partial<Tunnel> = {}): Tunnel {
  return {
    id: 'tunnel-1',
    host: 'proxy.example.com',
    ports: { socks5: 10_000, https: 10_001, transparentSocks5: 10_002 },
    status: 'enabled',
    uptimeStatus: 'up',
    credentials: {
      countByStatus: new Map([['active', 2]]),
      oldestActiveAt: NOON - 86_400_000,
      lastChangeAt: NOON - 3_600_000,
    },
    ...tunnel,
  };
}

export function answerAtNoon(tunnel: Tunnel | undefined): TunnelAnswer {
  return { tunnel, answeredAt: NOON };
}

export function moneyOf(availableCents: number, pendingCents: number): Money {
  const still = { increaseCents: 0, decreaseCents: 0 };
  return {
    balance: { availableCents, pendingCents, totalCents: availableCents + pendingCents },
    observed: { available: still, pending: still },
  };
}

/** A reading of a poll that succeeded at noon. */
export function freshReading<Data>(data: Data): Reading<Data> {
  return { data, state: 'fresh', lastSuccessAt: NOON, lastAttemptAt: NOON, failure: undefined };
}

/** A reading from before the first poll. */
export const UNREAD: Reading<never> = {
  data: undefined,
  state: 'expired',
  lastSuccessAt: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** An account of which nothing is known yet. */
export function accountOf(account: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return {
    name: 'main',
    currency: undefined,
    access: undefined,
    devices: UNREAD,
    tunnels: UNREAD,
    balance: UNREAD,
    memory: NO_MEMORY,
    ...account,
  };
}
