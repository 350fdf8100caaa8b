import type { TunnelAnswer } from '../model/observation.ts';
import { type Tunnel, type TunnelResponse, type Tunnels, tunnelState } from '../model/tunnel.ts';

/**
 * Returns the tunnels after a round: each device with a live rental keeps its last answer for its lifetime.
 *
 * @param live ids of the devices with a live self-rental
 * @param answers the answers of this round
 * @param apiTime the clock of the API, in milliseconds since 1970
 * @param lifetime milliseconds
 */
export function tunnelsAfterRound(
  before: Tunnels | undefined,
  live: Iterable<string>,
  answers: ReadonlyMap<string, TunnelAnswer>,
  apiTime: number,
  lifetime: number,
): Tunnels {
  const after = new Map<string, TunnelResponse>();
  for (const id of live) {
    const known = before?.get(id);
    const answer = answers.get(id);
    const response = answer === undefined ? known && { ...known, isStale: true } : respond(known, answer);
    if (response !== undefined && apiTime - response.respondedAt <= lifetime) after.set(id, response);
  }
  return after;
}

/** Returns the tunnels with some more answers, of devices that were just rented. */
export function withAnswers(
  before: Tunnels | undefined,
  answers: ReadonlyMap<string, TunnelAnswer>,
): Tunnels {
  const more = Array.from(answers, ([id, answer]) => [id, respond(before?.get(id), answer)] as const);
  return new Map([...(before ?? []), ...more]);
}

/** Returns when a login was changed since the answer before. A tunnel that was rented anew has new ones, which is no change. */
function changeOf(before: Tunnel | undefined, tunnel: Tunnel | undefined): number | undefined {
  if (before === undefined || before.id === '' || before.id !== tunnel?.id) return undefined;
  const [known, changedAt] = [before.credentials?.lastChangeAt, tunnel.credentials?.lastChangeAt];
  return known !== undefined && changedAt !== undefined && changedAt > known ? changedAt : undefined;
}

/** Returns an answer with the time at which its state was first seen. */
function respond(known: TunnelResponse | undefined, { tunnel, apiTime }: TunnelAnswer): TunnelResponse {
  const goesOn = known !== undefined && tunnelState(known) === tunnelState({ tunnel });
  return {
    tunnel,
    respondedAt: apiTime,
    stateSince: goesOn ? Math.min(known.stateSince, apiTime) : apiTime,
    loginsChangedAt: changeOf(known?.tunnel, tunnel),
    isStale: false,
  };
}
