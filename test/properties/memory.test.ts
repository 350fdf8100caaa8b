import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { type Reader, understand, whole } from '../../src/api/understand.ts';
import { readDevicePage } from '../../src/api/wire/device-page.ts';
import { createPageMemory, PageReader } from '../../src/api/wire/page-memory.ts';
import { readTunnel } from '../../src/api/wire/tunnel.ts';
import { createTunnelMemory, TunnelReader } from '../../src/api/wire/tunnel-memory.ts';
import { createWire } from '../../src/api/wire/wire.ts';
import type { Endpoint } from '../../src/model/endpoint.ts';
import type { Tunnel } from '../../src/model/tunnel.ts';
import { success, wireCredential, wireDevice, wirePage, wireTunnel } from '../unit/api/documented.ts';
import { reply } from '../unit/api/museum.ts';
import { recordEvents } from '../unit/api/recorded-events.ts';

const RUNS = 3_000;

const heartbeat = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.integer({ min: 0, max: 59 }).map((second) => `2026-03-01T12:00:${second}.000Z`),
  },
  fc.constantFrom(null, undefined, 7, '', '2026-03-01T12:00:20Z', '1970-01-01T00:00:00.000Z'),
);

/** Phones of a few ids that mostly say the same as ever, in any order, twice, and among rubbish. */
const item = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 0, max: 5 }),
        heartbeat,
        fc.constantFrom<Record<string, unknown>>(
          {},
          {},
          {},
          { label: 'lastHeartbeatAt":"' },
          { label: 'Küche },{"' },
          { label: '\u0000' },
          { rentalStatus: 'leased' },
          { brand: 7 },
          { deviceId: 'a/b' },
          { agent: { lastHeartbeatAt: '2026-03-01T12:00:00.000Z' } },
        ),
      )
      .map(([id, lastHeartbeatAt, fields]) =>
        wireDevice({ deviceId: `phone-${id}`, lastHeartbeatAt, ...fields }),
      ),
  },
  fc.constantFrom(null, 7, 'phone', [], {}, [{}]),
);

type Damage = (text: string, at: number) => string;

const damage = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Damage>((text) => text) },
  fc.constantFrom<Damage>(
    (text) => JSON.stringify(JSON.parse(text), undefined, 1),
    (text, at) => text.slice(0, at),
    (text, at) => `${text.slice(0, at)},${text.slice(at)}`,
    (text, at) => `${text.slice(0, at)}"${text.slice(at)}`,
    (text, at) => `${text.slice(0, at)}}${text.slice(at)}`,
    (text) => text.replaceAll(/"lastHeartbeatAt":/g, '"lastHeartbeatAt" :'),
  ),
);

const status = fc.oneof({ weight: 8, arbitrary: fc.constant(200) }, fc.constantFrom(404, 429, 500));

/** What an answer amounts to, and what was told of it. */
function outcome<Value>(
  endpoint: Endpoint,
  code: number,
  text: string,
  reader: Reader<Value>,
  { seen, events }: ReturnType<typeof recordEvents>,
) {
  const timed = { reply: reply(code, text), middle: 0 };
  seen.length = 0;
  try {
    return { value: understand(endpoint, timed, reader, events).value, seen: [...seen] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { message: error.message, reason: error.reason, seen: [...seen] };
  }
}

function withValue<Value>(value: Value | undefined): { readonly value: Value } | undefined {
  return value === undefined ? undefined : { value };
}

/** Something that tells its events, and the wire of a shard. */
function listener(total: number) {
  const recorded = recordEvents();
  return { recorded, wire: createWire(recorded.events, { index: 0, total }) };
}

describe('whoever remembers what was read', () => {
  it('reads of any pages, one after the other, what is read without a memory, and tells the same', () => {
    const page = fc.record({
      number: fc.integer({ min: 1, max: 2 }),
      items: fc.array(item, { maxLength: 8 }),
      total: fc.integer({ min: 0, max: 300 }),
      damage,
      at: fc.nat(),
      status,
    });
    fc.assert(
      fc.property(fc.array(page, { minLength: 2, maxLength: 8 }), fc.constantFrom(1, 2), (pages, total) => {
        const [with_, without] = [listener(total), listener(total)];
        const memory = createPageMemory(with_.wire);
        const plain = whole((data) => withValue(readDevicePage(data, without.wire)));
        for (const { number, items, total: reported, damage: damaged, at, status: code } of pages) {
          const text = success(wirePage({ items, total: reported, page: number }));
          const body = damaged(text, at % text.length);
          const found = outcome(
            'devices',
            code,
            body,
            new PageReader(memory, number, { take: (read) => read }),
            with_.recorded,
          );
          expect(found).toEqual(outcome('devices', code, body, plain, without.recorded));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('reads of any answers on a tunnel what is read without a memory, and tells the same', () => {
    const answer = fc.record({
      fields: fc.constantFrom<Record<string, unknown>>(
        {},
        {},
        { uptimeStatus: 'down' },
        { host: 7 },
        { credentials: [wireCredential({ username: 'other' })] },
        { credentials: [7] },
      ),
      damage,
      at: fc.nat(),
      status,
    });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 2, maxLength: 8 }), (answers) => {
        const [with_, without] = [listener(1), listener(1)];
        const memory = createTunnelMemory(with_.wire);
        const plain = whole((data) => withValue(readTunnel(data, without.wire)));
        let known: Tunnel | undefined;
        for (const { fields, damage: damaged, at, status: code } of answers) {
          const text = success(wireTunnel(fields));
          const body = damaged(text, at % text.length);
          const reader = new TunnelReader(memory, known);
          const found = outcome('tunnel', code, body, reader, with_.recorded);
          expect(found).toEqual(outcome('tunnel', code, body, plain, without.recorded));
          if ('value' in found) known = found.value;
        }
      }),
      { numRuns: RUNS },
    );
  });
});
