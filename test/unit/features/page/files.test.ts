import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadPage } from '../../../../src/features/page/files.ts';
import type { Reply } from '../../../../src/http/reply.ts';
import { requestOf } from '../../../route-sources.ts';

const FOLDER = join(import.meta.dirname, '../../../../src/features/page/browser');
const ICONS = join(import.meta.dirname, '../../../../packaging/icons');
const source = (name: string): Buffer =>
  readFileSync(join(/^icon|manifest/.test(name) ? ICONS : FOLDER, name));

/** The page of the sources, with placeholders for the compiled modules. */
const page = loadPage((name) => {
  if (name === 'runbooks/names.txt') return Buffer.from('index\nHosterPhoneOffline');
  if (name === 'scripts.txt') return Buffer.from('main.js\ncharts.js');
  if (name.startsWith('runbooks/')) return Buffer.from(`<h1>${name}</h1>`);
  return /\.(?:js|json|txt)$/.test(name) ? Buffer.from(`// ${name}`) : source(name);
}, '/some/metrics');

function ask(path: string, acceptEncoding?: string, ifNoneMatch?: string): Reply {
  const answer = page.get(path);
  if (answer === undefined) throw new Error(`nothing at ${path}`);
  return answer(requestOf({ acceptEncoding, ifNoneMatch }));
}

function bytesOf(reply: Reply): Buffer {
  const content = reply.content;
  if (!Array.isArray(content)) throw new Error('a file is sent from memory');
  return Buffer.concat(content);
}

const html = bytesOf(ask('/')).toString();

describe('the fleet page', () => {
  it("names the owner's current language", () => {
    let language = '';
    const own = loadPage(
      (name) => (name === 'index.html' ? source(name) : Buffer.from('index')),
      '/metrics',
      () => language,
    );
    const shown = () => {
      const answer = own.get('/');
      return answer && bytesOf(answer(requestOf({}))).toString();
    };
    expect(shown()).toContain('data-language=""');
    language = 'uk';
    expect(shown()).toContain('data-language="uk"');
  });

  it('is served with its styles, its script and the runbooks', () => {
    expect([...page.keys()]).toEqual([
      '/',
      '/assets/fleet.css',
      '/assets/main.js',
      '/assets/charts.js',
      '/assets/licenses.txt',
      '/assets/manifest.webmanifest',
      '/assets/en.json',
      '/assets/uk.json',
      '/assets/ru.json',
      '/assets/es.json',
      '/assets/vi.json',
      '/assets/icon-180.png',
      '/assets/icon-512.png',
      '/runbooks/',
      '/runbooks/HosterPhoneOffline',
    ]);
  });

  it('is an application on a home screen: its manifest names icons that are served, and the page itself', () => {
    const { headers, ...reply } = ask('/assets/manifest.webmanifest');
    expect(headers['content-type']).toBe('application/manifest+json');
    const { icons, start_url: start } = JSON.parse(bytesOf({ headers, ...reply }).toString());
    for (const { src } of icons) expect(ask(`/assets/${src}`).headers['content-type']).toBe('image/png');
    expect(new URL(start, 'http://exporter/hoster/assets/manifest.webmanifest').pathname).toBe('/hoster/');
  });

  it('serves a runbook as a page without scripts of other sites', () => {
    const { headers, ...reply } = ask('/runbooks/HosterPhoneOffline');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(bytesOf({ headers, ...reply }).toString()).toBe('<h1>runbooks/HosterPhoneOffline.html</h1>');
  });

  it('loads only files of this exporter and has no inline script or style', () => {
    expect(ask('/').headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'",
    );
    expect(html).not.toMatch(
      /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|https?:\/\/(?!www\.w3\.org\/2000\/svg)/i,
    );
  });

  it('has relative addresses only, so that it works below any path', () => {
    const addresses = Array.from(html.matchAll(/\s(?:href|src)="([^"]*)"/g), ([, address]) => address);
    expect(addresses.filter((address) => address?.startsWith('/'))).toEqual([]);
    expect(addresses).toContain('some/metrics');
    expect(html).not.toContain('{{');
  });

  it('escapes the telemetry path in the page', () => {
    const strange = loadPage(
      (name) => Buffer.from(name === 'runbooks/names.txt' ? 'index' : '<a href="{{telemetry_path}}">'),
      '/a"><b>&',
    );
    const reply = strange.get('/')?.(requestOf());
    expect(reply && bytesOf(reply).toString()).toBe('<a href="a&quot;>&lt;b>&amp;">');
  });

  it('never makes markup or code from a text', () => {
    const forbidden =
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|\beval\b|new Function|srcdoc|javascript:/;
    const offenders = readdirSync(FOLDER).filter(
      (name) => /\.tsx?$/.test(name) && forbidden.test(source(name).toString()),
    );
    expect(offenders).toEqual([]);
  });
});

describe('a file of the page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/assets/fleet.css', 'text/css; charset=utf-8'],
    ['/assets/main.js', 'text/javascript; charset=utf-8'],
  ])('serves %s as %s, with gzip to clients that accept it', (path, type) => {
    const plain = ask(path);
    const zipped = ask(path, 'gzip');
    expect(plain.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding',
    });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytesOf(zipped)).equals(bytesOf(plain))).toBe(true);
    expect([plain.length, zipped.length]).toEqual([bytesOf(plain).length, bytesOf(zipped).length]);
  });

  it('answers 304 for a file of the page that the client has', () => {
    const { headers } = ask('/assets/fleet.css');
    expect(ask('/assets/fleet.css', 'gzip', headers['etag'])).toMatchObject({ status: 304, length: 0 });
    expect(ask('/assets/main.js', 'gzip', headers['etag']).status).toBe(200);
  });
});
