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

const PAGE_HEADERS = { 'content-security-policy': PAGE_POLICY };

const HTML = 'text/html; charset=utf-8';

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
  const html = read('index.html')
    .toString()
    // Relative, because a proxy may serve the exporter under another path.
    .replaceAll('{{telemetry_path}}', escapeHtml(telemetryPath.slice(1)));
  const pageIn = (language: string): PageFile =>
    createPageFile(Buffer.from(html.replace('{{language}}', language)), HTML, PAGE_HEADERS);
  const languages = Object.keys(LANGUAGES);
  const pages = new Map(['', ...languages].map((language) => [language, pageIn(language)]));
  const namesIn = (list: string): readonly string[] => read(list).toString().split('\n');
  const asset = (name: string, type: string) =>
    [`/assets/${name}`, createPageFile(read(name), type)] as const;
  // The manifest and the icons are for the home screen of a phone, the licences are those of the packages in the scripts.
  const files = [
    asset('fleet.css', 'text/css; charset=utf-8'),
    ...namesIn('scripts.txt').map((name) => asset(name, 'text/javascript; charset=utf-8')),
    asset('licenses.txt', 'text/plain; charset=utf-8'),
    asset('manifest.webmanifest', 'application/manifest+json'),
    ...languages.map((language) => asset(`${language}.json`, 'application/json')),
    ...['icon-180.png', 'icon-512.png'].map((name) => asset(name, 'image/png')),
    ...namesIn('runbooks/names.txt').map((name) => {
      const file = createPageFile(read(`runbooks/${name}.html`), HTML, PAGE_HEADERS);
      return [`/runbooks/${name === 'index' ? '' : name}`, file] as const;
    }),
  ];
  const answerWith =
    (fileOf: () => PageFile) =>
    ({ acceptEncoding, ifNoneMatch }: RouteRequest): Reply =>
      replyWith(fileOf(), acceptEncoding, ifNoneMatch);
  return new Map([
    ['/', answerWith(() => pages.get(languageOf()) ?? pageIn(''))] as const,
    ...files.map(([path, file]) => [path, answerWith(() => file)] as const),
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
