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

/** Whether two answers say the same of a tunnel, so that one of them can be kept for both. */
export function isSameTunnel(one: Tunnel | undefined, other: Tunnel | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.id === other.id &&
    one.host === other.host &&
    one.status === other.status &&
    one.uptimeStatus === other.uptimeStatus &&
    hasSamePorts(one.ports, other.ports) &&
    hasSameCredentials(one.credentials, other.credentials)
  );
}

function hasSamePorts(one: TunnelPorts, other: TunnelPorts): boolean {
  return (
    one.socks5 === other.socks5 &&
    one.https === other.https &&
    one.transparentSocks5 === other.transparentSocks5
  );
}

function hasSameCredentials(
  one: CredentialSummary | undefined,
  other: CredentialSummary | undefined,
): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.oldestActiveAt === other.oldestActiveAt &&
    one.lastChangeAt === other.lastChangeAt &&
    hasSameCounts(one.countByStatus, other.countByStatus)
  );
}

function hasSameCounts(
  one: ReadonlyMap<OpenStatus, number>,
  other: ReadonlyMap<OpenStatus, number>,
): boolean {
  // Nearly always they are one and the same map, as equal ones are shared where they are read.
  if (one === other) return true;
  return one.size === other.size && [...one].every(([status, count]) => other.get(status) === count);
}
