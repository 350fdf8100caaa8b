import { describe, expect, it } from 'vitest';
import { createParsers } from '../../../src/api/schemas.ts';
import type { Device } from '../../../src/model/device.ts';
import { NOON } from '../../builders.ts';
import { recordEvents } from './recorded-events.ts';
import { wireDevice, wirePage } from './wire-fixtures.ts';

const DEVICE = {
  id: '65f0c0ffee65f0c0ffee0001',
  label: 'Rack A / 1',
  brand: 'Samsung',
  model: 'Galaxy A14',
  appVersion: '4.2.0',
  setupStatus: 'complete',
  rentalStatus: 'self_rented',
  marketplaceStatus: 'listed',
  lastHeartbeatAt: NOON - 10_000,
  selfRentStatus: 'active',
  rentalId: 'rental-1',
  rotationStatus: 'active',
  rotationIntervalMilliseconds: 600_000,
};

/** What `selfRent` and `rotation` become. */
const NO_SELF_RENT = { selfRentStatus: undefined, rentalId: undefined };
const NO_ROTATION = { rotationStatus: undefined, rotationIntervalMilliseconds: undefined };

function read(data: unknown) {
  const { on, seen } = recordEvents();
  const parsers = createParsers(on);
  const page = parsers.devicePage(data);
  return { page, seen };
}

function readOne(fields: Record<string, unknown>) {
  const { page, seen } = read(wirePage({ items: [wireDevice(fields)] }));
  return { device: page?.devices[0], seen };
}

