import { explainLimit } from '../judge/offline.ts';
import { type CommonCause, shownValue } from '../model/cause.ts';
import type { FleetEvent } from '../model/event.ts';
import { FAILURE_TEXTS } from '../model/failure-texts.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { END_TEXTS, type EndedIncident, INCIDENTS, type Incident } from '../model/incident.ts';
import { type Price, priceOf } from '../model/money.ts';
import { type DeviceProblem, isOnline, type Judgement } from '../model/problem.ts';
import { type Reading, shownData } from '../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import type { Spell } from '../model/times.ts';
import type { TunnelResponse } from '../model/tunnel.ts';
import type {
  FleetAccount,
  FleetCause,
  FleetDocument,
  FleetDocumentEvent,
  FleetExporter,
  FleetIncident,
  FleetLeftPhone,
  FleetPhone,
  FleetReading,
  FleetTotals,
  OfflineAfterReason,
} from './document.ts';

/*
 * Builds the document of `/api/v1/fleet` (src/fleet/document.ts) from the snapshot.
 */

/** Devices that are converted before the event loop gets a turn. */
const DEVICES_PER_YIELD = 512;

/**
 * Builds the document from the snapshot alone. Ages are those at the poll, so it is valid as long as the snapshot.
 *
 * @param prices the configured prices of sold days
 */
export async function buildFleetDocument(
  { accounts, events }: Snapshot,
  exporter: FleetExporter,
  yieldToEventLoop: () => Promise<void>,
  prices: readonly Price[] = [],
): Promise<FleetDocument> {
  const phones: FleetPhone[] = [];
  const fleetAccounts: FleetAccount[] = [];
  for (const account of accounts) {
    const fleet = account.devices.data;
    const tunnels = shownData(account.tunnels);
    const causes = causeIdsOf(account);
    for (const [id, entry] of fleet?.devices ?? []) {
      const absent = fleet?.absent.has(id) === true ? true : undefined;
      const cause = causes.get(id);
      const problem = account.known.judgement?.problems.get(id);
      const response = tunnels?.get(id);
      phones.push({ account: account.name, ...phoneOf(entry, problem, response, prices), cause, absent });
      if (phones.length % DEVICES_PER_YIELD === 0) await yieldToEventLoop();
    }
    fleetAccounts.push(accountOf(account));
  }
  return {
    version: 1,
    exporter,
    accounts: fleetAccounts,
    phones,
    causes: causesOf(accounts),
    observed: [],
    maintenance: [],
    incidents: accounts.flatMap(incidentsOf),
    left: leftOf(accounts),
    events: events.toReversed().map(eventOf),
  };
}

