import type { LookupAddress, LookupOptions } from 'node:dns';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { Clock } from '../../src/base/clock.ts';

/** Kinds of faults: of connections, of their encryption, of name resolution. */
const GATEWAY_KINDS = ['connection', 'tls', 'name'] as const;

export type GatewayKind = (typeof GATEWAY_KINDS)[number];

/** The certificates that the gateway can show. */
type CertificateName = 'good' | 'expired' | 'wrong-host' | 'untrusted';

/** Treatment of an accepted connection. */
type OnConnect = 'serve' | 'reset' | 'ignore' | 'plain' | 'close_when_idle';

/** A fault before any request is read; it affects all endpoints. */
export type GatewayFault = {
  /** In kebab case, unique among all faults. */
  readonly name: string;
  readonly kind: GatewayKind;
  /** Effect on the client, for the list of faults. */
  readonly description: string;
  /** False: nobody listens. By default true. */
  readonly listens?: boolean;
  /** By default `serve`. */
  readonly onConnect?: OnConnect;
  /** Treatment of existing connections: closed, kept, or silenced without closing. By default closed. */
  readonly existing?: 'close' | 'keep' | 'silence';
  /** By default `good`. */
  readonly certificate?: CertificateName;
  /** Result of name resolution; by default the one address of the gateway. */
  readonly resolution?: Resolution;
};

/** An error, or addresses after a delay. */
type Resolution =
  | { readonly error: string }
  | { readonly afterMilliseconds: number; readonly deadAddressFirst: boolean };

/** Idle time before `connection-idle-close` closes a connection: a usual poll interval. */
export const IDLE_MILLISECONDS = 30_000;

const RESOLVED = { afterMilliseconds: 0, deadAddressFirst: false } as const;

/** All faults of the gateway. */
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
    onConnect: 'reset',
  },
  {
    name: 'connection-ignored',
    kind: 'connection',
    description: 'connections are accepted, and nothing is ever read from them',
    onConnect: 'ignore',
  },
  {
    name: 'connection-half-open',
    kind: 'connection',
    description: 'open connections stop working without an error, as after a suspend; new ones work',
    existing: 'silence',
  },
  {
    name: 'connection-idle-close',
    kind: 'connection',
    description: 'connections are closed after 30 seconds of idleness, just when the next poll begins',
    onConnect: 'close_when_idle',
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
    description: 'the handshake gets no response',
    onConnect: 'ignore',
  },
  {
    name: 'tls-not-spoken',
    kind: 'tls',
    description: 'the response to the handshake is plain HTTP',
    onConnect: 'plain',
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
    description: 'the name has an IPv6 address that does not respond, before the IPv4 address that works',
    resolution: { ...RESOLVED, deadAddressFirst: true },
  },
];

/** A certificate and its private key, both in PEM form. */
export type Certificate = { readonly cert: string; readonly key: string };

type GatewayOptions = {
  /** Port on this machine that connections are forwarded to. */
  readonly target: number;
  /** Times idle connections and slow name resolution. */
  readonly clock: Clock;
  /** With certificates, it speaks TLS. */
  readonly certificates?: Readonly<Record<CertificateName, Certificate>>;
};

/** A TCP proxy between a client and the simulator, with faults of its own. */
export type Gateway = {
  readonly port: number;
  /** Starts a fault, in place of an earlier one. Throws a RangeError for an unknown name. */
  readonly begin: (name: string) => Promise<void>;
  /** Ends the present fault. */
  readonly end: () => Promise<void>;
  /** Resolves a name to the gateway, as `dns.lookup` would; for the resolver of the client. */
  readonly lookup: (hostname: string, options: LookupOptions, callback: LookupCallback) => void;
  readonly close: () => Promise<void>;
};

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

const HOST = '127.0.0.1';
const NO_FAULT: GatewayFault = { name: 'none', kind: 'connection', description: 'nothing is wrong' };

