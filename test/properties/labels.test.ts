import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { createParsers } from '../../src/api/schemas.ts';
import { gzipBody } from '../../src/metrics/page.ts';
import { anyCharacter } from '../any-character.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, snapshotOf } from '../builders.ts';
import { readPage } from '../faults/page.ts';
import { familiesOf, USUAL_FEATURES } from '../features.ts';
import { renderedPage } from '../rendered-page.ts';
import { recordEvents } from '../unit/api/recorded-events.ts';
import { wireDevice, wirePage } from '../unit/api/wire-fixtures.ts';
import { HOSTILE_INPUTS } from './hostile-inputs.ts';

const TEXTS_PER_PAGE = 100;

vi.setConfig({ testTimeout: 60_000 + 10 * HOSTILE_INPUTS });

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\r', '{', '}', ',', '=', ' ', '#', '\u2028', '\ud800', '\u202e'),
  }),
  fc.constantFrom('"} 1\nfake{x="', '# HELP x y', '', '\u0000', '\ufeff', 'NaN'),
);

it('a page with any text in its labels is accepted by the strict reader, with every device on it', async () => {
  const families = familiesOf(USUAL_FEATURES);
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: TEXTS_PER_PAGE, maxLength: TEXTS_PER_PAGE }),
      fc.constantFrom('label', 'brand', 'model', 'appVersion'),
      async (texts, field) => {
        const items = texts.map((hostile, index) =>
          wireDevice({ deviceId: `phone-${index}`, [field]: hostile }),
        );
        const page = createParsers(recordEvents().on).devicePage(wirePage({ items, total: items.length }));
        const devices = (page?.devices ?? []).map((device) => fleetDevice(device));
        const account = accountOf({ devices: freshReading(fleetOf(...devices)) });
        const body = gzipBody(await renderedPage(families, snapshotOf(account)));
        const shown = readPage(gunzipSync(Buffer.concat(body.chunks)).toString()).families;
        expect(shown.get('hoster_device_info')?.size).toBe(TEXTS_PER_PAGE);
        expect(shown.size).toBe(families.length);
      },
    ),
    { numRuns: Math.ceil(HOSTILE_INPUTS / TEXTS_PER_PAGE) },
  );
});
