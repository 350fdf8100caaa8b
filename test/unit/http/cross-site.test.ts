import { describe, expect, it } from 'vitest';
import { isCrossSite } from '../../../src/http/cross-site.ts';

const host = '127.0.0.1:9823';

describe('a request', () => {
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
  ])('%s is welcome', (_, headers) => {
    expect(isCrossSite(headers)).toBe(false);
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
    ['with an origin that is no address', { host, origin: 'nowhere' }],
    ['with an origin and without a host', { origin: `http://${host}` }],
    ['with a word that no browser sends', { host, 'sec-fetch-site': 'Same-Origin' }],
  ])('%s is not', (_, headers) => {
    expect(isCrossSite(headers)).toBe(true);
  });
});
