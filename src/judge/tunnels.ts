import type { TunnelResult } from '../model/observation.ts';
import { type Tunnel, type TunnelResponse, type Tunnels, tunnelState } from '../model/tunnel.ts';

/**
 * Returns the tunnels after a round. A device with a live self-rental keeps its last response for `lifetime` milliseconds.
 *
 * @param live ids of the devices with a live self-rental
 * @param apiTime the API's clock, in milliseconds since 1970
 */
export function tunnelsAfterRound(
  before: Tunnels | undefined,
  live: Iterable<string>,
  results: ReadonlyMap<string, TunnelResult>,
  apiTime: number,
  lifetime: number,
): Tunnels {
  const after = new Map<string, TunnelResponse>();
  for (const id of live) {
    const known = before?.get(id);
    const answer = results.get(id);
    const response = answer === undefined ? known && { ...known, isStale: true } : respond(known, answer);
    if (response !== undefined && apiTime - response.respondedAt <= lifetime) after.set(id, response);
  }
  return after;
}

/** Adds the tunnels of devices that were just rented. */
export function withResults(
  before: Tunnels | undefined,
  results: ReadonlyMap<string, TunnelResult>,
): Tunnels {
  const more = Array.from(results, ([id, answer]) => [id, respond(before?.get(id), answer)] as const);
  return new Map([...(before ?? []), ...more]);
}

/** Returns when a login changed since the last response; undefined for a new tunnel, whose logins are all new. */
function changeOf(before: Tunnel | undefined, tunnel: Tunnel | undefined): number | undefined {
  if (before === undefined || before.id === '' || before.id !== tunnel?.id) return undefined;
  const [known, changedAt] = [before.credentials?.lastChangeAt, tunnel.credentials?.lastChangeAt];
  return known !== undefined && changedAt !== undefined && changedAt > known ? changedAt : undefined;
}

/** Returns a response with the time when its state was first seen. */
function respond(known: TunnelResponse | undefined, { tunnel, apiTime }: TunnelResult): TunnelResponse {
  const goesOn = known !== undefined && tunnelState(known) === tunnelState({ tunnel });
  return {
    tunnel,
    respondedAt: apiTime,
    stateSince: goesOn ? Math.min(known.stateSince, apiTime) : apiTime,
    loginsChangedAt: changeOf(known?.tunnel, tunnel),
    isStale: false,
  };
}
