import type { OpenStatus } from './device.ts';

/**
 * The self-rent tunnel of a device. The decoder counts its credentials and drops them: user names, passwords, identifiers and
 * labels of credentials never enter the model.
 */
export type Tunnel = {
  /** `tunnelId`; `''` if missing. */
  readonly id: string;
  readonly host: string;
  readonly ports: TunnelPorts;
  readonly status: OpenStatus | undefined;
  readonly uptimeStatus: OpenStatus | undefined;
  /** Undefined if the response has no usable list. */
  readonly credentials: CredentialSummary | undefined;
};

/** TCP ports, 1 to 65535; undefined if missing or unusable. */
export type TunnelPorts = {
  readonly socks5: number | undefined;
  readonly https: number | undefined;
  readonly transparentSocks5: number | undefined;
};

/** Summary of `credentials`. Instants are milliseconds since 1970, UTC. */
export type CredentialSummary = {
  /** Number of credentials by status; always includes `active`. */
  readonly countByStatus: ReadonlyMap<OpenStatus, number>;
  /** Oldest `createdAt` among the active credentials. */
  readonly oldestActiveAt: number | undefined;
  /** Newest `updatedAt` among all credentials. */
  readonly lastChangeAt: number | undefined;
};

/** The last response about a device's tunnel; its `tunnel` is undefined if the API has none. */
export type TunnelResponse = {
  readonly tunnel: Tunnel | undefined;
  /** Time of the response by the API's clock, in milliseconds since 1970. */
  readonly respondedAt: number;
  /** When the tunnel's current state ({@link tunnelState}) was first seen, by the API's clock. */
  readonly stateSince: number;
  /** When one of its logins changed, if this is the first response since; otherwise undefined. */
  readonly loginsChangedAt: number | undefined;
  /** It is from an earlier round, since the last one got no response. */
  readonly isStale: boolean;
};

/** The tunnels of the devices with a live self-rental, by device id. */
export type Tunnels = ReadonlyMap<string, TunnelResponse>;

/** Returns the state of a tunnel: its uptime status, or the reason why it cannot be used. */
export function tunnelState({ tunnel }: Pick<TunnelResponse, 'tunnel'>): string {
  if (tunnel === undefined) return 'missing';
  if (tunnel.uptimeStatus !== 'up') return tunnel.uptimeStatus ?? 'unknown';
  return tunnel.credentials?.countByStatus.get('active') === 0 ? 'without_login' : 'up';
}
