import { expect, it } from 'vitest';
import { clientAddressOf, NODE_LIMITS } from '../../../src/http/limits.ts';

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('clientAddressOf maps the client address %s to %s', (address, expected) => {
  expect(clientAddressOf(address)).toBe(expected);
});

it('an idle connection stays open for longer than proxies reuse it, and is closed at no interval of scrapes', () => {
  const closedAfter = NODE_LIMITS.keepAliveTimeout;
  for (const reused of [60, 75, 90, 120]) expect(closedAfter).toBeGreaterThan(reused * 1_000);
  for (const interval of [15, 30, 60]) expect(closedAfter % (interval * 1_000)).toBeGreaterThan(1_000);
});
