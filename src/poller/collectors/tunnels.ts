import type { ApiClient } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { TunnelAnswer, Tunnels } from '../../model/reading.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { settleTunnels } from '../settle.ts';
import { planTurns } from '../turns.ts';
import type { CollectorTask, Supplement } from './collector.ts';

export type TunnelsCollectorOptions = {
  readonly client: Pick<ApiClient, 'tunnel'>;
  /** What is known of the account, at any time: phones and tunnels go on changing while a round is under way. */
  readonly account: () => AccountSnapshot;
  /** Most tunnels asked for at once, so that other collectors don't wait behind all of them. */
  readonly concurrency: number;
  readonly staleAfterMilliseconds: number;
  readonly now: () => number;
};

export type TunnelsCollector = CollectorTask<Tunnels> & {
  /** Whether a phone was rented since the last round began. */
  readonly hasNewcomers: () => boolean;
  /** Asks for those phones only. */
  readonly askNewcomers: Supplement<Tunnels>;
};

/**
 * Asks for the tunnel of each phone whose rental is live, as the device list last told. One tunnel that can't be read
 * costs that tunnel only; the poll fails if none could be read although there are some. A round that its deadline ends is
 * a success: the next one begins with those that it left out.
 */
export function tunnelsCollector(options: TunnelsCollectorOptions): TunnelsCollector {
  const { account, now, staleAfterMilliseconds } = options;
  // In order of their last turn, oldest first.
  const turns = new Set<string>();
  let considered = new Set<string>();
  const newcomers = () => liveDeviceIds(account()).filter((id) => !considered.has(id));
  const askInTurn = (deviceIds: readonly string[], signal: AbortSignal) =>
    askEach(options, deviceIds, signal, (deviceId) => {
      turns.delete(deviceId);
      turns.add(deviceId);
    });
  return {
    name: 'tunnels',
    reading: (known) => known.tunnels,
    withReading: (known, tunnels) => ({ ...known, tunnels }),
    collect: async (_, signal) => {
      considered = new Set(liveDeviceIds(account()));
      const order = planTurns(considered, turns);
      for (const deviceId of turns) if (!considered.has(deviceId)) turns.delete(deviceId);
      const answers = await askInTurn(order, signal);
      const { tunnels } = account();
      return settleTunnels(tunnels.data, liveDeviceIds(account()), answers, now(), staleAfterMilliseconds);
    },
    hasNewcomers: () => newcomers().length > 0,
    askNewcomers: async (signal) => {
      const deviceIds = newcomers();
      for (const deviceId of deviceIds) considered.add(deviceId);
      const answers = await askInTurn(deviceIds, signal);
      return (known) => withAll(known, answers);
    },
  };
}

function liveDeviceIds({ devices }: AccountSnapshot): readonly string[] {
  return devices.data?.summary.liveSelfRents ?? [];
}

/** Entry by entry, since a large fleet has ten thousand tunnels, and a list of all of them would hold up everything else. */
function withAll(known: Tunnels | undefined, answers: Tunnels): Tunnels {
  const all = new Map(known);
  for (const [deviceId, answer] of answers) all.set(deviceId, answer);
  return all;
}

/** What those have in common who ask side by side. */
type Round = {
  readonly options: TunnelsCollectorOptions;
  readonly signal: AbortSignal;
  readonly onTurn: (deviceId: string) => void;
  readonly answers: Map<string, TunnelAnswer>;
  readonly failures: unknown[];
  ended: boolean;
};

async function askEach(
  options: TunnelsCollectorOptions,
  deviceIds: readonly string[],
  signal: AbortSignal,
  onTurn: (deviceId: string) => void,
): Promise<Tunnels> {
  const round: Round = { options, signal, onTurn, answers: new Map(), failures: [], ended: false };
  // One line of phones for all who ask: an array's iterator goes on where another loop over it stopped.
  const line = deviceIds.values();
  await Promise.all(Array.from({ length: options.concurrency }, () => askAlong(line, round)));
  const { answers, failures } = round;
  if (answers.size === 0 && failures.length > 0) throw failures[0];
  return answers;
}

/** A function of its own, so that its code outlives the round: see docs/decisions/0019. */
async function askAlong(line: Iterable<string>, round: Round): Promise<void> {
  const { options, signal, onTurn, answers, failures } = round;
  const { client, account, now } = options;
  for (const deviceId of line) {
    if (round.ended || signal.aborted) return;
    try {
      const known = account().tunnels.data?.get(deviceId)?.tunnel;
      const { value } = await client.tunnel(deviceId, signal, known);
      answers.set(deviceId, { tunnel: value, answeredAt: now() });
    } catch (error) {
      failures.push(error);
      // Whoever was cut off in the midst of a question comes first in the next round.
      if (signal.aborted) return;
      round.ended ||= endsRound(error);
    }
    onTurn(deviceId);
  }
}

/** Whether whoever asks on would get the same answer, and make matters worse. */
function endsRound(error: unknown): boolean {
  return error instanceof ApiError && (error.reason === 'unauthorized' || error.reason === 'throttled');
}
