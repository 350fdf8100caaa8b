import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Endpoint, FailureReason } from '../../src/model/enums.ts';
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
import { INTERVAL, raiseStage, type Stage, type StageOptions } from './stage.ts';

/** When a fault begins: before anything is known, while all goes well, or between two requests of one poll. */
export const PHASES = ['at the start', 'in steady state', 'in mid-run'] as const;

export type Phase = (typeof PHASES)[number];

/** A way to switch something on that goes wrong, and off again. */
export type Trouble = {
  readonly begin: (stage: Stage, phase: Phase) => Promise<void> | void;
  readonly end: (stage: Stage) => Promise<void> | void;
};

/** What a scenario showed. */
export type Outcome = {
  /** Why requests failed, each with how often. */
  readonly failures: ReadonlyMap<FailureReason, number>;
  /** Rounds of polls after the end of the trouble until all was well. */
  readonly recovery: number;
  /** What was seen last before the trouble, and last in it. */
  readonly before: Observation;
  readonly troubled: Observation;
};

export type Scenario = {
  /** Where it goes wrong. */
  readonly endpoints: readonly Endpoint[];
  readonly phase: Phase;
  /** Most requests in a round. */
  readonly budget: number;
  /** Most rounds until all is well again. */
  readonly recovery: number;
  /** Whether the collectors of other endpoints go on as if nothing were wrong. */
  readonly alone: boolean;
  /** Rounds of polls in trouble; by default as many as it takes for what is known to become too old. */
  readonly troubled?: number;
  /** Milliseconds of real time between two rounds, for timers that no test can move; by default none. */
  readonly rest?: number;
  readonly stage?: StageOptions;
};

const TROUBLED_ROUNDS = 5;
const GOOD_ROUNDS = 1;

/**
 * Plays one scenario to its end and expects all that must hold in every one. What must hold in this one alone is for
 * the caller to say of the outcome.
 */
export async function play(trouble: Trouble, scenario: Scenario): Promise<Outcome> {
  const stage = await raiseStage(scenario.stage);
  try {
    return await perform(stage, trouble, scenario);
  } finally {
    await stage.close();
  }
}

async function perform(stage: Stage, trouble: Trouble, scenario: Scenario): Promise<Outcome> {
  let last = await observe(stage);
  const rounds = async (count: number, isTroubled = false) => {
    for (let left = count; left > 0; left -= 1) {
      await stage.poll();
      const next = await observe(stage);
      expectInvariants(last, next, scenario.budget);
      expectOnlyRealPhones(stage, next);
      if (isTroubled && scenario.alone) expectNeighboursWell(last, next, scenario.endpoints);
      last = next;
      if (scenario.rest !== undefined) await setTimeout(scenario.rest);
      stage.clock.advance(INTERVAL);
    }
  };

  if (scenario.phase !== 'at the start') {
    await rounds(GOOD_ROUNDS);
    expect(isUp(last)).toBe(true);
  }
  const before = last;
  await trouble.begin(stage, scenario.phase);
  await rounds(scenario.troubled ?? TROUBLED_ROUNDS, true);
  const troubled = last;
  await trouble.end(stage);

  let recovery = 0;
  do {
    recovery += 1;
    await rounds(1);
  } while (!isUp(last) && recovery < scenario.recovery);
  expect(isUp(last), `all is well within ${scenario.recovery} rounds`).toBe(true);
  expect(phonesOn(last)).toEqual(phonesOf(stage));
  expectQuietLog(stage);
  await observe(stage, 'identity');
  return { failures: total(scenario.endpoints, before, last), recovery, before, troubled };
}

/** Where an endpoint is fine, its collector does not fail; that of the tunnels needs the device list as well. */
function expectNeighboursWell(before: Observation, after: Observation, troubled: readonly Endpoint[]): void {
  for (const [endpoint, collector] of [
    ['devices', 'devices'],
    ['tunnel', 'tunnels'],
    ['balance', 'balance'],
  ] as const) {
    if (troubled.includes(endpoint)) continue;
    expect(pollsFailed(before, after, collector), `${collector}: failures beside the trouble`).toBe(0);
  }
}

/** No phone on the page that the marketplace does not have. */
function expectOnlyRealPhones(stage: Stage, observation: Observation): void {
  const real = new Set(phonesOf(stage));
  expect(phonesOn(observation).filter((id) => !real.has(id))).toEqual([]);
}

const phonesOf = ({ marketplace }: Stage): readonly string[] =>
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
