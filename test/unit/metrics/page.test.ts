import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/base/clock.ts';
import { compress, createRenderer, gzipBody, layEndToEnd, type Page } from '../../../src/metrics/page.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice, snapshotOf } from '../../builders.ts';
import { familiesOf, USUAL_FEATURES } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';

const FAMILIES = familiesOf(USUAL_FEATURES);

function fleetSnapshot(phones: number, heartbeatAgeSeconds = 10): Snapshot {
  const devices = Array.from({ length: phones }, (_, index) =>
    fleetDevice(healthyDevice({ id: `phone-${index}` }), { heartbeatAgeSeconds }),
  );
  return snapshotOf(accountOf({ devices: freshReading(fleetOf(...devices)) }));
}

const render = (snapshot: Snapshot): Promise<Page> => createRenderer(FAMILIES, yieldToEventLoop)(snapshot);
const bytesOf = (page: Page): Buffer => Buffer.concat(gzipBody(page).chunks);

describe('a page of metrics', () => {
  it.each([0, 1, 1_000])(
    'of %d phones unpacks to the plain exposition with the text laid behind it',
    async (phones) => {
      const snapshot = fleetSnapshot(phones);
      const page = await render(snapshot);
      const body = gzipBody(layEndToEnd([page, compress('tail 1\n')]));
      const expected = `${plainExposition(FAMILIES, snapshot)}tail 1\n`;
      expect(gunzipSync(Buffer.concat(body.chunks)).toString()).toBe(expected);
      expect(body.length).toBe(Buffer.concat(body.chunks).length);
      expect(body.textLength).toBe(Buffer.byteLength(expected));
    },
  );

  it('has its number of series and its compressed size', async () => {
    const snapshot = fleetSnapshot(3);
    const page = await render(snapshot);
    expect(page.series).toBe(plainExposition(FAMILIES, snapshot).match(/^[^#\n]/gm)?.length);
    expect(page.deflatedBytes).toBe(Buffer.concat(page.chunks).length);
  });

  it('is one gzip member, since curl refuses several', async () => {
    const bytes = bytesOf(await render(fleetSnapshot(1_000)));
    const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
    expect(bytes.indexOf(header)).toBe(0);
    expect(bytes.indexOf(header, 1)).toBe(-1);
  });

  it('has the same bytes whether it follows another page or is the first one', async () => {
    const renderer = createRenderer(FAMILIES, yieldToEventLoop);
    await renderer(fleetSnapshot(1_000));
    const later = fleetSnapshot(1_000, 40);
    expect(bytesOf(await renderer(later))).toEqual(bytesOf(await render(later)));
  });

  it('does not read the devices of an account again whose reading is the same object', async () => {
    const renderer = createRenderer(FAMILIES, yieldToEventLoop);
    const [account = accountOf()] = fleetSnapshot(1).accounts;
    const before = await renderer(snapshotOf(account));
    const fleet = account.devices.data;
    const unreadable = new Proxy(fleet ?? fleetOf(), {
      get: () => {
        throw new Error('the devices were read again');
      },
    });
    await expect(renderer(snapshotOf({ ...account, devices: freshReading(unreadable) }))).rejects.toThrow(
      'read again',
    );
    expect(bytesOf(await renderer(snapshotOf(account)))).toEqual(bytesOf(before));
  });

  it('shows nothing of an account that is gone', async () => {
    const renderer = createRenderer(FAMILIES, yieldToEventLoop);
    await renderer(snapshotOf(accountOf({ name: 'gone' }), accountOf({ name: 'kept' })));
    const text = gunzipSync(bytesOf(await renderer(snapshotOf(accountOf({ name: 'kept' }))))).toString();
    expect(text).not.toContain('account="gone"');
    expect(text).toContain('hoster_up{account="kept"} 0\n');
  });

  it('yields to the event loop while a large family is compressed', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      setImmediate(count).unref();
    };
    count();
    await render(fleetSnapshot(2_000));
    expect(turns).toBeGreaterThan(10);
  });

  it('without any family is a valid body, too', () => {
    expect(gunzipSync(bytesOf(layEndToEnd([]))).toString()).toBe('');
  });
});
