import { describe, expect, it } from 'vitest';
import { createParsers } from '../../../src/api/schemas.ts';
import { bareDevice } from '../../builders.ts';
import { recordEvents } from './recorded-events.ts';
import { wireDevice, wirePage } from './wire-fixtures.ts';

/** `phone-1` is one of the second of four shards, `phone-2` of the first. */
const SECOND = { index: 1, total: 4 };
const OWN = 'phone-1';
const OTHER = 'phone-2';

function read(items: readonly unknown[]) {
  const { events, seen } = recordEvents();
  const page = createParsers(events, SECOND).devicePage(wirePage({ items, total: items.length }));
  return { page, seen };
}

describe('a page of phones, of which this shard looks after some', () => {
  it('is read whole for those, and for the others as far as it takes to count them', () => {
    const { page } = read([wireDevice({ deviceId: OWN }), wireDevice({ deviceId: OTHER })]);
    expect(page?.devices.map(({ id, label }) => `${id} ${label}`)).toEqual([
      `${OWN} Rack A / 1`,
      `${OTHER} `,
    ]);
    expect(page?.devices[1]).toEqual(
      bareDevice({ id: OTHER, rentalStatus: 'self_rented', marketplaceStatus: 'listed' }),
    );
  });

  it('says nothing of what is odd about the others: their own shard does', () => {
    const odd = { rentalStatus: 'leased', brand: 7, label: '\u0000' };
    const { page, seen } = read([wireDevice({ deviceId: OTHER, ...odd })]);
    expect(page?.devices[0]).toEqual(
      bareDevice({ id: OTHER, rentalStatus: 'other', marketplaceStatus: 'listed' }),
    );
    expect(seen).toEqual([]);
    expect(read([wireDevice({ deviceId: OWN, ...odd })]).seen).toHaveLength(3);
  });

  it.each([
    ['a field of a wrong type', { rentalStatus: 7 }],
    ['nothing but an id', { rentalStatus: null, marketplaceStatus: undefined }],
  ])('counts another with %s', (_, fields) => {
    const { page } = read([wireDevice({ deviceId: OTHER, ...fields })]);
    expect(page).toMatchObject({ devices: [{ id: OTHER }], rejected: 0 });
  });

  it('rejects what has no usable id, since nobody knows whose it is', () => {
    const { page, seen } = read([wireDevice({ deviceId: 'not an id' }), 7]);
    expect(page).toMatchObject({ devices: [], rejected: 2 });
    expect(seen).toEqual(['itemRejected devices illegal_id', 'itemRejected devices not_an_object']);
  });
});
