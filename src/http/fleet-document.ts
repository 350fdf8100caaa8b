import { explainLimit } from '../judgement/silence.ts';
import { type CauseKind, type CommonCause, shownValue } from '../model/cause.ts';
import type { MarketplaceStatus, OpenStatus, RentalStatus, SetupStatus } from '../model/device.ts';
import type { AccessState, Collector, DataState, FailureReason } from '../model/enums.ts';
import type { FleetEvent } from '../model/event.ts';
import { FAILURE_TEXTS } from '../model/failure-texts.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import {
  END_TEXTS,
  type EndedIncident,
  type EndReason,
  INCIDENTS,
  type Incident,
  type IncidentProblem,
  type IncidentSeverity,
} from '../model/incident.ts';
import type { Maintenance } from '../model/maintenance.ts';
import { type Price, priceOf } from '../model/money.ts';
import { type DeviceProblem, isOnline, type Judgement, type Problem } from '../model/problem.ts';
import { type Reading, shownData } from '../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import type { Spell } from '../model/times.ts';
import type { TunnelResponse } from '../model/tunnel.ts';

/*
 * The fleet as `GET /api/v1/fleet` returns it (docs/API.md) and as the fleet page shows it. Instants are ISO 8601 in UTC.
 * Unknown values are `undefined` and absent from the JSON, never null.
 */

/** Version of the document. It is raised when a field is renamed, removed or changes its meaning; not for a new field. */
const FLEET_VERSION = 1;

