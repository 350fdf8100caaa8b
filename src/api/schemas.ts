import * as z from 'zod';
import type { OnApiEvent } from '../model/api-events.ts';
import { type Device, type OpenStatus, OTHER } from '../model/device.ts';
import type { RejectionReason } from '../model/enums.ts';
import type { Balance } from '../model/money.ts';
import { DAY, MINUTE, SECOND } from '../model/time.ts';
import type { CredentialSummary, Tunnel } from '../model/tunnel.ts';
import { type ApiText, createStatusReader, type StatusReader, toLabel } from './labels.ts';

/** One page of the device list ("Device list page" in the API document). */
export type DevicePage = {
  readonly devices: readonly Device[];
  /** Number of items that were not a device with a usable `deviceId`. */
  readonly rejected: number;
  /** A field had a value of an unexpected form, which is left out. */
  readonly faulty: boolean;
  readonly total: number;
  readonly page: number | undefined;
  readonly limit: number | undefined;
  readonly totalPages: number | undefined;
};

/**
 * Parsers of `data`, one for each endpoint. Each returns undefined if `data` does not have the documented form. A field
 * of the wrong type is dropped on its own.
 */
type ResponseParsers = {
  readonly devicePage: (data: unknown) => DevicePage | undefined;
  readonly tunnel: (data: unknown) => Tunnel | undefined;
  readonly balance: (data: unknown) => Balance | undefined;
};

/** The largest page that the API document allows: the fewer pages, the fewer shifts between them. */
export const PAGE_SIZE = 100;

/** Maximum number of items of a page: ten times the largest page. */
const MAX_ITEMS = 10 * PAGE_SIZE;

/** Maximum number of credentials of a tunnel. */
const MAX_CREDENTIALS = 1_000;

const WEEK_MILLISECONDS = 7 * DAY;

const TEXT = z.string().nullish();

/** A number, or its digits as text, as ports and ids are sent. Anything that would be a guess is rejected. */
const DIGITS = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

/** "Device list page" in the API document. Some servers send null for no items. */
const PAGE = z.compile(
  z.object({
    items: z.array(z.unknown()).max(MAX_ITEMS).nullable(),
    total: DIGITS.pipe(z.int().min(0)),
    page: z.int().min(1).nullish(),
    limit: z.int().min(1).nullish(),
    totalPages: z.int().min(0).nullish(),
  }),
);

/** Checked outside the schema, where it would take a third of the total time. */
const DEVICE_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** "Device" in the API document. Fields that are not named here are stripped. */
const DEVICE = z.compile(
  z.object({
    deviceId: z.string(),
    model: TEXT,
    brand: TEXT,
    label: TEXT,
    setupStatus: TEXT,
    appVersion: TEXT,
    lastHeartbeatAt: TEXT,
    rentalStatus: TEXT,
    marketplaceStatus: TEXT,
    selfRent: z.object({ status: TEXT, rentalId: TEXT }).nullish(),
    rotation: z
      .object({ status: TEXT, intervalInMs: z.int().min(1).max(WEEK_MILLISECONDS).nullish() })
      .nullish(),
  }),
);

/** Ports are "carried as a string"; plain numbers are accepted as well. */
const PORT = DIGITS.pipe(z.int().min(1).max(65_535)).nullish();

/** "Self-rent tunnel" in the API document. */
const TUNNEL = z.compile(
  z.object({
    tunnelId: TEXT,
    status: TEXT,
    host: TEXT,
    socks5Port: PORT,
    httpsPort: PORT,
    transparentSocks5Port: PORT,
    uptimeStatus: TEXT,
    credentials: z.array(z.unknown()).max(MAX_CREDENTIALS).nullish(),
  }),
);

/**
 * "Credential" in the API document, without `credentialId`, `username`, `password` and `label`: all other fields are
 * stripped, so no login gets any further.
 */
const CREDENTIAL = z.compile(z.object({ status: TEXT, createdAt: TEXT, updatedAt: TEXT }));

/** Safe integers. A fraction of a cent, or a sum that a double cannot hold, is not an amount; a negative one is. */
const CENTS = z.int().nullish();

/** "Balance" in the API document. */
const BALANCE = z.compile(z.object({ availableCents: CENTS, pendingCents: CENTS, totalCents: CENTS }));