type Link = { readonly client: Socket; readonly silence: () => void };

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const contexts = contextsOf(options.certificates);
  const links = new Set<Link>();
  let fault = NO_FAULT;
  const onClient = (client: Socket) => {
    // Resets are expected.
    client.on('error', () => {});
    const link = accept(client, fault, options, contexts?.[fault.certificate ?? 'good']);
    links.add(link);
    client.on('close', () => links.delete(link));
  };
  let server = await listen(0, onClient);
  const port = portOf(server);

  const switchTo = async (next: GatewayFault) => {
    fault = next;
    const { listens = true, existing = 'close' } = next;
    if (!listens && server.listening) server.close();
    for (const { client, silence } of links) {
      if (existing === 'close') client.destroy();
      else if (existing === 'silence') silence();
    }
    if (listens && !server.listening) server = await listen(port, onClient);
  };

  return {
    port,
    begin: async (name) => {
      const next = GATEWAY_FAULTS.find((one) => one.name === name);
      if (next === undefined) throw new RangeError(`The gateway knows no fault ${JSON.stringify(name)}.`);
      await switchTo(next);
    },
    end: () => switchTo(NO_FAULT),
    lookup: (hostname, { all = false }, callback) =>
      resolve(hostname, fault.resolution, options.clock, all, callback),
    close: async () => {
      for (const { client } of links) client.destroy();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Treats a new connection as the fault demands. */
function accept(
  client: Socket,
  { onConnect = 'serve' }: GatewayFault,
  { target, clock }: GatewayOptions,
  context: SecureContext | undefined,
): Link {
  const unforwarded = { client, silence: () => {} };
  if (onConnect === 'ignore') return unforwarded;
  if (onConnect === 'reset') {
    client.resetAndDestroy();
    return unforwarded;
  }
  if (onConnect === 'plain') {
    client.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    return unforwarded;
  }
  const inner =
    context === undefined ? client : new TLSSocket(client, { isServer: true, secureContext: context });
  if (onConnect === 'close_when_idle') closeWhenIdle(inner, clock);
  return { client, silence: forward(inner, target) };
}

/** Forwards data in both directions; the returned function stops that without closing the client's connection. */
function forward(near: Socket, target: number): () => void {
  const far = connect(target, HOST);
  far.on('error', () => near.destroy());
  near.on('error', () => far.destroy());
  near.on('close', () => far.destroy());
  near.pipe(far).pipe(near);
  return () => {
    near.unpipe(far);
    far.unpipe(near);
    near.resume();
    far.destroy();
  };
}

function closeWhenIdle(socket: Socket, clock: Clock): void {
  let cancel = () => {};
  const wait = () => {
    cancel();
    cancel = clock.after(IDLE_MILLISECONDS, () => socket.end());
  };
  wait();
  socket.on('data', wait);
  socket.on('close', () => cancel());
}

function resolve(
  hostname: string,
  resolution: Resolution | undefined,
  clock: Clock,
  all: boolean,
  callback: LookupCallback,
): void {
  const { afterMilliseconds, deadAddressFirst } =
    resolution === undefined || 'error' in resolution
      ? { afterMilliseconds: 0, deadAddressFirst: false }
      : resolution;
  const answer = () => {
    if (resolution !== undefined && 'error' in resolution) {
      const error = new Error(`getaddrinfo ${resolution.error} ${hostname}`);
      callback(Object.assign(error, { code: resolution.error, syscall: 'getaddrinfo', hostname }), []);
      return;
    }
    const dead: readonly LookupAddress[] = deadAddressFirst ? [{ address: '::1', family: 6 }] : [];
    if (all) callback(null, [...dead, { address: HOST, family: 4 }]);
    else callback(null, HOST, 4);
  };
  if (afterMilliseconds === 0) setImmediate(answer);
  else clock.after(afterMilliseconds, answer);
}

function contextsOf(
  certificates: GatewayOptions['certificates'],
): Readonly<Record<CertificateName, SecureContext>> | undefined {
  if (certificates === undefined) return undefined;
  return {
    good: createSecureContext(certificates.good),
    expired: createSecureContext(certificates.expired),
    'wrong-host': createSecureContext(certificates['wrong-host']),
    untrusted: createSecureContext(certificates.untrusted),
  };
}

function listen(port: number, onClient: (client: Socket) => void): Promise<Server> {
  const server = createServer(onClient);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
