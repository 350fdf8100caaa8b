import type { Snapshot } from '../model/snapshot.ts';
import { discoveryReply } from './discovery.ts';
import { PAGE_PATHS } from './fleet/assets.ts';
import { type Compressed, compressedReply, type Reply, textReply } from './reply.ts';

/** What a route may look at of a request. */
export type RouteRequest = {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly query: URLSearchParams;
};

/** What is answered at a path. */
export type Route = {
  /** The one method that is taken; a route that takes GET takes HEAD too. */
  readonly method: 'GET' | 'POST';
  readonly answer: (request: RouteRequest) => Reply | Promise<Reply>;
};

/** How a reload went. */
export type ReloadReport = {
  /** What is wrong with the new configuration, without a secret in it; none where it is in force now. */
  readonly problems: readonly string[];
  /** Names of settings that changed and need a restart. */
  readonly pending: readonly string[];
};

/** What the routes show; they are handed functions, and know nothing of who polls or renders. */
export type RouteSources = {
  readonly telemetryPath: string;
  readonly expositionType: string;
  /** The exposition. */
  readonly scrape: () => Promise<Compressed>;
  /** The fleet as JSON. */
  readonly fleet: Route['answer'];
  /** The fleet page and what it loads, by path. */
  readonly page: ReadonlyMap<string, Route['answer']>;
  /** What tunnels are discovered in; undefined while that is switched off. */
  readonly discoverable: () => Snapshot | undefined;
  /** Which polls have stopped happening, in sentences; none while all is well. */
  readonly silences: () => readonly string[];
  /** Whether the first round of polls has ended, well or badly, or took too long to wait for. */
  readonly ready: () => boolean;
  readonly reload: () => Promise<ReloadReport>;
};

const PATHS = {
  fleet: '/api/v1/fleet',
  tunnels: '/sd/tunnels',
  healthy: '/-/healthy',
  ready: '/-/ready',
  reload: '/-/reload',
} as const;

/** The paths that are answered. */
export function pathsOf(telemetryPath: string): readonly string[] {
  return [...PAGE_PATHS, ...Object.values(PATHS), telemetryPath];
}

export function createRoutes(sources: RouteSources): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ...Array.from(sources.page, ([path, answer]) => [path, get(answer)] as const),
    [PATHS.fleet, get(sources.fleet)],
    [PATHS.tunnels, get(({ query }) => discoveryReply(sources.discoverable(), query))],
    [PATHS.healthy, get(() => healthReply(sources.silences()))],
    [
      PATHS.ready,
      get(() =>
        sources.ready() ? textReply(200, 'ready') : textReply(503, 'the first polls are under way'),
      ),
    ],
    [PATHS.reload, { method: 'POST', answer: async () => reloadReply(await sources.reload()) }],
    [
      sources.telemetryPath,
      get(async ({ acceptEncoding }) =>
        compressedReply(await sources.scrape(), acceptEncoding, { 'content-type': sources.expositionType }),
      ),
    ],
  ]);
}

function get(answer: Route['answer']): Route {
  return { method: 'GET', answer };
}

/** Never tied to the API: whoever restarts us while it is down loses what we know, and gains nothing. */
function healthReply(silences: readonly string[]): Reply {
  if (silences.length === 0) return textReply(200, 'healthy');
  return textReply(503, ['the schedule has stopped: restart the exporter', ...silences].join('\n'));
}

function reloadReply({ problems, pending }: ReloadReport): Reply {
  if (problems.length > 0) {
    return textReply(
      500,
      ['not reloaded; the configuration from before stays in force', ...problems].join('\n'),
    );
  }
  return textReply(200, ['reloaded', ...pending.map((name) => `${name}: needs a restart`)].join('\n'));
}
