import { z } from 'zod';
import { causesOfAccount } from '../alerts/causes.ts';
import { finish } from '../base/steps.ts';
import { HISTORY_ROWS, historyRows } from '../features/history/rows.ts';
import type { Maintenance, MaintenanceRequest } from '../features/maintenance/model.ts';
import { countProblems } from '../judge/problems.ts';
import { usableAge } from '../judge/silence.ts';
import { countDevices } from '../judge/step.ts';
import type { SavedAccount, SavedState } from '../model/account.ts';
import type { Cause, Causes } from '../model/cause.ts';
import { CONDITIONS, type Condition } from '../model/condition.ts';
import {
  type Device,
  MARKETPLACE_STATUSES,
  OTHER,
  RENTAL_STATUSES,
  SETUP_STATUSES,
} from '../model/device.ts';
import { COLLECTORS, FAILURE_REASONS } from '../model/enums.ts';
import type { Absence, DepartedDevice, FleetDevice, LeftDevice } from '../model/fleet.ts';
import { END_REASONS, INCIDENT_PROBLEMS } from '../model/incident.ts';
import type { Money } from '../model/money.ts';
import { type DeviceProblem, PROBLEMS } from '../model/problem.ts';
import type { Rhythm } from '../model/rhythm.ts';
import { parseJson, TEXT_LIMIT } from '../model/text.ts';
import { COLUMNS, type DayStart, type DeviceTimes, type Spell, type Unseen } from '../model/times.ts';
import type { TunnelResponse } from '../model/tunnel.ts';
import type { Writer } from './file.ts';

/*
 * The state file is the saved state as JSON, by its names in the program. Maps are lists of pairs, one pair a line. Derived
 * values are left out.
 */

/** The version that is written and read. It is raised with every change of the form. */
const VERSION = 1;

/** Number of lines that are encoded before the event loop gets a turn. */
const LINES_PER_YIELD = 250;

/**
 * Encodes the state as text, piece by piece.
 *
 * @param savedAt milliseconds since 1970; for people who look into the file
 */
export function* encodeState(
  { accounts, causes }: SavedState,
  writer: Writer,
  savedAt: number,
): Generator<string> {
  const head = {
    format: 'hoster-exporter state',
    version: VERSION,
    saved_at: new Date(savedAt).toISOString(),
    writer,
    causes,
  };
  yield `${textOf(head).slice(0, -1)},"accounts":[`;
  let comma = '\n';
  for (const saved of accounts) {
    yield comma;
    yield* encodeAccount(saved);
    comma = ',\n';
  }
  yield '\n]}\n';
}

function* encodeAccount({ identity, goneAt, account }: SavedAccount): Generator<string> {
  const {
    at,
    fleet: listed,
    tunnels,
    money: amounts,
    judgement,
    failing,
    conditions: shown,
    requests,
    days,
    incidents,
    history,
  } = account;
  const lists = { devices: undefined, absent: undefined, left: undefined, departed: undefined };
  const facts = listed && { ...listed, ...lists };
  const { silenceJudgedAt, maintenance = [] } = judgement ?? {};
  const rest = {
    identity,
    goneAt,
    at,
    fleet: facts,
    silenceJudgedAt,
    money: amounts,
    failing,
    conditions: shown,
    requests,
    maintenance,
    history: historyRows(history),
  };
  yield textOf(rest).slice(0, -1);
  yield* listOf('devices', listed?.devices);
  yield* listOf('absent', listed?.absent);
  yield* listOf('left', listed?.left);
  yield* listOf('departed', listed?.departed);
  yield* listOf('problems', judgement?.problems);
  yield ',"days":[';
  for (const [index, { date, zone, midnight, devices }] of days.entries()) {
    yield `${index === 0 ? '' : ','}${textOf({ date, zone, midnight }).slice(0, -1)}`;
    yield* listOf('devices', devices);
    yield '}';
  }
  yield ']';
  yield* linesOf('open', incidents.open);
  yield* linesOf('ended', incidents.ended);
  yield* listOf('waiting', incidents.waiting);
  if (tunnels !== undefined) yield* listOf('tunnels', tunnels);
  yield '}';
}

function listOf(name: string, map: ReadonlyMap<string, unknown> = new Map()): Generator<string> {
  return linesOf(name, map);
}