export function createParsers(on: OnApiEvent): ResponseParsers {
  const context: ParseContext = { on, status: createStatusReader(on) };
  return {
    devicePage: (data) => parseDevicePage(data, context),
    tunnel: (data) => parseTunnel(data, context),
    balance: (data) => parseBalance(data, context),
  };
}

type ParseContext = {
  readonly on: OnApiEvent;
  readonly status: StatusReader;
};

function parseDevicePage(data: unknown, context: ParseContext): DevicePage | undefined {
  const page = parseLeniently(PAGE, data);
  if (page === undefined) return undefined;
  if (page.faulty) context.on({ kind: 'schemaViolation', endpoint: 'devices' });
  const { items: listed, total, page: number, limit, totalPages } = page.value;
  if (listed === null && total > 0) return undefined;
  const items = listed ?? [];
  const devices: Device[] = [];
  let { faulty } = page;
  for (const item of items) {
    const parsed = parseDevice(item, context);
    if (parsed === undefined) continue;
    devices.push(parsed.device);
    faulty ||= parsed.faulty;
  }
  return {
    devices,
    rejected: items.length - devices.length,
    faulty,
    total,
    page: number ?? undefined,
    limit: limit ?? undefined,
    totalPages: totalPages ?? undefined,
  };
}

/** Parses one item; undefined if it has no usable identity. */
function parseDevice(
  data: unknown,
  { on, status }: ParseContext,
): { readonly device: Device; readonly faulty: boolean } | undefined {
  const parsed = parseLeniently(DEVICE, data);
  if (parsed === undefined || !DEVICE_ID.test(parsed.value.deviceId)) {
    on({ kind: 'itemRejected', collector: 'devices', reason: rejectionOf(data) });
    return undefined;
  }
  const item = parsed.value;
  const lastHeartbeatAt = parseInstant(item.lastHeartbeatAt);
  const faulty = parsed.faulty || (lastHeartbeatAt === undefined && isOddInstant(item.lastHeartbeatAt));
  if (faulty) on({ kind: 'schemaViolation', endpoint: 'devices' });
  const device = Object.freeze({
    id: item.deviceId,
    label: toLabel('label', item.label, on),
    brand: toLabel('brand', item.brand, on),
    model: toLabel('model', item.model, on),
    appVersion: toLabel('app_version', item.appVersion, on),
    setupStatus: status.setupStatus(item.setupStatus),
    rentalStatus: status.rentalStatus(item.rentalStatus),
    marketplaceStatus: status.marketplaceStatus(item.marketplaceStatus),
    lastHeartbeatAt,
    selfRentStatus: status.open('selfRent.status', item.selfRent?.status),
    // Null, omitted and empty all mean that there is none (the API document does not say).
    rentalId: toLabel('rental_id', item.selfRent?.rentalId, on) || undefined,
    rotationStatus: status.open('rotation.status', item.rotation?.status),
    rotationIntervalMilliseconds: item.rotation?.intervalInMs ?? undefined,
  });
  return { device, faulty };
}

function rejectionOf(item: unknown): RejectionReason {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'not_an_object';
  return 'deviceId' in item && item.deviceId != null ? 'illegal_id' : 'missing_id';
}

function parseTunnel(data: unknown, context: ParseContext): Tunnel | undefined {
  const parsed = parseLeniently(TUNNEL, data);
  if (parsed === undefined) return undefined;
  const { on, status } = context;
  if (parsed.faulty) on({ kind: 'schemaViolation', endpoint: 'tunnel' });
  const tunnel = parsed.value;
  return {
    id: toLabel('tunnel_id', tunnel.tunnelId, on),
    host: toLabel('host', tunnel.host, on),
    ports: {
      socks5: tunnel.socks5Port ?? undefined,
      https: tunnel.httpsPort ?? undefined,
      transparentSocks5: tunnel.transparentSocks5Port ?? undefined,
    },
    status: status.open('tunnel.status', tunnel.status),
    uptimeStatus: status.open('uptimeStatus', tunnel.uptimeStatus),
    credentials: tunnel.credentials == null ? undefined : summariseCredentials(tunnel.credentials, context),
  };
}

