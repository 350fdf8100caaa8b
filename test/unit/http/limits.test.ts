import { expect, it } from 'vitest';
import { clientAddressOf } from '../../../src/http/limits.ts';

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
