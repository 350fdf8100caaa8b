import { describe, expect, it } from 'vitest';
import type { ClientAuthentication } from '../../../src/config/web/go-names.ts';
import type { TlsConfig } from '../../../src/config/web/web-config.ts';
import { type ClientCertificate, refusalOfClient } from '../../../src/http/client-certificate.ts';
import { subjectNames } from '../../../src/http/subject-names.ts';

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
  maxVersion: 'TLSv1.3',
  ciphers: '',
  honorCipherOrder: true,
  ecdhCurve: '',
});

const VERIFIED: ClientCertificate = { isVerified: true, names: ['one', 'two'] };
const OWN: ClientCertificate = { ...VERIFIED, isVerified: false };

const NONE = 'no certificate';
const UNKNOWN = 'a certificate that no authority of ours vouches for';
const NAMELESS = 'a certificate without an allowed name';

describe('a client', () => {
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
  ] as const)('under %s, with %j and the allowed names %j: %s', (asked, shown, allowed, refusal) => {
    expect(refusalOfClient(tls(asked, allowed), shown)).toBe(refusal);
  });
});

describe('the names of a certificate', () => {
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
  ])('in %j are %j', (text, names) => {
    expect(subjectNames(text)).toEqual(names);
  });
});
