import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { createConnections, type Network } from '../../base/connections.ts';
import { CONNECT_MILLISECONDS } from '../../base/outbound.ts';

/*
 * What `setup` asks of services other than the API: web addresses and mail servers.
 */

/** Of what runs on this machine, such as Prometheus. */
export const THIS_MACHINE: Network = {
  authorities: undefined,
  proxies: undefined,
  takesAnyCertificate: true,
};

/** How long a service has for its response. */
const RESPONSE_MILLISECONDS = 15_000;

export type Response = { readonly status: number; readonly content: string };

/** Sends a request, and follows no redirect. Rejects with a sentence where there is no response. */
export function send(url: URL, method: string, network: Network, json?: unknown): Promise<Response> {
  const connections = createConnections(url, network);
  const body = json === undefined ? undefined : JSON.stringify(json);
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<Response>((resolve, reject) => {
    const fail = (error: Error): void => {
      const isLate = error.name === 'AbortError' || error.name === 'TimeoutError';
      const code = 'code' in error ? String(error.code) : error.message;
      const reason = connections.tried() || (isLate ? `none in ${RESPONSE_MILLISECONDS / 1_000} s` : code);
      reject(new Error(`No response from ${url.host}: ${reason}.`));
    };
    const signal = AbortSignal.timeout(RESPONSE_MILLISECONDS);
    const request = open(url, { method, headers, signal, agent: connections.agent }, (response) => {
      text(response).then((content) => resolve({ status: response.statusCode ?? 0, content }), fail);
    });
    request.on('error', fail);
    request.end(body);
  }).finally(() => connections.agent.destroy());
}

export type MailServer = { readonly host: string; readonly port: number };

/** Logs in to a mail server, without a message. Returns why not, or undefined. Port 465 is TLS from its first byte. */
export async function logIn(
  { host, port }: MailServer,
  user: string | undefined,
  password: string,
): Promise<string | undefined> {
  const transport = createTransport({
    host,
    port,
    secure: port === 465,
    requireTLS: port !== 465,
    connectionTimeout: CONNECT_MILLISECONDS,
    greetingTimeout: CONNECT_MILLISECONDS,
    ...(user !== undefined && { auth: { user, pass: password } }),
  });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'no reason given';
  } finally {
    transport.close();
  }
}
