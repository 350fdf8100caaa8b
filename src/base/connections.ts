import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { ADDRESS_MILLISECONDS, CONNECT_MILLISECONDS, type Proxies, proxyOf } from './outbound.ts';

/** What `client` of the configuration says of the network. */
export type Network = {
  readonly authorities: string | undefined;
  readonly proxies: Proxies | undefined;
  /** Takes any certificate: of a server on this machine, whose address alone says who it is. */
  readonly takesAnyCertificate?: boolean;
};

/** Connections to a service other than the API. */
export type Connections = {
  readonly agent: HttpAgent;
  /** Why the last connection failed, such as `IPv6 ENETUNREACH, IPv4 not in 2.5 s`; `''` if it did not. */
  readonly tried: () => string;
};

/** Returns connections that give each address of a name time, through a proxy where the environment names one. */
export function createConnections(
  apiRoot: URL,
  { authorities, proxies, takesAnyCertificate = false }: Network,
): Connections {
  const options = {
    // The library of the chat (node-fetch 2) takes a connection that is kept for one that was cut off, with the Node of Debian 13
    // and others: https://github.com/nodejs/node/issues/63989.
    keepAlive: false,
    timeout: CONNECT_MILLISECONDS,
    autoSelectFamilyAttemptTimeout: ADDRESS_MILLISECONDS,
    ...(authorities !== undefined && { ca: authorities }),
    ...(takesAnyCertificate && { rejectUnauthorized: false }),
  };
  const failures = new Set<string>();
  const proxy = proxies === undefined ? '' : proxyOf(apiRoot, proxies);
  return { agent: agentOf(apiRoot, proxy, options, failures), tried: () => [...failures].join(', ') };
}

const NOT_IN_TIME = `not in ${ADDRESS_MILLISECONDS / 1_000} s`;

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}

function agentOf({ protocol }: URL, proxy: string, options: AgentOptions, failures: Set<string>): HttpAgent {
  if (proxy !== '') {
    const agent = new HttpsProxyAgent(proxy, options);
    // For the service behind the proxy; it takes the others for the proxy itself.
    Object.assign(agent.options, options.ca !== undefined && { ca: options.ca });
    agent.on('proxyConnect', ({ statusCode }: { readonly statusCode: number }) => {
      failures.clear();
      if (statusCode !== 200) failures.add(`the proxy answers with status ${statusCode}`);
    });
    return agent;
  }
  const agent = protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (settings, callback) => {
    const socket = connect(settings, callback);
    if (socket instanceof Socket) noteAttempts(socket, failures);
    return socket;
  };
  return agent;
}

/** Notes the addresses of a name that cannot be connected to. */
function noteAttempts(socket: Socket, failures: Set<string>): void {
  const add = (family: number, reason: string) => failures.add(`IPv${family} ${reason}`);
  failures.clear();
  socket.on('connectionAttemptFailed', (_ip, _port, family, error) => add(family, codeOf(error)));
  socket.on('connectionAttemptTimeout', (_ip, _port, family) => add(family, NOT_IN_TIME));
  socket.once('connect', () => failures.clear());
  socket.on('timeout', () => {
    if (!socket.connecting) return;
    failures.add(`nothing in ${CONNECT_MILLISECONDS / 1_000} s`);
    socket.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }));
  });
}
