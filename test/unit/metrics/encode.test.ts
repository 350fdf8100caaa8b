import { describe, expect, it } from 'vitest';
import { catalog } from '../../../src/metrics/catalog.ts';
import { Encoder, encodeHeading, type Piece } from '../../../src/metrics/encode.ts';
import { viewOf } from '../../../src/metrics/view.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { atOnce } from '../../../src/slices.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice } from '../../builders.ts';
import { ALL_FEATURES } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';
import { FLEET_OF_EVERYTHING } from './fleet-of-everything.ts';

const EVERYTHING = catalog(ALL_FEATURES);
const NOTHING = viewOf({ accounts: [] });

type TextPiece = { readonly text: string; readonly series: number };

function piecesOf(snapshot: Snapshot): readonly TextPiece[] {
  const pieces = EVERYTHING.map((family) => [{ text: encodeHeading(family), series: 0 }]);
  const outputs = pieces.map((own) => ({
    before: [],
    keep: () => {},
    add: ({ bytes, series }: Piece) => own.push({ text: Buffer.from(bytes).toString(), series }),
  }));
  let start = 0;
  for (const { families, render } of new Set(EVERYTHING.map(({ section }) => section))) {
    atOnce(render(NOTHING, viewOf(snapshot), outputs.slice(start, start + families), new Encoder()));
    start += families;
  }
  return pieces.flat();
}

function textOf(snapshot: Snapshot): string {
  return piecesOf(snapshot)
    .map(({ text }) => text)
    .join('');
}

const TEXT = textOf(FLEET_OF_EVERYTHING);

describe('the exposition', () => {
  it('is, for a fleet of everything, the golden one', async () => {
    await expect(TEXT).toMatchFileSnapshot('golden/exposition.txt');
  });

  it('is byte for byte what the plain renderer prints', () => {
    expect(TEXT).toBe(plainExposition(EVERYTHING, viewOf(FLEET_OF_EVERYTHING)));
  });

  it('has a sample of every family', () => {
    const sampled = new Set(TEXT.match(/^[a-z_]+(?=\{)/gm));
    expect(EVERYTHING.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  it('shows nothing of an expired reading but the facts about us', () => {
    const expired = TEXT.split('\n').filter(
      (line) => line.includes('account="expired"') && !line.startsWith('hoster_exporter_'),
    );
    expect(expired.filter((line) => /^hoster_(device|tunnel)/.test(line))).toEqual([]);
    expect(expired).toContain('hoster_balance_available_cents{account="expired"} 100');
  });

  it('comes in pieces that end at line ends and count their series', () => {
    const devices = Array.from({ length: 400 }, (_, index) =>
      fleetDevice(healthyDevice({ id: `phone-${index}` })),
    );
    const pieces = piecesOf({ accounts: [accountOf({ devices: freshReading(fleetOf(...devices)) })] });
    const texts = pieces.map(({ text }) => text);
    expect(texts.filter((text) => text !== '' && !text.endsWith('\n'))).toEqual([]);
    expect(pieces.map(({ series }) => series)).toEqual(
      texts.map((text) => text.match(/^[^#\n]/gm)?.length ?? 0),
    );
  });

  it('never prints the same series twice', () => {
    const names = TEXT.match(/^[^#\n]+(?= )/gm) ?? [];
    expect(names.length).toBe(new Set(names).size);
  });
});
