import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import type { HttpResponse } from '../../src/api/http.ts';
import { classifyResponse, parseResponse } from '../../src/api/response.ts';
import { createParsers, parseInstant } from '../../src/api/schemas.ts';
import { ENDPOINTS, type Endpoint } from '../../src/model/enums.ts';
import { anyCharacter } from '../any-character.ts';
import { recordEvents } from '../unit/api/recorded-events.ts';
import {
  CANARY,
  wireBalance,
  wireCredential,
  wireDevice,
  wirePage,
  wireTunnel,
} from '../unit/api/wire-fixtures.ts';
import { HOSTILE_INPUTS } from './hostile-inputs.ts';

const RUNS = HOSTILE_INPUTS;

vi.setConfig({ testTimeout: 60_000 + 10 * RUNS });

/** Parses a response; returns its value, or the error that is thrown. */
function outcome(endpoint: Endpoint, response: HttpResponse): unknown {
  const { on } = recordEvents();
  const { devicePage, tunnel, balance } = createParsers(on);
  const parsers: Readonly<Record<Endpoint, (data: unknown) => unknown>> = {
    devices: devicePage,
    tunnel,
    balance,
  };
  const parse = (data: unknown) => {
    const value = parsers[endpoint](data);
    return value === undefined ? undefined : { value };
  };
  try {
    return parseResponse(endpoint, response, { middle: 0, expected: 0 }, parse, on).value;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const documented: Readonly<Record<Endpoint, (fields: Record<string, unknown>) => Record<string, unknown>>> = {
  devices: wirePage,
  tunnel: wireTunnel,
  balance: wireBalance,
};

const endpoint = fc.constantFrom(...ENDPOINTS);
const status = fc.oneof(fc.constant(200), fc.integer({ min: 200, max: 999 }));
const header = fc.oneof(fc.constantFrom('application/json', 'text/html', 'gzip', '12'), fc.string());
const headers = fc.dictionary(
  fc.constantFrom('content-type', 'content-encoding', 'date', 'age', 'retry-after', 'location'),
  fc.oneof(header, fc.array(header)),
);

/** JSON of any form, with the field names of the API more often than chance would have them. */
const names = [...Object.keys(wireDevice()), ...Object.keys(wireTunnel()), ...Object.keys(wirePage())];
const key = fc.oneof(
  fc.constantFrom('success', 'data', 'error', 'code', '__proto__', 'constructor', 'toString', ...names),
  fc.string(),
);
const json = fc.letrec<{ value: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    fc.jsonValue({ maxDepth: 0 }),
    fc.constantFrom(2 ** 53, -1, 1.5, 'active', '2026-02-31T00:00:00Z'),
  ),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 8 }),
  ),
})).value;

describe('parsing a response', () => {
  it('throws only an ApiError for any bytes', () => {
    fc.assert(
      fc.property(endpoint, status, headers, fc.uint8Array({ maxLength: 200 }), (name, code, head, body) => {
        outcome(name, { status: code, headers: head, body });
      }),
      { numRuns: RUNS },
    );
  });

  it('throws only an ApiError for any JSON', () => {
    fc.assert(
      fc.property(endpoint, status, headers, json, (name, code, head, value) => {
        outcome(name, { status: code, headers: head, body: Buffer.from(JSON.stringify(value)) });
      }),
      { numRuns: RUNS },
    );
  });

  it('throws only an ApiError for data with any fields', () => {
    fc.assert(
      fc.property(endpoint, fc.dictionary(key, json), (name, fields) => {
        const body = JSON.stringify({ success: true, data: documented[name](fields) });
        outcome(name, { status: 200, headers: {}, body: Buffer.from(body) });
      }),
      { numRuns: RUNS },
    );
  });
});

