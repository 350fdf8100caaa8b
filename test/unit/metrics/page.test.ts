import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../src/metrics/catalog.ts';
import { createPress, EMPTY_PAGE, type Page, renderPage } from '../../../src/metrics/page.ts';
import { extend, gzipBody } from '../../../src/metrics/stretch.ts';
import { type View, viewOf } from '../../../src/metrics/view.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice } from '../../builders.ts';
import { USUAL_FEATURES } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';

const FAMILIES = catalog(USUAL_FEATURES);
const press = createPress();

function viewOfPhones(count: number, heartbeatAgeSeconds = 10): View {
  const devices = Array.from({ length: count }, (_, index) =>
    fleetDevice(healthyDevice({ id: `phone-${index}` }), { heartbeatAgeSeconds }),
  );
  return viewOf({ accounts: [accountOf({ devices: freshReading(fleetOf(...devices)) })] });
}

function render(view: View, earlier: Page = EMPTY_PAGE): Promise<Page> {
  return renderPage(FAMILIES, earlier, view, press, async () => {});
}

describe('a page', () => {
  it.each([0, 1, 1_000])(
    'of %d phones comes out of gzip as the plain exposition with what was put behind it',
    async (count) => {
      const view = viewOfPhones(count);
      const page = await render(view);
      const body = gzipBody(extend(page.run, [press.compress.texts(['tail 1\n'])]));
      const expected = `${plainExposition(FAMILIES, view)}tail 1\n`;
      expect(gunzipSync(Buffer.concat(body.chunks)).toString()).toBe(expected);
      expect(body.length).toBe(Buffer.concat(body.chunks).length);
      expect(body.textLength).toBe(Buffer.byteLength(expected));
      expect(page.run.textBytes + 'tail 1\n'.length).toBe(body.textLength);
    },
  );

  it('knows its number of series and its compressed bytes', async () => {
    const view = viewOfPhones(3);
    const page = await render(view);
    expect(page.series).toBe(plainExposition(FAMILIES, view).match(/^[^#\n]/gm)?.length);
    expect(page.run.deflatedBytes).toBe(Buffer.concat(page.columns.map(({ deflated }) => deflated)).length);
  });

  it('is one gzip member, since curl refuses several', async () => {
    const page = await render(viewOfPhones(1_000));
    const bytes = Buffer.concat(gzipBody(page.run).chunks);
    const start = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
    expect(bytes.indexOf(start)).toBe(0);
    expect(bytes.indexOf(start, 1)).toBe(-1);
  });

  it('that follows another takes over the columns in which nothing changed, and is as if made from nothing', async () => {
    const earlier = await render(viewOfPhones(1_000));
    const older = viewOfPhones(1_000, 40);
    const page = await render(older, earlier);
    const made = FAMILIES.filter((_, index) => page.columns[index] !== earlier.columns[index]);
    expect(made.map(({ name }) => name)).toEqual(['hoster_device_heartbeat_age_seconds']);
    const fromNothing = await render(older);
    expect(gzipBody(page.run)).toEqual(gzipBody(fromNothing.run));
    expect(page).toEqual({ ...fromNothing, view: older });
  });

  it('keeps no more memory than its bytes take', async () => {
    const { columns } = await render(viewOfPhones(1_000));
    const setup = columns[FAMILIES.findIndex(({ name }) => name === 'hoster_device_setup_status')];
    const memory = new Set(setup?.segments.map(({ deflated }) => deflated.buffer));
    expect(Array.from(memory, ({ byteLength }) => byteLength)).toEqual([setup?.deflated.length]);
  });

  it('lets others breathe after each batch', async () => {
    let breaths = 0;
    await renderPage(FAMILIES, EMPTY_PAGE, viewOfPhones(1_000), press, async () => {
      breaths += 1;
    });
    expect(breaths).toBeGreaterThan(100);
  });

  it('that is empty is a valid body, too', () => {
    expect(gunzipSync(Buffer.concat(gzipBody(EMPTY_PAGE.run).chunks)).toString()).toBe('');
  });
});
