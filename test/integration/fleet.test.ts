import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/text/languages.ts';
import { CANARY } from '../canary.ts';
import type { Simulator } from '../simulator.ts';
import { type InProcess, KEY, serveExporter, startMarketplace } from './exporter.ts';

let simulator: Simulator;
let exporter: InProcess;

beforeAll(async () => {
  simulator = await startMarketplace(300);
  exporter = await serveExporter({ apiUrl: simulator.url });
  await exporter.shows(/^hoster_exporter_poll_success\{account="default",collector="tunnels"\} 1$/m);
});

afterAll(async () => {
  await exporter?.stop();
  await simulator?.close();
});

type Answer = {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
};

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(`${exporter.url}${path}`, { method, headers, agent: false }, async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) });
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('GET /api/v1/fleet', () => {
  it('returns every device, as gzip to clients that accept it', async () => {
    const plain = await ask('/api/v1/fleet');
    const zipped = await ask('/api/v1/fleet', { 'accept-encoding': 'gzip' });
    const { version, accounts, phones } = JSON.parse(plain.body.toString());
    expect([version, accounts.length, phones.length]).toEqual([1, 1, 300]);
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(zipped.body).toString()).phones.length).toBe(300);
    expect(zipped.headers['content-length']).toBe(String(zipped.body.length));
  });

  it('returns 304 for a known entity tag', async () => {
    const { headers } = await ask('/api/v1/fleet');
    const again = await ask('/api/v1/fleet', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({ etag: headers['etag'], vary: 'Accept-Encoding' });
    expect(again.headers).not.toHaveProperty('content-length');
  });

  it('answers HEAD with the length and no body', async () => {
    const { status, headers, body } = await ask('/api/v1/fleet', {}, 'HEAD');
    expect([status, Number(headers['content-length']) > 10_000, body.length]).toEqual([200, true, 0]);
  });

  it('contains no key and no login', async () => {
    const text = (await ask('/api/v1/fleet')).body.toString();
    for (const secret of [KEY, ...Object.values(CANARY)]) expect(text).not.toContain(secret);
  });

  it('is counted under its path', async () => {
    await exporter.shows(/^hoster_exporter_http_requests_total\{path="\/api\/v1\/fleet",code="304"\} [1-9]/m);
  });
});

describe('the fleet page', () => {
  it('has a policy that allows only its own files', async () => {
    const { status, headers } = await ask('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });

  it('refers only to files that exist', async () => {
    const html = (await ask('/')).body.toString();
    const files = Array.from(
      html.matchAll(/(?:href|src)="(assets\/[^"]+|api\/v1\/fleet|metrics)"/g),
      ([, path]) => path,
    );
    const answers = await Promise.all(files.map((path) => ask(`/${path}`)));
    expect([...new Set(files)]).toEqual([
      'assets/manifest.webmanifest',
      'assets/icon-180.png',
      'assets/fleet.css',
      'assets/main.js',
      'metrics',
      'api/v1/fleet',
    ]);
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
  });

  it('gets 304 for files that the browser has', async () => {
    for (const path of ['/', '/assets/fleet.css', '/assets/main.js']) {
      const { headers } = await ask(path);
      expect((await ask(path, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
    }
  });

  it.each(Object.keys(LANGUAGES))(
    'is smaller than 55 kB as gzip in %s, and 79 kB with charts',
    async (language) => {
      const html = (await ask('/')).body.toString();
      const sizeOf = async (files: Iterable<string | undefined>): Promise<number> => {
        const sizes = Array.from(files, async (path) => {
          const { status, body } = await ask(`/${path}`, { 'accept-encoding': 'gzip' });
          expect(status).toBe(200);
          return body.length;
        });
        return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      };
      const named = Array.from(html.matchAll(/"(assets\/[^"]+)"/g), ([, path]) => path);
      const size = await sizeOf(new Set(['', ...named, `assets/${language}.json`]));
      expect(size).toBeLessThan(55_000);
      expect(size + (await sizeOf(['assets/charts.js']))).toBeLessThan(79_000);
    },
  );
});
