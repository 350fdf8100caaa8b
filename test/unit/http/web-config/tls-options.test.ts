import { getCurves } from 'node:crypto';
import { createSecureContext, getCiphers } from 'node:tls';
import { describe, expect, it } from 'vitest';
import {
  CIPHER_SUITES,
  CURVES,
  opensslCiphers,
  opensslCurves,
} from '../../../../src/http/web-config/tls-options.ts';

describe('the TLS names of Go', () => {
  it.each(Object.entries(CIPHER_SUITES))(
    'translates the cipher suite %s into %s, which OpenSSL has',
    (_, name) => {
      expect(getCiphers()).toContain(name.toLowerCase());
    },
  );

  it.each(Object.entries(CURVES))('translates the curve %s into %s, which OpenSSL has', (_, name) => {
    if (name !== 'X25519') expect(getCurves()).toContain(name);
    expect(() => createSecureContext({ ecdhCurve: name })).not.toThrow();
  });

  it('translates lists in their order, without repetitions and with all suites of TLS 1.3', () => {
    expect(
      opensslCiphers(
        ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
        'TLS12',
      ),
    ).toBe(
      'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES256-GCM-SHA384',
    );
    expect(opensslCurves(['X25519', 'CurveP521', 'X25519'])).toBe('X25519:secp521r1');
  });
});
