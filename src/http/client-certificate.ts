import type { TlsConfig } from '../config/web/web-config.ts';

/** The certificate that a client showed. */
export type ClientCertificate = {
  /** Whether one of the authorities signed it, it is of its time, and it is for clients. */
  readonly isVerified: boolean;
  /** The names that it carries beside its subject. */
  readonly names: readonly string[];
};

/**
 * Why a client is not let in, in a few words; undefined if it is.
 *
 * Names are looked for in any certificate that is shown, as the toolkit does: only with RequireAndVerifyClientCert has
 * somebody vouched for them.
 */
export function refusalOfClient(
  { clientAuthentication: asked, clientAllowedSans: allowed }: TlsConfig,
  shown: ClientCertificate | undefined,
): string | undefined {
  if (asked === 'ignore') return undefined;
  if (shown === undefined) {
    const isNeeded = asked === 'require' || asked === 'requireAndVerify' || allowed !== undefined;
    return isNeeded ? 'no certificate' : undefined;
  }
  const hasToBeVerified = asked === 'verifyIfGiven' || asked === 'requireAndVerify';
  if (hasToBeVerified && !shown.isVerified) return 'a certificate that no authority of ours vouches for';
  if (allowed === undefined || shown.names.some((name) => allowed.includes(name))) return undefined;
  return 'a certificate without an allowed name';
}
