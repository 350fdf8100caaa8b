import { type CauseKind, type CommonCause, shownValue } from '../model/cause.ts';
import {
  hasLiveSelfRent,
  type MarketplaceStatus,
  type OpenStatus,
  type RentalStatus,
  type SetupStatus,
} from '../model/device.ts';
import type { AccessState, DataState, FailureReason } from '../model/enums.ts';
import type { FleetEvent } from '../model/event.ts';
import { FAILURE_TEXTS } from '../model/failure-texts.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { type Reading, shownData } from '../model/reading.ts';
import { GIVEN_UP_SECONDS, isOffline, OFFLINE_SECONDS, RENTED_SILENT_SECONDS } from '../model/silence.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import type { TunnelAnswer } from '../model/tunnel.ts';

/*
 * The fleet as `GET /api/v1/fleet` returns it (docs/API.md) and as the fleet page shows it. Instants are ISO 8601 in UTC.
 * Unknown values are `undefined` and absent from the JSON, never null.
 */

/** Grows when a field is renamed, removed or changes its meaning; not for a new field. */
const FLEET_VERSION = 1;

export type FleetDocument = {
  readonly version: typeof FLEET_VERSION;
  readonly exporter: FleetExporter;
  /** In the order of the configuration. */
  readonly accounts: readonly FleetAccount[];
  /** By account, then by id; without accounts whose device list has expired. */
  readonly phones: readonly FleetPhone[];
  /** Common causes of silent phones, of all accounts. */
  readonly causes: readonly FleetCause[];
  /** Phones that left the device list within a day, newest first. */
  readonly left: readonly FleetLeftPhone[];
  /** The last hundred events, newest first. */
  readonly events: readonly FleetDocumentEvent[];
};

export type FleetCause = {
  /** Identifies the cause among those of the document. */
  readonly id: string;
  readonly kind: CauseKind;
  /** A tunnel host has a name in its place. */
  readonly value: string;
  /** Number of silent phones that it explains. */
  readonly phones: number;
  /** Number of phones with this value that reported until then, including them. */
  readonly ownPhones: number;
  /** Number of other phones that fell silent at the same time and that no cause explains. */
  readonly others: number;
  /** First of their last heartbeats. */
  readonly since: string | undefined;
  /** Time between the first and the last of their last heartbeats. */
  readonly withinSeconds: number;
};

export type FleetLeftPhone = {
  readonly account: string;
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly lastListedAt: string | undefined;
  /** It was silent when it was last listed. */
  readonly wasSilent: boolean;
};

/** An event of one phone, or of a common cause. */
export type FleetDocumentEvent = {
  readonly event: FleetEvent['event'];
  readonly account?: string;
  readonly id?: string;
  readonly label?: string;
  readonly group?: string;
  readonly from?: string;
  readonly to?: string;
  readonly kind?: CauseKind;
  readonly value?: string;
  readonly phones?: number;
  /** The two polls between which it happened, by the clock of the exporter. */
  readonly previousPollAt: string | undefined;
  readonly pollAt: string | undefined;
};

export type FleetExporter = {
  readonly version: string;
  /** Longest number of seconds between two polls of the device list. */
  readonly pollIntervalSeconds: number;
};

export type FleetAccount = {
  readonly name: string;
  /** From the configuration. */
  readonly currency: string | undefined;
  /** Path of the file with the API key; absent where an environment variable has it. */
  readonly keyFile: string | undefined;
  /** State of the API key; absent before the first response. */
  readonly access: AccessState | undefined;
  readonly readings: {
    readonly devices: FleetReading;
    readonly tunnels: FleetReading;
    readonly balance: FleetReading;
  };
  /** Absent while the device list has expired. */
  readonly totals: FleetTotals | undefined;
  /** Absent while the balance has expired. */
  readonly balance: FleetBalance | undefined;
};

export type FleetReading = {
  readonly state: DataState;
  /** End of the last successful poll, by the clock of the exporter. */
  readonly lastSuccessAt: string | undefined;
  /** End of the last poll. */
  readonly lastAttemptAt: string | undefined;
  /** Absent after a success. */
  readonly failure: FailureReason | undefined;
  /** Its usual cause, and what to do; absent after a success. */
  readonly failureText: string | undefined;
};

