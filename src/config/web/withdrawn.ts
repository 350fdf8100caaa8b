import type { WebConfig } from './web-config.ts';

/**
 * The protections that a configuration in force has and the next one has no more, by the names of their settings.
 *
 * A file that is just being written, or that a full disk cut off, reads as a shorter one without a fault. So a protection
 * can be changed for another one while the server runs, but not be left out.
 */
export function withdrawnProtections(before: WebConfig, after: WebConfig): readonly string[] {
  return [
    ...(before.tls !== undefined && after.tls === undefined ? ['tls_server_config'] : []),
    ...(isAsking(before) && after.tls !== undefined && !isAsking(after)
      ? ['tls_server_config.client_auth_type']
      : []),
    ...(before.tls?.clientAllowedSans !== undefined &&
    after.tls !== undefined &&
    after.tls.clientAllowedSans === undefined
      ? ['tls_server_config.client_allowed_sans']
      : []),
    ...(before.users.size > 0 && after.users.size === 0 ? ['basic_auth_users'] : []),
  ];
}

function isAsking({ tls }: WebConfig): boolean {
  return tls !== undefined && tls.clientAuthentication !== 'ignore';
}
