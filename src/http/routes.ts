import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { acceptsGzip } from './encoding.ts';
import { landingPage } from './landing.ts';
import { htmlReply, type Reply, textReply } from './reply.ts';

/** What a route may look at of a request. */
export type RouteRequest = { readonly acceptEncoding: string | undefined };

export type Route = (request: RouteRequest) => Reply | Promise<Reply>;

/** An exposition as gzip, of which `textLength` bytes come out. */
export type Scrape = {
  readonly chunks: readonly Buffer[];
  readonly length: number;
  readonly textLength: number;
};

/** What the routes show; they are handed functions, and know nothing of who polls or renders. */
export type RouteSources = {
  readonly version: string;
  readonly telemetryPath: string;
  readonly expositionType: string;
  readonly scrape: () => Promise<Scrape>;
  /** Whether the first round of polls has ended, well or badly. */
  readonly ready: () => boolean;
};

const PATHS = { landing: '/', healthy: '/-/healthy', ready: '/-/ready' } as const;

/** The paths that are answered. */
export function pathsOf(telemetryPath: string): readonly string[] {
  return [...Object.values(PATHS), telemetryPath];
}

export function createRoutes(sources: RouteSources): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    [PATHS.landing, () => htmlReply(landingPage(sources.version, sources.telemetryPath))],
    [PATHS.healthy, () => textReply(200, 'healthy')],
    [
      PATHS.ready,
      () => (sources.ready() ? textReply(200, 'ready') : textReply(503, 'the first polls are under way')),
    ],
    [sources.telemetryPath, (request) => scrapeReply(sources, request)],
  ]);
}

/** Without gzip the text is inflated while it is sent, at the pace of the reader, and never held as a whole. */
async function scrapeReply(sources: RouteSources, { acceptEncoding }: RouteRequest): Promise<Reply> {
  const { chunks, length, textLength } = await sources.scrape();
  const headers = { 'content-type': sources.expositionType, vary: 'Accept-Encoding' };
  if (acceptsGzip(acceptEncoding)) {
    return {
      status: 200,
      headers: { ...headers, 'content-encoding': 'gzip' },
      length,
      content: () => chunks,
    };
  }
  return {
    status: 200,
    headers,
    length: textLength,
    content: () => Readable.from(chunks).pipe(createGunzip()),
  };
}