function* linesOf(name: string, values: Iterable<unknown>): Generator<string> {
  let text = `,"${name}":[`;
  let lines = 0;
  for (const value of values) {
    text += `${lines === 0 ? '\n' : ',\n'}${textOf(value)}`;
    lines += 1;
    if (lines % LINES_PER_YIELD !== 0) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

/** Fields that are derived from others, and left out. */
const DERIVED = new Set(['heartbeatAgeSeconds', 'counts', 'liveSelfRents']);

function textOf(value: unknown): string {
  return JSON.stringify(value, (key, each: unknown) => {
    if (DERIVED.has(key)) return undefined;
    return each instanceof Map || each instanceof Set ? [...each] : each;
  });
}

const instant = z.int().max(8.64e15);
const milliseconds = z.int();
const count = z.int().min(0);
const seconds = z.number().min(0);
const deviceId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const text = z.string().max(TEXT_LIMIT * 2);
const status = z.string().regex(/^[a-z0-9_]{1,32}$/);
const rentalStatus = z.enum([...RENTAL_STATUSES, OTHER]);

/** A value that may be absent, which is undefined. */
function maybe<Value>(schema: z.ZodType<Value>) {
  return schema.optional().transform((value) => value);
}

function mapOf<Value>(value: z.ZodType<Value>, key: z.ZodType<string> = deviceId) {
  return z
    .array(z.tuple([key, value]))
    .transform((pairs): ReadonlyMap<string, Value> => new Map<string, Value>(pairs));
}

const device: z.ZodType<Device> = z.object({
  id: deviceId,
  label: text,
  brand: text,
  model: text,
  appVersion: text,
  setupStatus: maybe(z.enum([...SETUP_STATUSES, OTHER])),
  rentalStatus: maybe(rentalStatus),
  marketplaceStatus: maybe(z.enum([...MARKETPLACE_STATUSES, OTHER])),
  lastHeartbeatAt: maybe(instant),
  selfRentStatus: maybe(status),
  rentalId: maybe(text),
  rotationStatus: maybe(status),
  rotationIntervalMilliseconds: maybe(milliseconds),
});

const rhythm: z.ZodType<Rhythm> = z.object({
  usual: seconds,
  lateShare: z.number().min(0).max(1),
  over: count,
  elapsed: count,
  longest: z.array(count).max(31),
});

const times: z.ZodType<DeviceTimes> = z.object({
  firstListedAt: instant,
  column: maybe(z.enum(COLUMNS)),
  milliseconds: z.partialRecord(z.enum(COLUMNS), count),
  interruptions: count,
});

const unseen: z.ZodType<Unseen> = z.object({ from: instant, to: instant });

const spell: z.ZodType<Spell> = z.object({
  state: z.enum(['silent', 'planned', 'unknown']),
  from: instant,
  to: maybe(instant),
});

const dayStart: z.ZodType<DayStart> = z.object({
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  zone: z.string(),
  midnight: instant,
  devices: mapOf(
    z.object({
      label: text,
      group: text,
      model: text,
      firstListedAt: instant,
      milliseconds: z.partialRecord(z.enum(COLUMNS), count),
      interruptions: count,
      leftAt: maybe(instant),
    }),
  ),
});

const fleetDevice: z.ZodType<FleetDevice> = z
  .object({
    device,
    group: text,
    tags: mapOf(text, z.string()),
    listedAt: instant,
    outageSeconds: seconds,
    rhythm,
    silenceLimitSeconds: seconds,
    silent: z.boolean(),
    backAt: maybe(instant),
    maintainedAt: maybe(instant),
    rentalStatusSince: maybe(instant),
    rentalStatusBeginSeen: z.boolean(),
    times,
    spells: z.array(spell),
    rotationStoppedAt: maybe(instant),
  })
  .transform((entry) => ({
    ...entry,
    heartbeatAgeSeconds: usableAge(entry.device.lastHeartbeatAt, entry.listedAt),
  }));

const absence: z.ZodType<Absence> = z.object({
  seenAt: instant,
  missing: milliseconds,
  listings: count,
  completeListings: count,
  suspect: z.boolean(),
});

const left: z.ZodType<LeftDevice> = z.object({
  label: text,
  group: text,
  lastListedAt: instant,
  removedAt: instant,
  wasSilent: z.boolean(),
});

const departed: z.ZodType<DepartedDevice> = z.object({
  device: z.object({ label: text, brand: text, model: text, appVersion: text }),
  group: text,
  leftAt: instant,
  times,
});

const problem: z.ZodType<DeviceProblem> = z.object({ problem: z.enum(PROBLEMS), since: instant });

const port = maybe(z.int().min(1).max(65_535));

const tunnel: z.ZodType<TunnelResponse> = z.object({
  tunnel: maybe(
    z.object({
      id: text,
      host: text,
      ports: z.object({ socks5: port, https: port, transparentSocks5: port }),
      status: maybe(status),
      uptimeStatus: maybe(status),
      credentials: maybe(
        z.object({
          countByStatus: mapOf(count, status),
          oldestActiveAt: maybe(instant),
          lastChangeAt: maybe(instant),
        }),
      ),
    }),
  ),
  respondedAt: instant,
  stateSince: instant,
  loginsChangedAt: maybe(instant),
  isHeld: z.boolean(),
});

const cents = maybe(z.int());
const movement = z.object({ increaseCents: count, decreaseCents: count });

const money: z.ZodType<Money> = z.object({
  balance: z.object({ availableCents: cents, pendingCents: cents, totalCents: cents }),
  lastAmounts: z.object({ availableCents: cents, pendingCents: cents }),
  observed: z.object({ available: movement, pending: movement }),
});

const fleet = z.object({
  reported: count,
  apiTime: instant,
  clockShift: milliseconds,
  isClockReset: z.boolean(),
  dueIn: milliseconds,
  slack: milliseconds,
  listing: z.object({
    pages: count,
    passes: count,
    complete: z.boolean(),
    rejected: count,
    faulty: z.boolean(),
    suspect: z.boolean(),
  }),
  unseen: z.array(unseen),
});

const condition: z.ZodType<Condition> = z.object({
  since: instant,
  lasted: milliseconds,
  gone: milliseconds,
});

const incident = {
  id: z.string(),
  problem: z.enum(INCIDENT_PROBLEMS),
  deviceId: z.string(),
  label: text,
  group: text,
  kind: text,
  value: text,
  since: instant,
  openedAt: instant,
  members: mapOf(instant),
  devices: z.object({ sold: count, others: count }),
  toldSize: count,
};

const names = z.array(z.string());
const scope = z.object({ accounts: names, groups: names, devices: names });
const request: z.ZodType<MaintenanceRequest> = z.object({
  id: z.string(),
  scope,
  reason: z.string(),
  by: z.string(),
  startedAt: instant,
  until: instant,
  untilBack: z.boolean(),
  away: mapOf(count),
});

const maintenance: z.ZodType<Maintenance> = z.object({
  id: z.string(),
  source: z.enum(['configured', 'requested']),
  scope,
  since: instant,
  until: instant,
  untilBack: z.boolean(),
  reason: z.string(),
  by: z.string(),
  devices: count,
  silent: count,
});

const savedAccount = z.object({
  identity: z.object({ name: z.string(), apiUrl: z.string() }),
  goneAt: maybe(instant),
  at: maybe(instant),
  fleet: maybe(fleet),
  silenceJudgedAt: maybe(z.number()),
  money: maybe(money),
  failing: z.partialRecord(
    z.enum(COLLECTORS),
    z.object({ since: instant, reason: z.enum(FAILURE_REASONS), lasted: milliseconds }),
  ),
  conditions: z.partialRecord(z.enum(CONDITIONS), condition),
  requests: z.array(request),
  maintenance: z.array(maintenance),
  history: HISTORY_ROWS,
  days: z.array(dayStart),
  devices: mapOf(fleetDevice),
  absent: mapOf(absence),
  left: mapOf(left),
  departed: mapOf(departed),
  problems: mapOf(problem),
  open: z.array(z.object(incident)),
  ended: z.array(z.object({ ...incident, reason: z.enum(END_REASONS), endedAt: instant, closedAt: instant })),
  waiting: mapOf(count),
  tunnels: maybe(mapOf(tunnel)),
});

const cause: z.ZodType<Cause> = z.object({
  kind: text,
  value: text,
  devices: count,
  sold: count,
  ownDevices: count,
  others: count,
  startAt: z.number(),
  endAt: z.number(),
  deviceIds: mapOf(z.array(deviceId), z.string()),
  most: z.int(),
  isShown: z.boolean(),
});

const causes: z.ZodType<Causes> = z.object({
  list: z.array(cause),
  listedAt: mapOf(instant, z.string()),
});

const header = z.object({ format: z.literal('hoster-exporter state'), version: z.int().min(1) });
const writer = z.object({ host: z.string(), pid: count, program: z.string() });
const state = z.object({ causes, accounts: z.array(savedAccount) });

/** A decoded state file, or the part "got …, expected …" of the message that refuses it. */
type DecodedState = SavedState | { readonly refusal: string };

/** Decodes a text that {@link encodeState} wrote. A damaged text, and another version, is refused as a whole. */
export function decodeState(content: string): DecodedState {
  if (content === '') return { refusal: 'got an empty file, expected a state file' };
  const json = parseJson(content);
  if (json === undefined) return { refusal: 'got invalid JSON (damaged or cut off), expected a state file' };
  const version = header.safeParse(json).data?.version;
  if (version === undefined)
    return { refusal: 'got JSON without the header of a state file, expected a state file' };
  if (version !== VERSION)
    return { refusal: `got version ${version}, expected version ${VERSION} of this program` };
  const parsed = state.safeParse(json);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
    return { refusal: `got an invalid value at ${path}, expected a value that this program writes` };
  }
  const { accounts, causes: known } = parsed.data;
  return { accounts: accounts.map((each) => accountOf(each, known)), causes: known };
}

/** Returns the process that wrote a file, as the beginning of its text tells it. */
export function writerOf(head: string): Writer | undefined {
  return writer.safeParse(parseJson(/"writer":(\{[^{}]*\})/.exec(head)?.[1] ?? '')).data;
}

/** Returns an account with its derived values. */
function accountOf(wire: z.output<typeof savedAccount>, known: Causes): SavedAccount {
  const {
    identity,
    goneAt,
    fleet: facts,
    silenceJudgedAt,
    maintenance,
    devices,
    absent,
    problems,
    ...rest
  } = wire;
  const { left: gone, departed: long, open, ended, waiting, ...own } = rest;
  return {
    identity,
    goneAt,
    account: {
      ...own,
      fleet: facts && {
        ...facts,
        devices,
        ...finish(countDevices(devices)),
        absent,
        left: gone,
        departed: long,
      },
      judgement: facts && { ...countProblems(devices, problems), problems, silenceJudgedAt, maintenance },
      causes: causesOfAccount(known, identity.name),
      incidents: { open, ended, waiting },
    },
  };
}
