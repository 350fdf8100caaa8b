import { request } from 'node:http';

/** Milliseconds after which a daemon that does not answer is as good as none. */
const TIMEOUT_MILLISECONDS = 3_000;

/** The status of an answer to GET. Rejects where nobody answers in time. */
export function statusOf(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { timeout: TIMEOUT_MILLISECONDS, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${TIMEOUT_MILLISECONDS / 1000} s`)));
    asked.on('error', reject);
    asked.end();
  });
}

/**
 * The address at which a listener on this machine can be reached; a listener on all addresses is reached on loopback.
 */
export function localUrl(
  { host, port }: { readonly host: string; readonly port: number },
  path: string,
): URL {
  const reachable = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return new URL(`http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${path}`);
}
