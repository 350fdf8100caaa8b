import { describe, expect, it } from 'vitest';
import { createPageMemory, type PageMemory, PageReader } from '../../../src/api/wire/page-memory.ts';
import { createWire } from '../../../src/api/wire/wire.ts';
import { success, wireDevice, wirePage } from './documented.ts';
import { recordEvents } from './recorded-events.ts';

const EARLIER = '2026-03-01T11:59:50.000Z';
const LATER = '2026-03-01T12:00:20.000Z';

type Fields = Record<string, unknown>;

/** Reads page after page with one memory: how many bytes of it were decoded, and what was read. */
function setUp(shard?: { readonly index: number; readonly total: number }) {
  const { events, seen } = recordEvents();
  const memory = createPageMemory(createWire(events, shard));
  return {
    seen,
    read: (items: readonly Fields[], { number = 1, total = items.length } = {}) => {
      const body = Buffer.from(success(wirePage({ items, total, page: number })));
      const reader = readerOf(memory, number);
      const { data } = JSON.parse(Buffer.from(reader.open(body)).toString());
      const decoded: unknown[] = data.items.map(({ deviceId }: Fields) => deviceId);
      return { decoded, page: reader.read(data)?.value };
    },
  };
}

function readerOf(memory: PageMemory, number = 1) {
  return new PageReader(memory, number, { take: (page) => page });
}

function phones(count: number, fields: Fields = {}): readonly Fields[] {
  return Array.from({ length: count }, (_, index) => wireDevice({ deviceId: `phone-${index}`, ...fields }));
}

describe('a page that was read before', () => {
  it('is not decoded again, and read with the new heartbeats', () => {
    const { read } = setUp();
    expect(read(phones(3, { lastHeartbeatAt: EARLIER })).decoded).toHaveLength(3);
    const { decoded, page } = read(phones(3, { lastHeartbeatAt: LATER }));
    expect(decoded).toEqual([]);
    expect(page?.devices).toEqual(setUp().read(phones(3, { lastHeartbeatAt: LATER })).page?.devices);
    expect(page).toMatchObject({ total: 3, rejected: 0 });
  });

  it.each<[string, Fields]>([
    ['text', { label: 'Rack B / 1' }],
    ['text of the same length', { label: 'Rack A / 2' }],
    ['status', { rentalStatus: 'idle' }],
    ['part', { selfRent: null }],
    ['part of a part', { rotation: { status: 'active', intervalInMs: 600_001 } }],
    ['field that nobody knows', { battery: 90 }],
  ])('is decoded where an item has another %s', (_, fields) => {
    const { read } = setUp();
    read(phones(3));
    const changed = phones(3).map((phone, index) => (index === 1 ? { ...phone, ...fields } : phone));
    const { decoded, page } = read(changed);
    expect(decoded).toEqual(['phone-1']);
    expect(page?.devices).toEqual(setUp().read(changed).page?.devices);
    expect(read(changed).decoded).toEqual([]);
  });

  it.each([null, '', 'never', '2026-02-30T12:00:00.000Z', '2026-03-01T12:00:20Z'])(
    'is decoded where a heartbeat becomes %j',
    (lastHeartbeatAt) => {
      const { read } = setUp();
      read(phones(2, { lastHeartbeatAt: EARLIER }));
      const { decoded, page } = read(phones(2, { lastHeartbeatAt }));
      expect(decoded).toHaveLength(2);
      expect(page?.devices).toEqual(setUp().read(phones(2, { lastHeartbeatAt })).page?.devices);
      expect(read(phones(2, { lastHeartbeatAt: LATER })).page?.devices[1]?.lastHeartbeatAt).toBe(
        Date.parse(LATER),
      );
    },
  );

  it.each<[string, (items: readonly Fields[]) => readonly Fields[], readonly string[]]>([
    ['one is new in its midst', (items) => items.toSpliced(4, 0, wireDevice({ deviceId: 'new' })), ['new']],
    ['seven in a row have left', (items) => items.toSpliced(1, 7), []],
    ['one has moved to the page before', (items) => items.slice(1), []],
    ['one has come from the page before', (items) => [wireDevice({ deviceId: 'new' }), ...items], ['new']],
    [
      'two have changed their places',
      (items) => items.with(3, items[4] ?? {}).with(4, items[3] ?? {}),
      ['phone-3'],
    ],
  ])('is decoded no further than it has to be where %s', (_, change, expected) => {
    const { read } = setUp();
    read(phones(20));
    const { decoded, page } = read(change(phones(20)));
    expect(decoded).toEqual(expected);
    expect(page?.devices.map(({ id }) => id)).toEqual(change(phones(20)).map(({ deviceId }) => deviceId));
  });

  it('is another one than the page with another number', () => {
    const { read } = setUp();
    read(phones(3));
    expect(read(phones(3), { number: 2 }).decoded).toHaveLength(3);
  });

  it('is forgotten when the list has become too short for it', () => {
    const { read } = setUp();
    read(phones(2), { total: 4 });
    read(phones(2), { number: 2, total: 4 });
    read(phones(2), { total: 2 });
    read(phones(2), { total: 4 });
    expect(read(phones(2), { number: 2, total: 4 }).decoded).toHaveLength(2);
  });
});

