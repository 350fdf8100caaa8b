import { z } from 'zod';
import type { Device, Rotation, SelfRent } from '../../model/device.ts';
import type { DevicePage } from '../answer.ts';
import type { ApiEvents, RejectionReason } from '../events.ts';
import { parseInstant } from '../instant.ts';
import { salvage } from './salvage.ts';
import { readMarketplaceStatus, readOpenStatus, readRentalStatus, readSetupStatus } from './status.ts';
import { readSharedText, readText } from './text.ts';

/** Ten times the largest page that can be asked for; a longer list is not a page of this API. */
const MAX_ITEMS = 1_000;

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

const TEXT = z.string().nullish();

/** "Device list page" of the API document. */
const PAGE = z.object({
  items: z.array(z.unknown()).max(MAX_ITEMS),
  total: z.int().min(0),
  page: z.int().min(1).nullish(),
  limit: z.int().min(1).nullish(),
  totalPages: z.int().min(0).nullish(),
});

/** "Device" of the API document. What is not named here is stripped. */
const DEVICE = z.object({
  deviceId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
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
});

type WireDevice = z.output<typeof DEVICE>;

/** Reads `data` of a device list response; undefined where `items` or `total` is unusable. */
export function readDevicePage(data: unknown, events: ApiEvents): DevicePage | undefined {
  const page = salvage(PAGE, data);
  if (page === undefined) return undefined;
  if (page.faulty) events.schemaViolation('devices');
  const { items, total } = page.value;
  const devices = items.map((item) => readDevice(item, events)).filter((device) => device !== undefined);
  return {
    devices,
    rejected: items.length - devices.length,
    total,
    page: page.value.page ?? undefined,
    limit: page.value.limit ?? undefined,
    totalPages: page.value.totalPages ?? undefined,
  };
}

/** One item; undefined where it has no usable identity. */
function readDevice(item: unknown, events: ApiEvents): Device | undefined {
  const device = salvage(DEVICE, item);
  if (device === undefined) {
    events.itemRejected('devices', rejectionOf(item));
    return undefined;
  }
  if (device.faulty) events.schemaViolation('devices');
  return toDevice(device.value, events);
}

function rejectionOf(item: unknown): RejectionReason {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'not_an_object';
  return 'deviceId' in item && item.deviceId != null ? 'illegal_id' : 'missing_id';
}

function toDevice(wire: WireDevice, events: ApiEvents): Device {
  return {
    id: wire.deviceId,
    label: readText('label', wire.label, events),
    brand: readSharedText('brand', wire.brand, events),
    model: readSharedText('model', wire.model, events),
    appVersion: readSharedText('app_version', wire.appVersion, events),
    setupStatus: readSetupStatus('setupStatus', wire.setupStatus, events),
    rentalStatus: readRentalStatus('rentalStatus', wire.rentalStatus, events),
    marketplaceStatus: readMarketplaceStatus('marketplaceStatus', wire.marketplaceStatus, events),
    lastHeartbeatAt: parseInstant(wire.lastHeartbeatAt),
    selfRent: toSelfRent(wire.selfRent, events),
    rotation: toRotation(wire.rotation, events),
  };
}

/** Null, omitted and empty all mean that there is no self-rent ("not shown" in the API document). */
function toSelfRent(wire: WireDevice['selfRent'], events: ApiEvents): SelfRent | undefined {
  const status = readOpenStatus('selfRent.status', wire?.status, events);
  const rentalId = readText('rental_id', wire?.rentalId, events) || undefined;
  return status === undefined && rentalId === undefined ? undefined : { status, rentalId };
}

function toRotation(wire: WireDevice['rotation'], events: ApiEvents): Rotation | undefined {
  const status = readOpenStatus('rotation.status', wire?.status, events);
  const intervalMilliseconds = wire?.intervalInMs ?? undefined;
  return status === undefined && intervalMilliseconds === undefined
    ? undefined
    : { status, intervalMilliseconds };
}
