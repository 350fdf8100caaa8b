import type { Memory } from '../src/daemon/memory.ts';
import { type Route, type RouteRequest, textReply } from '../src/http/reply.ts';
import type { RouteSources } from '../src/http/routes.ts';

/** Sources of a program that knows nothing yet and with which nothing is wrong. */
export function routeSourcesOf(own: Partial<RouteSources> = {}): RouteSources {
  return {
    telemetryPath: '/metrics',
    expositionType: 'text/plain; version=0.0.4; charset=utf-8',
    scrape: async () => ({ chunks: [], length: 0, textLength: 0 }),
    fleet: () => textReply(200, 'the fleet'),
    features: [['/', { methods: ['GET'], answer: () => textReply(200, 'the page') }]],
    stalledCollectors: () => [],
    ready: () => true,
    isReader: ({ login }) => login === 'viewer',
    reload: async () => ({ problems: [], warnings: [], pending: [] }),
    ...own,
  };
}

/** A request as a route gets it, from a program on this machine. */
export function requestOf(own: Partial<RouteRequest> = {}): RouteRequest {
  return {
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    accept: undefined,
    query: new URLSearchParams(),
    method: 'GET',
    sender: { login: undefined, isLocal: true },
    body: async () => '',
    contentType: undefined,
    isGone: () => false,
    ...own,
  };
}

/** Returns how a feature answers requests to a path. */
export function routeOf({ features }: Pick<Memory, 'features'>, path: string): Route['answer'] {
  for (const feature of features)
    for (const [each, route] of feature.routes?.() ?? []) if (each === path) return route.answer;
  throw new Error(`no feature has the path ${path}`);
}