/** The facts that come of a field of the API document, where it is not one of the same name. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  selfRent: ['selfRentStatus', 'rentalId'],
  rotation: ['rotationStatus', 'rotationIntervalMilliseconds'],
};

const parsePage = (data: unknown) => createParsers(recordEvents().on).devicePage(data);

describe('a page of devices', () => {
  it('keeps every valid device, in order, next to invalid ones', () => {
    const good = fc.integer({ min: 0 }).map((number) => wireDevice({ deviceId: `good-${number}` }));
    const bad = fc.oneof(
      json,
      fc.dictionary(key, json).map((fields) => wireDevice({ ...fields, deviceId: 7 })),
    );
    const items = fc.array(fc.oneof(good, bad), { maxLength: 10 });
    fc.assert(
      fc.property(items, (list) => {
        const page = parsePage(wirePage({ items: list, total: list.length }));
        const expected = list.flatMap(
          (item) => JSON.stringify(item).match(/(?<=^{"deviceId":")good-\d+/) ?? [],
        );
        const ids = page?.devices.map(({ id }) => id) ?? [];
        expect(ids.filter((id) => id.startsWith('good-'))).toEqual(expected);
        expect(ids.length + (page?.rejected ?? 0)).toBe(list.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('loses at most one fact of one device to a field of any form', () => {
    const fields = Object.keys(wireDevice()).filter((name) => name !== 'deviceId');
    const [whole] = parsePage(wirePage())?.devices ?? [];
    fc.assert(
      fc.property(fc.constantFrom(...fields), json, (field, value) => {
        const items = [wireDevice({ [field]: value }), wireDevice()];
        const page = parsePage(wirePage({ items, total: 2 }));
        const [one, other] = page?.devices ?? [];
        const lost = Object.fromEntries((PARTS[field] ?? [field]).map((fact) => [fact, undefined]));
        expect({ ...one, ...lost }).toEqual({ ...whole, ...lost });
        expect(other).toEqual(whole);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a tunnel', () => {
  it('contains no login, whatever its other fields are', () => {
    const login = fc.string().map((text) => CANARY + text);
    const credential = fc
      .tuple(fc.dictionary(fc.constantFrom('status', 'createdAt', 'updatedAt', 'extra'), json), login)
      .map(([fields, text]) => wireCredential({ ...fields, username: text, password: text }));
    const items = fc.array(fc.oneof(credential, json), { maxLength: 5 });
    fc.assert(
      fc.property(items, fc.dictionary(key, json), (credentials, fields) => {
        const data = wireTunnel({ ...fields, credentials, password: `${CANARY}1` });
        const { on, seen } = recordEvents();
        const tunnel = createParsers(on).tunnel(data);
        const statuses = [...(tunnel?.credentials?.countByStatus ?? [])];
        expect(JSON.stringify([tunnel, statuses, seen])).not.toContain(CANARY);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('JSON that is cut off', () => {
  it('fails as truncated wherever it is cut', () => {
    const key = fc.string({ unit: anyCharacter });
    const object = fc.dictionary(key, fc.jsonValue({ stringUnit: anyCharacter }), { minKeys: 1 });
    fc.assert(
      // Not fc.double, most of whose values between 0 and 1 are next to 0.
      fc.property(object, fc.nat({ max: 999 }), (value, place) => {
        const body = Buffer.from(JSON.stringify(value));
        const cut = body.subarray(0, Math.max(1, Math.floor((place / 1_000) * (body.length - 1))));
        const response = { status: 200, headers: {}, body: cut };
        expect(classifyResponse('devices', response)).toMatchObject({ reason: 'truncated' });
      }),
      { numRuns: RUNS },
    );
  });
});

describe('an instant', () => {
  it('that toISOString printed is parsed back', () => {
    const date = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (at) => {
        expect(parseInstant(at.toISOString())).toBe(at.getTime());
      }),
      { numRuns: RUNS },
    );
  });

  it('that is parsed is printed as the same text', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(two, two, two, two, two, two, (year, month, day, hour, minute, second) => {
        const text = `20${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
        const instant = parseInstant(text);
        if (instant !== undefined) expect(new Date(instant).toISOString()).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});
