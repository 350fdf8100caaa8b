import type { GzipBody } from '../metrics/page.ts';
import {
  acceptsGzip,
  gzipReply,
  inflate,
  inflatedReply,
  type Reply,
  type Route,
  type Sender,
  shareRuns,
  textReply,
} from './reply.ts';

export type ReloadReport = {
  /** Problems of the new configuration, without secrets; empty if it is active. */
  readonly problems: readonly string[];
  /** Names that match no phone, or no user. */
  readonly warnings: readonly string[];
  /** Names of the changed settings that need a restart. */
  readonly pending: readonly string[];
};

/** The data of the routes. */
export type RouteSources = {
  readonly telemetryPath: string;
  readonly expositionType: string;
  readonly scrape: () => Promise<GzipBody>;
  /** Responds to `/api/v1/fleet`. */
  readonly fleet: Route['answer'];
  /** Sentences about stalled collectors; empty while all are polled. */
  readonly stalledCollectors: () => readonly string[];
  /** True once the first round of polls has finished, or has taken too long. */
  readonly ready: () => boolean;
  /** Undefined while `POST /-/reload` is off. */
  readonly reload: (() => Promise<ReloadReport>) | undefined;
  /** Reports whether a sender has read-only access. */
  readonly isReader: (sender: Sender) => boolean;
  readonly features: Iterable<readonly [path: string, route: Route]>;
};

export function createRoutes(sources: RouteSources): ReadonlyMap<string, Route> {
  const { scrape, reload } = sources;
  const scrapeText = shareRuns(async () => inflate(await scrape()));
  const headers = { 'content-type': sources.expositionType };
  return new Map<string, Route>([
    ...sources.features,
    ['/api/v1/fleet', get(sources.fleet)],
    ['/-/healthy', get(() => healthReply(sources.stalledCollectors()))],
    ['/-/ready', get(() => (sources.ready() ? READY : NOT_READY))],
    [
      '/-/reload',
      {
        methods: ['POST'],
        answer: async ({ sender }) => {
          if (reload === undefined) return RELOAD_OFF;
          return sources.isReader(sender) ? READ_ONLY : reloadReply(await reload());
        },
      },
    ],
    [
      sources.telemetryPath,
      get(async ({ acceptEncoding }) =>
        acceptsGzip(acceptEncoding)
          ? gzipReply(await scrape(), headers)
          : inflatedReply(await scrapeText(), headers),
      ),
    ],
  ]);
}

function get(answer: Route['answer']): Route {
  return { methods: ['GET'], answer };
}

/** Also healthy while the API is down: a restart would only lose the stale data. */
function healthReply(stalled: readonly string[]): Reply {
  if (stalled.length === 0) return textReply(200, 'healthy');
  return textReply(503, ['polling has stalled: restart the exporter', ...stalled].join('\n'));
}

const READY = textReply(200, 'ready');
const NOT_READY = textReply(503, 'not ready: the first polls are in progress');

const RELOAD_OFF = textReply(
  404,
  'disabled: enable it with web.enable_lifecycle (--web.enable-lifecycle), or send SIGHUP',
);

const READ_ONLY = textReply(403, 'not allowed: this user can only read (web.change_users)');

function reloadReply({ problems, warnings, pending }: ReloadReport): Reply {
  if (problems.length > 0)
    return textReply(500, ['not reloaded: the previous configuration stays active', ...problems].join('\n'));
  const restarts = pending.map((name) => `${name}: needs a restart`);
  return textReply(200, ['reloaded', ...warnings, ...restarts].join('\n'));
}