/** Numbers of devices of one account. */
type FleetTotals = {
  readonly phones: number;
  readonly online: number;
  readonly sold: number;
  readonly selfRented: number;
  readonly idle: number;
  readonly listed: number;
  /** Every finding, zeros included. */
  readonly findings: Readonly<Record<Finding, number>>;
};

/** In integer cents. */
export type FleetBalance = {
  readonly availableCents: number | undefined;
  readonly pendingCents: number | undefined;
  readonly totalCents: number | undefined;
};

export type FleetPhone = {
  readonly account: string;
  readonly id: string;
  readonly label: string;
  /** The part of the label that says where the phone stands; empty without one. */
  readonly group: string;
  readonly brand: string;
  readonly model: string;
  readonly appVersion: string;
  /** The first that applies; absent for a healthy device. */
  readonly finding: Finding | undefined;
  readonly rentalStatus: RentalStatus | undefined;
  /** First poll with the present rental status. */
  readonly rentalStatusSince: string | undefined;
  /** False if the present rental status may have begun any time before. */
  readonly rentalStatusBeginSeen: boolean;
  readonly marketplaceStatus: MarketplaceStatus | undefined;
  readonly setupStatus: SetupStatus | undefined;
  readonly lastHeartbeatAt: string | undefined;
  /** At the poll, by the clock of the API; constant between polls. */
  readonly heartbeatAgeSeconds: number | undefined;
  /** True if the last heartbeat was at most 15 minutes old at the poll; absent without a heartbeat. */
  readonly online: boolean | undefined;
  readonly selfRentStatus: OpenStatus | undefined;
  readonly rotationStatus: OpenStatus | undefined;
  readonly rotationIntervalSeconds: number | undefined;
  /** Absent if the tunnel was not polled or has expired. */
  readonly tunnel: FleetTunnel | undefined;
  /** `id` of the common cause that explains why it is silent. */
  readonly cause: string | undefined;
  /** True if the last device list lacked the device; it stays until further lists confirm that. */
  readonly absent: true | undefined;
};

type FleetTunnel = {
  /** False if the API says that there is no tunnel. */
  readonly live: boolean;
  readonly status: OpenStatus | undefined;
  readonly uptimeStatus: OpenStatus | undefined;
};

/**
 * Reasons why a device needs attention, most expensive first; a device has the first that applies. Each is an alert of
 * config/prometheus/hoster.rules.yml.
 */
export const FINDINGS = [
  'sold_silent',
  'self_rented_silent',
  'tunnel_missing',
  'tunnel_down',
  'silent',
  'idle_too_long',
  'unlisted',
  'not_set_up',
  'given_up',
] as const;

export type Finding = (typeof FINDINGS)[number];

/** Figures of hoster.thresholds.yml and hoster.rules.yml, in seconds; a test compares them. */
export const FINDING_THRESHOLDS = {
  /** Heartbeat age above which a device that is not rented is silent. */
  silentSeconds: OFFLINE_SECONDS,
  /** The same for a rented device. */
  rentedSilentSeconds: RENTED_SILENT_SECONDS,
  /** Heartbeat age above which the device is the cause of its tunnel being down. */
  tunnelExcusedSeconds: 5 * 60,
  /** Heartbeat age above which a device that is not rented is given up. */
  givenUpSeconds: GIVEN_UP_SECONDS,
  /** Time for which a listed device may be idle. */
  idleTooLongSeconds: 3 * 86_400,
} as const;

/** Setup states in which a device can't be rented. */
const NOT_SET_UP: readonly (SetupStatus | undefined)[] = [
  'awaiting_device_details',
  'awaiting_agent',
  'draft',
  'incomplete',
];

/**
 * Finds the reason why a device needs attention, as of the last successful poll. Alerts also wait for their `for`; a
 * person who opens the page sees the present state at once.
 *
 * @param tunnel the last response about its tunnel; undefined if that is unknown or has expired
 * @param apiTime the clock of the API at the poll, in milliseconds since 1970
 */
