import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW, selectorOf, type TableView } from '../../../../src/features/page/browser/view.ts';
import { indexPhones } from '../../../../src/fleet/phones.ts';
import { phone } from '../../fleet/phone.ts';

describe('the page', () => {
  it('keeps only the phones with a tag, and finds its value, whatever it is called', () => {
    const phones = indexPhones([
      phone({ id: 'a', tags: { carrier: 'Kyivstar', constructor: 'x=y' } }),
      phone({ id: 'b', tags: { carrier: 'lifecell' } }),
      phone({ id: 'c' }),
    ]);
    const selected = (own: Partial<TableView>) => {
      const view = { ...DEFAULT_VIEW, ...own };
      return phones
        .ordered(view.sort, view.descending)
        .filter(selectorOf(view))
        .map(({ phone: { id } }) => id);
    };
    expect(selected({ tag: 'carrier=Kyivstar' })).toEqual(['a']);
    expect(selected({ tag: 'constructor=x=y' })).toEqual(['a']);
    expect(selected({ tag: 'constructor' })).toEqual([]);
    expect(selected({ query: 'LIFECELL' })).toEqual(['b']);
    expect(selected({ sort: 'tags' })).toEqual(['a', 'b', 'c']);
  });
});
