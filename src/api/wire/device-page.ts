import { z } from 'zod';
import type { RejectionReason } from '../../model/api-events.ts';
import type { Device, Rotation, SelfRent } from '../../model/device.ts';
import { isOwn } from '../../model/shard.ts';
import type { DevicePage } from '../answer.ts';
import { parseInstant } from '../instant.ts';
import { salvage } from './salvage.ts';
import { readMarketplaceStatus, readRentalStatus, readSetupStatus } from './status.ts';
import { readSharedText, readText } from './text.ts';
import type { Wire } from './wire.ts';

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

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** "Device" of the API document. What is not named here is stripped. */
const DEVICE = z.object({
  deviceId: z.string().regex(ID),
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

const UNHEARD = { unknownEnum: () => {} };

/** Reads `data` of a device list response; undefined where `items` or `total` is unusable. */
export function readDevicePage(data: unknown, wire: Wire): DevicePage | undefined {
  const page = salvage(PAGE, data);
  if (page === undefined) return undefined;
  if (page.faulty) wire.events.schemaViolation('devices');
  const { items, total } = page.value;
  const devices = items.map((item) => readDevice(item, wire)).filter((device) => device !== undefined);
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
function readDevice(item: unknown, wire: Wire): Device | undefined {
  const neighbour = readNeighbour(item, wire);
  if (neighbour !== undefined) return neighbour;
  const device = salvage(DEVICE, item);
  if (device === undefined) {
    wire.events.itemRejected('devices', rejectionOf(item));
    return undefined;
  }
  if (device.faulty) wire.events.schemaViolation('devices');
  return toDevice(device.value, wire);
}

/**
 * A phone that another shard looks after; undefined where the item is none. What is odd about it is told by that shard,
 * so that it is not told twice. Without a schema, which takes longer than all else that is done for such a phone.
 */
function readNeighbour(item: unknown, { shard }: Wire): Device | undefined {
  if (shard.total === 1) return undefined;
  const id = textIn(item, 'deviceId');
  if (id === undefined || !ID.test(id) || isOwn(shard, id)) return undefined;
  // Field by field, as `toDevice` does: an object that is spread into another takes three times the room.
  return {
    id,
    label: '',
    brand: '',
    model: '',
    appVersion: '',
    setupStatus: undefined,
    rentalStatus: readRentalStatus('rentalStatus', textIn(item, 'rentalStatus'), UNHEARD),
    marketplaceStatus: readMarketplaceStatus('marketplaceStatus', textIn(item, 'marketplaceStatus'), UNHEARD),
    lastHeartbeatAt: undefined,
    selfRent: undefined,
    rotation: undefined,
  };
}

function textIn(item: unknown, field: string): string | undefined {
  const value: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function rejectionOf(item: unknown): RejectionReason {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'not_an_object';
  return 'deviceId' in item && item.deviceId != null ? 'illegal_id' : 'missing_id';
}

function toDevice(item: WireDevice, wire: Wire): Device {
  const { events } = wire;
  return {
    id: item.deviceId,
    label: readText('label', item.label, events),
    brand: readSharedText('brand', item.brand, events),
    model: readSharedText('model', item.model, events),
    appVersion: readSharedText('app_version', item.appVersion, events),
    setupStatus: readSetupStatus('setupStatus', item.setupStatus, events),
    rentalStatus: readRentalStatus('rentalStatus', item.rentalStatus, events),
    marketplaceStatus: readMarketplaceStatus('marketplaceStatus', item.marketplaceStatus, events),
    lastHeartbeatAt: parseInstant(item.lastHeartbeatAt),
    selfRent: toSelfRent(item.selfRent, wire),
    rotation: toRotation(item.rotation, wire),
  };
}

/** Null, omitted and empty all mean that there is no self-rent ("not shown" in the API document). */
function toSelfRent(item: WireDevice['selfRent'], wire: Wire): SelfRent | undefined {
  const status = wire.readOpenStatus('selfRent.status', item?.status);
  const rentalId = readText('rental_id', item?.rentalId, wire.events) || undefined;
  return status === undefined && rentalId === undefined ? undefined : { status, rentalId };
}

function toRotation(item: WireDevice['rotation'], wire: Wire): Rotation | undefined {
  const status = wire.readOpenStatus('rotation.status', item?.status);
  const intervalMilliseconds = item?.intervalInMs ?? undefined;
  return status === undefined && intervalMilliseconds === undefined
    ? undefined
    : { status, intervalMilliseconds };
}
