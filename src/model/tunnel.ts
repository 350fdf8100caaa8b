import type { OpenStatus } from './device.ts';

/**
 * The self-rent tunnel of a device. Its credentials are counted at the edge and forgotten: user names, passwords,
 * identifiers and labels of credentials do not exist in the model.
 */
export type Tunnel = {
  /** `tunnelId`; `''` where the API gave none. */
  readonly id: string;
  readonly host: string;
  readonly ports: TunnelPorts;
  readonly status: OpenStatus | undefined;
  readonly uptimeStatus: OpenStatus | undefined;
  /** Undefined where the response had no usable list, which is not the same as an empty one. */
  readonly credentials: CredentialSummary | undefined;
};

/** TCP ports, 1 to 65535; undefined where the API gave no usable one. */
export type TunnelPorts = {
  readonly socks5: number | undefined;
  readonly https: number | undefined;
  readonly transparentSocks5: number | undefined;
};

/** Summary of `credentials`. Instants are milliseconds since 1970, UTC. */
export type CredentialSummary = {
  /** Number of credentials by status; `active` is always there, also at 0. */
  readonly countByStatus: ReadonlyMap<OpenStatus, number>;
  /** Oldest `createdAt` among the active credentials. */
  readonly oldestActiveAt: number | undefined;
  /** Newest `updatedAt` among all credentials. */
  readonly lastChangeAt: number | undefined;
};

/** The last answer about the tunnel of a device; "no tunnel" (404 SELF_RENT_TUNNEL_NOT_FOUND) is one, too. */
export type TunnelResponse = {
  readonly tunnel: Tunnel | undefined;
  /** Time of that answer by the clock of the API, in milliseconds since 1970. */
  readonly respondedAt: number;
  /** When the present state of the tunnel ({@link tunnelState}) was first seen, by the clock of the API. */
  readonly stateSince: number;
  /** When a login of it was changed, if this answer is the first one after; undefined after any other answer. */
  readonly loginsChangedAt: number | undefined;
  /** It is of an earlier round: the last one brought none. */
  readonly isStale: boolean;
};

/** The tunnels of the devices with a live self-rental, by device id. */
export type Tunnels = ReadonlyMap<string, TunnelResponse>;

/** State of a tunnel: its uptime status, or why nobody can use it. */
export function tunnelState({ tunnel }: Pick<TunnelResponse, 'tunnel'>): string {
  if (tunnel === undefined) return 'missing';
  if (tunnel.uptimeStatus !== 'up') return tunnel.uptimeStatus ?? 'unknown';
  return tunnel.credentials?.countByStatus.get('active') === 0 ? 'without_login' : 'up';
}
