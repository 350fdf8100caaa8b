import * as z from 'zod';
import { explainLimit } from '../judge/offline.ts';
import { type CommonCause, groupAccount, shownValue } from '../model/cause.ts';
import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES, SETUP_STATUSES } from '../model/device.ts';
import { ACCESS_STATES, COLLECTORS, DATA_STATES, FAILURE_REASONS } from '../model/enums.ts';
import type { Fleet, FleetDevice, LeftDevice } from '../model/fleet.ts';
import {
  END_REASONS,
  type EndedIncident,
  INCIDENT_PROBLEMS,
  INCIDENTS,
  type Incident,
  severityOf,
} from '../model/incident.ts';
import { type Price, priceOf } from '../model/money.ts';
import { MUTED, MUTED_PROBLEM } from '../model/muted.ts';
import { type DeviceProblem, isOnline, type Judgement, PROBLEMS } from '../model/problem.ts';
import type { Reading } from '../model/reading.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { parseJson } from '../model/text.ts';
import { MINUTE } from '../model/time.ts';
import type { Spell } from '../model/times.ts';
import type { TunnelResponse } from '../model/tunnel.ts';
import { sayInEnglish } from '../text/say.ts';
import { list, object, objectOf } from './fields.ts';

/*
 * The document of `/api/v1/fleet`, a pure function of the snapshot. Instants are ISO 8601 in UTC. Unknown values are absent,
 * never null. Features add fields: types by merging the interfaces below, schemas by `fields`, and values by `document` and
 * `exporter` of a running feature.
 */

export interface DocumentFields {
  /** It increases when a field is renamed or removed, or changes its meaning. */
  readonly version: 1;
}

export interface ExporterFields {
  readonly version: string;
}

export interface PhoneFields {
  readonly id: string;
}

export interface IncidentFields {
  readonly id: string;
}

/** The schemas of the fields that a feature adds. */
export type FeatureFields = Partial<
  Readonly<Record<'document' | 'exporter' | 'phone' | 'incident', z.ZodRawShape>>
>;

const text = z.string();
const number = z.number();
const flag = z.boolean();

const READING = objectOf<Reading<unknown>>()({
  state: [z.enum(DATA_STATES), ({ state }) => state],
  lastSuccessAt: [text.optional(), ({ lastSuccessAt }) => instant(lastSuccessAt)],
  lastAttemptAt: [text.optional(), ({ lastAttemptAt }) => instant(lastAttemptAt)],
  failure: [z.enum(FAILURE_REASONS).optional(), ({ failure }) => failure],
  failureText: [text.optional(), ({ failure }) => failure && sayInEnglish(`failure-${failure}`)],
});

const reading = object(READING.shape);

const totals = object({
  phones: number,
  online: number,
  offline: number,
  sold: number,
  selfRented: number,
  idle: number,
  listed: number,
  problems: z.record(z.enum(PROBLEMS), number).readonly(),
});

const span = { from: text.optional(), to: text.optional() };

export const ACCOUNT = objectOf<AccountSnapshot>()({
  name: [text, ({ name }) => name],
  currency: [text.optional(), ({ currency }) => currency],
  keyFile: [text.optional(), ({ keyFile }) => keyFile],
  keyVariable: [text.optional(), ({ keyVariable }) => keyVariable],
  apiUrl: [text.optional(), ({ apiUrl }) => apiUrl],
  access: [z.enum(ACCESS_STATES).optional(), ({ access }) => access],
  readings: [
    object({ devices: reading, tunnels: reading, balance: reading }),
    ({ devices, tunnels, balance }) => ({
      // Phones from the state file are as old as the last list in it.
      devices: READING.read({
        ...devices,
        lastSuccessAt: devices.lastSuccessAt ?? devices.data?.apiTime,
      }),
      tunnels: READING.read(tunnels),
      balance: READING.read(balance),
    }),
  ],
  gracePeriodEndsAt: [text.optional(), ({ known }) => instant(known.judgement?.gracePeriodEndsAt)],
  learningEndsAt: [text.optional(), ({ devices: { data } }) => instant(data && learningEndOf(data))],
  unseen: [list(object(span)).optional(), ({ devices: { data } }) => someOf(data?.unseen.map(spanOf))],
  totals: [
    totals.optional(),
    ({ devices: { data }, known: { judgement } }) => data && judgement && totalsOf(data, judgement),
  ],
  balance: [
    object({
      availableCents: number.optional(),
      pendingCents: number.optional(),
      totalCents: number.optional(),
    }).optional(),
    ({ balance }) => balance.data?.balance,
  ],
});

const offlineAfterReason = object({
  excusedSeconds: number,
  usualSeconds: number.optional(),
  lostBeats: number.optional(),
  longestSeconds: number.optional(),
  days: number.optional(),
});

