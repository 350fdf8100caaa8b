import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { append, EMPTY_PAGE, gzipBody, type Page } from '../../../src/metrics/page.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice, snapshotOf } from '../../builders.ts';
import { familiesOf, USUAL_FEATURES } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';
import { renderedPage } from '../../rendered-page.ts';

const FAMILIES = familiesOf(USUAL_FEATURES);

function fleetSnapshot(phones: number): Snapshot {
  const devices = Array.from({ length: phones }, (_, index) =>
    fleetDevice(healthyDevice({ id: `phone-${index}` })),
  );
  return snapshotOf(accountOf({ devices: freshReading(fleetOf(...devices)) }));
}

const render = (snapshot: Snapshot): Promise<Page> => renderedPage(FAMILIES, snapshot);
const bytesOf = (page: Page): Buffer => Buffer.concat(gzipBody(page).chunks);

describe('a page of metrics', () => {
  it.each([0, 1, 1_000])(
    'of %d phones unpacks to the plain exposition with the text laid behind it',
    async (phones) => {
      const snapshot = fleetSnapshot(phones);
      const page = await render(snapshot);
      const body = gzipBody(append(page, 'tail 1\n'));
      const expected = `${plainExposition(FAMILIES, snapshot)}tail 1\n`;
      expect(gunzipSync(Buffer.concat(body.chunks)).toString()).toBe(expected);
      expect(body.length).toBe(Buffer.concat(body.chunks).length);
      expect(body.textLength).toBe(Buffer.byteLength(expected));
    },
  );

  it('has its number of series', async () => {
    const snapshot = fleetSnapshot(3);
    const { series } = await render(snapshot);
    expect(series).toBe(plainExposition(FAMILIES, snapshot).match(/^[^#\n]/gm)?.length);
  });

  it('is one gzip member, since curl refuses several', async () => {
    const bytes = bytesOf(await render(fleetSnapshot(1_000)));
    const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
    expect(bytes.indexOf(header)).toBe(0);
    expect(bytes.indexOf(header, 1)).toBe(-1);
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

  it('without any family is also a valid body', () => {
    expect(gunzipSync(bytesOf(EMPTY_PAGE)).toString()).toBe('');
  });
});
