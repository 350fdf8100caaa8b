import { expect, it } from 'vitest';
import { refusalOfClient } from '../../../../src/http/web-config/tls.ts';

const NONE = 'no certificate';
const UNKNOWN = 'a certificate that no configured authority signed';

it.each([
  ['ignore', 'none', undefined],
  ['request', 'none', undefined],
  ['request', 'unverified', undefined],
  ['require', 'none', NONE],
  ['require', 'unverified', undefined],
  ['verifyIfGiven', 'none', undefined],
  ['verifyIfGiven', 'unverified', UNKNOWN],
  ['verifyIfGiven', 'verified', undefined],
  ['requireAndVerify', 'none', NONE],
  ['requireAndVerify', 'unverified', UNKNOWN],
  ['requireAndVerify', 'verified', undefined],
] as const)(
  'the policy %s lets in a client with the certificate %j, or refuses it: %s',
  (policy, shown, refusal) => {
    expect(refusalOfClient(policy, shown)).toBe(refusal);
  },
);
