import { describe, expect, it } from 'vitest';
import {
  type ClientCertificate,
  refusalOfClient,
  subjectNames,
} from '../../../../src/http/web-config/tls.ts';
import type { ClientAuthentication, TlsConfig } from '../../../../src/http/web-config/tls-options.ts';

const tls = (
  clientAuthentication: ClientAuthentication,
  clientAllowedSans?: readonly string[],
): TlsConfig => ({
  certificate: { file: '/c' },
  key: { file: '/k' },
  clientAuthentication,
  clientAuthorities: undefined,
  clientAllowedSans,
  minVersion: 'TLSv1.2',
});

const VERIFIED: ClientCertificate = { isVerified: true, names: ['one', 'two'] };
const OWN: ClientCertificate = { ...VERIFIED, isVerified: false };

const NONE = 'no certificate';
const UNKNOWN = 'a certificate that no configured authority signed';
const NAMELESS = 'a certificate without an allowed name';

describe('refusalOfClient', () => {
  it.each([
    ['ignore', undefined, undefined, undefined],
    ['request', undefined, undefined, undefined],
    ['request', OWN, undefined, undefined],
    ['require', undefined, undefined, NONE],
    ['require', OWN, undefined, undefined],
    ['verifyIfGiven', undefined, undefined, undefined],
    ['verifyIfGiven', OWN, undefined, UNKNOWN],
    ['verifyIfGiven', VERIFIED, undefined, undefined],
    ['requireAndVerify', undefined, undefined, NONE],
    ['requireAndVerify', OWN, undefined, UNKNOWN],
    ['requireAndVerify', VERIFIED, undefined, undefined],
    ['requireAndVerify', VERIFIED, ['two'], undefined],
    ['requireAndVerify', VERIFIED, ['on', 'one.', 'One'], NAMELESS],
    ['requireAndVerify', VERIFIED, [], NAMELESS],
    ['requireAndVerify', OWN, ['one'], UNKNOWN],
    ['request', OWN, ['one'], undefined],
    ['request', OWN, ['three'], NAMELESS],
    ['request', undefined, ['one'], NONE],
    ['verifyIfGiven', undefined, ['one'], NONE],
  ] as const)(
    'applies the policy %s to %j with the allowed names %j: %s',
    (asked, shown, allowed, refusal) => {
      expect(refusalOfClient(tls(asked, allowed), shown)).toBe(refusal);
    },
  );
});

describe('subjectNames', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['DNS:one', ['one']],
    [
      'DNS:one, email:a@b.c, IP Address:192.0.2.7, URI:spiffe://x/y',
      ['one', 'a@b.c', '192.0.2.7', 'spiffe://x/y'],
    ],
    ['IP Address:2001:DB8:0:0:0:0:0:7, IP Address:0:0:0:0:0:0:0:1', ['2001:db8::7', '::1']],
    ['DirName:"CN = x", othername:<unsupported>, DNS:one', ['one']],
    ['URI:"spiffe://x/a, DNS:two", DNS:one', ['spiffe://x/a, DNS:two', 'one']],
    [String.raw`DNS:"a\"b", DNS:one`, ['a"b', 'one']],
    ['DNS:one" , DNS:two', []],
    ['one, DNS:two', []],
  ])('parses %j as %j', (text, names) => {
    expect(subjectNames(text)).toEqual(names);
  });
});