function summariseCredentials(items: readonly unknown[], context: ParseContext): CredentialSummary {
  const countByStatus = new Map<OpenStatus, number>([['active', 0]]);
  let oldestActiveAt: number | undefined;
  let lastChangeAt: number | undefined;
  for (const item of items) {
    const parsed = parseLeniently(CREDENTIAL, item);
    if (parsed === undefined) {
      context.on({ kind: 'itemRejected', collector: 'tunnels', reason: 'not_an_object' });
      continue;
    }
    if (parsed.faulty) context.on({ kind: 'schemaViolation', endpoint: 'tunnel' });
    const status = context.status.open('credential.status', parsed.value.status) ?? OTHER;
    countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1);
    const createdAt = parseInstant(parsed.value.createdAt);
    const updatedAt = parseInstant(parsed.value.updatedAt);
    if (status === 'active' && createdAt !== undefined)
      oldestActiveAt = Math.min(oldestActiveAt ?? createdAt, createdAt);
    if (updatedAt !== undefined) lastChangeAt = Math.max(lastChangeAt ?? updatedAt, updatedAt);
  }
  return { countByStatus, oldestActiveAt, lastChangeAt };
}

/** Parses a balance; undefined if none of the three amounts is usable. */
function parseBalance(data: unknown, { on }: ParseContext): Balance | undefined {
  const parsed = parseLeniently(BALANCE, data);
  if (parsed === undefined) return undefined;
  const { availableCents, pendingCents, totalCents } = parsed.value;
  if (availableCents == null && pendingCents == null && totalCents == null) return undefined;
  if (parsed.faulty) on({ kind: 'schemaViolation', endpoint: 'balance' });
  return {
    availableCents: availableCents ?? undefined,
    pendingCents: pendingCents ?? undefined,
    totalCents: totalCents ?? undefined,
  };
}

/** Instants outside these years come from clocks that were never set, or are zero values. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** Reports whether milliseconds since 1970 lie within the years 2000 to 2099. */
export function isInstant(milliseconds: number): boolean {
  return milliseconds >= EARLIEST && milliseconds < LATEST;
}

/** RFC 3339, 5.6: T and Z in either case, or a space for T; any fraction; an offset for Z; a leap second. */
const INSTANT =
  /^(\d{4}-\d\d-(\d\d))[Tt ]([01]\d|2[0-3])(:[0-5]\d:)([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Parses an instant in any form of RFC 3339 to whole milliseconds since 1970. Undefined for a form that would be a guess,
 * such as one without an offset, and for years other than 2000 to 2099. `Date.parse` alone reads `"1"` as 2001 and 31
 * February as 3 March.
 */
export function parseInstant(text: ApiText): number | undefined {
  const [, date = '', day, hour = '', minute = '', second = '', fraction = '', sign, hours, minutes] =
    INSTANT.exec(text ?? '') ?? [];
  // A leap second ends a UTC day. It counts as the first second of the next one.
  const [seconds, added] = second === '60' ? ['59', SECOND] : [second, 0];
  const local = new Date(`${date}T${hour}${minute}${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // A day that does not exist becomes another day.
  if (local.getUTCDate() !== Number(day)) return undefined;
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE;
  const instant = local.getTime() + added + (sign === '-' ? ahead : -ahead);
  if (added > 0 && instant % DAY >= SECOND) return undefined;
  return isInstant(instant) ? instant : undefined;
}

/** Reports whether unparsable text is not a date at all. A date outside the years above is a clock that was never set. */
function isOddInstant(text: ApiText): boolean {
  return text != null && text !== '' && (!INSTANT.test(text) || text.startsWith('20'));
}

/** The readable part of an object, and whether fields of the wrong type were dropped. */
type LenientResult<Value> = { readonly value: Value; readonly faulty: boolean };

/**
 * Parses an object field by field: a field of the wrong type is dropped on its own. Undefined if the input is not an
 * object or a required field is missing or wrong.
 *
 * @param schema best compiled by `z.compile`: a valid object is then parsed by one function, in a third of the time
 */
function parseLeniently<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
): LenientResult<z.output<Schema>> | undefined {
  const first = schema.safeParse(input);
  if (first.success) return { value: first.data, faulty: false };
  const remainder = first.error.issues.reduce((rest, issue) => without(rest, issue.path), input);
  const second = schema.safeParse(remainder);
  return second.success ? { value: second.data, faulty: true } : undefined;
}

/**
 * Returns the input with the value at `path` absent. The original is shadowed, not copied or changed, since a hostile
 * one can have a million other fields.
 */
function without(input: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...deeper] = path;
  if (key === undefined || typeof input !== 'object' || input === null) return undefined;
  return Object.create(input, { [key]: { value: without(Reflect.get(input, key), deeper) } });
}
