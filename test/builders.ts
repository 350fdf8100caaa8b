import { finish } from '../src/base/steps.ts';
import { coverAt, MAINTENANCE } from '../src/features/maintenance/cover.ts';
import type { MaintenanceWindow } from '../src/features/maintenance/model.ts';
import { NEW_RHYTHM } from '../src/judge/offline.ts';
import { judgeDevices, type ProblemSettings } from '../src/judge/problems.ts';
import type { StepSettings } from '../src/judge/step.ts';
import { columnOf } from '../src/judge/times.ts';
import { type Account, NEW_ACCOUNT } from '../src/model/account.ts';
import { type Cause, type Causes, isShown, NO_CAUSES, shownValue } from '../src/model/cause.ts';
import { type Device, hasLiveSelfRent, isSetUp } from '../src/model/device.ts';
import {
  type DeviceCounts,
  type Fleet,
  type FleetDevice,
  NO_PROPERTIES,
  type Properties,
} from '../src/model/fleet.ts';
import { DEFAULT_GROUPS, groupOf } from '../src/model/group.ts';
import type { Money } from '../src/model/money.ts';
import type { PollState, Reading } from '../src/model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../src/model/snapshot.ts';
import type { Tunnel, TunnelResponse } from '../src/model/tunnel.ts';
import type { Store } from '../src/poll/store.ts';

/** A moment that tests agree on: 2026-03-01T12:00:00Z, in milliseconds since 1970. */
export const NOON = Date.UTC(2026, 2, 1, 12);

/** A device about which only its id is known. */
export function bareDevice(facts: Partial<Device> = {}): Device {
  return {
    id: 'phone-1',
    label: '',
    brand: '',
    model: '',
    appVersion: '',
    setupStatus: undefined,
    rentalStatus: undefined,
    marketplaceStatus: undefined,
    lastHeartbeatAt: undefined,
    selfRentStatus: undefined,
    rentalId: undefined,
    rotationStatus: undefined,
    rotationIntervalMilliseconds: undefined,
    ...facts,
  };
}

/** A healthy device: sold, listed, seen ten seconds before noon. */
export function healthyDevice(device: Partial<Device> = {}): Device {
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

/** A device that was seen for the first time at noon. */
export function fleetDevice(device: Device, entry: Partial<FleetDevice> = {}): FleetDevice {
  return {
    device,
    group: groupOf(device.label, DEFAULT_GROUPS),
    properties: NO_PROPERTIES,
    listedAt: NOON,
    heartbeatAgeSeconds:
      device.lastHeartbeatAt === undefined ? undefined : (NOON - device.lastHeartbeatAt) / 1000,
    outageSeconds: 0,
    rhythm: NEW_RHYTHM,
    offlineAfterSeconds: 600,
    offline: isOfflineAtNoon(device),
    mutedAt: undefined,
    rentalStatusSince: device.rentalStatus === undefined ? undefined : NOON,
    rentalStatusBeginSeen: false,
    times: timesAtNoon(device),
    spells: [],
    rotationStoppedAt: undefined,
    backAt: undefined,
    ...entry,
  };
}

function timesAtNoon(device: Device): FleetDevice['times'] {
  const column = columnOf(device.rentalStatus, { offline: isOfflineAtNoon(device), isMuted: false });
  return {
    firstListedAt: NOON,
    column,
    milliseconds: column === undefined ? {} : { [column]: 0 },
    interruptions: 0,
  };
}

function isOfflineAtNoon({ lastHeartbeatAt, setupStatus }: Device): boolean {
  return lastHeartbeatAt !== undefined && NOON - lastHeartbeatAt > 600_000 && isSetUp(setupStatus);
}

/** An account whose devices and tunnels are judged. */
export function judged(account: AccountSnapshot): AccountSnapshot {
  const fleet = account.devices.data;
  if (fleet === undefined) return account;
  const judgement = finish(judgeDevices(fleet, account.tunnels.data, undefined, PROBLEM_SETTINGS));
  return { ...account, known: { ...account.known, judgement } };
}

/** A snapshot of these accounts, in which nothing has happened. */
export function snapshotOf(...accounts: readonly AccountSnapshot[]): Snapshot {
  return { accounts, causes: NO_CAUSES, events: [] };
}

export const PROBLEM_SETTINGS: ProblemSettings = {
  idleAfterSeconds: 3 * 86_400,
  givenUpAfterSeconds: 7 * 86_400,
};

/** Settings of an account in a test, with the windows of its maintenance. */
export type TestSettings = Omit<StepSettings, 'mutedSinceOf'> & {
  readonly windows: readonly MaintenanceWindow[];
};

/** Returns the settings of an account; what is not given is as by default. */
export function settingsWith({ windows = [], parts = [], ...own }: Partial<TestSettings>): StepSettings {
  return {
    groups: DEFAULT_GROUPS,
    propertiesOf: () => NO_PROPERTIES,
    offlineAfterSeconds: undefined,
    problems: PROBLEM_SETTINGS,
    staleAfterMilliseconds: 15 * 60_000,
    balanceLowCents: undefined,
    mutedSinceOf: (account, at) => coverAt(windows, MAINTENANCE.of(account).requests, at),
    ...own,
    parts: [MAINTENANCE.bind(windows), ...parts],
  };
}

export const STEP_SETTINGS: StepSettings = settingsWith({});

/** Returns a function that finds the tags of devices by their ids. */
export function propertiesBy(tags: ReadonlyMap<string, Properties>): StepSettings['propertiesOf'] {
  return (id) => tags.get(id) ?? NO_PROPERTIES;
}

/** A cause that people see. */
export type ShownCause = {
  readonly id: string;
  readonly cause: Cause;
  readonly deviceIds: Cause['deviceIds'];
};

/** Lists the causes that people see, each by its value and its beginning. */
export function shownCauses({ list }: Causes): readonly ShownCause[] {
  return list.filter(isShown).map((cause) => ({
    id: `${cause.kind} ${shownValue(cause)} ${cause.startAt}`,
    cause,
    deviceIds: cause.deviceIds,
  }));
}

/** A fleet that was listed at noon. */
export function fleetOf(...devices: readonly FleetDevice[]): Fleet {
  const counts = { ...NO_COUNTS };
  for (const { device } of devices) {
    const { rentalStatus, marketplaceStatus } = device;
    const [rental, marketplace] = [rentalStatus ?? 'other', marketplaceStatus ?? 'other'] as const;
    counts[rental] = { ...counts[rental], [marketplace]: counts[rental][marketplace] + 1 };
  }
  return {
    devices: new Map(devices.map((entry) => [entry.device.id, entry])),
    counts,
    liveSelfRents: devices
      .map(({ device }) => device)
      .filter(hasLiveSelfRent)
      .map(({ id }) => id),
    departed: new Map(),
    absent: new Map(),
    left: new Map(),
    reported: devices.length,
    apiTime: NOON,
    clockShift: 0,
    isClockReset: false,
    dueIn: 30_000,
    slack: 30_000,
    unseen: [],
    listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false, suspect: false },
  };
}

