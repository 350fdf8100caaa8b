import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { acceptsGzip } from '../encoding.ts';
import { matchesTag } from '../entity-tag.ts';
import { notModified, type Reply } from '../reply.ts';
import type { RouteRequest } from '../routes.ts';

/** The modules of the page's program, the first of which imports the others. */
export const SCRIPTS = [
  'fleet.js',
  'attention.js',
  'cells.js',
  'clock.js',
  'contact.js',
  'element.js',
  'freshness.js',
  'guide.js',
  'phones.js',
  'status.js',
  'sums.js',
  'table.js',
  'time.js',
  'toolbar.js',
  'totals.js',
  'view.js',
  'windowing.js',
  'words.js',
] as const;

const PAGE = 'index.html';
const STYLE = 'fleet.css';

/** Below this path lies what the page loads. */
const ASSETS = '/assets/';

/** The paths at which the page and what it loads are answered. */
export const PAGE_PATHS: readonly string[] = ['/', ...[STYLE, ...SCRIPTS].map((name) => ASSETS + name)];

/**
 * Nothing but what this exporter serves itself: no script or style within the page, no other site, no form, and no page
 * of others around it.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Where the text of the page names the path of the metrics, relative to itself. */
const TELEMETRY_PLACE = '{{telemetry_path}}';

/** A file as it is sent. */
type Asset = {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly compressed: Buffer;
};

export type Answer = (request: RouteRequest) => Reply;

/**
 * The answers for the page and what it loads, by path. All files are read here, once.
 *
 * @param read the content of a file of the page; throws where it is missing
 */
export function loadPage(read: (name: string) => Buffer, telemetryPath: string): ReadonlyMap<string, Answer> {
  const html = read(PAGE)
    .toString()
    // Relative, since the exporter may stand behind a proxy under a path of its own.
    .replaceAll(TELEMETRY_PLACE, escapeHtml(telemetryPath.slice(1)));
  const page = assetOf(Buffer.from(html), 'text/html; charset=utf-8', {
    'content-security-policy': PAGE_POLICY,
  });
  const style = assetOf(read(STYLE), 'text/css; charset=utf-8');
  const scripts = SCRIPTS.map(
    (name) => [ASSETS + name, assetOf(read(name), 'text/javascript; charset=utf-8')] as const,
  );
  const all: readonly (readonly [string, Asset])[] = [['/', page], [ASSETS + STYLE, style], ...scripts];
  return new Map(all.map(([path, asset]) => [path, (request) => answer(asset, request)]));
}

function assetOf(bytes: Buffer, type: string, own: Readonly<Record<string, string>> = {}): Asset {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const headers = {
    'content-type': type,
    'cache-control': 'private, no-cache',
    etag: `W/"${digest}"`,
    vary: 'Accept-Encoding',
    ...own,
  };
  return { headers, bytes, compressed: gzipSync(bytes, { level: 9 }) };
}

function answer({ headers, bytes, compressed }: Asset, { acceptEncoding, ifNoneMatch }: RouteRequest): Reply {
  if (matchesTag(ifNoneMatch, headers['etag'] ?? '')) return notModified(headers);
  if (!acceptsGzip(acceptEncoding))
    return { status: 200, headers, length: bytes.length, content: () => [bytes] };
  return {
    status: 200,
    headers: { ...headers, 'content-encoding': 'gzip' },
    length: compressed.length,
    content: () => [compressed],
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
