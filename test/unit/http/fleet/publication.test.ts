import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { publishFleet } from '../../../../src/http/fleet/publication.ts';
import type { Reply } from '../../../../src/http/reply.ts';
import type { RouteRequest } from '../../../../src/http/routes.ts';
import type { Snapshot } from '../../../../src/model/snapshot.ts';
import {
  accountOf,
  fleetDevice,
  freshReading,
  healthyDevice,
  fleetOf as phonesOf,
} from '../../../builders.ts';

function snapshotOf(size: number): Snapshot {
  const phones = Array.from({ length: size }, (_, index) =>
    fleetDevice(healthyDevice({ id: `p${index}`, label: `"<${index}>"\n` })),
  );
  return { accounts: [accountOf({ devices: freshReading(phonesOf(...phones)) })] };
}

/** A publication, the snapshot that it shows, and how often it wrote. */
function stage(size = 3) {
  const state = { snapshot: snapshotOf(size), written: 0, pauses: 0 };
  const publication = publishFleet({
    snapshot: () => state.snapshot,
    exporter: () => {
      state.written += 1;
      return { version: '1.2.3', pollIntervalSeconds: 30 };
    },
    process: 'boot',
    pause: async () => {
      state.pauses += 1;
    },
  });
  const ask = (request: Partial<RouteRequest> = {}): Promise<Reply> =>
    publication({ acceptEncoding: 'gzip', ifNoneMatch: undefined, query: new URLSearchParams(), ...request });
  return { state, ask };
}

async function bodyOf(reply: Reply): Promise<Buffer> {
  const content = reply.content();
  const bytes = content instanceof Readable ? await buffer(content) : Buffer.concat(content);
  expect(bytes.length).toBe(reply.length);
  return bytes;
}

describe('the fleet as JSON', () => {
  it.each([0, 1, 128, 129, 1_000])('is whole with %d phones, with and without gzip', async (size) => {
    const { ask } = stage(size);
    const zipped = gunzipSync(await bodyOf(await ask())).toString();
    const plain = (await bodyOf(await ask({ acceptEncoding: undefined }))).toString();
    expect(plain).toBe(zipped);
    const ids = JSON.parse(plain).phones.map(({ id }: { readonly id: string }) => id);
    expect(ids).toEqual(Array.from({ length: size }, (_, index) => `p${index}`));
  });

  it('says what it is and how long it may be kept', async () => {
    const { headers } = await stage().ask();
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: 'W/"boot-1"',
      vary: 'Accept-Encoding',
      'content-encoding': 'gzip',
    });
  });

  it('is written once for all who ask, and not before', async () => {
    const { state, ask } = stage();
    expect(state.written).toBe(0);
    await Promise.all([ask(), ask(), ask({ acceptEncoding: undefined })]);
    await ask();
    expect(state.written).toBe(1);
  });

  it('is written anew for another snapshot, and not by who has it', async () => {
    const { state, ask } = stage();
    const first = await ask();
    const known = await ask({ ifNoneMatch: first.headers['etag'] });
    expect([known.status, known.length]).toEqual([304, 0]);
    state.snapshot = snapshotOf(4);
    const second = await ask({ ifNoneMatch: first.headers['etag'] });
    expect([second.status, second.headers['etag'], state.written]).toEqual([200, 'W/"boot-2"', 2]);
  });

  it('costs nothing where whoever asks has it', async () => {
    const { state, ask } = stage();
    await ask({ ifNoneMatch: 'W/"boot-1"' });
    expect(state.written).toBe(0);
  });

  it('gives way between slices', async () => {
    const { state, ask } = stage(1_000);
    await ask();
    expect(state.pauses).toBeGreaterThanOrEqual(9);
  });

  it('is never written twice at a time: who comes meanwhile gets what is under way, and its tag', async () => {
    const { state, ask } = stage();
    const first = ask();
    state.snapshot = snapshotOf(4);
    const second = await ask();
    expect([state.written, second.headers['etag']]).toEqual([1, (await first).headers['etag']]);
    expect((await ask()).headers['etag']).not.toBe(second.headers['etag']);
  });
});