const NONE = { listed: 0, not_listed: 0, other: 0 };
const NO_COUNTS: DeviceCounts = { sold: NONE, self_rented: NONE, idle: NONE, other: NONE };

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

export function answerAtNoon(tunnel: Tunnel | undefined): TunnelResponse {
  return { tunnel, respondedAt: NOON, stateSince: NOON, loginsChangedAt: undefined, isStale: false };
}

export function moneyOf(availableCents: number, pendingCents: number): Money {
  const still = { increaseCents: 0, decreaseCents: 0 };
  return {
    balance: { availableCents, pendingCents, totalCents: availableCents + pendingCents },
    lastAmounts: { availableCents, pendingCents },
    observed: { available: still, pending: still },
  };
}

/** A poll that succeeded at noon. */
export const POLLED_AT_NOON: PollState = {
  state: 'fresh',
  lastSuccessAt: NOON,
  lastSuccessUptime: 0,
  lastAttemptAt: NOON,
  failure: undefined,
};

/** A reading of a poll that succeeded at noon. */
export function freshReading<Data>(data: Data): Reading<Data> {
  return { ...POLLED_AT_NOON, data };
}

/** A reading from before the first poll. */
export const UNREAD: Reading<never> = {
  data: undefined,
  state: 'expired',
  lastSuccessAt: undefined,
  lastSuccessUptime: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** The account of a store; it has to be there. */
export function accountIn(store: Pick<Store, 'account'>, name = 'main'): AccountSnapshot {
  const account = store.account(name);
  if (account === undefined) throw new Error(`no account is named ${name}`);
  return account;
}

/** An account of which nothing is known yet, or what the readings hold. */
export function accountOf({
  judgement,
  causes = [],
  ...account
}: Partial<AccountSnapshot & Pick<Account, 'judgement' | 'causes'>> = {}): AccountSnapshot {
  const { devices = UNREAD, tunnels = UNREAD, balance = UNREAD } = account;
  const known: Account = {
    ...NEW_ACCOUNT,
    at: devices.data?.apiTime,
    fleet: devices.data,
    tunnels: tunnels.data,
    money: balance.data,
    judgement,
    causes,
  };
  return {
    name: 'main',
    currency: undefined,
    balanceLowCents: undefined,
    keyFile: undefined,
    access: undefined,
    known,
    devices,
    tunnels,
    balance,
    ...account,
  };
}
