import { describe, expect, it } from 'vitest';
import { exposureWarning } from '../../../src/http/exposure.ts';

const WARNING =
  'everybody who can reach this address can read the fleet and the balance, since no authentication is configured: set web.config_file, or listen on 127.0.0.1';

describe('a listener', () => {
  it.each(['', '0.0.0.0', '::', '192.0.2.1', '2001:db8::1', 'exporter.example.com', '127.example.com'])(
    'on "%s" is warned of, unless it asks who comes',
    (host) => {
      expect(exposureWarning({ host, authenticated: false })).toBe(WARNING);
      expect(exposureWarning({ host, authenticated: true })).toBeUndefined();
    },
  );

  it.each(['127.0.0.1', '127.3.2.1', '::1', 'localhost', 'Localhost', 'exporter.localhost'])(
    'on %s is not',
    (host) => {
      expect(exposureWarning({ host, authenticated: false })).toBeUndefined();
    },
  );
});