describe('an item about which there is something to tell', () => {
  it.each<[string, Fields]>([
    ['unknownEnum rentalStatus', { rentalStatus: 'leased' }],
    ['labelSanitized label', { label: 'Rack\u0000' }],
    ['schemaViolation devices', { brand: 7 }],
    ['itemRejected devices illegal_id', { deviceId: 'a/b' }],
  ])('is told each time: %s', (told, fields) => {
    const { read, seen } = setUp();
    const items = [wireDevice(), wireDevice({ deviceId: 'odd', ...fields })];
    for (let time = 0; time < 3; time += 1) read(items);
    expect(seen).toEqual([told, told, told]);
  });
});

describe('a phone that another shard looks after', () => {
  it('is known again as well, and has no heartbeat', () => {
    const { read } = setUp({ index: 1, total: 4 });
    const first = read([wireDevice({ deviceId: 'phone-2', lastHeartbeatAt: EARLIER })]);
    const { decoded, page } = read([wireDevice({ deviceId: 'phone-2', lastHeartbeatAt: LATER })]);
    expect(decoded).toEqual([]);
    expect(page).toEqual(first.page);
    expect(page?.devices[0]?.lastHeartbeatAt).toBeUndefined();
  });
});

describe('a heartbeat', () => {
  it.each<[string, Fields]>([
    ['in a label', { label: 'lastHeartbeatAt' }],
    ['in another object', { agent: { lastHeartbeatAt: EARLIER } }],
  ])('whose name stands %s too is read anew each time', (_, fields) => {
    const { read } = setUp();
    read(phones(1, { lastHeartbeatAt: EARLIER, ...fields }));
    const { decoded, page } = read(phones(1, { lastHeartbeatAt: LATER, ...fields }));
    expect(decoded).toEqual(['phone-0']);
    expect(page?.devices[0]?.lastHeartbeatAt).toBe(Date.parse(LATER));
  });
});

describe('a phone without a heartbeat', () => {
  it('takes none from another object in its item', () => {
    const { read } = setUp();
    const items = phones(1, { lastHeartbeatAt: undefined, agent: { lastHeartbeatAt: EARLIER } });
    read(items);
    const { decoded, page } = read(items);
    expect(decoded).toEqual([]);
    expect(page?.devices[0]?.lastHeartbeatAt).toBeUndefined();
    const changed = phones(1, { lastHeartbeatAt: undefined, agent: { lastHeartbeatAt: LATER } });
    expect(read(changed).page?.devices[0]?.lastHeartbeatAt).toBeUndefined();
  });
});

describe('a body that is spelled in another way', () => {
  const BODY = success(wirePage({ items: phones(2) }));
  it.each([
    ['with blanks', JSON.stringify(JSON.parse(BODY), undefined, 2)],
    ['with a comma too many', BODY.replace('}],', '},],')],
    ['with a number among its items', BODY.replace('}],', '},7],')],
    ['without an end', BODY.slice(0, -100)],
    ['without items', success(wirePage({ items: [] }))],
    ['without a list', '{"success":true,"data":{}}'],
  ])('%s is decoded as it is', (_, text) => {
    const memory = createPageMemory(recordEvents().wire);
    const first = readerOf(memory);
    first.open(Buffer.from(BODY));
    first.read(JSON.parse(BODY).data);
    const body = Buffer.from(text);
    expect(readerOf(memory).open(body)).toBe(body);
  });

  it('is refused where the items are not those of the page', () => {
    const memory = createPageMemory(recordEvents().wire);
    const first = readerOf(memory);
    first.open(Buffer.from(BODY));
    first.read(JSON.parse(BODY).data);
    const other = BODY.replace('"data":{', `"meta":{"items":${JSON.stringify(phones(2))}},"data":{`);
    const reader = readerOf(memory);
    const rest = reader.open(Buffer.from(other));
    expect(rest.length).toBeLessThan(other.length);
    expect(reader.read(JSON.parse(Buffer.from(rest).toString()).data)).toBeUndefined();
    expect(readerOf(memory).open(Buffer.from(other)).length).toBe(other.length);
  });
});