export function findingOf(
  entry: FleetDevice,
  tunnel: TunnelAnswer | undefined,
  apiTime: number,
): Finding | undefined {
  const { device, heartbeatAgeSeconds: age, rentalStatusSince } = entry;
  const { rentalStatus, marketplaceStatus, setupStatus } = device;
  const limits = FINDING_THRESHOLDS;
  if (isOlder(age, limits.rentedSilentSeconds)) {
    if (rentalStatus === 'sold') return 'sold_silent';
    if (rentalStatus === 'self_rented') return 'self_rented_silent';
  }
  if (tunnel !== undefined && hasLiveSelfRent(device)) {
    if (tunnel.tunnel === undefined) return 'tunnel_missing';
    const { uptimeStatus } = tunnel.tunnel;
    const isDown = uptimeStatus !== undefined && uptimeStatus !== 'up';
    if (isDown && !isOlder(age, limits.tunnelExcusedSeconds)) return 'tunnel_down';
  }
  if (NOT_SET_UP.includes(setupStatus)) return 'not_set_up';
  if (isOlder(age, limits.givenUpSeconds)) return 'given_up';
  if (isOlder(age, limits.silentSeconds)) return 'silent';
  if (rentalStatus !== 'idle') return undefined;
  if (marketplaceStatus === 'listed') {
    const idleSeconds = rentalStatusSince === undefined ? undefined : (apiTime - rentalStatusSince) / 1000;
    return isOlder(idleSeconds, limits.idleTooLongSeconds) ? 'idle_too_long' : undefined;
  }
  return marketplaceStatus === 'not_listed' && age !== undefined ? 'unlisted' : undefined;
}

/** Undefined for a device without a usable heartbeat, which is neither online nor silent. */
function isOnline(entry: FleetDevice): boolean | undefined {
  return entry.heartbeatAgeSeconds === undefined ? undefined : !isOffline(entry);
}

function isOlder(age: number | undefined, seconds: number): boolean {
  return age !== undefined && age > seconds;
}

/** Devices that are converted before the event loop gets a turn. */
const DEVICES_PER_YIELD = 512;

/**
 * Builds the document from the snapshot alone: ages are those of the poll, so it is valid as long as the snapshot.
 *
 * @param yieldToEventLoop gives the event loop a turn
 */
export async function buildFleetDocument(
  { accounts, events = [] }: Snapshot,
  exporter: FleetExporter,
  yieldToEventLoop: () => Promise<void>,
): Promise<FleetDocument> {
  const phones: FleetPhone[] = [];
  const fleetAccounts: FleetAccount[] = [];
  for (const account of accounts) {
    const fleet = shownData(account.devices);
    const tunnels = shownData(account.tunnels);
    const totals = zeroTotals();
    const causes = causeIdsOf(account);
    for (const [id, entry] of fleet?.devices ?? []) {
      const tunnel = tunnels?.get(id);
      const finding = findingOf(entry, tunnel, fleet?.apiTime ?? 0);
      const absent = fleet?.absent.has(id) === true ? true : undefined;
      count(totals, entry, finding);
      const cause = causes.get(id);
      phones.push({ account: account.name, ...phoneOf(entry, tunnel), finding, cause, absent });
      if (phones.length % DEVICES_PER_YIELD === 0) await yieldToEventLoop();
    }
    fleetAccounts.push(accountOf(account, fleet === undefined ? undefined : totals));
  }
  return {
    version: FLEET_VERSION,
    exporter,
    accounts: fleetAccounts,
    phones,
    causes: causesOf(accounts),
    left: leftOf(accounts),
    events: events.toReversed().map(eventOf),
  };
}

function accountOf(account: AccountSnapshot, totals: FleetTotals | undefined): FleetAccount {
  const { name, currency, keyFile, access, devices, tunnels, balance } = account;
  return {
    name,
    currency,
    keyFile,
    access,
    readings: {
      devices: readingOf(devices),
      tunnels: readingOf(tunnels),
      balance: readingOf(balance),
    },
    totals,
    balance: shownData(balance)?.balance,
  };
}

function readingOf({ state, lastSuccessAt, lastAttemptAt, failure }: Reading<unknown>): FleetReading {
  return {
    state,
    lastSuccessAt: instant(lastSuccessAt),
    lastAttemptAt: instant(lastAttemptAt),
    failure,
    failureText: failure && FAILURE_TEXTS[failure],
  };
}

