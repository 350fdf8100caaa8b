import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FINDINGS } from '../../../../src/http/fleet/finding.ts';
import {
  COLUMNS,
  DEFAULT_VIEW,
  findings,
  fragmentOf,
  parseView,
} from '../../../../src/http/fleet/page/view.ts';

describe('the view in the address', () => {
  it('is empty where everything is as always', () => {
    expect(fragmentOf(DEFAULT_VIEW)).toBe('#');
    expect(parseView('')).toEqual(DEFAULT_VIEW);
    expect(parseView('#')).toEqual(DEFAULT_VIEW);
  });

  it.each([
    [
      '#q=rack+1&show=sold&account=main&sort=-heartbeat',
      { query: 'rack 1', show: 'sold', account: 'main', sort: 'heartbeat', descending: true },
    ],
    ['#show=tunnel_missing', { show: 'tunnel_missing' }],
    ['#sort=phone', { sort: 'phone' }],
    ['#sort=-finding', { descending: true }],
  ])('%s says what is chosen', (fragment, chosen) => {
    expect(parseView(fragment)).toEqual({ ...DEFAULT_VIEW, ...chosen });
    expect(fragmentOf(parseView(fragment))).toBe(fragment);
  });

  it.each(['#show=everything', '#sort=-price', '#sort=__proto__', '#phones', '#%', '#show=&sort=&account='])(
    '%s is as if it were not there',
    (fragment) => {
      expect(parseView(fragment)).toEqual(DEFAULT_VIEW);
    },
  );

  it('comes back as it was, whatever is searched', () => {
    const view = fc.record({
      query: fc.string({ unit: 'grapheme' }),
      show: fc.constantFrom('all', 'attention', 'idle', ...FINDINGS),
      account: fc.option(fc.stringMatching(/^[a-z]+$/), { nil: undefined }),
      sort: fc.constantFrom(...COLUMNS),
      descending: fc.boolean(),
    });
    fc.assert(
      fc.property(view, (one) => {
        expect(parseView(fragmentOf(one))).toEqual(one);
      }),
    );
  });
});

it('the page knows the findings of the exporter, in their order', () => {
  expect(findings()).toEqual(FINDINGS);
});
