import { isIPv4 } from 'node:net';

/** Where a listener listens, and whether whoever comes is asked who they are. */
export type Exposure = { readonly host: string; readonly authenticated: boolean };

/** What to warn of before the listener is up; undefined where only this machine reaches it, or nobody gets in unasked. */
export function exposureWarning({ host, authenticated }: Exposure): string | undefined {
  if (authenticated || isLoopback(host)) return undefined;
  return 'everybody who can reach this address can read the fleet and the balance, since no authentication is configured: set web.config_file, or listen on 127.0.0.1';
}

/** An empty host is every address of the machine. */
function isLoopback(host: string): boolean {
  return host === '::1' || /(?:^|\.)localhost$/i.test(host) || (isIPv4(host) && host.startsWith('127.'));
}