export type FleetDocument = {
  readonly version: typeof FLEET_VERSION;
  readonly exporter: FleetExporter;
  /** In the order of the configuration. */
  readonly accounts: readonly FleetAccount[];
  /** By account, then by id, also where the device list has expired. */
  readonly phones: readonly FleetPhone[];
  /** Common causes of silent phones, of all accounts. */
  readonly causes: readonly FleetCause[];
  /** What the owner said that holds. */
  readonly maintenance: readonly FleetMaintenance[];
  /** What the owner is told: open incidents, then those that ended within a day, each with the newest first. */
  readonly incidents: readonly FleetIncident[];
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
  /** Number of those that are sold. */
  readonly soldPhones: number;
  /** Number of working phones with this value, including them. */
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

/** Phones that the owner works on. */
export type FleetMaintenance = {
  readonly account: string;
  /** The name of the window, or the id of the request. */
  readonly id: string;
  readonly source: Maintenance['source'];
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** It ends for each phone that was silent and reports again. */
  readonly untilBack: boolean;
  readonly reason: string;
  /** Who said it; empty for a window of the configuration. */
  readonly by: string;
  /** Numbers of phones that it covers, and of those that are silent. */
  readonly phones: number;
  readonly silentPhones: number;
};

/** Something that the owner is told. */
export type FleetIncident = {
  /** The same in each exporter of the account, where the API tells since when it is wrong. */
  readonly id: string;
  readonly account: string;
  readonly problem: IncidentProblem;
  /** The alert that tells it, and its severity. */
  readonly alert: string;
  readonly severity: IncidentSeverity;
  /** The phone that it is about; absent where it is about several, or the account. Texts are as they were when it opened. */
  readonly phone: string | undefined;
  readonly label: string | undefined;
  readonly group: string | undefined;
  /** The common cause. */
  readonly kind: CauseKind | undefined;
  /** The value of the cause, the number of phones that was told, or what exactly is wrong. */
  readonly value: string | undefined;
  /** Numbers of phones that are silent still; absent where it is about one phone, or the account. */
  readonly phones: number | undefined;
  readonly soldPhones: number | undefined;
  /** Since when it is wrong, and when it was told, by the clock of the API. */
  readonly since: string | undefined;
  readonly openedAt: string | undefined;
  /** When and why it ended; absent while it is open. */
  readonly endedAt: string | undefined;
  readonly reason: EndReason | undefined;
  /** The reason as the end of a sentence about what was wrong. */
  readonly reasonText: string | undefined;
};

/** An event of one phone, or that something is told, or is over. */
export type FleetDocumentEvent = {
  readonly event: FleetEvent['event'];
  readonly account: string;
  readonly id?: string;
  readonly label?: string;
  readonly group?: string;
  readonly from?: string;
  readonly to?: string;
  /** The incident. */
  readonly incident?: FleetIncident;
  /** The two polls between which it happened, by the clock of the exporter. */
  readonly previousPollAt: string | undefined;
  readonly pollAt: string | undefined;
};

export type FleetExporter = {
  readonly version: string;
  /** Longest number of seconds between two polls of the device list. */
  readonly pollIntervalSeconds: number;
  /** The same of each collector. */
  readonly pollSeconds: Readonly<Record<Collector, number>>;
  /** The owner can say which phones are worked on. */
  readonly allowsMaintenance: boolean;
  /** Address of the Grafana that has the boards; absent where none is configured. */
  readonly grafanaUrl: string | undefined;
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
  /** After an outage of the API, when the silence of all phones is judged again, by its clock; else absent. */
  readonly silenceJudgedAt: string | undefined;
  /** Times of the last day in which no list came, the oldest first; absent without any. */
  readonly unseen: readonly FleetSpan[] | undefined;
  /** Absent while the device list has expired. */
  readonly totals: FleetTotals | undefined;
  /** Absent while the balance has expired. */
  readonly balance: FleetBalance | undefined;
};

/** A part of a day, by the clock of the API. */
type FleetSpan = {
  readonly from: string | undefined;
  /** Absent while it lasts. */
  readonly to: string | undefined;
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
  /** Number of phones by problem, zeros included. */
  readonly problems: Readonly<Record<Problem, number>>;
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
  /** The costliest one; absent for a healthy phone. */
  readonly problem: Problem | undefined;
  /** Since when it lasts; of a silent phone, its last heartbeat. */
  readonly problemSince: string | undefined;
  /** Heartbeat age above which the phone is silent. */
  readonly silenceLimitSeconds: number;
  /** Why a silent phone is called so; absent for the others. */
  readonly silence: FleetSilence | undefined;
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
  /** It is set up, has a readable heartbeat and is not silent. */
  readonly online: boolean;
  readonly selfRentStatus: OpenStatus | undefined;
  readonly rotationStatus: OpenStatus | undefined;
  readonly rotationIntervalSeconds: number | undefined;
  /** Absent if the tunnel was not polled or has expired. */
  readonly tunnel: FleetTunnel | undefined;
  /** Times of its last day in which it did not just report, the oldest first; absent without any. */
  readonly lastDay: readonly FleetSpell[] | undefined;
  /** What a sold day of it brings by the owner's prices: an estimate; absent without a price. */
  readonly priceCentsPerDay: number | undefined;
  /** `id` of the common cause that explains why it is silent. */
  readonly cause: string | undefined;
  /** True if the last device list lacked the device; it stays until further lists confirm that. */
  readonly absent: true | undefined;
};

/** It was silent, silent while the owner worked on it, or not listed. */
export type FleetSpell = FleetSpan & { readonly state: Spell['state'] };

/** What the silence limit of a phone follows from. */
export type FleetSilence = {
  /** Time of the heartbeat age in which the phone could not report, because the API was down. */
  readonly excusedSeconds: number;
  /** Usual gap between its heartbeats; absent while too little is known, or where the limit is configured. */
  readonly usualSeconds: number | undefined;
  /** Number of heartbeats in a row that may be lost. */
  readonly lostBeats: number | undefined;
  /** The longest gap that counts, and the number of days that are known. */
  readonly longestSeconds: number | undefined;
  readonly days: number | undefined;
};

type FleetTunnel = {
  /** False if the API says that there is no tunnel. */
  readonly live: boolean;
  readonly status: OpenStatus | undefined;
  readonly uptimeStatus: OpenStatus | undefined;
};

/** Devices that are converted before the event loop gets a turn. */
const DEVICES_PER_YIELD = 512;

/**
 * Builds the document from the snapshot alone: ages are those of the poll, so it is valid as long as the snapshot.
 *
 * @param yieldToEventLoop gives the event loop a turn
 * @param prices what a sold day brings, as the owner says
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
      const problem = account.judgement?.problems.get(id);
      const answer = tunnels?.get(id);
      phones.push({ account: account.name, ...phoneOf(entry, problem, answer, prices), cause, absent });
      if (phones.length % DEVICES_PER_YIELD === 0) await yieldToEventLoop();
    }
    fleetAccounts.push(accountOf(account));
  }
  return {
    version: FLEET_VERSION,
    exporter,
    accounts: fleetAccounts,
    phones,
    causes: causesOf(accounts),
    maintenance: accounts.flatMap(maintenanceOf),
    incidents: accounts.flatMap(incidentsOf),
    left: leftOf(accounts),
    events: events.toReversed().map(eventOf),
  };
}

function accountOf(account: AccountSnapshot): FleetAccount {
  const { name, currency, keyFile, access, devices, tunnels, balance, judgement } = account;
  const fleet = devices.data;
  return {
    name,
    currency,
    keyFile,
    access,
    readings: {
      // Phones of the state file were learned at its last list.
      devices: readingOf({ ...devices, lastSuccessAt: devices.lastSuccessAt ?? fleet?.apiTime }),
      tunnels: readingOf(tunnels),
      balance: readingOf(balance),
    },
    silenceJudgedAt: instant(judgement?.silenceJudgedAt),
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

/** Contains neither the host of the tunnel nor its logins, because readers of the page need not know them. */
function phoneOf(
  entry: FleetDevice,
  known: DeviceProblem | undefined,
  answer: TunnelResponse | undefined,
  prices: readonly Price[],
): Omit<FleetPhone, 'account' | 'cause' | 'absent'> {
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
    silenceLimitSeconds: entry.silenceLimitSeconds,
    silence: entry.silent ? silenceOf(entry) : undefined,
    online: isOnline(known?.problem),
    problem: known?.problem,
    problemSince: instant(known?.since),
    selfRentStatus: device.selfRentStatus,
    rotationStatus: device.rotationStatus,
    rotationIntervalSeconds: interval === undefined ? undefined : interval / 1000,
    tunnel: answer && {
      live: tunnel !== undefined,
      status: tunnel?.status,
      uptimeStatus: tunnel?.uptimeStatus,
    },
    lastDay: someOf(entry.spells.map(spellOf)),
    priceCentsPerDay: priceOf(prices, { group, model: device.model })?.centsPerDay,
  };
}