export type OfflineAfterReason = z.output<typeof offlineAfterReason>;

type PhoneSubject = {
  readonly account: string;
  readonly entry: FleetDevice;
  readonly known: DeviceProblem | undefined;
  readonly response: TunnelResponse | undefined;
  readonly prices: readonly Price[];
  readonly cause: string | undefined;
  readonly isAbsent: boolean;
};

/** Explains the threshold of a phone. One that differs from the learned threshold is configured. */
function offlineAfterReasonOf({
  rhythm,
  offlineAfterSeconds,
  outageSeconds,
}: FleetDevice): OfflineAfterReason {
  const { limitSeconds, learned } = explainLimit(rhythm);
  if (learned === undefined || limitSeconds !== offlineAfterSeconds) return { excusedSeconds: outageSeconds };
  const { usualSeconds, lostBeats, longestSeconds, days } = learned;
  return { excusedSeconds: outageSeconds, usualSeconds, lostBeats, longestSeconds, days };
}

/** Leaves out the tunnel host and its logins: readers of the page do not need to know them. */
export const PHONE = objectOf<PhoneSubject>()({
  account: [text, ({ account }) => account],
  id: [text, ({ entry }) => entry.device.id],
  label: [text, ({ entry }) => entry.device.label],
  group: [text, ({ entry }) => entry.group],
  brand: [text, ({ entry }) => entry.device.brand],
  model: [text, ({ entry }) => entry.device.model],
  appVersion: [text, ({ entry }) => entry.device.appVersion],
  problem: [z.enum(PROBLEMS).optional(), ({ known }) => known?.problem],
  problemSince: [text.optional(), ({ known }) => instant(known?.since)],
  offlineAfterSeconds: [number, ({ entry }) => entry.offlineAfterSeconds],
  offlineAfterReason: [
    offlineAfterReason.optional(),
    ({ entry }) => (entry.offline ? offlineAfterReasonOf(entry) : undefined),
  ],
  rentalStatus: [z.enum([...RENTAL_STATUSES, OTHER]).optional(), ({ entry }) => entry.device.rentalStatus],
  rentalStatusSince: [text.optional(), ({ entry }) => instant(entry.rentalStatusSince)],
  rentalStatusBeginSeen: [flag, ({ entry }) => entry.rentalStatusBeginSeen],
  marketplaceStatus: [
    z.enum([...MARKETPLACE_STATUSES, OTHER]).optional(),
    ({ entry }) => entry.device.marketplaceStatus,
  ],
  setupStatus: [z.enum([...SETUP_STATUSES, OTHER]).optional(), ({ entry }) => entry.device.setupStatus],
  // Without an age, the heartbeat is unusable.
  lastHeartbeatAt: [
    text.optional(),
    ({ entry: { device, heartbeatAgeSeconds } }) =>
      heartbeatAgeSeconds === undefined ? undefined : instant(device.lastHeartbeatAt),
  ],
  heartbeatAgeSeconds: [number.optional(), ({ entry }) => entry.heartbeatAgeSeconds],
  online: [flag, ({ known }) => isOnline(known?.problem)],
  selfRentStatus: [text.optional(), ({ entry }) => entry.device.selfRentStatus],
  rotationStatus: [text.optional(), ({ entry }) => entry.device.rotationStatus],
  rotationIntervalSeconds: [
    number.optional(),
    ({ entry: { device } }) =>
      device.rotationIntervalMilliseconds && device.rotationIntervalMilliseconds / 1000,
  ],
  tunnel: [
    object({ live: flag, status: text.optional(), uptimeStatus: text.optional() }).optional(),
    ({ response }) =>
      response && {
        live: response.tunnel !== undefined,
        status: response.tunnel?.status,
        uptimeStatus: response.tunnel?.uptimeStatus,
      },
  ],
  lastDay: [
    list(object({ ...span, state: z.enum(['offline', MUTED, 'unknown']) })).optional(),
    ({ entry }) => someOf(entry.spells.map(({ state, ...of }) => ({ state, ...spanOf(of) }))),
  ],
  priceCentsPerDay: [
    number.optional(),
    ({ prices, entry: { group, device } }) => priceOf(prices, { group, model: device.model })?.centsPerDay,
  ],
  cause: [text.optional(), ({ cause }) => cause],
  absent: [z.literal(true).optional(), ({ isAbsent }) => isAbsent || undefined],
});

export const CAUSE = objectOf<CommonCause & { readonly id: string }>()({
  id: [text, ({ id }) => id],
  kind: [text, ({ kind }) => kind],
  value: [text, shownValue],
  account: [text.optional(), groupAccount],
  phones: [number, ({ devices }) => devices],
  soldPhones: [number, ({ sold }) => sold],
  ownPhones: [number, ({ ownDevices }) => ownDevices],
  others: [number, ({ others }) => others],
  since: [text.optional(), ({ startAt }) => instant(startAt)],
  withinSeconds: [number, ({ startAt, endAt }) => (endAt - startAt) / 1000],
});

