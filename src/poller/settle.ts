import type { Balance } from '../model/balance.ts';
import type { FailureReason } from '../model/failure.ts';
import type { DataState, Money, Movement, Reading, TunnelAnswer, Tunnels } from '../model/reading.ts';

const NO_MOVEMENT: Movement = { increaseCents: 0, decreaseCents: 0 };

/** What a collector knows before its first poll. */
export const NEVER_READ: Reading<never> = {
  data: undefined,
  state: 'expired',
  lastSuccessAt: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** The reading after a poll that succeeded at `now`. */
export function succeeded<Data>(data: Data, now: number): Reading<Data> {
  return { data, state: 'fresh', lastSuccessAt: now, lastAttemptAt: now, failure: undefined };
}

/** The reading after a poll that failed at `now`: what was known stays, and says how old it is. */
export function failed<Data>(
  reading: Reading<Data>,
  failure: FailureReason,
  now: number,
  staleAfterMilliseconds: number,
): Reading<Data> {
  return {
    ...reading,
    failure,
    lastAttemptAt: now,
    state: stateAfterFailure(reading, now, staleAfterMilliseconds),
  };
}

function stateAfterFailure(
  reading: Reading<unknown>,
  now: number,
  staleAfterMilliseconds: number,
): DataState {
  if (reading.lastSuccessAt === undefined) return 'expired';
  return now - reading.lastSuccessAt > staleAfterMilliseconds ? 'expired' : 'held';
}

/**
 * The tunnels after a round of questions: each phone whose rental is live keeps its last answer, unless that is older
 * than `staleAfterMilliseconds`.
 *
 * @param live ids of the phones whose rental is live
 * @param answers what was answered in this round
 */
export function settleTunnels(
  previous: Tunnels | undefined,
  live: Iterable<string>,
  answers: Tunnels,
  now: number,
  staleAfterMilliseconds: number,
): Tunnels {
  const settled = new Map<string, TunnelAnswer>();
  for (const deviceId of live) {
    const answer = answers.get(deviceId) ?? previous?.get(deviceId);
    if (answer === undefined) continue;
    const age = now - answer.answeredAt;
    // An answer from the future is from before the clock was set back, and nobody knows how old it is.
    if (age >= 0 && age <= staleAfterMilliseconds) settled.set(deviceId, answer);
  }
  return settled;
}

/** The money after a poll: the balance, and its movements since the poll before added to the sums. */
export function settleBalance(previous: Money | undefined, balance: Balance): Money {
  return {
    balance,
    observed: {
      available: move(previous?.observed.available, previous?.balance.availableCents, balance.availableCents),
      pending: move(previous?.observed.pending, previous?.balance.pendingCents, balance.pendingCents),
    },
  };
}

function move(sums: Movement | undefined, before: number | undefined, now: number | undefined): Movement {
  const { increaseCents, decreaseCents } = sums ?? NO_MOVEMENT;
  if (before === undefined || now === undefined) return { increaseCents, decreaseCents };
  return {
    increaseCents: increaseCents + Math.max(0, now - before),
    decreaseCents: decreaseCents + Math.max(0, before - now),
  };
}
