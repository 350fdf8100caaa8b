import type { ApiClient } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { asRound } from '../../api/round.ts';
import type { TunnelResult, TunnelsObservation } from '../../model/observation.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import type { CollectorTask, PollTiming } from '../poll.ts';

type TunnelsCollectorOptions = {
  readonly client: Pick<ApiClient, 'tunnel' | 'isFailing'>;
  /** Returns the current account, which may change during a round; undefined if it is gone. */
  readonly account: () => AccountSnapshot | undefined;
  /** Maximum number of tunnels fetched at once. */
  readonly concurrency: number;
};

type TunnelsCollector = CollectorTask & {
  /** Reports whether a device has been rented since the last round began. */
  readonly hasNewRentals: () => boolean;
  /** Fetches only the tunnels of those devices. */
  readonly collectNewRentals: (signal: AbortSignal) => Promise<TunnelsObservation>;
};

/** Maximum number of consecutive failures before a round ends. The next round starts with the remaining devices. */
const MAX_FAILURES_IN_A_ROW = 100;

/**
 * Creates the collector that fetches the tunnel of each device with a live self-rental, according to the last device list.
 * A tunnel that can't be read comes last in the next round. The poll fails if there are tunnels and none could be read. A
 * round that reaches its deadline is a success: the next one starts with the remaining tunnels.
 */
export function tunnelsCollector(options: TunnelsCollectorOptions): TunnelsCollector {
  const { account } = options;
  const polled: PolledDevices = new Map();
  let considered = new Set<string>();
  const newRentals = (): readonly string[] => liveSelfRents(account()).filter((id) => !considered.has(id));
  const fetchTunnels = async (
    deviceIds: readonly string[],
    signal: AbortSignal,
    timing: PollTiming | undefined,
  ): Promise<TunnelsObservation> => {
    const answers = await fetchEach(options, deviceIds, signal, (deviceId, success) => {
      // Insert it again, so that it comes last.
      polled.delete(deviceId);
      polled.set(deviceId, success);
    });
    let latest = Number.NEGATIVE_INFINITY;
    for (const { apiTime } of answers.values()) latest = Math.max(latest, apiTime);
    const round = timing && {
      elapsed: timing.sinceObserved(),
      dueIn: timing.dueIn,
      slack: timing.slack,
    };
    return { kind: 'tunnels', results: answers, round, apiTime: answers.size === 0 ? undefined : latest };
  };
  return {
    name: 'tunnels',
    collect: (_, signal, timing) => {
      considered = new Set(liveSelfRents(account()));
      for (const deviceId of polled.keys()) if (!considered.has(deviceId)) polled.delete(deviceId);
      return fetchTunnels(pollOrder(considered, polled), signal, timing);
    },
    hasNewRentals: () => newRentals().length > 0,
    collectNewRentals: (signal) => {
      const deviceIds = newRentals();
      for (const deviceId of deviceIds) considered.add(deviceId);
      return fetchTunnels(deviceIds, signal, undefined);
    },
  };
}

function liveSelfRents(account: AccountSnapshot | undefined): readonly string[] {
  return account?.devices.data?.liveSelfRents ?? [];
}

/** Success of the last poll of each device, by id, oldest poll first. */
type PolledDevices = Map<string, boolean>;

/**
 * Orders devices for a round: those that were never polled, then the least recently polled ones, and finally those that
 * failed. So every device gets its turn even if rounds are too short for all, and failing devices do not delay the others.
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
 * Fetches tunnels in parallel. Throws the first failure if none could be read. If the API fails, ends the round without
 * sending the remaining requests.
 */
async function fetchEach(
  { client, concurrency }: TunnelsCollectorOptions,
  deviceIds: readonly string[],
  signal: AbortSignal,
  onPolled: (deviceId: string, success: boolean) => void,
): Promise<ReadonlyMap<string, TunnelResult>> {
  const answers = new Map<string, TunnelResult>();
  let firstFailure: unknown;
  let failuresInARow = 0;
  // One iterator for all workers: each takes the next device from it.
  const queue = deviceIds.values();
  const work = async (round: AbortController): Promise<void> => {
    for (const deviceId of queue) {
      if (round.signal.aborted) return;
      try {
        const { value, apiTime } = await client.tunnel(deviceId, round.signal);
        answers.set(deviceId, { tunnel: value, apiTime });
        failuresInARow = 0;
        onPolled(deviceId, true);
      } catch (error) {
        firstFailure ??= error;
        // A device whose request was aborted comes first in the next round.
        if (round.signal.aborted) return;
        // A request that was rejected without being sent says nothing about the device; those already sent may succeed.
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

/** Reports whether further requests would get the same response. */
function endsRound(error: unknown): boolean {
  return error instanceof ApiError && (error.reason === 'unauthorized' || error.reason === 'throttled');
}
