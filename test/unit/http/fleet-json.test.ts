import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createFleetResponse } from '../../../src/http/fleet-json.ts';
import { publicJson, type Reply, type RouteRequest } from '../../../src/http/reply.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  fleetDevice,
  freshReading,
  healthyDevice,
  judged,
  fleetOf as phonesOf,
  snapshotOf,
} from '../../builders.ts';
import { requestOf } from '../../route-sources.ts';

function fleetSnapshot(size: number): Snapshot {
  const phones = Array.from({ length: size }, (_, index) =>
    fleetDevice(healthyDevice({ id: `p${index}`, label: `"<${index}>"\n` })),
  );
  return snapshotOf(judged(accountOf({ devices: freshReading(phonesOf(...phones)) })));
}

/** The answer, its snapshot, and the number of documents written. */
function setUp(size = 3) {
  const state = { snapshot: fleetSnapshot(size), written: 0, pauses: 0 };
  const answer = createFleetResponse({
    snapshot: () => state.snapshot,
    exporter: (isReader) => {
      state.written += 1;
      return {
        version: '1.2.3',
        pollSeconds: { devices: 30, tunnels: 30, balance: 3_600 },
        allowsChanges: !isReader,
        timeZone: 'Europe/Kyiv',
        grafanaUrl: undefined,
      };
    },
    prices: () => [],
    withParts: (document) => document,
    isReader: ({ login }) => login === 'viewer',
    process: 'boot',
    yieldToEventLoop: async () => {
      state.pauses += 1;
    },
  });
  const ask = (request: Partial<RouteRequest> = {}): Promise<Reply> | Reply =>
    answer(requestOf({ acceptEncoding: 'gzip', ...request }));
  return { state, ask };
}

async function bodyOf(reply: Reply): Promise<Buffer> {
  const bytes = Buffer.concat(reply.content);
  expect(bytes.length).toBe(reply.length);
  return bytes;
}

describe('the fleet as JSON', () => {
  it.each(['', 'phones=no'])('with ?%s says whether its reader can start maintenance', async (query) => {
    const { ask } = setUp();
    const allowed = async (login: string | undefined, isLocal: boolean) => {
      const reply = await ask({ sender: { login, isLocal }, query: new URLSearchParams(query) });
      return JSON.parse(gunzipSync(await bodyOf(reply)).toString()).exporter.allowsChanges;
    };
    expect([await allowed('anna', false), await allowed(undefined, true)]).toEqual([true, true]);
    expect([await allowed('viewer', false), await allowed('viewer', true)]).toEqual([false, false]);
    expect(await allowed(undefined, false)).toBe(false);
  });

  it.each(['', 'phones=no'])(
    'with ?%s shows whoever could log in neither a name nor the place of a key',
    async (query) => {
      const { state, ask } = setUp();
      const { accounts, ...rest } = state.snapshot;
      state.snapshot = { ...rest, accounts: accounts.map((each) => ({ ...each, keyFile: '/etc/canary' })) };
      const textFor = async (sender: RouteRequest['sender']) =>
        gunzipSync(await bodyOf(await ask({ sender, query: new URLSearchParams(query) }))).toString();
      const stranger = await textFor({ login: undefined, isLocal: false, canLogIn: true });
      expect(JSON.parse(stranger).exporter.allowsChanges).toBe(true);
      expect(stranger).not.toContain('canary');
      expect(await textFor({ login: 'anna', isLocal: false })).toContain('canary');
      expect(publicJson({ acknowledgedBy: 'Anna', notes: [{ text: 'x', by: 'Anna' }] })).toBe(
        '{"notes":[{"text":"x","by":""}]}',
      );
    },
  );

  it.each([0, 1, 128, 129, 1_000])('serves %d devices as valid JSON, with and without gzip', async (size) => {
    const { ask } = setUp(size);
    const zipped = gunzipSync(await bodyOf(await ask())).toString();
    const plain = (await bodyOf(await ask({ acceptEncoding: undefined }))).toString();
    expect(plain).toBe(zipped);
    const ids = JSON.parse(plain).phones.map(({ id }: { readonly id: string }) => id);
    expect(ids).toEqual(Array.from({ length: size }, (_, index) => `p${index}`));
  });

  it('sends a content type, an entity tag and cache control with the fleet', async () => {
    const { headers } = await setUp().ask();
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: 'W/"boot-1"',
      vary: 'Accept-Encoding',
      'content-encoding': 'gzip',
    });
  });

  it('writes the document once, on the first request', async () => {
    const { state, ask } = setUp();
    expect(state.written).toBe(0);
    await Promise.all([ask(), ask(), ask({ acceptEncoding: undefined })]);
    await ask();
    expect(state.written).toBe(1);
  });

  it('writes the document again for a new snapshot and answers 304 for a known one', async () => {
    const { state, ask } = setUp();
    const first = await ask();
    const known = await ask({ ifNoneMatch: first.headers['etag'] });
    expect([known.status, known.length]).toEqual([304, 0]);
    state.snapshot = fleetSnapshot(4);
    const second = await ask({ ifNoneMatch: first.headers['etag'] });
    expect([second.status, second.headers['etag'], state.written]).toEqual([200, 'W/"boot-2"', 2]);
  });

  it('answers 304 without writing the document', async () => {
    const { state, ask } = setUp();
    await ask({ ifNoneMatch: 'W/"boot-1"' });
    expect(state.written).toBe(0);
  });

  it('yields to the event loop while it writes a large document', async () => {
    const { state, ask } = setUp(1_000);
    await ask();
    expect(state.pauses).toBeGreaterThanOrEqual(9);
  });

  it('serves the document under way, with its tag, to requests that arrive meanwhile', async () => {
    const { state, ask } = setUp();
    const first = ask();
    state.snapshot = fleetSnapshot(4);
    const second = await ask();
    expect([state.written, second.headers['etag']]).toEqual([1, (await first).headers['etag']]);
    expect((await ask()).headers['etag']).not.toBe(second.headers['etag']);
  });

  it('leaves out the phones for a panel that shows totals, under a tag of its own', async () => {
    const { ask } = setUp(200);
    const whole = await ask();
    const totals = await ask({ query: new URLSearchParams({ phones: 'no' }) });
    const document = JSON.parse(gunzipSync(await bodyOf(totals)).toString());
    expect([document.phones, document.accounts.length]).toEqual([[], 1]);
    expect(totals.headers['etag']).not.toBe(whole.headers['etag']);
  });
});
