import { expect, it } from 'vitest';
import { clientOf, NODE_LIMITS } from '../../../src/http/limits.ts';

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['::1', '::1'],
])('clientOf maps the address %s to %s', (address, expected) => {
  expect(clientOf(address)).toBe(expected);
});

it('an idle connection stays open for longer than proxies reuse it, and is closed at no interval of scrapes', () => {
  const closedAfter = NODE_LIMITS.keepAliveTimeout;
  for (const reused of [60, 75, 90, 120]) expect(closedAfter).toBeGreaterThan(reused * 1_000);
  for (const interval of [15, 30, 60]) expect(closedAfter % (interval * 1_000)).toBeGreaterThan(1_000);
});
