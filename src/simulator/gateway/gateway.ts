import type { LookupAddress, LookupOptions } from 'node:dns';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { Clock } from '../../clock.ts';
import {
  type CertificateName,
  GATEWAY_FAULTS,
  type GatewayFault,
  IDLE_MILLISECONDS,
  type Resolution,
} from './faults.ts';

/** A certificate and its private key, both in PEM form. */
export type Certificate = { readonly cert: string; readonly key: string };

export type GatewayOptions = {
  /** The port on this machine that is passed on to. */
  readonly target: number;
  /** Decides when idle connections are closed and slow names resolved. */
  readonly clock: Clock;
  /** Given: speaks TLS, and shows these. */
  readonly certificates?: Readonly<Record<CertificateName, Certificate>>;
};

/** Stands between a client and the simulator and passes connections on, as long as nothing is wrong with it. */
export type Gateway = {
  readonly port: number;
  /** Lets one fault begin; it takes the place of the one before. Throws a RangeError for one that does not exist. */
  readonly begin: (name: string) => Promise<void>;
  /** All is well from now on. */
  readonly end: () => Promise<void>;
  /** Resolves a name to the gateway, as `dns.lookup` would; for the resolver of the client. */
  readonly lookup: (hostname: string, options: LookupOptions, callback: LookupCallback) => void;
  readonly close: () => Promise<void>;
};

export type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

const HOST = '127.0.0.1';
const FINE: GatewayFault = { name: 'none', kind: 'connection', description: 'nothing is wrong' };

type Link = { readonly client: Socket; readonly deaden: () => void };

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const contexts = contextsOf(options.certificates);
  const links = new Set<Link>();
  let fault = FINE;
  const receive = (client: Socket) => {
    // Whoever resets us is no surprise here.
    client.on('error', () => {});
    const link = meet(client, fault, options, contexts?.[fault.certificate ?? 'good']);
    links.add(link);
    client.on('close', () => links.delete(link));
  };
  let server = await listen(0, receive);
  const port = portOf(server);

  const become = async (next: GatewayFault) => {
    fault = next;
    const { listens = true, present = 'break' } = next;
    if (!listens && server.listening) server.close();
    for (const { client, deaden } of links) {
      if (present === 'break') client.destroy();
      else if (present === 'deaden') deaden();
    }
    if (listens && !server.listening) server = await listen(port, receive);
  };

  return {
    port,
    begin: async (name) => {
      const next = GATEWAY_FAULTS.find((one) => one.name === name);
      if (next === undefined) throw new RangeError(`The gateway knows no fault ${JSON.stringify(name)}.`);
      await become(next);
    },
    end: () => become(FINE),
    lookup: (hostname, { all = false }, callback) =>
      resolve(hostname, fault.resolution, options.clock, all, callback),
    close: async () => {
      for (const { client } of links) client.destroy();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** What happens to a client that has just connected. */
function meet(
  client: Socket,
  { reception = 'serve' }: GatewayFault,
  { target, clock }: GatewayOptions,
  context: SecureContext | undefined,
): Link {
  const dead = { client, deaden: () => {} };
  if (reception === 'ignore') return dead;
  if (reception === 'reset') {
    client.resetAndDestroy();
    return dead;
  }
  if (reception === 'plain') {
    client.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    return dead;
  }
  const near =
    context === undefined ? client : new TLSSocket(client, { isServer: true, secureContext: context });
  if (reception === 'close_when_idle') closeWhenIdle(near, clock);
  return { client, deaden: pass(near, target) };
}

/** Passes everything on in both directions; the function returned ends that without a word to anyone. */
function pass(near: Socket, target: number): () => void {
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

function listen(port: number, receive: (client: Socket) => void): Promise<Server> {
  const server = createServer(receive);
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
