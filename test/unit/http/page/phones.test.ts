import { describe, expect, it } from 'vitest';
import { preparePhones, select } from '../../../../src/http/fleet/page/phones.ts';
import { COLUMNS, DEFAULT_VIEW, type View } from '../../../../src/http/fleet/page/view.ts';
import { phone } from './phone.ts';

const FLEET = preparePhones([
  phone({ id: 'a', label: 'slot 10', finding: 'silent', heartbeatAgeSeconds: 1_000, online: false }),
  phone({
    id: 'b',
    label: 'slot 9',
    rentalStatus: 'idle',
    marketplaceStatus: 'not_listed',
    finding: 'unlisted',
  }),
  phone({ id: 'c', label: '', finding: 'sold_silent', heartbeatAgeSeconds: 700, online: true }),
  phone({
    id: 'd',
    label: 'Attic',
    account: 'other',
    heartbeatAgeSeconds: undefined,
    online: undefined,
    model: 'A54',
  }),
  phone({ id: 'e', label: 'slot 1', finding: 'sold_silent', heartbeatAgeSeconds: 9_000, online: false }),
]);

const idsOf = (view: Partial<View>): string =>
  select(FLEET, { ...DEFAULT_VIEW, ...view })
    .map(({ phone: { id } }) => id)
    .join('');

describe('the table', () => {
  it('begins with what costs most, and there with who has been silent for longest', () => {
    expect(idsOf({})).toBe('ecabd');
  });

  it.each<[string, Partial<View>, string]>([
    ['by name, with numbers in their order', { sort: 'phone' }, 'dceba'],
    ['by name, backwards', { sort: 'phone', descending: true }, 'abecd'],
    ['by heartbeat, the unknown ones last', { sort: 'heartbeat' }, 'bcaed'],
    ['by heartbeat backwards, the unknown ones last too', { sort: 'heartbeat', descending: true }, 'eacbd'],
    ['by account', { sort: 'account', descending: true }, 'dabec'],
  ])('is sorted %s', (_, view, ids) => {
    expect(idsOf(view)).toBe(ids);
  });

  it.each(COLUMNS)('loses nobody when it is sorted by %s', (sort) => {
    for (const descending of [false, true])
      expect([...idsOf({ sort, descending })].toSorted().join('')).toBe('abcde');
  });

  it.each<[Partial<View>, string]>([
    [{ show: 'attention' }, 'abce'],
    [{ show: 'sold_silent' }, 'ce'],
    [{ show: 'online' }, 'bc'],
    [{ show: 'offline' }, 'ae'],
    [{ show: 'idle' }, 'b'],
    [{ show: 'listed' }, 'acde'],
    [{ account: 'other' }, 'd'],
    [{ query: 'SLOT' }, 'abe'],
    [{ query: ' slot   1 ' }, 'abe'],
    [{ query: 'attic a54' }, 'd'],
    [{ query: 'slot', show: 'sold_silent' }, 'e'],
    [{ query: '.*' }, ''],
  ])('with %j shows %s', (view, ids) => {
    expect([...idsOf(view)].toSorted().join('')).toBe(ids);
  });

  it('calls a phone without a label by its id', () => {
    expect(FLEET.entries[2]?.name).toBe('c');
  });
});
