import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Milliseconds after which a daemon that does not answer is as good as none. */
const TIMEOUT_MILLISECONDS = 3_000;

/** How OpenSSL tells that the other end ended the handshake, and said why. */
const ALERT = /SSL alert number/;

/**
 * The status of an answer to GET, or `closed` where somebody was there who spoke TLS and then would not go on. Rejects
 * where nobody answers in time. Whose certificate it is does not matter: it is asked on this machine, and told nothing.
 */
export function askLocally(url: URL): Promise<number | 'closed'> {
  return new Promise((resolve, reject) => {
    const options = { timeout: TIMEOUT_MILLISECONDS, agent: false, rejectUnauthorized: false };
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    let isSecure = false;
    const asked = request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        isSecure = true;
      });
    });
    asked.on('timeout', () => {
      isSecure = false;
      asked.destroy(new Error(`no answer within ${TIMEOUT_MILLISECONDS / 1000} s`));
    });
    asked.on('error', (error) => {
      if (isSecure || ALERT.test(error.message)) resolve('closed');
      else reject(error);
    });
    asked.end();
  });
}

/**
 * The address at which a listener on this machine can be reached; a listener on all addresses is reached on loopback.
 */
export function localUrl(
  scheme: 'http' | 'https',
  { host, port }: { readonly host: string; readonly port: number },
  path: string,
): URL {
  const reachable = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return new URL(`${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${path}`);
}
