import { request } from 'node:http';
import { sleep } from '../measure.ts';
import { handleRequests } from './handlers.ts';

/*
 * Scrapes like a Prometheus with an interval longer than connections are kept: over a new connection each time.
 * Parameters: the port of the exporter, and a login.
 */

const [port = '0', login = ''] = process.argv.slice(2);

/** The default scrape timeout of Prometheus. */
const TIMEOUT_MILLISECONDS = 10_000;

/** Returns the time until the last byte, in milliseconds; NaN for a failed scrape. */
function scrape(): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const fail = (): void => resolve(Number.NaN);
    const asked = request(
      {
        host: '127.0.0.1',
        port: Number(port),
        path: '/metrics',
        ...(login === '' ? {} : { auth: login }),
        headers: { 'accept-encoding': 'gzip' },
        agent: false,
      },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('error', fail);
        response.on('close', () => {
          const isWhole = response.complete && bytes === Number(response.headers['content-length'] ?? bytes);
          resolve(response.statusCode === 200 && isWhole ? performance.now() - startedAt : Number.NaN);
        });
      },
    );
    asked.setTimeout(TIMEOUT_MILLISECONDS, () => asked.destroy());
    asked.on('error', fail);
    asked.end();
  });
}

handleRequests({
  /** Returns the time of each scrape, in milliseconds; `gap` is the pause between two. */
  scrape: async (count = 1, gap = 0) => {
    const times: number[] = [];
    for (let each = 0; each < count; each += 1) {
      times.push(await scrape());
      await sleep(gap);
    }
    return times;
  },
});
