import type { OpenStatus } from './status.ts';

/**
 * The self-rent tunnel of a phone. The logins on it are counted at the edge and forgotten: neither user names,
 * passwords, identifiers nor labels of credentials exist in the model.
 */
export type Tunnel = {
  /** `tunnelId`; `''` where the API gave none. */
  readonly id: string;
  readonly host: string;
  readonly ports: TunnelPorts;
  readonly status: OpenStatus | undefined;
  readonly uptimeStatus: OpenStatus | undefined;
  /** Undefined where the answer had none or an unusable list, which is not the same as an empty one. */
  readonly credentials: CredentialSummary | undefined;
};

/** TCP ports, 1 to 65535; undefined where the API gave none that is usable. */
export type TunnelPorts = {
  readonly socks5: number | undefined;
  readonly https: number | undefined;
  readonly transparentSocks5: number | undefined;
};

/** What is kept of `credentials`. Instants are milliseconds since 1970, UTC. */
export type CredentialSummary = {
  /** Number of credentials by status; `active` is always there, at 0 if need be. */
  readonly countByStatus: ReadonlyMap<OpenStatus, number>;
  /** Oldest `createdAt` among the active credentials. */
  readonly oldestActiveAt: number | undefined;
  /** Newest `updatedAt` among all credentials. */
  readonly lastChangeAt: number | undefined;
};