/** Returns undefined in place of an empty list. */
function someOf<Item>(items: readonly Item[] | undefined): readonly Item[] | undefined {
  return items?.length === 0 ? undefined : items;
}

function spellOf({ state, from, to }: Spell): FleetSpell {
  return { state, ...spanOf({ from, to }) };
}

function spanOf({ from, to }: Pick<Spell, 'from' | 'to'>): FleetSpan {
  return { from: instant(from), to: instant(to) };
}

/** A limit that does not follow from the rhythm is configured. */
function silenceOf({ rhythm, silenceLimitSeconds, outageSeconds }: FleetDevice): FleetSilence {
  const { limitSeconds, learned } = explainLimit(rhythm);
  const own = limitSeconds === silenceLimitSeconds ? learned : undefined;
  return {
    excusedSeconds: outageSeconds,
    usualSeconds: own?.usualSeconds,
    lostBeats: own?.lostBeats,
    longestSeconds: own?.longestSeconds,
    days: own?.days,
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

function maintenanceOf({ name, judgement }: AccountSnapshot): readonly FleetMaintenance[] {
  return (judgement?.maintenance ?? []).map(({ since, until, devices, silent, ...each }) => ({
    account: name,
    ...each,
    since: instant(since),
    until: instant(until),
    phones: devices,
    silentPhones: silent,
  }));
}

function incidentsOf({ name, known }: AccountSnapshot): readonly FleetIncident[] {
  const { open, ended } = known.incidents;
  return [...open.toReversed(), ...ended.toReversed()].map((incident) => incidentOf(name, incident));
}

function incidentOf(account: string, incident: Incident | EndedIncident): FleetIncident {
  const { id, problem, deviceId, kind, value, deviceIds, devices, since, openedAt } = incident;
  const isOfPhone = deviceId !== '';
  const isOfPhones = deviceIds.length > 0;
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
    phones: isOfPhones ? devices.sold + devices.others : undefined,
    soldPhones: isOfPhones ? devices.sold : undefined,
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

/** Returns the numbers of an account, all of which were counted when it was listed and judged. */
function totalsOf({ devices, counts }: Fleet, { online, counts: problems }: Judgement): FleetTotals {
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);
  return {
    phones: devices.size,
    online,
    sold: sum(Object.values(counts.sold)),
    selfRented: sum(Object.values(counts.self_rented)),
    idle: sum(Object.values(counts.idle)),
    listed: sum(Object.values(counts).map(({ listed }) => listed)),
    problems,
  };
}

/** The schemas let no instant in that has no such text. */
function instant(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
