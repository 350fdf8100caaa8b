import { createTransport } from 'nodemailer';
import {
  CONNECT_MILLISECONDS,
  createSender,
  type Network,
  type OutboundResponse,
  reasonOf,
} from '../../base/outbound.ts';

/*
 * Requests of `setup` to services other than the API: web addresses and mail servers.
 */

/** Timeout of a request, in milliseconds. */
const TIMEOUT = 15_000;

/** Sends a request. Without a response, rejects with a sentence. */
export async function send(
  url: URL,
  method: 'GET' | 'HEAD' | 'POST',
  network: Network,
  json?: unknown,
): Promise<OutboundResponse> {
  const request =
    json === undefined
      ? { method }
      : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
  try {
    return await createSender(url, network, TIMEOUT)(url, request);
  } catch (error) {
    throw new Error(`No response from ${url.host}: ${reasonOf(error)}.`);
  }
}

/** Networks to try in turn: without a proxy, and through the environment's proxy. */
export type Networks = readonly [Network, ...Network[]];

/** The network over which a service responds. */
export type Way = { readonly network: Network; readonly is_proxied: boolean };

/** Finds the first network over which a service responds. If none works, rejects with the reason from the first. */
export async function findWay(url: URL, [direct, ...others]: Networks): Promise<Way> {
  try {
    await send(url, 'HEAD', direct);
    return { network: direct, is_proxied: false };
  } catch (error) {
    for (const network of others) {
      const responds = await send(url, 'HEAD', network).then(
        () => true,
        () => false,
      );
      if (responds) return { network, is_proxied: true };
    }
    throw error;
  }
}

export type MailServer = { readonly host: string; readonly port: number };

/** Logs in to a mail server. Returns the reason for a failure, or undefined. Port 465 uses TLS from the first byte. */
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
