import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { acceptsGzip, matchesEntityTag, notModified, type Reply, type RouteRequest } from './reply.ts';

/** The modules of src/fleet-page. */
export const SCRIPTS = [
  'fleet.js',
  'dom.js',
  'exporter.js',
  'freshness.js',
  'history.js',
  'overview.js',
  'status.js',
  'table.js',
  'toolbar.js',
  'view.js',
  'words.js',
] as const;

const PAGE = 'index.html';
const STYLE = 'fleet.css';
const ASSETS = '/assets/';

/** Paths of the fleet page and its files. */
export const PAGE_PATHS: readonly string[] = ['/', ...[STYLE, ...SCRIPTS].map((name) => ASSETS + name)];

/** Allows files of this exporter only: no inline script or style, no other site, no form, no frame around the page. */
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

/** Replaced in the page by the path of the metrics, relative to the page. */
const TELEMETRY_PLACEHOLDER = '{{telemetry_path}}';

type PageFile = {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
};

/**
 * Reads all files of the page once and returns their answers, by path.
 *
 * @param read returns the content of a file of the page; throws if it is missing
 */
export function loadPage(
  read: (name: string) => Buffer,
  telemetryPath: string,
): ReadonlyMap<string, (request: RouteRequest) => Reply> {
  const html = read(PAGE)
    .toString()
    // Relative, because a proxy may serve the exporter under another path.
    .replaceAll(TELEMETRY_PLACEHOLDER, escapeHtml(telemetryPath.slice(1)));
  const page = createPageFile(Buffer.from(html), 'text/html; charset=utf-8', {
    'content-security-policy': PAGE_POLICY,
  });
  const style = createPageFile(read(STYLE), 'text/css; charset=utf-8');
  const scripts = SCRIPTS.map(
    (name) => [ASSETS + name, createPageFile(read(name), 'text/javascript; charset=utf-8')] as const,
  );
  const all: readonly (readonly [string, PageFile])[] = [['/', page], [ASSETS + STYLE, style], ...scripts];
  return new Map(
    all.map(([path, file]) => [
      path,
      ({ acceptEncoding, ifNoneMatch }) => answer(file, acceptEncoding, ifNoneMatch),
    ]),
  );
}

function createPageFile(bytes: Buffer, type: string, own: Readonly<Record<string, string>> = {}): PageFile {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const headers = {
    'content-type': type,
    'cache-control': 'private, no-cache',
    etag: `W/"${digest}"`,
    vary: 'Accept-Encoding',
    ...own,
  };
  return { headers, bytes, gzipped: gzipSync(bytes, { level: 9 }) };
}

function answer(
  { headers, bytes, gzipped }: PageFile,
  acceptEncoding: string | undefined,
  ifNoneMatch: string | undefined,
): Reply {
  if (matchesEntityTag(ifNoneMatch, headers['etag'] ?? '')) return notModified(headers);
  if (!acceptsGzip(acceptEncoding)) return { status: 200, headers, length: bytes.length, content: [bytes] };
  return {
    status: 200,
    headers: { ...headers, 'content-encoding': 'gzip' },
    length: gzipped.length,
    content: [gzipped],
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