describe('a page of the device list', () => {
  it('is parsed field by field', () => {
    expect(read(wirePage())).toEqual({
      page: { devices: [DEVICE], rejected: 0, faulty: false, total: 1, page: 1, limit: 100, totalPages: 1 },
      seen: [],
    });
  });

  it.each(['page', 'limit', 'totalPages'])('is valid without the field %s', (field) => {
    expect(read(wirePage({ [field]: null })).page).toMatchObject({ total: 1, [field]: undefined });
    expect(read(wirePage({ [field]: undefined })).seen).toEqual([]);
  });

  it.each([
    ['page', '1'],
    ['page', 0],
    ['limit', 0],
    ['limit', 2 ** 53],
    ['totalPages', -1],
    ['totalPages', 1.5],
  ])('drops only the field %s if its value is %j', (field, value) => {
    const { page, seen } = read(wirePage({ [field]: value }));
    expect(page).toMatchObject({ devices: [DEVICE], total: 1, [field]: undefined });
    expect(seen).toEqual(['schemaViolation devices']);
  });

  it.each([undefined, null, 'one', '1.5', '', -1, 1.5, 2 ** 53, Number.NaN])(
    'is rejected with the total %s',
    (total) => {
      expect(read(wirePage({ total })).page).toBeUndefined();
    },
  );

  it('is parsed with a total in digits', () => {
    expect(read(wirePage({ total: '1' }))).toMatchObject({ page: { devices: [DEVICE], total: 1 }, seen: [] });
  });

  it('has no devices where items is null and the total 0', () => {
    expect(read(wirePage({ items: null, total: 0 }))).toMatchObject({ page: { devices: [], total: 0 } });
  });

  it.each([undefined, null, {}, 'none'])('is rejected with the items %j', (items) => {
    expect(read(wirePage({ items })).page).toBeUndefined();
  });

  it('keeps its valid items next to invalid ones', () => {
    const good = ['a', 'b', 'c'].map((deviceId) => wireDevice({ deviceId }));
    const items = [null, good[0], 7, good[1], { deviceId: 'two words' }, good[2], {}];
    const { page, seen } = read(wirePage({ items, total: 7 }));
    expect(page?.devices.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(page?.rejected).toBe(4);
    expect(seen).toEqual([
      'itemRejected devices not_an_object',
      'itemRejected devices not_an_object',
      'itemRejected devices illegal_id',
      'itemRejected devices missing_id',
    ]);
  });

  it.each([
    ['not_an_object', null],
    ['not_an_object', 'phone'],
    ['not_an_object', [wireDevice()]],
    ['missing_id', {}],
    ['missing_id', { deviceId: null }],
    ['illegal_id', { deviceId: '' }],
    ['illegal_id', { deviceId: 7 }],
    ['illegal_id', { deviceId: 'a'.repeat(65) }],
    ['illegal_id', { deviceId: 'a\n' }],
    ['illegal_id', { deviceId: '../balance' }],
  ])('rejects an item as %s: %j', (reason, item) => {
    expect(read(wirePage({ items: [item] }))).toMatchObject({
      page: { devices: [], rejected: 1 },
      seen: [`itemRejected devices ${reason}`],
    });
  });
});

/** "Device" of the API document: each field, and what the phone is without it. */
const FIELDS: readonly (readonly [string, Partial<Device>])[] = [
  ['model', { model: '' }],
  ['brand', { brand: '' }],
  ['label', { label: '' }],
  ['setupStatus', { setupStatus: undefined }],
  ['appVersion', { appVersion: '' }],
  ['lastHeartbeatAt', { lastHeartbeatAt: undefined }],
  ['rentalStatus', { rentalStatus: undefined }],
  ['marketplaceStatus', { marketplaceStatus: undefined }],
  ['selfRent', NO_SELF_RENT],
  ['rotation', NO_ROTATION],
];

describe('a device', () => {
  it.each(FIELDS)('is valid without the field %s', (field, without) => {
    const { [field]: _, ...rest } = wireDevice();
    const expected = { ...DEVICE, ...without };
    expect(read(wirePage({ items: [rest] }))).toMatchObject({ page: { devices: [expected] }, seen: [] });
    expect(readOne({ [field]: null })).toEqual({ device: expected, seen: [] });
  });

  it.each(FIELDS)('drops only the field %s if its type is wrong', (field, without) => {
    for (const wrong of [7, true, ['x']]) {
      const { device, seen } = readOne({ [field]: wrong });
      expect(device).toEqual({ ...DEVICE, ...without });
      expect(seen).toEqual(['schemaViolation devices']);
    }
  });

  it.each(['2026-02-30T12:00:00.000Z', '2026-03-01T12:00:00.000', '1772366400', 'yesterday'])(
    'is counted for a heartbeat that is no instant: %s',
    (lastHeartbeatAt) => {
      const { device, seen } = readOne({ lastHeartbeatAt });
      expect(device).toEqual({ ...DEVICE, lastHeartbeatAt: undefined });
      expect(seen).toEqual(['schemaViolation devices']);
    },
  );

  it.each(['', '1970-01-01T00:00:00.000Z', '0001-01-01T00:00:00Z'])(
    'is not counted for the heartbeat of a clock that was never set: %s',
    (lastHeartbeatAt) => {
      expect(readOne({ lastHeartbeatAt })).toEqual({
        device: { ...DEVICE, lastHeartbeatAt: undefined },
        seen: [],
      });
    },
  );

  it('with several invalid fields is counted once', () => {
    const { device, seen } = readOne({ label: 1, brand: 2, selfRent: { status: 3, rentalId: 'r' } });
    expect(device).toEqual({
      ...DEVICE,
      label: '',
      brand: '',
      selfRentStatus: undefined,
      rentalId: 'r',
    });
    expect(seen).toEqual(['schemaViolation devices']);
  });

  it('drops fields that the API document does not name', () => {
    expect(readOne({ imei: '1', password: '2', constructor: 3 })).toEqual({ device: DEVICE, seen: [] });
  });

  it('ignores a field named __proto__', () => {
    const item: unknown = JSON.parse('{"deviceId":"a","__proto__":{"label":"evil"},"brand":7}');
    expect(read(wirePage({ items: [item] })).page?.devices[0]).toMatchObject({ id: 'a', brand: '' });
  });
});

describe('parsing self-rent and rotation', () => {
  it.each([
    ['selfRent', NO_SELF_RENT],
    ['rotation', NO_ROTATION],
  ])('yields no %s if that object is empty', (field, without) => {
    expect(readOne({ [field]: {} }).device).toEqual({ ...DEVICE, ...without });
    expect(readOne({ [field]: { status: null } }).device).toEqual({ ...DEVICE, ...without });
  });

  it.each([
    [{ rentalId: '' }, NO_SELF_RENT],
    [{ rentalId: 'r' }, { selfRentStatus: undefined, rentalId: 'r' }],
    [
      { status: 'pending', rentalId: '' },
      { selfRentStatus: 'pending', rentalId: undefined },
    ],
  ])('accepts the selfRent %j', (selfRent, expected) => {
    expect(readOne({ selfRent }).device).toEqual({ ...DEVICE, ...expected });
  });

  it.each([1, 600_000, 604_800_000])('accepts a rotation every %i ms', (intervalInMs) => {
    expect(readOne({ rotation: { intervalInMs } })).toMatchObject({
      device: { rotationStatus: undefined, rotationIntervalMilliseconds: intervalInMs },
      seen: [],
    });
  });

  it.each([0, -1, 604_800_001, 1.5, '600000', Number.POSITIVE_INFINITY])(
    'drops only the interval of a rotation if it is %j',
    (intervalInMs) => {
      expect(readOne({ rotation: { status: 'active', intervalInMs } })).toMatchObject({
        device: { rotationStatus: 'active', rotationIntervalMilliseconds: undefined },
        seen: ['schemaViolation devices'],
      });
    },
  );
});

describe('a status with documented values', () => {
  it.each([
    ['setupStatus', 'awaiting_device_details'],
    ['setupStatus', 'awaiting_agent'],
    ['setupStatus', 'active'],
    ['setupStatus', 'draft'],
    ['setupStatus', 'incomplete'],
    ['setupStatus', 'complete'],
    ['rentalStatus', 'sold'],
    ['rentalStatus', 'self_rented'],
    ['rentalStatus', 'idle'],
    ['marketplaceStatus', 'listed'],
    ['marketplaceStatus', 'not_listed'],
  ])('is parsed unchanged: %s %s', (field, value) => {
    expect(readOne({ [field]: value })).toEqual({ device: { ...DEVICE, [field]: value }, seen: [] });
  });

  it.each([' Self-Rented ', 'SELF RENTED', 'self_rented'])('is recognized in the spelling %j', (value) => {
    expect(readOne({ rentalStatus: value })).toEqual({ device: DEVICE, seen: [] });
  });

  it.each(['setupStatus', 'rentalStatus', 'marketplaceStatus'])(
    'is other for an undocumented value of %s',
    (field) => {
      for (const value of ['brand_new', 'other', '', 'constructor', 'x'.repeat(1e6)]) {
        const { device, seen } = readOne({ [field]: value });
        expect(device).toEqual({ ...DEVICE, [field]: 'other' });
        expect(seen).toEqual([`unknownEnum ${field}`]);
      }
    },
  );
});

describe('a status whose values the API document leaves open', () => {
  it.each([
    ['paused', 'paused'],
    ['Half-Open', 'half_open'],
    ['a'.repeat(32), 'a'.repeat(32)],
  ])('is parsed without an event: %j as %s', (status, expected) => {
    expect(readOne({ rotation: { status } })).toMatchObject({
      device: { rotationStatus: expected },
      seen: [],
    });
  });

  it.each(['', 'größer', 'a'.repeat(33), 'a.b', '\u0000'])('is other for the value %j', (status) => {
    expect(readOne({ rotation: { status } })).toMatchObject({
      device: { rotationStatus: 'other' },
      seen: ['unknownEnum rotation.status'],
    });
    expect(readOne({ selfRent: { status } }).seen).toEqual(['unknownEnum selfRent.status']);
  });
});

describe('a text of a device', () => {
  it.each([
    ['label', 'label'],
    ['brand', 'brand'],
    ['model', 'model'],
    ['appVersion', 'app_version'],
  ])('is made safe to print in the field %s', (field, label) => {
    expect(readOne({ [field]: 'a\u0007b' })).toEqual({
      device: { ...DEVICE, [field]: 'a\uFFFDb' },
      seen: [`labelSanitized ${label}`],
    });
  });

  it.each(['Küche 📱', 'quote " and \\', ''])('is kept unchanged if it is printable: %j', (label) => {
    expect(readOne({ label })).toEqual({ device: { ...DEVICE, label }, seen: [] });
  });

  it('of a megabyte is cut to 128 characters', () => {
    const { device, seen } = readOne({ label: 'x'.repeat(1e6) });
    expect(device?.label).toBe('x'.repeat(128));
    expect(seen).toEqual(['labelSanitized label']);
  });

  it('is made safe to print in the rental id as well', () => {
    expect(readOne({ selfRent: { rentalId: 'a\u202Eb' } })).toMatchObject({
      device: { rentalId: 'a\uFFFDb' },
      seen: ['labelSanitized rental_id'],
    });
  });
});
