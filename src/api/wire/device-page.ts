import { z } from 'zod';
import type { RejectionReason } from '../../model/api-events.ts';
import type { Device, DeviceKind } from '../../model/device.ts';
import { isOwn } from '../../model/shard.ts';
import type { DevicePage } from '../answer.ts';
import { parseInstant } from '../instant.ts';
import { unheard } from './oddities.ts';
import { salvage } from './salvage.ts';
import { createSharedReaders } from './shared-fields.ts';
import { readText } from './text.ts';
import type { Wire } from './wire.ts';

/** Ten times the largest page that can be asked for; a longer list is not a page of this API. */
export const MAX_ITEMS = 1_000;

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

const TEXT = z.string().nullish();

/** "Device list page" of the API document. */
const PAGE = z.compile(
  z.object({
    items: z.array(z.unknown()).max(MAX_ITEMS),
    total: z.int().min(0),
    page: z.int().min(1).nullish(),
    limit: z.int().min(1).nullish(),
    totalPages: z.int().min(0).nullish(),
  }),
);

/** Looked at outside of the schema, where it takes a third of the time of the whole. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** "Device" of the API document. What is not named here is stripped. */
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

type WireDevice = z.output<typeof DEVICE>;

/** For phones that another shard looks after. */
const UNHEARD = createSharedReaders(unheard());

/** Reads `data` of a device list response; undefined where `items` or `total` is unusable. */
export function readDevicePage(data: unknown, wire: Wire): DevicePage | undefined {
  return readPage(data, wire, { readItems: (items) => items.map((item) => readDevice(item, wire)) });
}

/** Reads the items of a page. */
export type ItemsReader = {
  /** Undefined in the place of an item without a usable identity, and undefined at all if the page is unusable. */
  readonly readItems: (
    items: readonly unknown[],
    total: number,
  ) => readonly (Device | undefined)[] | undefined;
};

/** As {@link readDevicePage}, where something else reads the items. */
export function readPage(data: unknown, wire: Wire, reader: ItemsReader): DevicePage | undefined {
  const page = salvage(PAGE, data);
  if (page === undefined) return undefined;
  if (page.faulty) wire.events.schemaViolation('devices');
  const { items, total } = page.value;
  const read = reader.readItems(items, total);
  if (read === undefined) return undefined;
  const devices = read.filter((device) => device !== undefined);
  return {
    devices,
    rejected: read.length - devices.length,
    total,
    page: page.value.page ?? undefined,
    limit: page.value.limit ?? undefined,
    totalPages: page.value.totalPages ?? undefined,
  };
}

/** One item; undefined where it has no usable identity. */
export function readDevice(item: unknown, wire: Wire): Device | undefined {
  const neighbour = readNeighbour(item, wire);
  if (neighbour !== undefined) return neighbour;
  const device = salvage(DEVICE, item);
  if (device === undefined || !ID.test(device.value.deviceId)) {
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
  return {
    id,
    label: '',
    kind: NO_KIND,
    state: UNHEARD.readState({
      rentalStatus: textIn(item, 'rentalStatus'),
      marketplaceStatus: textIn(item, 'marketplaceStatus'),
    }),
    lastHeartbeatAt: undefined,
    rentalId: undefined,
  };
}

/** Of phones that another shard looks after. */
export const NO_KIND: DeviceKind = { brand: '', model: '', appVersion: '' };

function textIn(item: unknown, field: string): string | undefined {
  const value: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function rejectionOf(item: unknown): RejectionReason {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'not_an_object';
  return 'deviceId' in item && item.deviceId != null ? 'illegal_id' : 'missing_id';
}

function toDevice(item: WireDevice, { events, readKind, readState }: Wire): Device {
  return {
    id: item.deviceId,
    label: readText('label', item.label, events),
    kind: readKind(item),
    state: readState(item),
    lastHeartbeatAt: parseInstant(item.lastHeartbeatAt),
    // Null, omitted and empty all mean that there is none ("not shown" in the API document).
    rentalId: readText('rental_id', item.selfRent?.rentalId, events) || undefined,
  };
}
