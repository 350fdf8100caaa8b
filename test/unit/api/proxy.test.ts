import { expect, it } from 'vitest';
import { proxyOf } from '../../../src/base/outbound.ts';

const PROXIES = { http: 'http://one.example:3128', https: 'http://other.example:3128' };

it.each([
  ['http://api.example.com', 'localhost, *', true],
  ['http://api.example.com', ' localhost ,\texample.com ', true],
  ['http://api.example.com', '.example.com', true],
  ['http://api.example.com', '*.example.com', true],
  ['http://api.example.com', 'EXAMPLE.com.', true],
  ['http://api.example.com.', 'example.com', true],
  ['http://api.example.com', 'example.com:80', true],
  ['http://api.example.com', 'example.com:8080', false],
  ['http://api.example.com', 'ample.com', false],
  ['http://api.example.com', 'v1.api.example.com', false],
  ['http://api.example.com', '', false],
  ['http://[::1]:9', '::1', true],
  ['http://[::1]:9', '[::1]:9', true],
  ['http://[::1]:9', '[::1]:10', false],
  ['http://10.1.2.3', '10.1.2.3', true],
  ['http://10.1.2.3', '10.0.0.0/8', false],
  ['http://10.1.2.3:81', '10.1.2.3:81', true],
])('reaches %s without a proxy where the exceptions are %j: %s', (url, except, isExcepted) => {
  expect(proxyOf(new URL(url), { ...PROXIES, except })).toBe(isExcepted ? '' : PROXIES.http);
});

it.each([
  ['https://api.example.com', '443', ''],
  ['https://api.example.com', '80', PROXIES.https],
  ['http://api.example.com', '443', PROXIES.http],
])('takes the proxy of the scheme and its usual port: %s, port %s', (url, port, expected) => {
  expect(proxyOf(new URL(url), { ...PROXIES, except: `example.com:${port}` })).toBe(expected);
});
