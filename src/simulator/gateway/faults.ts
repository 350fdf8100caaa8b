/** What a fault of the gateway concerns: connections, their encryption, or the name that leads to the marketplace. */
export const GATEWAY_KINDS = ['connection', 'tls', 'name'] as const;

export type GatewayKind = (typeof GATEWAY_KINDS)[number];

/** The certificates that the gateway can show. */
export type CertificateName = 'good' | 'expired' | 'wrong-host' | 'untrusted';

/** What becomes of a connection that is accepted. */
export type Reception = 'serve' | 'reset' | 'ignore' | 'plain' | 'close_when_idle';

/** Something that goes wrong before any request is read; so it concerns all endpoints at once. */
export type GatewayFault = {
  /** In kebab case, unique among all faults. */
  readonly name: string;
  readonly kind: GatewayKind;
  /** What the client gets; a sentence for the list of faults. */
  readonly description: string;
  /** False: nobody listens. By default true. */
  readonly listens?: boolean;
  /** By default `serve`. */
  readonly reception?: Reception;
  /** Connections that there are: broken, left in peace, or dead without a word. By default broken. */
  readonly present?: 'break' | 'keep' | 'deaden';
  /** By default `good`. */
  readonly certificate?: CertificateName;
  /** What the resolver says of the name; by default the one address of the gateway. */
  readonly resolution?: Resolution;
};

/** An error of the resolver, or addresses after some milliseconds. */
export type Resolution =
  | { readonly error: string }
  | { readonly afterMilliseconds: number; readonly deadAddressFirst: boolean };

/** How long a connection may be idle under `connection-idle-close`: as long as a usual poll interval. */
export const IDLE_MILLISECONDS = 30_000;

const RESOLVED = { afterMilliseconds: 0, deadAddressFirst: false } as const;

/** Everything that the gateway can get wrong. */
export const GATEWAY_FAULTS: readonly GatewayFault[] = [
  {
    name: 'connection-refused',
    kind: 'connection',
    description: 'nobody listens at the port',
    listens: false,
  },
  {
    name: 'connection-reset',
    kind: 'connection',
    description: 'each connection is reset as soon as it is accepted',
    reception: 'reset',
  },
  {
    name: 'connection-ignored',
    kind: 'connection',
    description: 'connections are accepted, and nothing is ever read from them',
    reception: 'ignore',
  },
  {
    name: 'connection-half-open',
    kind: 'connection',
    description: 'the connections that there are go dead without a word, as after a suspend; new ones work',
    present: 'deaden',
  },
  {
    name: 'connection-idle-close',
    kind: 'connection',
    description: 'connections are closed after 30 seconds of idleness, just when the next poll begins',
    reception: 'close_when_idle',
  },
  {
    name: 'tls-expired',
    kind: 'tls',
    description: 'the certificate has expired',
    certificate: 'expired',
  },
  {
    name: 'tls-wrong-host',
    kind: 'tls',
    description: 'the certificate is that of another host',
    certificate: 'wrong-host',
  },
  {
    name: 'tls-untrusted',
    kind: 'tls',
    description: 'the certificate is of an authority that is not trusted',
    certificate: 'untrusted',
  },
  {
    name: 'tls-stall',
    kind: 'tls',
    description: 'the handshake is never answered',
    reception: 'ignore',
  },
  {
    name: 'tls-not-spoken',
    kind: 'tls',
    description: 'the handshake is answered in plain HTTP',
    reception: 'plain',
  },
  {
    name: 'name-unknown',
    kind: 'name',
    description: 'the name does not exist (NXDOMAIN)',
    resolution: { error: 'ENOTFOUND' },
  },
  {
    name: 'name-server-fails',
    kind: 'name',
    description: 'the name server fails (SERVFAIL)',
    resolution: { error: 'EAI_AGAIN' },
  },
  {
    name: 'name-slow',
    kind: 'name',
    description: 'the name is resolved after ten seconds',
    resolution: { ...RESOLVED, afterMilliseconds: 10_000 },
  },
  {
    name: 'name-dead-address',
    kind: 'name',
    description: 'the name has an IPv6 address at which nobody is, before the IPv4 address that works',
    resolution: { ...RESOLVED, deadAddressFirst: true },
  },
];