type IncidentSubject = {
  readonly account: string;
  readonly incident: Incident | EndedIncident;
  /** The current phones of its account; undefined if their number is not needed. */
  readonly fleet?: Fleet | undefined;
};

/** Reads a field of an incident of one phone, or of several. */
const ofPhone =
  <Value>(read: (incident: Incident) => Value) =>
  ({ incident }: IncidentSubject): Value | undefined =>
    incident.deviceId === '' ? undefined : read(incident);
const ofPhones =
  <Value>(read: (incident: Incident) => Value) =>
  ({ incident }: IncidentSubject): Value | undefined =>
    incident.members.size === 0 ? undefined : read(incident);

const INCIDENT = objectOf<IncidentSubject>()({
  id: [text, ({ incident }) => incident.id],
  account: [text, ({ account }) => account],
  problem: [z.enum(INCIDENT_PROBLEMS), ({ incident }) => incident.problem],
  alert: [text, ({ incident }) => INCIDENTS[incident.problem].alert],
  severity: [z.enum(['critical', 'warning', 'info']), ({ incident }) => severityOf(incident)],
  phone: [text.optional(), ofPhone(({ deviceId }) => deviceId)],
  label: [text.optional(), ofPhone(({ label }) => label)],
  group: [text.optional(), ofPhone(({ group }) => group)],
  kind: [text.optional(), ({ incident }) => incident.kind || undefined],
  value: [text.optional(), ({ incident }) => incident.value || undefined],
  phones: [number.optional(), ofPhones(({ devices }) => devices.sold + devices.others)],
  soldPhones: [number.optional(), ofPhones(({ devices }) => devices.sold)],
  allPhones: [number.optional(), ofPhones(({ members }) => members.size)],
  mostSoldPhones: [number.optional(), ofPhones(({ mostSold }) => mostSold)],
  groupPhones: [
    number.optional(),
    ({ incident, fleet }) =>
      incident.kind !== 'group' || 'endedAt' in incident || fleet === undefined
        ? undefined
        : groupSizesOf(fleet).get(incident.value),
  ],
  notifiedPhones: [number.optional(), ({ incident }) => incident.notifiedSize || undefined],
  since: [text.optional(), ({ incident }) => instant(incident.since)],
  openedAt: [text.optional(), ({ incident }) => instant(incident.openedAt)],
  endedAt: [
    text.optional(),
    ({ incident }) => ('endedAt' in incident ? instant(incident.endedAt) : undefined),
  ],
  reason: [
    z.enum(END_REASONS).optional(),
    ({ incident }) => ('reason' in incident ? incident.reason : undefined),
  ],
  reasonText: [
    text.optional(),
    ({ incident }) => ('reason' in incident ? sayInEnglish(`end-${incident.reason}`) : undefined),
  ],
});

/** Returns the schema of an incident with the fields of a feature. */
export const incidentSchema = <Own extends z.ZodRawShape>(own: Own) =>
  z.object({ ...INCIDENT.shape, ...own }).readonly();

export const LEFT = objectOf<LeftDevice & { readonly account: string; readonly id: string }>()({
  account: [text, ({ account }) => account],
  id: [text, ({ id }) => id],
  label: [text, ({ label }) => label],
  group: [text, ({ group }) => group],
  lastListedAt: [text.optional(), ({ lastListedAt }) => instant(lastListedAt)],
  wasOffline: [flag, ({ wasOffline }) => wasOffline],
});

const event = object({
  event: z.enum(['rental begun', 'rental ended', 'device joined', 'incident opened', 'incident ended']),
  account: text,
  id: text.optional(),
  label: text.optional(),
  group: text.optional(),
  from: text.optional(),
  to: text.optional(),
  incident: object(INCIDENT.shape).optional(),
  previousPollAt: text.optional(),
  pollAt: text.optional(),
});

const exporter = object({
  version: text,
  pollSeconds: z.record(z.enum(COLLECTORS), number).readonly(),
  allowsChanges: flag,
  timeZone: text,
  language: text.optional(),
  warnings: list(text).optional(),
  fileProblems: list(text).optional(),
  externalUrl: text.optional(),
  grafanaUrl: text.optional(),
});

