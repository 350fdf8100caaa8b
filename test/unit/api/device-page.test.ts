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
    ['page', 0],
    ['limit', 0],
    ['limit', 2 ** 53],
    ['totalPages', -1],
  ])('drops only the field %s if its value is %j', (field, value) => {
    const { page, seen } = read(wirePage({ [field]: value }));
    expect(page).toMatchObject({ devices: [DEVICE], total: 1, [field]: undefined });
    expect(seen).toEqual(['schemaViolation devices']);
  });

  it.each([undefined, null, 'one', '', -1, 1.5, 2 ** 53, Number.POSITIVE_INFINITY])(
    'is rejected with the total %s',
    (total) => {
      expect(read(wirePage({ total })).page).toBeUndefined();
    },
  );

  it.each([
    ['a total in digits', { total: '1' }, { devices: [DEVICE], total: 1 }],
    ['no devices where items is null and the total 0', { items: null, total: 0 }, { devices: [], total: 0 }],
  ])('may have %s', (_, fields, page) => {
    expect(read(wirePage(fields))).toMatchObject({ page, seen: [] });
  });

  it.each([undefined, null, {}, 'none'])('is rejected with the items %j', (items) => {
    expect(read(wirePage({ items })).page).toBeUndefined();
  });

  it.each([
    ['not_an_object', null],
    ['not_an_object', [wireDevice()]],
    ['missing_id', { deviceId: null }],
    ['illegal_id', { deviceId: '' }],
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

  it.each([
    ['counted for a heartbeat that is no instant', '2026-02-30T12:00:00.000Z', ['schemaViolation devices']],
    ['not counted for an empty heartbeat', '', []],
    ['not counted for the heartbeat of a clock that was never set', '1970-01-01T00:00:00.000Z', []],
    ['not counted for the heartbeat of the year 1', '0001-01-01T00:00:00Z', []],
  ])('is %s', (_, lastHeartbeatAt, seen) => {
    expect(readOne({ lastHeartbeatAt })).toEqual({ device: { ...DEVICE, lastHeartbeatAt: undefined }, seen });
  });

  it('with several invalid fields is counted once', () => {
    const { device, seen } = readOne({ label: 1, brand: 2, selfRent: { status: 3, rentalId: 'r' } });
    expect(device).toEqual({ ...DEVICE, label: '', brand: '', selfRentStatus: undefined, rentalId: 'r' });
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

describe('self-rent and rotation', () => {
  it.each([
    [{ selfRent: {} }, NO_SELF_RENT],
    [{ selfRent: { status: null } }, NO_SELF_RENT],
    [{ selfRent: { rentalId: '' } }, NO_SELF_RENT],
    [{ selfRent: { rentalId: 'r' } }, { selfRentStatus: undefined, rentalId: 'r' }],
    [{ selfRent: { status: 'pending', rentalId: '' } }, { selfRentStatus: 'pending', rentalId: undefined }],
    [{ rotation: {} }, NO_ROTATION],
    [{ rotation: { status: null } }, NO_ROTATION],
    [{ rotation: { intervalInMs: 1 } }, { ...NO_ROTATION, rotationIntervalMilliseconds: 1 }],
    [
      { rotation: { intervalInMs: 604_800_000 } },
      { ...NO_ROTATION, rotationIntervalMilliseconds: 604_800_000 },
    ],
  ])('may be %j', (fields, expected) => {
    expect(readOne(fields)).toEqual({ device: { ...DEVICE, ...expected }, seen: [] });
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
    [
      'setupStatus',
      ['awaiting_device_details', 'awaiting_agent', 'active', 'draft', 'incomplete', 'complete'],
    ],
    ['rentalStatus', ['sold', 'self_rented', 'idle']],
    ['marketplaceStatus', ['listed', 'not_listed']],
  ])('is parsed unchanged in the field %s', (field, values) => {
    for (const value of values)
      expect(readOne({ [field]: value })).toEqual({ device: { ...DEVICE, [field]: value }, seen: [] });
  });

  it.each([' Self-Rented ', 'SELF RENTED'])('is recognized in the spelling %j', (value) => {
    expect(readOne({ rentalStatus: value })).toEqual({ device: DEVICE, seen: [] });
  });

  it.each(['setupStatus', 'rentalStatus', 'marketplaceStatus'])('of %s is other if undocumented', (field) => {
    for (const value of ['brand_new', 'other', '', 'constructor', 'x'.repeat(1e6)])
      expect(readOne({ [field]: value })).toEqual({
        device: { ...DEVICE, [field]: 'other' },
        seen: [`unknownEnum ${field}`],
      });
  });
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

/** Parses these texts as statuses of a rotation, one after the other. */
function statuses({ devicePage }: ReturnType<typeof createParsers>, texts: readonly string[]) {
  return texts.map((status) => {
    const items = [wireDevice({ rotation: { status } })];
    return devicePage(wirePage({ items }))?.devices[0]?.rotationStatus;
  });
}

describe('the values of a field that the document leaves open', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word_${index}`);
  const createAccount = () => createParsers(recordEvents().on);

  it('are distinguished up to 16, and the rest is other', () => {
    const { on, seen } = recordEvents();
    const account = createParsers(on);
    // With the one that the document shows, fifteen more.
    expect(statuses(account, words(17))).toEqual([...words(15), 'other', 'other']);
    expect(seen).toEqual(['unknownEnum rotation.status', 'unknownEnum rotation.status']);
    expect(statuses(account, words(15))).toEqual(words(15));
  });

  it('always include the value that the API document shows, even if 16 others came before', () => {
    const account = createAccount();
    statuses(account, words(1_000));
    expect(statuses(account, ['active', 'word_3', 'word_999'])).toEqual(['active', 'word_3', 'other']);
  });

  it('are counted for each field and each account', () => {
    const account = createAccount();
    statuses(account, words(100));
    const page = account.devicePage(wirePage({ items: [wireDevice({ selfRent: { status: 'word_99' } })] }));
    expect(page?.devices[0]?.selfRentStatus).toBe('word_99');
    expect(statuses(createAccount(), ['word_99'])).toEqual(['word_99']);
  });

  it('count once in all their spellings, and not at all if they are no words', () => {
    const account = createAccount();
    statuses(account, [...Array.from({ length: 100 }, (_, index) => `!${index}`), 'other']);
    const spellings = words(15).flatMap((word) => [word.toUpperCase(), ` ${word} `, word.replace('_', '-')]);
    expect(new Set(statuses(account, spellings))).toEqual(new Set(words(15)));
  });
});

describe('a text of a device', () => {
  it.each([
    ['label', 'a\u0007b', { label: 'a\uFFFDb' }, 'label'],
    ['label', 'x'.repeat(1e6), { label: 'x'.repeat(128) }, 'label'],
    ['brand', 'a\u0007b', { brand: 'a\uFFFDb' }, 'brand'],
    ['model', 'a\u0007b', { model: 'a\uFFFDb' }, 'model'],
    ['appVersion', 'a\u0007b', { appVersion: 'a\uFFFDb' }, 'app_version'],
    ['selfRent', { status: 'active', rentalId: 'a\u202Eb' }, { rentalId: 'a\uFFFDb' }, 'rental_id'],
  ])('is made safe to print, and cut to 128 characters: %s', (field, value, expected, label) => {
    const seen = [`labelSanitized ${label}`];
    expect(readOne({ [field]: value })).toEqual({ device: { ...DEVICE, ...expected }, seen });
  });

  it.each(['Küche 📱', 'quote " and \\', ''])('is kept unchanged if it is printable: %j', (label) => {
    expect(readOne({ label })).toEqual({ device: { ...DEVICE, label }, seen: [] });
  });
});