function accountOf(account: AccountSnapshot): FleetAccount {
  const { name, currency, keyFile, access, devices, tunnels, balance, known } = account;
  const { judgement } = known;
  const fleet = devices.data;
  return {
    name,
    currency,
    keyFile,
    access,
    readings: {
      // Phones from the state file are as old as its last list.
      devices: readingOf({ ...devices, lastSuccessAt: devices.lastSuccessAt ?? fleet?.apiTime }),
      tunnels: readingOf(tunnels),
      balance: readingOf(balance),
    },
    gracePeriodEndsAt: instant(judgement?.gracePeriodEndsAt),
    unseen: someOf(fleet?.unseen.map(spanOf)),
    totals: fleet && judgement && totalsOf(fleet, judgement),
    balance: balance.data?.balance,
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

/** Leaves out the tunnel host and its logins: readers of the page need not know them. */
function phoneOf(
  entry: FleetDevice,
  known: DeviceProblem | undefined,
  response: TunnelResponse | undefined,
  prices: readonly Price[],
): Omit<FleetPhone, 'account' | 'cause' | 'absent'> {
  const { device, group, properties, heartbeatAgeSeconds, rentalStatusSince, rentalStatusBeginSeen } = entry;
  const { rotationIntervalMilliseconds: interval } = device;
  const tunnel = response?.tunnel;
  return {
    id: device.id,
    label: device.label,
    group,
    tags: properties.size === 0 ? undefined : Object.fromEntries(properties),
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
    offlineAfterSeconds: entry.offlineAfterSeconds,
    offlineAfterReason: entry.offline ? offlineAfterReasonOf(entry) : undefined,
    online: isOnline(known?.problem),
    problem: known?.problem,
    problemSince: instant(known?.since),
    selfRentStatus: device.selfRentStatus,
    rotationStatus: device.rotationStatus,
    rotationIntervalSeconds: interval === undefined ? undefined : interval / 1000,
    tunnel: response && {
      live: tunnel !== undefined,
      status: tunnel?.status,
      uptimeStatus: tunnel?.uptimeStatus,
    },
    lastDay: someOf(entry.spells.map(({ state, ...span }) => ({ state, ...spanOf(span) }))),
    priceCentsPerDay: priceOf(prices, { group, model: device.model })?.centsPerDay,
  };
}

/** Returns undefined for an empty list. */
function someOf<Item>(items: readonly Item[] | undefined): readonly Item[] | undefined {
  return items?.length === 0 ? undefined : items;
}

function spanOf({ from, to }: Pick<Spell, 'from' | 'to'>) {
  return { from: instant(from), to: instant(to) };
}

/** A limit that differs from the learned one is configured. */
function offlineAfterReasonOf({
  rhythm,
  offlineAfterSeconds,
  outageSeconds,
}: FleetDevice): OfflineAfterReason {
  const { limitSeconds, learned } = explainLimit(rhythm);
  const reason = limitSeconds === offlineAfterSeconds ? learned : undefined;
  return {
    excusedSeconds: outageSeconds,
    usualSeconds: reason?.usualSeconds,
    lostBeats: reason?.lostBeats,
    longestSeconds: reason?.longestSeconds,
    days: reason?.days,
  };
}

function idOf(cause: CommonCause): string {
  return `${cause.kind}:${shownValue(cause)}`;
}

/** Returns the ids of common causes by device id. */
function causeIdsOf({ known }: AccountSnapshot): ReadonlyMap<string, string> {
  return new Map(
    known.causes.flatMap(({ cause, deviceIds }) => deviceIds.map((id) => [id, idOf(cause)] as const)),
  );
}

function causesOf(accounts: readonly AccountSnapshot[]): readonly FleetCause[] {
  const causes = new Map(
    accounts.flatMap((account) => account.known.causes.map(({ cause }) => [idOf(cause), cause] as const)),
  );
  return Array.from(causes, ([id, cause]) => ({
    id,
    kind: cause.kind,
    value: shownValue(cause),
    phones: cause.devices,
    soldPhones: cause.sold,
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

function incidentsOf({ name, known }: AccountSnapshot): readonly FleetIncident[] {
  const { open, ended } = known.incidents;
  return [...open.toReversed(), ...ended.toReversed()].map((incident) => incidentOf(name, incident));
}

/** Converts an incident of an account. */
export function incidentOf(account: string, incident: Incident | EndedIncident): FleetIncident {
  const { id, problem, deviceId, kind, value, notifiedSize, members, devices, mostSold, since, openedAt } =
    incident;
  const isOfPhone = deviceId !== '';
  const isOfPhones = members.size > 0;
  return {
    id,
    account,
    problem,
    alert: INCIDENTS[problem].alert,
    severity: INCIDENTS[problem].severity,
    phone: isOfPhone ? deviceId : undefined,
    label: isOfPhone ? incident.label : undefined,
    group: isOfPhone ? incident.group : undefined,
    kind: kind === '' ? undefined : kind,
    value: value === '' ? undefined : value,
    notifiedPhones: notifiedSize === 0 ? undefined : notifiedSize,
    phones: isOfPhones ? devices.sold + devices.others : undefined,
    soldPhones: isOfPhones ? devices.sold : undefined,
    allPhones: isOfPhones ? members.size : undefined,
    mostSoldPhones: isOfPhones ? mostSold : undefined,
    since: instant(since),
    openedAt: instant(openedAt),
    endedAt: 'endedAt' in incident ? instant(incident.endedAt) : undefined,
    reason: 'reason' in incident ? incident.reason : undefined,
    reasonText: 'reason' in incident ? END_TEXTS[incident.reason] : undefined,
  };
}

function eventOf(event: FleetEvent): FleetDocumentEvent {
  const polls = { previousPollAt: instant(event.previousPollAt), pollAt: instant(event.pollAt) };
  if ('incident' in event) {
    const { event: what, account, incident } = event;
    return { event: what, account, incident: incidentOf(account, incident), ...polls };
  }
  const { event: what, account, deviceId, label, group, from, to } = event;
  return { event: what, account, id: deviceId, label, group, from, to, ...polls };
}

/** Counts the phones of an account. */
function totalsOf({ devices, counts }: Fleet, { online, counts: problems }: Judgement): FleetTotals {
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);
  return {
    phones: devices.size,
    online,
    offline: devices.size - online - problems.not_set_up - problems.in_maintenance,
    sold: sum(Object.values(counts.sold)),
    selfRented: sum(Object.values(counts.self_rented)),
    idle: sum(Object.values(counts.idle)),
    listed: sum(Object.values(counts).map(({ listed }) => listed)),
    problems,
  };
}

/** The schemas accept only instants that ISO 8601 can express. */
function instant(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