/** Contains neither the host of the tunnel nor its logins, because readers of the page need not know them. */
function phoneOf(
  entry: FleetDevice,
  answer: TunnelAnswer | undefined,
): Omit<FleetPhone, 'account' | 'finding' | 'cause' | 'absent'> {
  const { device, group, heartbeatAgeSeconds, rentalStatusSince, rentalStatusBeginSeen } = entry;
  const { rotationIntervalMilliseconds: interval } = device;
  const tunnel = answer?.tunnel;
  return {
    id: device.id,
    label: device.label,
    group,
    brand: device.brand,
    model: device.model,
    appVersion: device.appVersion,
    rentalStatus: device.rentalStatus,
    rentalStatusSince: instant(rentalStatusSince),
    rentalStatusBeginSeen,
    marketplaceStatus: device.marketplaceStatus,
    setupStatus: device.setupStatus,
    // Without an age, the heartbeat is not usable.
    lastHeartbeatAt: heartbeatAgeSeconds === undefined ? undefined : instant(device.lastHeartbeatAt),
    heartbeatAgeSeconds,
    online: isOnline(entry),
    selfRentStatus: device.selfRentStatus,
    rotationStatus: device.rotationStatus,
    rotationIntervalSeconds: interval === undefined ? undefined : interval / 1000,
    tunnel: answer && {
      live: tunnel !== undefined,
      status: tunnel?.status,
      uptimeStatus: tunnel?.uptimeStatus,
    },
  };
}

function idOf(cause: CommonCause): string {
  return `${cause.kind}:${shownValue(cause)}`;
}

/** Returns the cause of each device that one explains, by device id. */
function causeIdsOf({ causes }: AccountSnapshot): ReadonlyMap<string, string> {
  return new Map(causes.flatMap(({ cause, deviceIds }) => deviceIds.map((id) => [id, idOf(cause)] as const)));
}

function causesOf(accounts: readonly AccountSnapshot[]): readonly FleetCause[] {
  const causes = new Map(
    accounts.flatMap((account) => account.causes.map(({ cause }) => [idOf(cause), cause] as const)),
  );
  return Array.from(causes, ([id, cause]) => ({
    id,
    kind: cause.kind,
    value: shownValue(cause),
    phones: cause.devices,
    ownPhones: cause.ownDevices,
    others: cause.others,
    since: instant(cause.startAt),
    withinSeconds: (cause.endAt - cause.startAt) / 1000,
  }));
}

function leftOf(accounts: readonly AccountSnapshot[]): readonly FleetLeftPhone[] {
  return accounts
    .flatMap(({ name, devices }) =>
      Array.from(shownData(devices)?.left ?? [], ([id, left]) => ({ account: name, id, ...left })),
    )
    .toSorted((one, other) => other.removedAt - one.removedAt)
    .map(({ removedAt: _, lastListedAt, ...left }) => ({ ...left, lastListedAt: instant(lastListedAt) }));
}

function eventOf(event: FleetEvent): FleetDocumentEvent {
  const polls = { previousPollAt: instant(event.previousPollAt), pollAt: instant(event.pollAt) };
  if ('kind' in event) {
    const { event: what, kind, value, devices } = event;
    return { event: what, kind, value, phones: devices, ...polls };
  }
  const { event: what, account, deviceId, label, group, from, to } = event;
  return { event: what, account, id: deviceId, label, group, from, to, ...polls };
}

type Counts = { -readonly [Name in Exclude<keyof FleetTotals, 'findings'>]: FleetTotals[Name] } & {
  readonly findings: Record<Finding, number>;
};

function count(counts: Counts, entry: FleetDevice, finding: Finding | undefined): void {
  const { rentalStatus, marketplaceStatus } = entry.device;
  counts.phones += 1;
  if (isOnline(entry)) counts.online += 1;
  if (rentalStatus === 'sold') counts.sold += 1;
  if (rentalStatus === 'self_rented') counts.selfRented += 1;
  if (rentalStatus === 'idle') counts.idle += 1;
  if (marketplaceStatus === 'listed') counts.listed += 1;
  if (finding !== undefined) counts.findings[finding] += 1;
}

function zeroTotals(): Counts {
  const findings: Counts['findings'] = {
    sold_silent: 0,
    self_rented_silent: 0,
    tunnel_missing: 0,
    tunnel_down: 0,
    silent: 0,
    idle_too_long: 0,
    unlisted: 0,
    not_set_up: 0,
    given_up: 0,
  };
  return { phones: 0, online: 0, sold: 0, selfRented: 0, idle: 0, listed: 0, findings };
}

/** The schemas let no instant in that has no such text. */
function instant(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