/** Returns the schema of the document with the fields of features. */
export function fleetSchema(features: readonly { readonly fields?: FeatureFields }[]) {
  const own = (subject: keyof FeatureFields): z.ZodRawShape =>
    Object.assign({}, ...features.map(({ fields }) => fields?.[subject]));
  return object({
    version: z.literal(1),
    exporter: z.object({ ...exporter.unwrap().shape, ...own('exporter') }),
    accounts: list(object(ACCOUNT.shape)),
    phones: list(z.object({ ...PHONE.shape, ...own('phone') })),
    causes: list(object(CAUSE.shape)),
    incidents: list(incidentSchema(own('incident'))),
    left: list(object(LEFT.shape)),
    events: list(event),
    ...own('document'),
  });
}

export type FleetExporter = z.output<typeof exporter> & Readonly<ExporterFields>;
export type FleetAccount = ReturnType<typeof ACCOUNT.read>;
export type FleetReading = z.output<typeof reading>;
export type FleetTotals = z.output<typeof totals>;
export type FleetPhone = ReturnType<typeof PHONE.read> & Readonly<PhoneFields>;
export type FleetCause = ReturnType<typeof CAUSE.read>;
export type FleetIncident = ReturnType<typeof INCIDENT.read> & Readonly<IncidentFields>;
export type FleetLeftPhone = ReturnType<typeof LEFT.read>;
export type FleetDocumentEvent = z.output<typeof event>;

/** The document without the fields that features add. */
export type CoreDocument = {
  readonly version: 1;
  readonly exporter: FleetExporter;
  readonly accounts: readonly FleetAccount[];
  readonly phones: readonly FleetPhone[];
  readonly causes: readonly FleetCause[];
  readonly incidents: readonly FleetIncident[];
  readonly left: readonly FleetLeftPhone[];
  readonly events: readonly FleetDocumentEvent[];
};

/** The fleet as `GET /api/v1/fleet` returns it. */
export type FleetDocument = CoreDocument & Readonly<DocumentFields>;

/** Returns a parser of an exporter's responses, which returns undefined for another document or version. */
export function fleetParser(
  features: readonly { readonly fields?: FeatureFields }[],
): (content: string) => FleetDocument | undefined {
  const schema = fleetSchema(features);
  const isFleet = (value: unknown): value is FleetDocument => schema.safeParse(value).success;
  return (content) => {
    const value = parseJson(content);
    return isFleet(value) ? value : undefined;
  };
}

const groupSizes = new WeakMap<Fleet, ReadonlyMap<string, number>>();

/** Returns the number of phones in each group, counted once for all incidents of a fleet. */
function groupSizesOf(fleet: Fleet): ReadonlyMap<string, number> {
  const known = groupSizes.get(fleet);
  if (known !== undefined) return known;
  const sizes = new Map<string, number>();
  for (const { group } of fleet.devices.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  groupSizes.set(fleet, sizes);
  return sizes;
}

/** Time that it takes to learn the thresholds of new phones. */
const LEARNING = 30 * MINUTE;

/**
 * Returns when the exporter will have learned its first phones' thresholds; undefined after that, or if they are
 * configured.
 */
function learningEndOf({ devices, apiTime }: Fleet): number | undefined {
  let first = apiTime;
  for (const { times } of devices.values()) {
    if (times.firstListedAt + LEARNING <= apiTime) return undefined;
    first = Math.min(first, times.firstListedAt);
  }
  const isLearned = ({ rhythm, offlineAfterSeconds }: FleetDevice): boolean =>
    explainLimit(rhythm).limitSeconds === offlineAfterSeconds;
  return [...devices.values()].some(isLearned) ? first + LEARNING : undefined;
}

/** Returns undefined for an empty list. */
function someOf<Item>(items: readonly Item[] | undefined): readonly Item[] | undefined {
  return items?.length === 0 ? undefined : items;
}

function spanOf({ from, to }: Pick<Spell, 'from' | 'to'>) {
  return { from: instant(from), to: instant(to) };
}

/** Returns the id of a cause, with its account if there are several. */
export function causeId(cause: CommonCause, { length }: readonly unknown[]): string {
  const account = length > 1 ? groupAccount(cause) : undefined;
  return [cause.kind, account, shownValue(cause)].filter((part) => part !== undefined).join(':');
}

export function incidentOf(
  account: string,
  incident: Incident | EndedIncident,
  fleet?: Fleet,
): FleetIncident {
  return INCIDENT.read({ account, incident, fleet });
}

function totalsOf({ devices, counts }: Fleet, { online, counts: problems }: Judgement): FleetTotals {
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);
  return {
    phones: devices.size,
    online,
    offline: devices.size - online - problems.not_set_up - problems[MUTED_PROBLEM],
    sold: sum(Object.values(counts.sold)),
    selfRented: sum(Object.values(counts.self_rented)),
    idle: sum(Object.values(counts.idle)),
    listed: sum(Object.values(counts).map(({ listed }) => listed)),
    problems,
  };
}

/** The schemas accept only instants that ISO 8601 can express. */
export function instant(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
