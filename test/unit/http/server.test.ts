import { describe, expect, it } from 'vitest';
import { isCrossSite } from '../../../src/http/permission.ts';
import { exposureWarning } from '../../../src/http/server.ts';

const host = '127.0.0.1:9823';

describe('isCrossSite', () => {
  it.each([
    ['of a program such as curl', { host }],
    ['of a person who opened the address', { host, 'sec-fetch-site': 'none' }],
    ['of our own page', { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }],
    ['of our own page, in a browser without Fetch Metadata', { host, origin: `http://${host}` }],
    [
      'of our own page behind a proxy that speaks TLS',
      { host: 'metrics.example.com', origin: 'https://metrics.example.com' },
    ],
    [
      'with capitals in its host',
      { host: 'Metrics.Example.com:9823', origin: 'http://metrics.example.com:9823' },
    ],
  ])('accepts a request %s', (_, headers) => {
    expect(isCrossSite(headers, undefined)).toBe(false);
  });

  it('accepts a request of our own page behind a proxy that names this machine as the host', () => {
    const headers = { host, origin: 'https://hoster.example.com', 'sec-fetch-site': 'same-origin' };
    expect(isCrossSite(headers, new URL('https://hoster.example.com/fleet'))).toBe(false);
    expect(isCrossSite(headers, new URL('https://hoster.example.com:8443/'))).toBe(true);
    expect(isCrossSite(headers, undefined)).toBe(true);
  });

  it.each([
    ['of a page elsewhere', { host, origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' }],
    ['of a page elsewhere that hides its origin', { host, origin: 'null' }],
    ['of a page elsewhere, in a browser that sends no origin', { host, 'sec-fetch-site': 'cross-site' }],
    ['of a page at another port of this machine', { host, 'sec-fetch-site': 'same-site' }],
    [
      'of a page at another port, in a browser without Fetch Metadata',
      { host, origin: 'http://127.0.0.1:3000' },
    ],
    ['with an origin that is no URL', { host, origin: 'nowhere' }],
    ['with an origin and without a host', { origin: `http://${host}` }],
    ['with a value that no browser sends', { host, 'sec-fetch-site': 'Same-Origin' }],
  ])('rejects a request %s', (_, headers) => {
    expect(isCrossSite(headers, undefined)).toBe(true);
  });
});

const WARNING =
  'no authentication: anyone who can reach this address can read the fleet and the balance: set web.config_file, or listen on 127.0.0.1';

describe('exposureWarning', () => {
  const REACHABLE = ['', '0.0.0.0', '::', '192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '127.example.com'];
  const LOOPBACK = ['127.0.0.1', '127.3.2.1', '::ffff:127.0.0.1', '::1', 'Localhost', 'exporter.localhost'];

  it.each(REACHABLE)('warns of the address "%s" unless clients authenticate', (host) => {
    expect(exposureWarning(host, false)).toBe(WARNING);
    expect(exposureWarning(host, true)).toBeUndefined();
  });

  it.each(LOOPBACK)('does not warn of the loopback address %s', (host) => {
    expect(exposureWarning(host, false)).toBeUndefined();
  });
});
