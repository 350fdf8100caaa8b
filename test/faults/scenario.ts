import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Endpoint, FailureReason } from '../../src/model/enums.ts';
import { type Harness, type HarnessOptions, INTERVAL, startHarness } from './harness.ts';
import {
  expectInvariants,
  expectQuietLog,
  failuresBetween,
  isUp,
  type Observation,
  observe,
  phonesOn,
  pollsFailed,
} from './invariants.ts';

/** Beginnings of a fault: before the first poll, after a good poll, or between two requests of one poll. */
export const PHASES = ['from the start', 'in steady state', 'in the middle of a poll'] as const;

export type Phase = (typeof PHASES)[number];

/** Switches a fault on and off. */
export type FaultInjection = {
  readonly begin: (harness: Harness, phase: Phase) => Promise<void> | void;
  readonly end: (harness: Harness) => Promise<void> | void;
};

/** Result of a scenario. */
export type Outcome = {
  /** Number of failed requests by reason. */
  readonly failures: ReadonlyMap<FailureReason, number>;
  /** Rounds of polls after the end of the fault until all was well. */
  readonly recovery: number;
  /** The last observations before and during the fault. */
  readonly before: Observation;
  readonly during: Observation;
};

export type Scenario = {
  /** Endpoints that the fault is injected at. */
  readonly endpoints: readonly Endpoint[];
  readonly phase: Phase;
  /** Maximum number of requests in a round. */
  readonly budget: number;
  /** Maximum number of rounds until all is well again. */
  readonly recovery: number;
  /** The collectors of other endpoints do not fail. */
  readonly alone: boolean;
  /** Milliseconds of real time between two rounds, for timers that no test can move; by default none. */
  readonly rest?: number;
};

/** Rounds of polls during a fault: one with stale data and one with expired data, if there is any. */
const FAULTY_ROUNDS = 2;

/** Plays scenarios one after the other with the same exporter. */
export type Player = {
  /** Plays one scenario and checks the invariants of all scenarios. The caller checks the rest of the outcome. */
  readonly play: (injection: FaultInjection, scenario: Scenario) => Promise<Outcome>;
  readonly close: () => Promise<void>;
};

export async function createPlayer(options?: HarnessOptions): Promise<Player> {
  const harness = await startHarness(options);
  let last = await observe(harness);
  return {
    play: async (injection, scenario) => {
      const played = await perform(harness, injection, scenario, last);
      last = played.last;
      return played.outcome;
    },
    close: harness.close,
  };
}

/** Plays one scenario, from an observation before it to the last one in it. */
async function perform(
  harness: Harness,
  injection: FaultInjection,
  scenario: Scenario,
  first: Observation,
): Promise<{ readonly outcome: Outcome; readonly last: Observation }> {
  let last = first;
  const rounds = async (count: number, isFaulty = false) => {
    for (let left = count; left > 0; left -= 1) {
      await harness.poll();
      const next = await observe(harness, isFaulty ? 'gzip' : 'identity');
      expectInvariants(last, next, scenario.budget);
      expectOnlyRealPhones(harness, next);
      if (isFaulty && scenario.alone) expectNeighboursWell(last, next, scenario.endpoints);
      last = next;
      if (scenario.rest !== undefined) await setTimeout(scenario.rest);
      harness.clock.advance(INTERVAL);
    }
  };

  if (scenario.phase === 'from the start') {
    expect(harness.simulator.counts().devices, 'requests before the first poll').toBe(0);
  } else {
    // The recovery of the scenario before ends with a good round.
    if (!isUp(last)) await rounds(1);
    expect(isUp(last)).toBe(true);
  }
  const before = last;
  await injection.begin(harness, scenario.phase);
  await rounds(FAULTY_ROUNDS, true);
  const during = last;
  await injection.end(harness);

  let recovery = 0;
  do {
    recovery += 1;
    await rounds(1);
  } while (!isUp(last) && recovery < scenario.recovery);
  expect(isUp(last), `all is well within ${scenario.recovery} rounds`).toBe(true);
  expect(phonesOn(last)).toEqual(phonesOf(harness));
  expectQuietLog(harness);
  const failures = total(scenario.endpoints, before, last);
  return { outcome: { failures, recovery, before, during }, last };
}

/** If an endpoint is fine, its collector does not fail. The tunnels' collector also needs the device list. */
function expectNeighboursWell(before: Observation, after: Observation, during: readonly Endpoint[]): void {
  for (const [endpoint, collector] of [
    ['devices', 'devices'],
    ['tunnel', 'tunnels'],
    ['balance', 'balance'],
  ] as const) {
    if (during.includes(endpoint)) continue;
    expect(pollsFailed(before, after, collector), `${collector}: failures beside the injection`).toBe(0);
  }
}

/** No phone on the page that the marketplace does not have. */
function expectOnlyRealPhones(harness: Harness, observation: Observation): void {
  const real = new Set(phonesOf(harness));
  expect(phonesOn(observation).filter((id) => !real.has(id))).toEqual([]);
}

const phonesOf = ({ marketplace }: Harness): readonly string[] =>
  marketplace
    .phones()
    .map(({ deviceId }) => deviceId)
    .toSorted();

function total(
  endpoints: readonly Endpoint[],
  before: Observation,
  after: Observation,
): ReadonlyMap<FailureReason, number> {
  const sums = new Map<FailureReason, number>();
  for (const endpoint of endpoints) {
    for (const [reason, count] of failuresBetween(before, after, endpoint)) {
      sums.set(reason, (sums.get(reason) ?? 0) + count);
    }
  }
  return sums;
}
