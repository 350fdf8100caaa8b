import { describe, expect, it } from 'vitest';
import { createParsers } from '../../../src/api/schemas.ts';
import { recordEvents } from './recorded-events.ts';
import { wireCredential, wireTunnel } from './wire-fixtures.ts';

const TUNNEL = {
  id: 'tunnel-1',
  host: 'proxy.example.com',
  ports: { socks5: 10_001, https: 10_002, transparentSocks5: 10_003 },
  status: 'enabled',
  uptimeStatus: 'up',
  credentials: {
    countByStatus: new Map([['active', 1]]),
    oldestActiveAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    lastChangeAt: Date.UTC(2026, 1, 3, 4, 5, 6, 789),
  },
};

function read(fields: Record<string, unknown> = {}) {
  const { on, seen } = recordEvents();
  const parsers = createParsers(on);
  return { tunnel: parsers.tunnel(wireTunnel(fields)), seen };
}

/** "Self-rent tunnel" of the API document: each field, and the tunnel without it. */
const FIELDS: readonly (readonly [string, object])[] = [
  ['tunnelId', { ...TUNNEL, id: '' }],
  ['status', { ...TUNNEL, status: undefined }],
  ['host', { ...TUNNEL, host: '' }],
  ['socks5Port', { ...TUNNEL, ports: { ...TUNNEL.ports, socks5: undefined } }],
  ['httpsPort', { ...TUNNEL, ports: { ...TUNNEL.ports, https: undefined } }],
  ['transparentSocks5Port', { ...TUNNEL, ports: { ...TUNNEL.ports, transparentSocks5: undefined } }],
  ['uptimeStatus', { ...TUNNEL, uptimeStatus: undefined }],
  ['credentials', { ...TUNNEL, credentials: undefined }],
];

describe('a tunnel', () => {
  it('is parsed field by field', () => {
    expect(read()).toEqual({ tunnel: TUNNEL, seen: [] });
  });

  it.each(FIELDS)('is valid without the field %s', (field, expected) => {
    expect(read({ [field]: null })).toEqual({ tunnel: expected, seen: [] });
    expect(read({ [field]: undefined })).toEqual({ tunnel: expected, seen: [] });
  });

  it.each(FIELDS)('drops only the field %s if its type is wrong', (field, expected) => {
    expect(read({ [field]: { wrong: true } })).toEqual({
      tunnel: expected,
      seen: ['schemaViolation tunnel'],
    });
  });

  it.each([null, 'tunnel', 7, [], undefined])('is absent if the data is %j', (data) => {
    expect(createParsers(recordEvents().on).tunnel(data)).toBeUndefined();
  });

  it('has the two statuses that the document leaves open', () => {
    expect(read({ status: 'disabled', uptimeStatus: 'down' })).toMatchObject({
      tunnel: { status: 'disabled', uptimeStatus: 'down' },
      seen: [],
    });
    expect(read({ status: '?', uptimeStatus: '!' })).toMatchObject({
      tunnel: { status: 'other', uptimeStatus: 'other' },
      seen: ['unknownEnum tunnel.status', 'unknownEnum uptimeStatus'],
    });
  });

  it('has text that is safe to print', () => {
    expect(read({ host: 'a\nb', tunnelId: '\u200B' })).toMatchObject({
      tunnel: { host: 'a\uFFFDb', id: '\uFFFD' },
      seen: ['labelSanitized tunnel_id', 'labelSanitized host'],
    });
  });
});

describe('a port', () => {
  it.each([
    ['1', 1],
    ['65535', 65_535],
    ['00080', 80],
    [1080, 1080],
  ])('is parsed from %j as %i', (socks5Port, port) => {
    expect(read({ socks5Port })).toMatchObject({ tunnel: { ports: { socks5: port } }, seen: [] });
  });

  it.each(['', '0', '65536', '-1', '0x50', ' 80', '8.0', 0, 65_536, 80.5])(
    'is dropped if it is %j',
    (socks5Port) => {
      expect(read({ socks5Port })).toMatchObject({
        tunnel: { ports: { ...TUNNEL.ports, socks5: undefined } },
        seen: ['schemaViolation tunnel'],
      });
    },
  );
});

describe('the credentials of a tunnel', () => {
  const credentials = (...items: unknown[]) => {
    const { tunnel, seen } = read({ credentials: items });
    return { ...tunnel?.credentials, seen };
  };

  it('are counted by status, with active always there', () => {
    const { countByStatus } = credentials(
      wireCredential(),
      wireCredential({ status: 'Disabled' }),
      wireCredential({ status: 'disabled' }),
    );
    expect([...(countByStatus ?? [])]).toEqual([
      ['active', 1],
      ['disabled', 2],
    ]);
    expect(credentials()).toEqual({
      countByStatus: new Map([['active', 0]]),
      oldestActiveAt: undefined,
      lastChangeAt: undefined,
      seen: [],
    });
  });

  it('count as other without a usable status', () => {
    const read = credentials(wireCredential({ status: null }), wireCredential({ status: '!' }));
    expect(read.countByStatus?.get('other')).toBe(2);
    expect(read.seen).toEqual(['unknownEnum credential.status']);
  });

  it('have the oldest creation among the active ones and the newest change of all', () => {
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
    const read = credentials(
      wireCredential({ createdAt: at(3), updatedAt: at(4) }),
      wireCredential({ createdAt: at(2), updatedAt: at(5) }),
      wireCredential({ createdAt: at(1), updatedAt: at(6), status: 'disabled' }),
      wireCredential({ createdAt: 'never', updatedAt: null }),
    );
    expect(read.oldestActiveAt).toBe(Date.UTC(2026, 0, 2));
    expect(read.lastChangeAt).toBe(Date.UTC(2026, 0, 6));
  });

  it('lose only the field whose type is wrong', () => {
    const read = credentials(wireCredential({ status: 7, createdAt: 8 }), wireCredential());
    expect([...(read.countByStatus ?? [])]).toEqual([
      ['active', 1],
      ['other', 1],
    ]);
    expect(read.seen).toEqual(['schemaViolation tunnel']);
  });

  it('that are not objects are left out', () => {
    const read = credentials(null, 'login', wireCredential());
    expect(read.countByStatus).toEqual(new Map([['active', 1]]));
    expect(read.seen).toEqual(['itemRejected tunnels not_an_object', 'itemRejected tunnels not_an_object']);
  });

  it('that are more than a tunnel can have are dropped', () => {
    const items = Array.from({ length: 1001 }, () => wireCredential());
    expect(read({ credentials: items })).toEqual({
      tunnel: { ...TUNNEL, credentials: undefined },
      seen: ['schemaViolation tunnel'],
    });
  });
});
