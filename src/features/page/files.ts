import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  acceptsGzip,
  escapeHtml,
  matchesEtag,
  notModified,
  type Reply,
  type RouteRequest,
} from '../../http/reply.ts';
import { LANGUAGES } from '../../text/say.ts';

const PAGE = 'index.html';
/** The names of the scripts, one per line, that the build bundles the page's modules into. */
const SCRIPTS = 'scripts.txt';
const STYLE = 'fleet.css';
/** The licences of the packages in the script. */
const LICENCES = 'licenses.txt';
/** Lets the owner add the page to a phone's home screen. */
const MANIFEST = 'manifest.webmanifest';
/** Icons for the home screen, by size in pixels. */
const ICONS = ['icon-180.png', 'icon-512.png'];
const ASSETS = '/assets/';
const RUNBOOKS = 'runbooks/';

/** Allows only files from this exporter: no inline scripts or styles, no other sites, no forms. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Placeholders for the metrics path, relative to the page, and for the owner's language. */
const TELEMETRY_PLACEHOLDER = '{{telemetry_path}}';
const LANGUAGE_PLACEHOLDER = '{{language}}';

const textsFile = (language: string): string => `${language}.json`;

type PageFile = {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
};

/**
 * Reads all files of the page and the rendered runbooks, and returns their responses by path.
 *
 * @param read returns the content of a page file; throws if it is missing
 * @param languageOf returns the owner's language; '' for the browser's
 */
export function loadPage(
  read: (name: string) => Buffer,
  telemetryPath: string,
  languageOf: () => string = () => '',
): ReadonlyMap<string, (request: RouteRequest) => Reply> {
  const html = read(PAGE)
    .toString()
    // Relative, because a proxy may serve the exporter under another path.
    .replaceAll(TELEMETRY_PLACEHOLDER, escapeHtml(telemetryPath.slice(1)));
  const pageIn = (language: string): PageFile =>
    createPageFile(Buffer.from(html.replace(LANGUAGE_PLACEHOLDER, language)), 'text/html; charset=utf-8', {
      'content-security-policy': PAGE_POLICY,
    });
  const pages = new Map(['', ...Object.keys(LANGUAGES)].map((language) => [language, pageIn(language)]));
  const linesOf = (name: string): readonly string[] => read(name).toString().split('\n');
  const all: readonly (readonly [string, PageFile])[] = [
    [ASSETS + STYLE, createPageFile(read(STYLE), 'text/css; charset=utf-8')],
    ...linesOf(SCRIPTS).map(
      (name) => [ASSETS + name, createPageFile(read(name), 'text/javascript; charset=utf-8')] as const,
    ),
    [ASSETS + LICENCES, createPageFile(read(LICENCES), 'text/plain; charset=utf-8')],
    [ASSETS + MANIFEST, createPageFile(read(MANIFEST), 'application/manifest+json')],
    ...Object.keys(LANGUAGES).map(
      (language) =>
        [
          ASSETS + textsFile(language),
          createPageFile(read(textsFile(language)), 'application/json'),
        ] as const,
    ),
    ...ICONS.map((name) => [ASSETS + name, createPageFile(read(name), 'image/png')] as const),
    ...runbookPages(read),
  ];
  const answerWith =
    (fileOf: () => PageFile | undefined) =>
    ({ acceptEncoding, ifNoneMatch }: RouteRequest): Reply =>
      replyWith(fileOf() ?? pageIn(''), acceptEncoding, ifNoneMatch);
  return new Map([
    ['/', answerWith(() => pages.get(languageOf()))] as const,
    ...all.map(([path, file]) => [path, answerWith(() => file)] as const),
  ]);
}

/** The runbooks by path, rendered by packaging/runbooks.mjs. The index is the folder itself. */
function runbookPages(read: (name: string) => Buffer): readonly (readonly [string, PageFile])[] {
  const names = read(`${RUNBOOKS}names.txt`).toString().split('\n');
  return names.map((name) => [
    `/${RUNBOOKS}${name === 'index' ? '' : name}`,
    createPageFile(read(`${RUNBOOKS}${name}.html`), 'text/html; charset=utf-8', {
      'content-security-policy': PAGE_POLICY,
    }),
  ]);
}

function createPageFile(bytes: Buffer, type: string, extra: Readonly<Record<string, string>> = {}): PageFile {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const headers = {
    'content-type': type,
    'cache-control': 'private, no-cache',
    etag: `W/"${digest}"`,
    vary: 'Accept-Encoding',
    ...extra,
  };
  return { headers, bytes, gzipped: gzipSync(bytes, { level: 9 }) };
}

function replyWith(
  { headers, bytes, gzipped }: PageFile,
  acceptEncoding: string | undefined,
  ifNoneMatch: string | undefined,
): Reply {
  if (matchesEtag(ifNoneMatch, headers['etag'] ?? '')) return notModified(headers);
  if (!acceptsGzip(acceptEncoding)) return { status: 200, headers, length: bytes.length, content: [bytes] };
  return {
    status: 200,
    headers: { ...headers, 'content-encoding': 'gzip' },
    length: gzipped.length,
    content: [gzipped],
  };
}
