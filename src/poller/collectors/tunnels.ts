import type { ApiClient } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { asRound } from '../../api/round.ts';
import type { Clock } from '../../clock.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { type TunnelResponse, type Tunnels, tunnelState } from '../../model/tunnel.ts';
import type { CollectorTask } from '../poll.ts';

type TunnelsCollectorOptions = {
  readonly client: Pick<ApiClient, 'tunnel' | 'isFailing'>;
  /** Returns the account as it is now, which may change while a round is in progress; undefined if it is gone. */
  readonly account: () => AccountSnapshot | undefined;
  /** Maximum number of tunnels fetched at once. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'now' | 'uptime'>;
};

type TunnelsCollector = CollectorTask<Tunnels> & {
  /** Tells whether a device was rented since the last round began. */
  readonly hasNewRentals: () => boolean;
  /** Fetches the tunnels of those devices only. Returns a function that merges them into the known tunnels. */
  readonly collectNewRentals: (signal: AbortSignal) => Promise<(known: Tunnels | undefined) => Tunnels>;
};

/** Maximum number of consecutive failures before a round ends. The next round begins with the remaining devices. */
const MAX_FAILURES_IN_A_ROW = 100;

/**
 * Creates the collector that fetches the tunnel of each device with a live self-rental, according to the last device list.
 * A tunnel that can't be read comes last in the next round; the poll fails if there are tunnels and none could be read.
 * A round that its deadline ends is a success: the next round begins with the remaining tunnels.
 */
export function tunnelsCollector(options: TunnelsCollectorOptions): TunnelsCollector {
  const { account, clock } = options;
  const polled: PolledDevices = new Map();
  let considered = new Set<string>();
  const newRentals = (): readonly string[] => liveSelfRents(account()).filter((id) => !considered.has(id));
  const fetchTunnels = (deviceIds: readonly string[], signal: AbortSignal): Promise<Tunnels> =>
    fetchEach(options, deviceIds, signal, (deviceId, success) => {
      // Anew, so that it comes last.
      polled.delete(deviceId);
      polled.set(deviceId, success);
    });
  return {
    name: 'tunnels',
    reading: (known) => known.tunnels,
    withReading: (known, tunnels) => ({ ...known, tunnels }),
    collect: async (_, signal, { lifetime }) => {
      considered = new Set(liveSelfRents(account()));
      for (const deviceId of polled.keys()) if (!considered.has(deviceId)) polled.delete(deviceId);
      const answers = await fetchTunnels(pollOrder(considered, polled), signal);
      // By then, the tunnels of rentals that began during the round are known too.
      return (known) =>
        mergeTunnels(known.tunnels.data, liveSelfRents(known), answers, clock.uptime(), lifetime);
    },
    hasNewRentals: () => newRentals().length > 0,
    collectNewRentals: async (signal) => {
      const deviceIds = newRentals();
      for (const deviceId of deviceIds) considered.add(deviceId);
      const answers = await fetchTunnels(deviceIds, signal);
      return (known) => new Map([...(known ?? []), ...answers]);
    },
  };
}

function liveSelfRents(account: AccountSnapshot | undefined): readonly string[] {
  return account?.devices.data?.liveSelfRents ?? [];
}

/** True for each device whose last poll succeeded, by id, in the order of these polls, oldest first. */
type PolledDevices = Map<string, boolean>;

/**
 * Orders devices for a round: those that were never polled, then the least recently polled ones, and those that failed
 * last. So all are visited although a round can't hold all of them, and broken ones don't keep the others waiting.
 */
function pollOrder(live: ReadonlySet<string>, polled: PolledDevices): readonly string[] {
  const known = [...polled.keys()];
  return [
    ...[...live].filter((id) => !polled.has(id)),
    ...known.filter((id) => polled.get(id) === true),
    ...known.filter((id) => polled.get(id) === false),
  ];
}

/**
 * Fetches tunnels in parallel. Throws the first failure if none could be read. The round ends, and what waits is not sent,
 * once it is clear that the API fails.
 */
async function fetchEach(
  { client, concurrency, clock }: TunnelsCollectorOptions,
  deviceIds: readonly string[],
  signal: AbortSignal,
  onPolled: (deviceId: string, success: boolean) => void,
): Promise<Tunnels> {
  const answers = new Map<string, TunnelResponse>();
  let firstFailure: unknown;
  let failuresInARow = 0;
  // One iterator for all workers: each takes the next device from it.
  const queue = deviceIds.values();
  const work = async (round: AbortController): Promise<void> => {
    for (const deviceId of queue) {
      if (round.signal.aborted) return;
      try {
        const { value, apiTime } = await client.tunnel(deviceId, round.signal);
        answers.set(deviceId, {
          tunnel: value,
          respondedAt: clock.now(),
          respondedUptime: clock.uptime(),
          stateSince: apiTime,
          isHeld: false,
        });
        failuresInARow = 0;
        onPolled(deviceId, true);
      } catch (error) {
        firstFailure ??= error;
        // A device whose request was aborted comes first in the next round.
        if (round.signal.aborted) return;
        // A request that was rejected without being sent says nothing of the device; those that were sent may succeed.
        if (error instanceof ApiError && error.rejected) return;
        failuresInARow += 1;
        onPolled(deviceId, false);
        if (endsRound(error) || client.isFailing() || failuresInARow >= MAX_FAILURES_IN_A_ROW)
          round.abort(error);
      }
    }
  };
  await asRound(signal, (round) => Promise.all(Array.from({ length: concurrency }, () => work(round))));
  if (answers.size === 0 && firstFailure !== undefined) throw firstFailure;
  return answers;
}

/** Tells whether further requests would get the same response, and make matters worse. */
function endsRound(error: unknown): boolean {
  return error instanceof ApiError && (error.reason === 'unauthorized' || error.reason === 'throttled');
}

/**
 * Returns the tunnels after a round: each device with a live rental keeps its last answer for its lifetime.
 *
 * @param live ids of the devices with a live self-rental
 * @param answers the answers of this round
 * @param uptime milliseconds since the machine was started
 * @param lifetime milliseconds
 */
export function mergeTunnels(
  previous: Tunnels | undefined,
  live: Iterable<string>,
  answers: Tunnels,
  uptime: number,
  lifetime: number,
): Tunnels {
  const settled = new Map<string, TunnelResponse>();
  for (const deviceId of live) {
    const known = previous?.get(deviceId);
    const answer = withState(known, answers.get(deviceId)) ?? (known && { ...known, isHeld: true });
    if (answer !== undefined && uptime - answer.respondedUptime <= lifetime) settled.set(deviceId, answer);
  }
  return settled;
}

/** Returns an answer with the time at which its state was first seen. */
function withState(
  known: TunnelResponse | undefined,
  answer: TunnelResponse | undefined,
): TunnelResponse | undefined {
  if (known === undefined || answer === undefined || tunnelState(known) !== tunnelState(answer))
    return answer;
  return { ...answer, stateSince: known.stateSince };
}
