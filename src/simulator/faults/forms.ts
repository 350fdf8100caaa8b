import type { JsonObject } from '../json.ts';

/** A status that no document names. */
export const UNKNOWN = 'quantum_leased';

/** Every field with a status in it, of a device and of a tunnel. */
export const UNKNOWN_ENUMS: JsonObject = {
  setupStatus: UNKNOWN,
  rentalStatus: UNKNOWN,
  marketplaceStatus: UNKNOWN,
  selfRent: { status: UNKNOWN },
  rotation: { status: UNKNOWN, intervalInMs: 300_000 },
  status: UNKNOWN,
  uptimeStatus: UNKNOWN,
};

/** Names that an object has without being given them, and one that nobody knows. */
export const STRANGE_FIELDS: JsonObject = Object.fromEntries([
  ['__proto__', { deviceId: 'polluted' }],
  ['constructor', 'polluted'],
  ['toString', 'polluted'],
  ['batteryPercent', 81],
]);

export const PORT_FORMS = [
  '',
  '0',
  '65536',
  '0x50',
  ' 80',
  '8e1',
  '-1',
  'socks',
  1080,
  1080.5,
  null,
  undefined,
] as const;

export const HEARTBEAT_FORMS = [
  undefined,
  null,
  '',
  'yesterday',
  '1',
  0,
  1_700_000_000_000,
  '1970-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-31T00:00:00.000Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00.000+01:00',
  '2026-01-01 00:00:00',
] as const;

export const SELF_RENT_FORMS = [
  null,
  undefined,
  {},
  [],
  '',
  { status: null },
  { rentalId: '' },
  { status: 'active' },
] as const;

export const BAD_DEVICE_IDS = ['', '../balance', 'a b', 'x'.repeat(65), 'ключ', null, 7, undefined] as const;

export const HOSTILE_LABEL = '\u0000\u001B[31m"quoted"\\\r\n\u202Ereversed\u2066\u200B\uFEFF\uD800';
