import type { Snapshot } from '../model/snapshot.ts';
import { discoveryReply } from './discovery.ts';
import { type GzipContent, gzipReply, type Reply, type Route, textReply } from './reply.ts';

/** The result of a reload. */
export type ReloadReport = {
  /** Faults of the new configuration, without secrets; empty if it is in force. */
  readonly problems: readonly string[];
  /** Names of settings that changed and need a restart. */
  readonly pending: readonly string[];
};

/** The data of the routes. */
export type RouteSources = {
  readonly telemetryPath: string;
  readonly expositionType: string;
  readonly scrape: () => Promise<GzipContent>;
  /** Answers `/api/v1/fleet`. */
  readonly fleet: Route['answer'];
  /** The fleet page and its files, by path. */
  readonly page: ReadonlyMap<string, Route['answer']>;
  /** The snapshot for tunnel discovery; undefined while discovery is off. */
  readonly discoverable: () => Snapshot | undefined;
  /** Sentences about collectors that are not polled any more; empty while all are polled. */
  readonly stalledCollectors: () => readonly string[];
  /** True once the first round of polls has ended, well or badly, or has taken too long. */
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

export function createRoutes(sources: RouteSources): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ...Array.from(sources.page, ([path, answer]) => [path, get(answer)] as const),
    [PATHS.fleet, get(sources.fleet)],
    [PATHS.tunnels, get(({ query }) => discoveryReply(sources.discoverable(), query))],
    [PATHS.healthy, get(() => healthReply(sources.stalledCollectors()))],
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
        gzipReply(await sources.scrape(), acceptEncoding, { 'content-type': sources.expositionType }),
      ),
    ],
  ]);
}

function get(answer: Route['answer']): Route {
  return { method: 'GET', answer };
}

/** Independent of the API: a restart during an outage would only lose the held data. */
function healthReply(stalled: readonly string[]): Reply {
  if (stalled.length === 0) return textReply(200, 'healthy');
  return textReply(503, ['the schedule has stopped: restart the exporter', ...stalled].join('\n'));
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
